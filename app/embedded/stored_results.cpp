#include "app/embedded/stored_results.h"

#include <cstddef>

extern "C" {
extern const char dispersion_table_begin[];
extern const char dispersion_table_end[];
extern const char dispersion_precision_begin[];
extern const char dispersion_precision_end[];
}

namespace dispersion {

std::string_view embedded_table() {
  return {dispersion_table_begin,
          static_cast<std::size_t>(dispersion_table_end - dispersion_table_begin)};
}

std::string_view embedded_precision() {
  return {dispersion_precision_begin,
          static_cast<std::size_t>(dispersion_precision_end - dispersion_precision_begin)};
}

}  // namespace dispersion
