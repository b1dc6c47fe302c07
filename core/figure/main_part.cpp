#include <algorithm>
#include <cstddef>

#include "core/figure/figure.h"

namespace dispersion {

Table main_part(const Table& table) {
  Table part = table;
  if (table.main_rows <= 0) return part;
  part.is_part = table.rows.size() > static_cast<std::size_t>(table.main_rows);
  part.rows.resize(std::min(table.rows.size(), static_cast<std::size_t>(table.main_rows)));
  part.notes.resize(
      std::min(table.notes.size(), static_cast<std::size_t>(std::max(table.main_notes, 0))));
  part.main_rows = 0;
  part.main_notes = 0;
  return part;
}

}  // namespace dispersion
