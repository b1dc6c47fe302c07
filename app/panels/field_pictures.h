#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "app/window/texture.h"
#include "core/figure/field_image.h"
#include "core/figure/figure.h"

namespace dispersion {

// The fields of a figure as textures, made again only when it is another figure. Needs a current
// OpenGL context while it lives.
class FieldPictures {
 public:
  // `figure` must stay as it is as long as `owner` lives.
  void update(const std::shared_ptr<const void>& owner, const Figure& figure);

  const Texture& texture(std::size_t field) const { return *textures_[field]; }
  const FieldImage& image(std::size_t field) const { return images_[field]; }

 private:
  std::shared_ptr<const void> owner_;
  std::vector<std::unique_ptr<Texture>> textures_;
  std::vector<FieldImage> images_;  // without their positions, which the textures hold
};

}  // namespace dispersion
