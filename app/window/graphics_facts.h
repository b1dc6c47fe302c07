#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dispersion {

// How the window is drawn, as names and values: the renderer of the current OpenGL context, its
// version, and the window system.
std::vector<std::pair<std::string, std::string>> graphics_facts();

}  // namespace dispersion
