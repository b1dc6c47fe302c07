#include "core/figure/compared_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/attention/transforms.h"
#include "core/figure/compared_parts.h"

namespace dispersion {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

const Series* find(const std::vector<Series>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &Series::name);
  return found == all.end() ? nullptr : &*found;
}

// B minus A at the x that both have; without points where they share none.
Series difference_of(const Series& a, const Series& b) {
  Series series;
  for (std::size_t i = 0; i < std::min(b.x.size(), b.y.size()); ++i) {
    const auto same = std::ranges::find(a.x, b.x[i]);
    const auto at = static_cast<std::size_t>(same - a.x.begin());
    if (same == a.x.end() || at >= a.y.size()) continue;
    series.x.push_back(b.x[i]);
    series.y.push_back(b.y[i] - a.y[at]);
  }
  return series;
}

// The frames of A and B under one transform; null: the state does not show it.
struct BothStrips {
  TransformId id = TransformId::kSoftmax;
  const HeatmapStrip* a = nullptr;
  const HeatmapStrip* b = nullptr;
};

std::vector<BothStrips> both_strips(const ComparedGrids& grids) {
  std::vector<BothStrips> all;
  for (std::size_t i = 0; i < grids.strips.size(); ++i) {
    const ComparedStrip& origin = grids.strips[i];
    auto place = std::ranges::find(all, origin.transform, &BothStrips::id);
    if (place == all.end()) place = all.insert(all.end(), {origin.transform});
    const HeatmapStrip& strip = grids.maps.strips[i];
    if (origin.side != ComparedSide::kB) place->a = &strip;
    if (origin.side != ComparedSide::kA) place->b = &strip;
  }
  return all;
}

const Heatmap* frame_of(const HeatmapStrip* strip, std::size_t index) {
  return strip == nullptr || index >= strip->frames.size() ? nullptr : &strip->frames[index];
}

double weight_at(const Heatmap* frame, std::size_t cell) {
  return frame == nullptr || cell >= frame->values.size()
             ? kNone
             : static_cast<double>(frame->values[cell]);
}

enum Column { kTransform, kFrame, kSet, kRank, kWeightA, kWeightB, kDifference, kColumns };

void add_rows(DataTable& table, TransformId id, const Heatmap* a, const Heatmap* b) {
  const Heatmap* any = b != nullptr && !b->values.empty() ? b : a;
  if (any == nullptr || any->columns <= 0) return;
  for (std::size_t i = 0; i < any->values.size(); ++i) {
    const auto at = static_cast<int>(i);
    const double of_a = weight_at(a, i);
    const double of_b = weight_at(b, i);
    table.columns[kTransform].texts.emplace_back(transform_definition(id).label);
    table.columns[kFrame].texts.push_back(any->title);
    const std::array<double, kColumns> row = {kNone,
                                              number_in(any->title),
                                              static_cast<double>(at / any->columns + 1),
                                              static_cast<double>(any->columns - at % any->columns),
                                              of_a,
                                              of_b,
                                              of_b - of_a};
    for (std::size_t c = 0; c < row.size(); ++c)
      table.columns[c].values.push_back(row[c]);
  }
}

}  // namespace

DataTable compared_table(const LinePlot& plot, bool difference, const LinePlot* known) {
  LinePlot all = plot;
  for (const Series& series : plot.series) {
    if (!difference || !series.name.starts_with(kOfA)) continue;
    const std::string name = series.name.substr(kOfA.size());
    const Series* from = find(known == nullptr ? plot.series : known->series, name);
    if (from == nullptr) continue;
    Series own = known == nullptr ? difference_of(series, *from) : *from;
    if (own.x.empty()) continue;
    own.name = "B − A: " + name;
    all.series.push_back(std::move(own));
  }
  return data_table(all);
}

DataTable compared_table(const ComparedGrids& grids, bool difference) {
  DataTable table;
  table.title = grids.maps.title.text();
  table.columns = {{.heading = "attention transform"},
                   {.heading = grids.maps.frame_label},
                   {.heading = "set"},
                   {.heading = "rank of the item"},
                   {.heading = "weight, A", .single = true},
                   {.heading = "weight, B", .single = true},
                   {.heading = "weight, B − A"}};
  for (const BothStrips& both : both_strips(grids)) {
    const std::size_t frames = std::max(both.a == nullptr ? 0 : both.a->frames.size(),
                                        both.b == nullptr ? 0 : both.b->frames.size());
    for (std::size_t f = 0; f < frames; ++f)
      add_rows(table, both.id, frame_of(both.a, f), frame_of(both.b, f));
  }
  table.rows = table.columns[kSet].values.size();
  if (!difference) table.columns.pop_back();
  return table;
}

}  // namespace dispersion
