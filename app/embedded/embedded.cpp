#include "app/embedded/embedded.h"

#include <cstddef>

// Made by the assembler (embedded.s.in).
extern "C" {
extern const char dispersion_roboto_regular_begin[];
extern const char dispersion_roboto_regular_end[];
extern const char dispersion_roboto_medium_begin[];
extern const char dispersion_roboto_medium_end[];
extern const char dispersion_dejavu_sans_begin[];
extern const char dispersion_dejavu_sans_end[];
}

namespace dispersion {
namespace {

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::string_view embedded_bytes(EmbeddedFile file) {
  switch (file) {
    case EmbeddedFile::kRobotoRegular:
      return between(dispersion_roboto_regular_begin, dispersion_roboto_regular_end);
    case EmbeddedFile::kRobotoMedium:
      return between(dispersion_roboto_medium_begin, dispersion_roboto_medium_end);
    case EmbeddedFile::kDejaVuSans:
      return between(dispersion_dejavu_sans_begin, dispersion_dejavu_sans_end);
  }
  return {};
}

}  // namespace dispersion
