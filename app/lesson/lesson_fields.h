#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dispersion {

// The lines of a lesson as fields, "key: value", whatever they mean.
struct LessonField {
  int line = 0;  // where it begins, from 1 on
  std::string key;
  // Without the spaces around it. Lines that go on are joined by a space, and by a line break where
  // empty lines were between them.
  std::string value;
};

// Throws FileError that names the line and what is wrong with it.
[[noreturn]] void refuse_line(const std::filesystem::path& file, int line, const std::string& what);

// Throws FileError for a line that is neither a field, nor indented, nor empty, nor a comment, and
// for characters that cannot be seen.
std::vector<LessonField> lesson_fields(const std::filesystem::path& file, std::string_view text);

}  // namespace dispersion
