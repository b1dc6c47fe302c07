#include "app/panels/subtitle.h"

#include <algorithm>
#include <cstddef>

namespace dispersion {

std::vector<std::string> subtitle_parts(const std::string& whole) {
  const std::string head = whole.substr(0, whole.find(';'));
  std::vector<std::string> parts;
  int depth = 0;
  for (std::size_t i = 0; i < head.size(); ++i) {
    depth += head[i] == '{' ? 1 : head[i] == '}' ? -1 : 0;
    const bool first_word = head[i] == ' ' && parts.empty();
    if (depth == 0 && (head[i] == ',' || first_word)) parts.push_back(head.substr(0, i));
  }
  parts.push_back(head);
  if (head != whole) parts.push_back(whole);
  std::ranges::reverse(parts);
  return parts;
}

std::string subtitle_that_fits(const Painter& painter, const std::string& whole, float room) {
  for (const std::string& part : subtitle_parts(whole)) {
    if (measure(painter, TextStyle::kSmall, part).x <= room) return part;
  }
  return "";
}

}  // namespace dispersion
