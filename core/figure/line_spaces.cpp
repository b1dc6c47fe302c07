#include "core/figure/line_spaces.h"

namespace dispersion {
namespace {

constexpr std::string_view kNoBreakSpace = "\u00A0";

std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
  std::string result;
  for (std::size_t at = 0; (at = text.find(what)) != std::string_view::npos;) {
    result.append(text.substr(0, at)).append(by);
    text.remove_prefix(at + what.size());
  }
  return result.append(text);
}

}  // namespace

std::string in_one_line(std::string_view text) {
  return replaced(text, " ", kNoBreakSpace);
}

std::string with_breaking_spaces(std::string_view text) {
  return replaced(text, kNoBreakSpace, " ");
}

}  // namespace dispersion
