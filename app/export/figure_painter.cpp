#include "app/export/figure_painter.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dispersion {
namespace {

constexpr double kGap = 28;
constexpr double kNarrow = 560;  // in less width all parts stand one below the other
constexpr double kLeastWidth = 240;
constexpr double kMostAcross = 3;
constexpr double kBesideHighTile = 0.75;  // height of plots beside a high tile, as a share
constexpr double kLeastTile = 330;        // narrower tiles do not stand beside one another

Rect rect(const FigureBox& box) {
  return {box.x, box.y, box.width, box.height};
}

std::vector<TableSize> table_sizes(const Canvas& canvas, const Figure& figure, double width,
                                   const DrawOptions& options) {
  std::vector<TableSize> sizes;
  for (const Table& table : figure.tables)
    sizes.push_back(table_size(canvas, table, width, options));
  return sizes;
}

std::size_t tile_count(const Figure& figure) {
  return figure.fields.size() + figure.plots.size();
}

// The options with the same room for names in all plots, the narrowest of which has this width.
DrawOptions with_names(const Canvas& canvas, const Figure& figure, double narrowest,
                       DrawOptions options) {
  options.names = room_for_names(canvas, figure, narrowest, options);
  return options;
}

// The height that suits each field and plot at this width.
std::vector<double> tile_heights(const Canvas& canvas, const Figure& figure, double width,
                                 const DrawOptions& draw_options) {
  const DrawOptions options = with_names(canvas, figure, width, draw_options);
  std::vector<double> heights;
  for (const FieldPlot& field : figure.fields)
    heights.push_back(field_height(canvas, field, width, options));
  for (const LinePlot& plot : figure.plots)
    heights.push_back(line_plot_height(canvas, plot, width, options));
  return heights;
}

// The largest of the heights; 0 if there are none.
double highest(std::span<const double> heights) {
  double most = 0;
  for (const double height : heights)
    most = std::max(most, height);
  return most;
}

// What is needed to measure a figure.
struct Measure {
  const Canvas& canvas;
  const Figure& figure;
  const DrawOptions& draw;
  std::vector<TableSize> tables;
  double grids;  // height of all grids together
};

// The height of `count` tiles of which `across` stand beside one another.
double tiles_height(const Measure& m, std::size_t count, std::size_t across, double width) {
  if (count == 0) return 0;
  const std::size_t rows = (count + across - 1) / across;
  const double tile =
      (width - kGap * static_cast<double>(across - 1)) / static_cast<double>(across);
  const double height = highest(tile_heights(m.canvas, m.figure, tile, m.draw));
  return static_cast<double>(rows) * (height + kGap) - kGap;
}

// The height of three tiles, of which the first is as high as the two beside it together. These are
// flatter than other tiles, so that the first does not become too high for its width.
double high_first_height(const Measure& m, double width) {
  DrawOptions options = m.draw;
  options.plot_height *= kBesideHighTile;
  const std::vector<double> heights = tile_heights(m.canvas, m.figure, (width - kGap) / 2, options);
  if (heights.empty()) return 0;
  return std::max(heights[0], 2 * highest(std::span(heights).subspan(1)) + kGap);
}

// The height of the tiles at this width: lay_out() decides from the height how many tiles stand
// beside one another, so this finds a height with which it decides for just as many.
double tiles_height(const Measure& m, std::size_t count, double width) {
  const double high_first = high_first_height(m, width);
  if (first_tile_is_high(m.figure, {0, 0, width, high_first}, kGap)) return high_first;
  const auto most = static_cast<std::size_t>(std::clamp(width / kLeastTile, 1.0, kMostAcross));
  for (std::size_t across = std::min(most, count); across > 1; --across) {
    const double height = tiles_height(m, count, across, width);
    if (tiles_across(count, width, height, kGap) == static_cast<int>(across)) return height;
  }
  return tiles_height(m, count, 1, width);
}

// The height of a narrow figure. All parts stand one below the other, and plots and grids have the
// same height.
double narrow_height(const Measure& m, double width) {
  const std::size_t count = tile_count(m.figure) + m.figure.grids.size();
  const double one = std::max(tiles_height(m, tile_count(m.figure) > 0 ? 1 : 0, 1, width), m.grids);
  double height = count > 0 ? static_cast<double>(count) * (one + kGap) - kGap : 0;
  if (!m.tables.empty()) height += stacked_size(m.tables, kGap).height + (count > 0 ? kGap : 0);
  return height;
}

// The height of two columns of tiles with the tables under the left one.
double columns_height(const Measure& m, double width) {
  const double column = (width - kGap) / 2;
  const std::size_t count = tile_count(m.figure);
  const std::vector<double> heights = tile_heights(m.canvas, m.figure, column, m.draw);
  // All tiles of a column have the same height.
  const auto column_height = [&](std::size_t from, std::size_t to) {
    const double one = highest(std::span(heights).subspan(from, to - from));
    return static_cast<double>(to - from) * (one + kGap);
  };
  const std::size_t left = left_of_columns(count);
  return std::max(column_height(0, left) + stacked_size(m.tables, kGap).height,
                  column_height(left, count) - kGap);
}

// The height of the parts as lay_out() places them.
double wide_height(const Measure& m, double width) {
  const std::size_t count = tile_count(m.figure);
  const double columns = columns_height(m, width);
  if (tables_stand_in_column(m.figure, {0, 0, width, columns}, kGap, m.tables)) return columns;
  const TableSize tables = stacked_size(m.tables, kGap);
  const bool beside = !m.tables.empty() && tables.width <= kTablesBeside * width;
  double room = beside ? width - tables.width - kGap : width;
  const bool grids_beside = grids_stand_beside(m.figure);
  if (grids_beside) room *= 1 - kGridsBeside;
  const double tiles = tiles_height(m, count, room);
  double height = m.grids + (m.grids > 0 && count > 0 ? kGap : 0) + tiles;
  if (grids_beside) {
    height = std::max(m.grids, tiles);
  } else if (m.grids > 0 && count > 0) {
    height = std::max(height, m.grids / kGridsAbove);
  }
  if (m.tables.empty()) return height;
  if (height == 0) return tables.height;
  if (beside) return std::max(height, tables.height);
  return std::max(height + kGap + tables.height, tables.height / kTablesBelow);
}

constexpr double kTitleLine = 28;
constexpr double kTitleGap = 16;
constexpr double kSentenceLine = 20;
constexpr double kSentenceGap = 14;
constexpr double kProvenanceLine = 16;
constexpr double kProvenanceGap = 8;

Lettering sentence_style(const DrawOptions& options) {
  return {15, options.palette.text, Weight::kRegular, Align::kLeft};
}

Lettering provenance_style(const DrawOptions& options) {
  return {12, options.palette.muted, Weight::kRegular, Align::kLeft};
}

// Whether an entry of the provenance is short enough for the line below the figure. The file holds
// all entries.
bool is_shown_below(std::string_view name) {
  if (name.starts_with("A ")) name.remove_prefix(2);  // of the other state of a comparison
  return name != "recipe" && name != "command" && name != "look" && name != "run_hashes" &&
         name != "state";
}

std::string provenance_line(const Provenance& provenance) {
  std::string line;
  for (const auto& [name, value] : provenance) {
    if (!is_shown_below(name)) continue;
    if (!line.empty()) line += "  ·  ";
    line.append(name).append(" ").append(value);
  }
  return line;
}

double lines_height(const std::vector<std::string>& lines, double line, double gap) {
  return lines.empty() ? 0 : line * static_cast<double>(lines.size()) + gap;
}

// The texts around a figure, in lines that fit its width; empty if the draw options leave them out.
struct FigureWords {
  std::vector<std::string> title;
  std::vector<std::string> sentence;
  std::vector<std::string> provenance;

  // The heights of title and sentence above the figure, and of the provenance below it.
  double above() const {
    return lines_height(title, kTitleLine, kTitleGap) +
           lines_height(sentence, kSentenceLine, kSentenceGap);
  }
  double below() const { return lines_height(provenance, kProvenanceLine, kProvenanceGap); }
};

FigureWords figure_words(const Canvas& canvas, const Figure& figure, double width,
                         const DrawOptions& options) {
  FigureWords words;
  if (options.with_title) words.title = canvas.lines(figure.title, width, options.title());
  if (options.with_sentence) {
    words.sentence = canvas.lines(figure.sentence, width, sentence_style(options));
  }
  if (options.with_provenance) {
    words.provenance =
        canvas.lines(provenance_line(figure.provenance), width, provenance_style(options));
  }
  return words;
}

// Writes the texts above and below inside `body`. Returns the space between them.
Rect paint_words(Canvas& canvas, const FigureWords& words, Rect body, const DrawOptions& options) {
  double y = body.y;
  for (const std::string& line : words.title) {
    canvas.text({body.x, y + 16}, line, options.title());
    y += kTitleLine;
  }
  if (!words.title.empty()) y += kTitleGap;
  for (const std::string& line : words.sentence) {
    canvas.text({body.x, y + 8}, line, sentence_style(options));
    y += kSentenceLine;
  }
  y = body.bottom() - words.below() + kProvenanceGap + kProvenanceLine;
  for (const std::string& line : words.provenance) {
    canvas.text({body.x, y}, line, provenance_style(options));
    y += kProvenanceLine;
  }
  return {body.x, body.y + words.above(), body.width, body.height - words.above() - words.below()};
}

}  // namespace

double least_width(const Canvas& canvas, const Figure& figure, const DrawOptions& options) {
  double width = kLeastWidth;
  for (const HeatmapGrid& grid : figure.grids)
    width = std::max(width, least_grid_width(grid));
  for (const Table& table : figure.tables)
    width = std::max(width, least_table_width(canvas, table, options));
  return width + 2 * options.margin;
}

double natural_height(const Canvas& canvas, const Figure& figure, double width,
                      const DrawOptions& options) {
  const double inner = width - 2 * options.margin;
  const FigureWords words = figure_words(canvas, figure, inner, options);
  double grids = 0;
  const bool beside = inner >= kNarrow && grids_stand_beside(figure);
  const double grid_width = beside ? kGridsBeside * (inner - kGap) : inner;
  for (const HeatmapGrid& grid : figure.grids)
    grids += grid_height(canvas, grid, grid_width, options) + (grids > 0 ? kGap : 0);
  const Measure measure = {canvas, figure, options, table_sizes(canvas, figure, inner, options),
                           grids};
  const double parts =
      inner < kNarrow ? narrow_height(measure, inner) : wide_height(measure, inner);
  return words.above() + parts + words.below() + 2 * options.margin;
}

void paint_figure(Canvas& canvas, const Figure& figure, Rect area, const DrawOptions& options) {
  if (!options.transparent) canvas.fill(area, options.palette.panel);
  const double margin = options.margin;
  const Rect inner = {area.x + margin, area.y + margin, area.width - 2 * margin,
                      area.height - 2 * margin};
  const Rect body =
      paint_words(canvas, figure_words(canvas, figure, inner.width, options), inner, options);
  const FigureBox room = {body.x, body.y, body.width, body.height};
  const std::vector<TableSize> sizes = table_sizes(canvas, figure, body.width, options);
  const FigureLayout layout =
      body.width < kNarrow ? stack(figure, room, kGap, sizes) : lay_out(figure, room, kGap, sizes);
  for (std::size_t i = 0; i < figure.grids.size(); ++i)
    paint_heatmap_grid(canvas, figure.grids[i], rect(layout.grids[i]), options);
  for (std::size_t i = 0; i < figure.fields.size(); ++i)
    paint_field(canvas, figure.fields[i], rect(layout.fields[i]), options);
  double narrowest = body.width;
  for (const FigureBox& box : layout.plots)
    narrowest = std::min(narrowest, box.width);
  const DrawOptions of_plots = with_names(canvas, figure, narrowest, options);
  for (std::size_t i = 0; i < figure.plots.size(); ++i)
    paint_line_plot(canvas, figure.plots[i], rect(layout.plots[i]), of_plots);
  for (std::size_t i = 0; i < figure.tables.size(); ++i)
    paint_table(canvas, figure.tables[i], rect(layout.tables[i]), options);
}

}  // namespace dispersion
