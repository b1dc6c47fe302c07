#include "app/panels/field_pictures.h"

#include <cstdint>

#include "app/palette/palette.h"
#include "app/window/theme.h"

namespace dispersion {

void FieldPictures::update(const std::shared_ptr<const void>& owner, const Figure& figure) {
  if (owner == owner_) return;
  owner_ = owner;
  images_.clear();
  for (std::size_t i = 0; i < figure.fields.size(); ++i) {
    const FieldPlot& plot = figure.fields[i];
    FieldImage image = field_image(plot);
    if (textures_.size() <= i) textures_.push_back(std::make_unique<Texture>());
    std::vector<std::uint32_t> pixels;
    pixels.reserve(image.position.size());
    for (const float position : image.position)
      pixels.push_back(packed(map_colour(plot.map, static_cast<double>(position))));
    if (image.rows > 0) textures_[i]->update(image.columns, image.rows, pixels);
    image.position.clear();
    images_.push_back(std::move(image));
  }
}

}  // namespace dispersion
