#pragma once

#include <array>
#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/figure/figure.h"

namespace dispersion {

// How a figure maps to JSON: the names of the values of each enumeration and, in one visit function
// for each struct, the names and the order of its fields. figure_json.cpp has two archives, one
// that writes and one that reads.

template <class Value, std::size_t kCount>
using Names = std::array<std::pair<Value, std::string_view>, kCount>;

template <class Value>
inline constexpr int kNames = 0;

template <>
inline constexpr Names<ColourRole, 8> kNames<ColourRole> = {{{ColourRole::kBaseline, "baseline"},
                                                             {ColourRole::kAdaptive, "adaptive"},
                                                             {ColourRole::kNeutral, "neutral"},
                                                             {ColourRole::kReference, "reference"},
                                                             {ColourRole::kThird, "third"},
                                                             {ColourRole::kFourth, "fourth"},
                                                             {ColourRole::kFifth, "fifth"},
                                                             {ColourRole::kSixth, "sixth"}}};

template <>
inline constexpr Names<Mark, 6> kNames<Mark> = {{{Mark::kDisc, "disc"},
                                                 {Mark::kRing, "ring"},
                                                 {Mark::kSquare, "square"},
                                                 {Mark::kTriangle, "triangle"},
                                                 {Mark::kDiamond, "diamond"},
                                                 {Mark::kCross, "cross"}}};

template <>
inline constexpr Names<LineStyle, 3> kNames<LineStyle> = {
    {{LineStyle::kSolid, "solid"}, {LineStyle::kDashed, "dashed"}, {LineStyle::kNone, "none"}}};

template <>
inline constexpr Names<ColourScale, 3> kNames<ColourScale> = {
    {{ColourScale::kLinear, "linear"},
     {ColourScale::kSquareRoot, "square root"},
     {ColourScale::kLogarithmic, "logarithmic"}}};

template <>
inline constexpr Names<ColourMap, 3> kNames<ColourMap> = {{{ColourMap::kViridis, "viridis"},
                                                           {ColourMap::kCividis, "cividis"},
                                                           {ColourMap::kMagma, "magma"}}};

// visit(figure, archive) calls archive(name, field) for each field, or archive.added(name, field)
// for a field that older files do not have, or archive.flag(name, field) for one that is only
// written if it is true.

template <class Type, class Struct>
concept Is = std::same_as<std::remove_const_t<Type>, Struct>;

void visit(Is<Tick> auto& tick, auto& archive) {
  archive("value", tick.value);
  archive("label", tick.label);
}

void visit(Is<Axis> auto& axis, auto& archive) {
  archive("label", axis.label);
  archive("logarithmic", axis.logarithmic);
  archive("low", axis.low);
  archive("high", axis.high);
  archive("ticks", axis.ticks);
}

void visit(Is<Series> auto& series, auto& archive) {
  archive("name", series.name);
  archive("role", series.role);
  archive("x", series.x);
  archive("y", series.y);
  archive("low", series.low);
  archive("high", series.high);
  archive("markers", series.markers);
  archive("line", series.line);
  archive.added("mark", series.mark);
  archive.flag("hidden", series.hidden);
}

void visit(Is<ReferenceLine> auto& line, auto& archive) {
  archive("value", line.value);
  archive("label", line.label);
  archive("vertical", line.vertical);
}

void visit(Is<ShadedRange> auto& range, auto& archive) {
  archive("low", range.low);
  archive("high", range.high);
  archive("label", range.label);
}

void visit(Is<Bars> auto& bars, auto& archive) {
  archive("name", bars.name);
  archive("role", bars.role);
  archive("edge", bars.edge);
  archive("height", bars.height);
}

void visit(Is<LinePlot> auto& plot, auto& archive) {
  archive("title", plot.title);
  archive("subtitle", plot.subtitle);
  archive("x", plot.x);
  archive("y", plot.y);
  archive("series", plot.series);
  archive("lines", plot.lines);
  archive("ranges", plot.ranges);
  archive("bars", plot.bars);
  archive.added("unseen", plot.unseen);
}

void visit(Is<Heatmap> auto& map, auto& archive) {
  archive("title", map.title);
  archive("caption", map.caption);
  archive("rows", map.rows);
  archive("columns", map.columns);
  archive("values", map.values);
}

void visit(Is<HeatmapStrip> auto& strip, auto& archive) {
  archive("title", strip.title);
  archive("subtitle", strip.subtitle);
  archive("role", strip.role);
  archive("frames", strip.frames);
}

void visit(Is<HeatmapGrid> auto& grid, auto& archive) {
  archive("title", grid.title);
  archive("subtitle", grid.subtitle);
  archive("scale", grid.scale);
  archive("low", grid.low);
  archive("high", grid.high);
  archive("value_label", grid.value_label);
  archive("caption_label", grid.caption_label);
  archive.added("frame_label", grid.frame_label);
  archive("strips", grid.strips);
}

void visit(Is<FieldPlot> auto& plot, auto& archive) {
  archive("title", plot.title);
  archive("subtitle", plot.subtitle);
  archive("x", plot.x);
  archive("y", plot.y);
  archive("x_value", plot.x_value);
  archive("y_value", plot.y_value);
  archive("values", plot.values);
  archive("map", plot.map);
  archive("scale", plot.scale);
  archive("low", plot.low);
  archive("high", plot.high);
  archive("value_label", plot.value_label);
  archive("overlay", plot.overlay);
}

void visit(Is<TableCell> auto& cell, auto& archive) {
  archive("text", cell.text);
  archive("role", cell.role);
  archive("strong", cell.strong);
  archive("muted", cell.muted);
  archive.added("value", cell.value);
  archive.added("low", cell.low);
  archive.added("high", cell.high);
}

void visit(Is<Table> auto& table, auto& archive) {
  archive("title", table.title);
  archive("subtitle", table.subtitle);
  archive("headings", table.headings);
  archive("rows", table.rows);
  archive("notes", table.notes);
  archive.added("main_rows", table.main_rows);
  archive.added("main_notes", table.main_notes);
  archive.added("heading_values", table.heading_values);
  archive.added("is_part", table.is_part);
}

void visit(Is<Figure> auto& figure, auto& archive) {
  archive("name", figure.name);
  archive("title", figure.title);
  archive("sentence", figure.sentence);
  archive("provenance", figure.provenance);
  archive("grids", figure.grids);
  archive("plots", figure.plots);
  archive("fields", figure.fields);
  archive("tables", figure.tables);
}

}  // namespace dispersion
