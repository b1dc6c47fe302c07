#include "tests/statements/claims.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "core/figure/number_text.h"
#include "core/figure/plot_labels.h"

namespace dispersion {
namespace {

// The text with every `what` replaced.
std::string replaced(const std::string& text, const std::string& what, const std::string& with) {
  std::string result;
  std::size_t begin = 0;
  for (std::size_t at = 0; (at = text.find(what, begin)) != std::string::npos;
       begin = at + what.size())
    result.append(text, begin, at - begin).append(with);
  return result.append(text, begin);
}

// The exponent in superscript digits, as in "10⁻¹⁴".
int superscript(std::string text) {
  const std::vector<std::string> digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  for (std::size_t i = 0; i < digits.size(); ++i)
    text = replaced(text, digits[i], std::to_string(i));
  text = replaced(text, "⁻", "-");
  return std::stoi(text);
}

void add(std::vector<Statement>& all, const Statement& statement) {
  if (!statement.empty()) all.push_back(statement);
}

bool is_true(const Claim& claim, const Truth& truth) {
  if (claim.relation == Relation::kHolds) return truth.value == 1;
  const ShownNumber shown = read_shown(claim.shown);
  const double room = shown.half_unit * (1 + 1e-9) + truth.tolerance;
  if (shown.below) return truth.value < shown.value + truth.tolerance;
  switch (claim.relation) {
    case Relation::kIs:
      if (std::isinf(truth.value) || std::isinf(shown.value)) return truth.value == shown.value;
      return std::abs(truth.value - shown.value) <= room;
    case Relation::kAtMost:
      return truth.value <= shown.value + truth.tolerance;
    case Relation::kAtLeast:
      return truth.value >= shown.value - truth.tolerance;
    case Relation::kHolds:
      break;
  }
  return false;
}

// Whether the number shown is the one that the text was made from, rounded as the relation says: to
// nearest, or outward by less than a unit and a tenth (some texts round to the next unit but one).
bool shows_its_value(const Claim& claim) {
  if (claim.relation == Relation::kHolds) return true;
  const ShownNumber shown = read_shown(claim.shown);
  if (shown.below) return claim.value < shown.value;
  const double rounding = 1e-9 * std::abs(claim.value);
  const double above = shown.value - claim.value;
  if (claim.relation == Relation::kIs)
    return std::isinf(claim.value) || std::abs(above) <= shown.half_unit + rounding;
  const double outward = claim.relation == Relation::kAtMost ? above : -above;
  return outward >= -rounding && outward <= 4 * shown.half_unit + rounding;
}

std::string place(const Claim& claim) {
  std::string text(claim.what);
  if (!claim.of.empty()) text.append(" of ").append(claim.of);
  for (const double at : claim.at)
    text.append(" at ").append(std::to_string(at));
  return text;
}

}  // namespace

ShownNumber read_shown(std::string text) {
  const std::string all = text;
  ShownNumber number;
  for (const std::string space : {"\u2009", "\u00a0", " "})
    text = replaced(text, space, "");
  text = replaced(text, "\u2212", "-");
  if (text.starts_with("<")) {
    number.below = true;
    text.erase(0, 1);
  }
  if (text.starts_with("+")) text.erase(0, 1);
  int exponent = 0;
  const std::string times = "·10";
  if (const std::size_t at = text.find(times); at != std::string::npos) {
    exponent = superscript(text.substr(at + times.size()));
    text.resize(at);
  }
  // "1.2e-05", as a number in a column.
  if (const std::size_t at = text.find('e'); at != std::string::npos && at > 0) {
    exponent = std::stoi(text.substr(at + 1));
    text.resize(at);
  }
  if (text.starts_with("10") && text.size() > 2 &&
      !std::isdigit(static_cast<unsigned char>(text[2])) && text[2] != '.') {
    exponent = superscript(text.substr(2));
    text.assign(1, '1');
  }
  std::size_t used = 0;
  try {
    number.value = std::stod(text, &used);
  } catch (const std::logic_error&) {
    used = 0;
  }
  if (used == 0 || used != text.size())
    throw std::invalid_argument("'" + all + "' is no number that is shown");
  const std::size_t point = text.find('.');
  const auto decimals = point == std::string::npos ? 0 : static_cast<int>(text.size() - point - 1);
  number.value *= std::pow(10.0, exponent);
  number.half_unit = 0.5 * std::pow(10.0, exponent - decimals);
  return number;
}

std::vector<Statement> statements_of(const Figure& figure) {
  std::vector<Statement> all;
  add(all, figure.title);
  add(all, figure.sentence);
  for (const HeatmapGrid& grid : figure.grids) {
    add(all, grid.title);
    add(all, grid.subtitle);
    for (const HeatmapStrip& strip : grid.strips) {
      add(all, strip.subtitle);
      for (const Heatmap& frame : strip.frames)
        add(all, frame.caption);
    }
  }
  for (const LinePlot& plot : figure.plots) {
    add(all, plot.title);
    add(all, painted_subtitle(plot));
  }
  for (const FieldPlot& plot : figure.fields) {
    add(all, plot.title);
    add(all, plot.subtitle);
  }
  for (const Table& table : figure.tables) {
    add(all, table.title);
    add(all, table.subtitle);
    for (const Statement& note : table.notes)
      add(all, note);
  }
  return all;
}

std::vector<Statement> statements_of(const ExperimentResult& result) {
  std::vector<Statement> all = statements_of(result.figure);
  for (const Statement& line : result.introduction)
    add(all, line);
  for (const Statement& sentence : result.sentences)
    add(all, sentence);
  for (const ResultTable& table : result.tables) {
    add(all, table.title);
    for (const Statement& note : table.notes)
      add(all, note);
  }
  return all;
}

void Claims::check(const Statement& statement) {
  for (const Claim& claim : statement.claims()) {
    const auto known = known_.find(std::string(claim.what));
    if (known == known_.end()) {
      ADD_FAILURE() << "nobody recomputes '" << claim.what << "', claimed in: " << statement.text();
      continue;
    }
    ++made_[known->first];
    EXPECT_NE(statement.text().find(claim.shown), std::string::npos)
        << place(claim) << " shows " << claim.shown << ", not in: " << statement.text();
    EXPECT_TRUE(shows_its_value(claim))
        << place(claim) << " shows " << claim.shown << " for " << claim.value;
    const Truth truth = known->second(claim);
    EXPECT_TRUE(is_true(claim, truth)) << place(claim) << " is " << truth.value << " give or take "
                                       << truth.tolerance << "; said: " << statement.text();
  }
}

void Claims::check(const std::vector<Statement>& statements) {
  for (const Statement& statement : statements)
    check(statement);
}

std::vector<std::string> Claims::never_made() const {
  std::vector<std::string> names;
  for (const auto& [name, recompute] : known_) {
    if (!made_.contains(name)) names.push_back(name);
  }
  return names;
}

}  // namespace dispersion
