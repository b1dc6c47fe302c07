#pragma once

#include <filesystem>
#include <string>

#include "app/window/frame_grabber.h"

namespace dispersion {

// Where the pictures go: the program's argument.
extern std::filesystem::path screenshot_folder;

// Writes folder/name.png; the test fails when the picture has another size.
void write(const std::string& name, const Picture& picture, Size size);

}  // namespace dispersion
