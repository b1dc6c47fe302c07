#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "app/window/window.h"

namespace dispersion {

struct Picture {
  Size size;
  std::vector<std::uint8_t> rgb;  // [height, width, 3], first row on top
};

// What was drawn into the window's frame; to be called between drawing and Window::swap().
Picture grab_frame(Size framebuffer);

// Opaque PNG. Throws FileError.
void write_png(const std::filesystem::path& path, const Picture& picture);

}  // namespace dispersion
