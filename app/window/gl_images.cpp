#include "app/window/gl_images.h"

#include <imgui_impl_opengl3_loader.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "app/export/encodings.h"
#include "core/io/file.h"

namespace {

// zlib packs a window to four fifths of what the writer's own packer makes of it. The writer frees
// what it gets with free().
unsigned char* pack_for_png(unsigned char* bytes, int length, int* packed_length, int /*quality*/) {
  const std::string stream = dispersion::compressed(
      {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length)});
  auto* packed = static_cast<unsigned char*>(std::malloc(stream.size()));
  if (packed == nullptr) return nullptr;
  std::copy(stream.begin(), stream.end(), packed);
  *packed_length = static_cast<int>(stream.size());
  return packed;
}

}  // namespace

#define STBIW_ZLIB_COMPRESS pack_for_png
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>

namespace dispersion {

Texture::~Texture() {
  if (name_ != 0) glDeleteTextures(1, &name_);
}

void Texture::update(int width, int height, std::span<const std::uint32_t> pixels) {
  if (width <= 0 || height <= 0 ||
      pixels.size() != static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {
    throw std::invalid_argument("texture: the pixels do not fill width x height");
  }
  if (name_ == 0) glGenTextures(1, &name_);
  glBindTexture(GL_TEXTURE_2D, name_);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  if (width == width_ && height == height_) {
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE,
                    pixels.data());
    return;
  }
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               pixels.data());
  width_ = width;
  height_ = height;
}

Picture grab_frame(Size framebuffer) {
  const std::size_t width = static_cast<std::size_t>(framebuffer.width);
  const std::size_t height = static_cast<std::size_t>(framebuffer.height);
  std::vector<std::uint8_t> rgba(width * height * 4);  // last row first
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, framebuffer.width, framebuffer.height, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
  Picture picture{framebuffer, std::vector<std::uint8_t>(width * height * 3)};
  for (std::size_t y = 0; y < height; ++y) {
    const std::uint8_t* from = &rgba[(height - 1 - y) * width * 4];
    std::uint8_t* to = &picture.rgb[y * width * 3];
    for (std::size_t x = 0; x < width; ++x)
      std::copy_n(from + x * 4, 3, to + x * 3);
  }
  return picture;
}

void write_png(const std::filesystem::path& path, const Picture& picture) {
  std::string bytes;
  const auto append = [](void* context, void* data, int size) {
    static_cast<std::string*>(context)->append(static_cast<const char*>(data),
                                               static_cast<std::size_t>(size));
  };
  stbi_write_force_png_filter = 0;  // text and flat colours pack to two thirds without filters
  const int done = stbi_write_png_to_func(append, &bytes, picture.size.width, picture.size.height,
                                          3, picture.rgb.data(), picture.size.width * 3);
  if (done == 0) throw FileError(path, "the picture could not be packed as PNG");
  write_file_atomically(path, bytes);
}

}  // namespace dispersion
