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
extern const char dispersion_dejavu_serif_begin[];
extern const char dispersion_dejavu_serif_end[];
extern const char dispersion_latin_modern_regular_begin[];
extern const char dispersion_latin_modern_regular_end[];
extern const char dispersion_latin_modern_bold_begin[];
extern const char dispersion_latin_modern_bold_end[];
extern const char dispersion_latin_modern_math_begin[];
extern const char dispersion_latin_modern_math_end[];
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
    case EmbeddedFile::kDejaVuSerif:
      return between(dispersion_dejavu_serif_begin, dispersion_dejavu_serif_end);
    case EmbeddedFile::kLatinModernRegular:
      return between(dispersion_latin_modern_regular_begin, dispersion_latin_modern_regular_end);
    case EmbeddedFile::kLatinModernBold:
      return between(dispersion_latin_modern_bold_begin, dispersion_latin_modern_bold_end);
    case EmbeddedFile::kLatinModernMath:
      return between(dispersion_latin_modern_math_begin, dispersion_latin_modern_math_end);
  }
  return {};
}

}  // namespace dispersion
