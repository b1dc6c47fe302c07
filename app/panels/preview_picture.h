#pragma once

#include <cstdint>

#include "app/session/export_worker.h"
#include "app/window/texture.h"

namespace dispersion {

// The newest preview of an exported figure as a texture. Needs a current OpenGL context while it
// lives.
struct PreviewPicture {
  Texture texture;
  std::uint64_t id = 0;  // of the preview in it

  void update(const Preview& preview) {
    if (preview.id == id || preview.pixels.rgba.empty()) return;
    texture.update(preview.pixels.width, preview.pixels.height, preview.pixels.rgba);
    id = preview.id;
  }
};

}  // namespace dispersion
