#include "app/lesson/lesson_fields.h"

#include <algorithm>

#include "core/io/file.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

// Takes the first line off the text, without its line break, "\n" or "\r\n".
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool is_key(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
}

void add_words(std::string& value, std::string_view words, bool new_paragraph) {
  if (!value.empty()) value += new_paragraph ? '\n' : ' ';
  value += words;
}

}  // namespace

void refuse_line(const std::filesystem::path& file, int line, const std::string& what) {
  throw FileError(file, "line " + std::to_string(line) + ": " + what);
}

std::vector<LessonField> lesson_fields(const std::filesystem::path& file, std::string_view text) {
  std::vector<LessonField> fields;
  bool empty_before = false;
  text = without_byte_order_mark(text);
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = take_line(text);
    if (visible_text(line) != line)
      refuse_line(file, number, "has characters that cannot be seen: " + in_quotes(line));
    const std::string_view words = trimmed(line);
    if (words.empty()) {
      empty_before = true;
      continue;
    }
    if (line.front() == '#') continue;
    if (line.front() == ' ') {
      if (fields.empty()) refuse_line(file, number, "is indented, and goes on with no field");
      add_words(fields.back().value, words, empty_before);
    } else {
      const std::size_t colon = line.find(':');
      if (!is_key(line.substr(0, colon)) || colon == std::string_view::npos)
        refuse_line(file, number,
                    "is " + in_quotes(line) +
                        "; expected \"key: value\", or two spaces before a line that goes on");
      fields.push_back({number, std::string(line.substr(0, colon)),
                        std::string(trimmed(line.substr(colon + 1)))});
    }
    empty_before = false;
  }
  return fields;
}

}  // namespace dispersion
