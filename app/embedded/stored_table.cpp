#include "app/embedded/stored_table.h"

#include <cstddef>

extern "C" {
extern const char dispersion_table_begin[];
extern const char dispersion_table_end[];
}

namespace dispersion {

std::string_view embedded_table() {
  return {dispersion_table_begin,
          static_cast<std::size_t>(dispersion_table_end - dispersion_table_begin)};
}

}  // namespace dispersion
