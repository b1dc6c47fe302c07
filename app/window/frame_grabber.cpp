#include "app/window/frame_grabber.h"

#include <imgui_impl_opengl3_loader.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "core/io/file.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>

namespace dispersion {

Picture grab_frame(Size framebuffer) {
  const std::size_t width = static_cast<std::size_t>(framebuffer.width);
  const std::size_t height = static_cast<std::size_t>(framebuffer.height);
  std::vector<std::uint8_t> rgba(width * height * 4);  // last row first, alpha as blending left it
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
  const int done = stbi_write_png_to_func(append, &bytes, picture.size.width, picture.size.height,
                                          3, picture.rgb.data(), picture.size.width * 3);
  if (done == 0) throw FileError(path, "the picture could not be packed as PNG");
  write_file_atomically(path, bytes);
}

}  // namespace dispersion
