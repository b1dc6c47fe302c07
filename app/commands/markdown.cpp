#include "app/commands/markdown.h"

#include <cmath>

#include "core/figure/number_text.h"

namespace dispersion {

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells)
    text.append(" ").append(cell).append(" |");
  return text + "\n";
}

std::string markdown_heading(const std::vector<std::string>& names) {
  std::string text = markdown_row(names) + "|:--|";
  for (std::size_t i = 1; i < names.size(); ++i)
    text += "--:|";
  return text + "\n";
}

std::string percent(double fraction) {
  return fixed_text(100 * fraction, 1);
}

std::string p_text(const Json& p) {
  if (p.is_null()) return "-";
  const double value = p.get<double>();
  if (value < 1e-12) return "< 1e-12";
  if (value >= 0.01) return fixed_text(value, 2);
  const int exponent = static_cast<int>(std::floor(std::log10(value)));
  return fixed_text(value / std::pow(10.0, exponent), 1) + "e" + std::to_string(exponent);
}

}  // namespace dispersion
