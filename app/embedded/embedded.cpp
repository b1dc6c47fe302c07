#include "app/embedded/embedded.h"

#include <cstddef>

// The assembler defines these symbols (embedded.s.in).
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
extern const char dispersion_table_begin[];
extern const char dispersion_table_end[];
extern const char dispersion_precision_begin[];
extern const char dispersion_precision_end[];
// Defined in files that CMakeLists.txt writes: for each text its name, a zero byte, the text and a
// zero byte.
extern const char dispersion_histories_begin[];
extern const char dispersion_histories_end[];
extern const char dispersion_lessons_begin[];
extern const char dispersion_lessons_end[];
}

namespace dispersion {

namespace {

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

std::vector<EmbeddedText> texts_between(const char* begin, const char* end) {
  std::string_view rest = between(begin, end);
  const auto take = [&rest] {
    const std::string_view text = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(text.size() + 1);
    return text;
  };
  std::vector<EmbeddedText> texts;
  while (!rest.empty()) {
    const std::string_view name = take();
    texts.push_back({std::string(name), take()});
  }
  return texts;
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

std::string_view embedded_table() {
  return between(dispersion_table_begin, dispersion_table_end);
}

std::string_view embedded_precision() {
  return between(dispersion_precision_begin, dispersion_precision_end);
}

std::vector<EmbeddedText> embedded_histories() {
  return texts_between(dispersion_histories_begin, dispersion_histories_end);
}

std::vector<EmbeddedText> embedded_lessons() {
  return texts_between(dispersion_lessons_begin, dispersion_lessons_end);
}

}  // namespace dispersion
