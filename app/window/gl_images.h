#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "app/window/window.h"

namespace dispersion {

// An RGBA image in graphics memory that Dear ImGui draws without interpolating between pixels.
// Needs a current OpenGL context while it lives.
class Texture {
 public:
  Texture() = default;
  ~Texture();
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;

  // Copies the pixels to graphics memory: [height, width], bytes red, green, blue, alpha, first row
  // on top.
  void update(int width, int height, std::span<const std::uint32_t> pixels);

  unsigned int name() const { return name_; }  // of the OpenGL texture; 0 before the first update
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  unsigned int name_ = 0;
  int width_ = 0;
  int height_ = 0;
};

struct Picture {
  Size size;
  std::vector<std::uint8_t> rgb;  // [height, width, 3], first row on top
};

// The pixels of the frame that was drawn last. To be called after drawing, before Window::swap().
Picture grab_frame(Size framebuffer);

// Writes an opaque PNG. Throws FileError.
void write_png(const std::filesystem::path& path, const Picture& picture);

}  // namespace dispersion
