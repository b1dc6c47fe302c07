#include "core/figure/difference.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "core/attention/transforms.h"
#include "core/figure/compared_parts.h"
#include "core/figure/compared_values.h"
#include "core/figure/dispersion_text.h"
#include "core/figure/figures.h"
#include "core/figure/number_text.h"
#include "core/figure/sentences.h"
#include "core/figure/signed_values.h"

namespace dispersion {
namespace {

HeatmapStrip strip_of(const TransformFrames& frames, ColourScale scale) {
  return dispersion_grid(std::span(&frames, 1), scale).strips.front();
}

HeatmapStrip named(std::string_view side, HeatmapStrip strip) {
  strip.title = std::string(side) + ": " + strip.title;
  return strip;
}

// The weights of B minus those of A, cell by cell: both frames show the same items of the same
// sets. Empty until both are computed.
Heatmap difference_map(const AttentionFrame& a, const AttentionFrame& b) {
  Heatmap map;
  if (a.items == 0 || a.items != b.items || a.weights.size() != b.weights.size()) return map;
  map.title = grouped_text(b.items);
  const double on_max = b.mean_weight_on_max - a.mean_weight_on_max;
  map.caption = Statement::number({.what = "mean weight on the maximum of a frame, B minus A",
                                   .of = std::string(transform_name(b.transform.id)),
                                   .at = {static_cast<double>(b.items)},
                                   .value = on_max,
                                   .shown = signed_text(on_max, 3)});
  map.rows = kFrameSets;
  map.columns = b.columns;
  std::ranges::transform(b.weights, a.weights, std::back_inserter(map.values), std::minus());
  return map;
}

HeatmapStrip difference_strip(const TransformFrames& a, const TransformFrames& b) {
  const TransformDefinition& definition = transform_definition(b.transform.id);
  HeatmapStrip strip;
  strip.title = "B − A";
  strip.subtitle = Statement::naming(std::string(definition.label));
  strip.role = definition.colour;
  for (std::size_t i = 0; i < std::min(a.frames.size(), b.frames.size()); ++i)
    strip.frames.push_back(difference_map(a.frames[i], b.frames[i]));
  return strip;
}

// The grid of differences, without strips.
HeatmapGrid difference_grid(const HeatmapGrid& maps) {
  HeatmapGrid grid;
  grid.title = "Attention of B minus that of A";
  grid.subtitle = "the same items of the same sets; one range of colours for all n";
  grid.scale = ColourScale::kLinear;
  grid.value_label = "weight, B − A";
  grid.caption_label = maps.caption_label;
  grid.frame_label = maps.frame_label;
  return grid;
}

void set_range(HeatmapGrid& differences) {
  float largest = 0;
  for (const HeatmapStrip& strip : differences.strips) {
    for (const Heatmap& map : strip.frames) {
      for (const float value : map.values)
        largest = std::max(largest, std::abs(value));
    }
  }
  differences.high = symmetric_limit(static_cast<double>(largest));
  differences.low = -differences.high;
}

bool same_weights(const TransformFrames& a, const TransformFrames& b) {
  return std::ranges::equal(
      a.frames, b.frames, [](const AttentionFrame& of_a, const AttentionFrame& of_b) {
        return of_a.items > 0 && of_a.items == of_b.items && of_a.weights == of_b.weights;
      });
}

const TransformFrames* find(std::span<const TransformFrames> all, TransformId id) {
  const auto found =
      std::ranges::find_if(all, [&](const auto& each) { return each.transform.id == id; });
  return found == all.end() ? nullptr : &*found;
}

void add(ComparedGrids& compared, ComparedStrip origin, HeatmapStrip strip) {
  compared.strips.push_back(origin);
  compared.maps.strips.push_back(std::move(strip));
}

void add_both(ComparedGrids& compared, const TransformFrames& a, const TransformFrames& b,
              ColourScale scale, bool difference) {
  const TransformId id = b.transform.id;
  if (same_weights(a, b)) {
    add(compared, {id, ComparedSide::kBoth}, named("A = B", strip_of(b, scale)));
    return;
  }
  add(compared, {id, ComparedSide::kA}, named("A", strip_of(a, scale)));
  add(compared, {id, ComparedSide::kB}, named("B", strip_of(b, scale)));
  if (difference) compared.differences.strips.push_back(difference_strip(a, b));
}

// Parts of only one of the figures are shown as they are.
template <class Part, class Compare>
std::vector<Part> compared_parts(const std::vector<Part>& a, const std::vector<Part>& b,
                                 const Compare& compare) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    if (i >= b.size()) {
      parts.push_back(titled("A", a[i]));
    } else if (i >= a.size()) {
      parts.push_back(titled("B", b[i]));
    } else {
      std::ranges::move(compare(a[i], b[i]), std::back_inserter(parts));
    }
  }
  return parts;
}

bool shows_the_same(const Figure& a, const Figure& b) {
  return a.title == b.title && std::ranges::equal(a.plots, b.plots, same_plot) &&
         std::ranges::equal(a.fields, b.fields, same_field) &&
         std::ranges::equal(a.tables, b.tables, same_table) && a.sentence == b.sentence;
}

// What is said of both, then of each. Where that would be too long to be read, the last sentences
// of each are left out, but for its first.
Statement compared_sentence(const Statement& a, const Statement& b) {
  constexpr std::size_t kLongest = 900;
  std::vector<Statement> of_a = sentences_of(a);
  std::vector<Statement> of_b = sentences_of(b);
  ComparedText told = compared_text(of_a, of_b);
  const auto length = [&] {
    return told.both.text().size() + told.a.text().size() + told.b.text().size();
  };
  while (length() > kLongest && std::max(of_a.size(), of_b.size()) > 1) {
    (of_a.size() > of_b.size() ? of_a : of_b).pop_back();
    told = compared_text(of_a, of_b);
  }
  Statement text;
  const auto add = [&](const Statement& of, const Statement& sentence) {
    if (sentence.empty()) return;
    if (!text.empty()) text += " ";
    text += of + sentence;
  };
  add("A and B: ", told.both);
  add("A: ", told.a);
  add("B: ", told.b);
  return text;
}

}  // namespace

ComparedGrids compared_grids(std::span<const TransformFrames> a, std::span<const TransformFrames> b,
                             ColourScale scale, bool difference) {
  ComparedGrids compared;
  compared.maps = dispersion_grid({}, scale);
  compared.differences = difference_grid(compared.maps);
  for (const TransformFrames& of_b : b) {
    const TransformFrames* of_a = find(a, of_b.transform.id);
    if (of_a != nullptr) {
      add_both(compared, *of_a, of_b, scale, difference);
    } else {
      add(compared, {of_b.transform.id, ComparedSide::kB}, named("B", strip_of(of_b, scale)));
    }
  }
  for (const TransformFrames& of_a : a) {
    if (find(b, of_a.transform.id) == nullptr)
      add(compared, {of_a.transform.id, ComparedSide::kA}, named("A", strip_of(of_a, scale)));
  }
  set_range(compared.differences);
  return compared;
}

Figure compared_figure(const Figure& a, const Figure& b, bool difference) {
  Figure figure = b;
  if (shows_the_same(a, b)) {
    figure.sentence = "A and B show the same here. " + b.sentence;
    return figure;
  }
  if (a.title != b.title) figure.title = "A: " + a.title + "; B: " + b.title;
  figure.sentence = compared_sentence(a.sentence, b.sentence);
  figure.plots = compared_parts(a.plots, b.plots, [](const LinePlot& of_a, const LinePlot& of_b) {
    return std::vector{compared_plot(of_a, of_b)};
  });
  figure.fields =
      compared_parts(a.fields, b.fields, [&](const FieldPlot& of_a, const FieldPlot& of_b) {
        return compared_fields(of_a, of_b, difference);
      });
  figure.tables = compared_parts(a.tables, b.tables, [&](const Table& of_a, const Table& of_b) {
    return compared_tables(of_a, of_b, difference);
  });
  return figure;
}

}  // namespace dispersion
