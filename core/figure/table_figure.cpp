#include "core/figure/table_figure.h"

#include <algorithm>

#include "core/figure/number_text.h"
#include "core/figure/table_parts.h"
#include "core/figure/ticks.h"

namespace dispersion {
namespace {

Series measured(const TableOne& table, const AttentionTransform& transform) {
  const TransformDefinition& definition = transform_definition(transform.id);
  Series series;
  series.name = transform_label(transform);
  series.role = definition.colour;
  series.mark = definition.mark;
  for (const TableOneCell& cell : table.cells) {
    if (cell.transform.id != transform.id) continue;
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

Series printed(const TableOne& table, const AttentionTransform& transform) {
  const TransformDefinition& definition = transform_definition(transform.id);
  Series series;
  series.name = paper_name(definition);
  series.role = definition.colour;  // told from ours by its dashes
  series.line = LineStyle::kDashed;
  series.markers = false;
  for (const TableOneCell& cell : table.cells) {
    if (cell.transform.id != transform.id || !cell.paper_mean) continue;
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
  for (const AttentionTransform& transform : transforms_of(table)) {
    plot.series.push_back(measured(table, transform));
    Series paper = printed(table, transform);
    if (!paper.x.empty()) plot.series.push_back(std::move(paper));
  }
  return plot;
}

// The size to speak of: 1,024, where the transforms differ most, or the largest there is.
int telling_size(const TableOne& table) {
  constexpr int kTelling = 1024;
  if (table.find(kTelling, TransformId::kSoftmax) != nullptr) return kTelling;
  return sizes_of(table).back();
}

std::string with_paper(const TableOneCell& cell) {
  const std::string ours = share_text(cell.accuracy.mean) + " %";
  return cell.paper_mean ? ours + " (paper " + share_text(*cell.paper_mean) + ")" : ours;
}

std::string sentence_of(const TableOne& table) {
  if (table.cells.empty()) return "Nothing has been evaluated yet.";
  const int size = telling_size(table);
  std::string text = "At n = " + grouped_text(size);
  if (const TableOneCell* plain = table.find(size, TransformId::kSoftmax))
    text += " softmax gets " + with_paper(*plain) + " of the sets right";
  if (const TableOneCell* adaptive = table.find(size, TransformId::kAdaptive)) {
    text += ", adaptive θ " + with_paper(*adaptive);
    if (adaptive->against_plain) text += ", p = " + probability_text(adaptive->against_plain->p);
  }
  if (const TableOneCell* hard = table.find(size, TransformId::kHard))
    text += "; the largest logit alone would get " + share_text(hard->accuracy.mean) + " %";
  for (const AttentionTransform& transform : transforms_of(table)) {
    if (!is_further(transform)) continue;
    const TableOneCell* cell = table.find(size, transform.id);
    if (cell != nullptr)
      text += "; " + transform_label(transform) + " " + share_text(cell->accuracy.mean) + " %";
  }
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
  figure.tables.push_back(rows_table(table));
  figure.sentence = sentence_of(table);
  return figure;
}

}  // namespace dispersion
