#include "app/export/picture.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "app/export/picture_parts.h"

namespace dispersion {

void require_size(const SheetSize& size) {
  for (const double number :
       {size.width_mm, size.height_mm, size.text_points, size.pixels_per_inch}) {
    if (!(number > 0) || !std::isfinite(number))
      throw std::invalid_argument("the size of a picture must be above 0");
  }
}

std::string provenance_json(const Provenance& provenance) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const auto& [name, value] : provenance)
    object[name] = value;
  // ASCII alone, so that it stands as it is in every format.
  return object.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace dispersion
