#include "core/figure/table_figure.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "core/figure/number_text.h"
#include "core/figure/ticks.h"

namespace dispersion {
namespace {

constexpr double kSignificant = 0.05;

struct Curve {
  MapKind map;
  const char* name;
  const char* paper_name;  // null: the paper has none
  ColourRole role;
};
constexpr std::array<Curve, 3> kCurves = {
    {{MapKind::kSoftmax, "softmax", "softmax, paper", ColourRole::kBaseline},
     {MapKind::kAdaptive, "adaptive θ", "adaptive θ, paper", ColourRole::kAdaptive},
     {MapKind::kHard, "hard, θ → 0", nullptr, ColourRole::kNeutral}}};

std::string percent(double share) {
  return fixed_text(100 * share, 1);
}

std::vector<int> sizes_of(const TableOne& table) {
  std::set<int> sizes;
  for (const TableOneCell& cell : table.cells)
    sizes.insert(cell.items);
  return {sizes.begin(), sizes.end()};
}

// A row of the table: its name, and what stands in the column of a cell of `map`.
struct RowRule {
  std::string name;
  MapKind map = MapKind::kSoftmax;
  ColourRole role = ColourRole::kNeutral;
  std::function<TableCell(const TableOneCell&)> cell;
};

TableCell text_cell(std::string text) {
  return {.text = std::move(text)};
}

TableCell number_cell(const std::optional<double>& value,
                      const std::function<std::string(double)>& text) {
  if (!value) return {.text = "–", .muted = true};
  return text_cell(text(*value));
}

TableCell mean_cell(const TableOneCell& cell) {
  TableCell result = text_cell(percent(cell.accuracy.mean));
  if (cell.accuracy.interval) {
    result.text +=
        " ± " + percent((cell.accuracy.interval->high - cell.accuracy.interval->low) / 2);
  }
  result.strong = cell.against_plain && cell.against_plain->p < kSignificant &&
                  cell.against_plain->mean_difference > 0;
  return result;
}

TableCell inside_cell(const TableOneCell& cell) {
  const std::optional<bool> inside = cell.paper_inside();
  if (!inside) {
    const std::string& reason = cell.accuracy.interval.reason;
    return {.text = reason.empty() ? "–" : reason, .muted = true};
  }
  return {.text = *inside ? "inside" : "outside", .strong = !*inside, .muted = *inside};
}

TableCell p_cell(const TableOneCell& cell) {
  if (!cell.against_plain) return {.text = cell.against_plain.reason, .muted = true};
  return {.text = probability_text(cell.against_plain->p),
          .strong = cell.against_plain->p < kSignificant};
}

std::vector<RowRule> accuracy_rows(const Curve& curve) {
  std::vector<RowRule> rows = {{curve.name, curve.map, curve.role, mean_cell}};
  if (curve.paper_name == nullptr) return rows;
  rows.push_back({"paper", curve.map, ColourRole::kReference,
                  [](const TableOneCell& cell) { return number_cell(cell.paper_mean, percent); }});
  rows.push_back({"paper in our interval", curve.map, ColourRole::kNeutral, inside_cell});
  return rows;
}

std::vector<RowRule> row_rules(double window_end) {
  std::vector<RowRule> rows;
  for (const Curve& curve : kCurves) {
    const std::vector<RowRule> more = accuracy_rows(curve);
    rows.insert(rows.end(), more.begin(), more.end());
    if (curve.map != MapKind::kAdaptive) continue;
    rows.push_back({"p, paired t-test", curve.map, ColourRole::kNeutral, p_cell});
    rows.push_back({"p, paper", curve.map, ColourRole::kReference, [](const TableOneCell& cell) {
                      return number_cell(cell.paper_p_value, probability_text);
                    }});
    rows.push_back({"p, McNemar", curve.map, ColourRole::kNeutral, [](const TableOneCell& cell) {
                      return number_cell(cell.mcnemar_p.value, probability_text);
                    }});
    rows.push_back({"H, adaptive (nats)", curve.map, curve.role, [](const TableOneCell& cell) {
                      return text_cell(fixed_text(cell.entropy, 2));
                    }});
  }
  const auto plain = [&rows](std::string name, std::function<TableCell(const TableOneCell&)> cell) {
    rows.push_back({std::move(name), MapKind::kSoftmax, ColourRole::kNeutral, std::move(cell)});
  };
  plain("H, softmax (nats)",
        [](const TableOneCell& cell) { return text_cell(fixed_text(cell.plain_entropy, 2)); });
  plain("rows with H > " + fixed_text(window_end, 4),
        [](const TableOneCell& cell) { return text_cell(percent(cell.past_window)); });
  plain("weight on the max",
        [](const TableOneCell& cell) { return text_cell(weight_text(cell.weight_on_max)); });
  plain("largest logit on the max",
        [](const TableOneCell& cell) { return text_cell(percent(cell.argmax_correct)); });
  plain("between seeds, std", [](const TableOneCell& cell) {
    return number_cell(cell.accuracy.standard_deviation.value, percent);
  });
  return rows;
}

std::string sets_text(const TableOne& table) {
  if (table.cells.empty()) return "nothing evaluated yet";
  const auto [low, high] = std::ranges::minmax(table.cells, {}, &TableOneCell::sets);
  const std::string sets = low.sets == high.sets
                               ? grouped_text(high.sets)
                               : grouped_text(low.sets) + " to " + grouped_text(high.sets);
  return grouped_text(table.heads) + (table.heads == 1 ? " seed, " : " seeds, ") + sets +
         " sets of every size each";
}

Table make_table(const TableOne& table) {
  Table result;
  result.title = "Table 1";
  result.subtitle = "accuracy in %, mean ± 95 % t-interval over " + sets_text(table);
  const std::vector<int> sizes = sizes_of(table);
  result.headings.push_back("n");
  for (const int size : sizes)
    result.headings.push_back(grouped_text(size));
  for (const RowRule& rule : row_rules(table.window_end)) {
    std::vector<TableCell> row = {{.text = rule.name, .role = rule.role}};
    bool any = false;
    for (const int size : sizes) {
      const TableOneCell* cell = table.find(size, rule.map);
      any = any || cell != nullptr;
      row.push_back(cell == nullptr ? TableCell{.text = "–", .muted = true} : rule.cell(*cell));
      row.back().role = rule.role;
    }
    if (any) result.rows.push_back(std::move(row));
  }
  result.notes = {"p: adaptive θ against softmax on the same sets; strong: p < 0.05",
                  "McNemar: exact, all sets of all seeds in one table"};
  return result;
}

Series measured(const TableOne& table, const Curve& curve) {
  Series series;
  series.name = curve.name;
  series.role = curve.role;
  for (const TableOneCell& cell : table.cells) {
    if (cell.map != curve.map) continue;
    series.x.push_back(cell.items);
    series.y.push_back(100 * cell.accuracy.mean);
    const Interval none = {cell.accuracy.mean, cell.accuracy.mean};
    const Interval interval = cell.accuracy.interval.value.value_or(none);
    // An interval of Student's may reach beyond what a share can be.
    series.low.push_back(100 * std::max(0.0, interval.low));
    series.high.push_back(100 * std::min(1.0, interval.high));
  }
  return series;
}

Series printed(const TableOne& table, const Curve& curve) {
  Series series;
  series.name = curve.paper_name;
  series.role = curve.role;  // told from ours by its dashes
  series.line = LineStyle::kDashed;
  series.markers = false;
  for (const TableOneCell& cell : table.cells) {
    if (cell.map != curve.map || !cell.paper_mean) continue;
    series.x.push_back(cell.items);
    series.y.push_back(100 * *cell.paper_mean);
  }
  return series;
}

LinePlot make_plot(const TableOne& table) {
  LinePlot plot;
  plot.title = "Accuracy";
  plot.subtitle = "% against n, 95 % t-intervals over " + sets_text(table) + "; the paper's dashed";
  const std::vector<int> sizes = sizes_of(table);
  plot.x = sizes.empty() ? size_axis(16, 16384) : size_axis(sizes.front(), sizes.back());
  plot.y = {.label = "accuracy (%)", .low = 0, .high = 104, .ticks = round_ticks(0, 100, 6)};
  for (const Curve& curve : kCurves) {
    Series series = measured(table, curve);
    if (!series.x.empty()) plot.series.push_back(std::move(series));
    if (curve.paper_name == nullptr) continue;
    Series paper = printed(table, curve);
    if (!paper.x.empty()) plot.series.push_back(std::move(paper));
  }
  return plot;
}

// The size to speak of: 1,024, where the maps differ most, or the largest there is.
int telling_size(const TableOne& table) {
  constexpr int kTelling = 1024;
  if (table.find(kTelling, MapKind::kSoftmax) != nullptr) return kTelling;
  return sizes_of(table).back();
}

std::string with_paper(const TableOneCell& cell) {
  const std::string ours = percent(cell.accuracy.mean) + " %";
  return cell.paper_mean ? ours + " (paper " + percent(*cell.paper_mean) + ")" : ours;
}

std::string sentence_of(const TableOne& table) {
  if (table.cells.empty()) return "Nothing has been evaluated yet.";
  const int size = telling_size(table);
  std::string text = "At n = " + grouped_text(size);
  if (const TableOneCell* plain = table.find(size, MapKind::kSoftmax))
    text += " softmax gets " + with_paper(*plain) + " of the sets right";
  if (const TableOneCell* adaptive = table.find(size, MapKind::kAdaptive)) {
    text += ", adaptive θ " + with_paper(*adaptive);
    if (adaptive->against_plain) text += ", p = " + probability_text(adaptive->against_plain->p);
  }
  if (const TableOneCell* hard = table.find(size, MapKind::kHard))
    text += "; the largest logit alone would get " + percent(hard->accuracy.mean) + " %";
  text += ".";
  int inside = 0;
  int compared = 0;
  for (const TableOneCell& cell : table.cells) {
    const std::optional<bool> in = cell.paper_inside();
    compared += in.has_value();
    inside += in.value_or(false);
  }
  if (compared > 0) {
    text += " The paper's value lies in our 95 % interval in " + std::to_string(inside) + " of " +
            std::to_string(compared) + " cells.";
  }
  return text;
}

}  // namespace

Figure table_figure(const TableOne& table) {
  Figure figure;
  figure.name = "table";
  figure.title = "Accuracy as the number of items grows";
  figure.plots.push_back(make_plot(table));
  figure.tables.push_back(make_table(table));
  figure.sentence = sentence_of(table);
  return figure;
}

}  // namespace dispersion
