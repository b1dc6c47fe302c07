#pragma once

#include <cstdint>
#include <span>

namespace dispersion {

// An RGBA image in graphics memory for Dear ImGui to draw with sharp texel edges. Needs a current
// OpenGL context while it lives.
class Texture {
 public:
  Texture() = default;
  ~Texture();
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;

  // pixels: [height, width], bytes red, green, blue, alpha, first row on top. Only when the picture
  // changed: it is copied.
  void update(int width, int height, std::span<const std::uint32_t> pixels);

  unsigned int name() const { return name_; }  // 0 before the first update
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  unsigned int name_ = 0;
  int width_ = 0;
  int height_ = 0;
};

}  // namespace dispersion
