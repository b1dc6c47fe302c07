#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/export/animation.h"
#include "app/export/figure_data.h"
#include "app/export/figure_file.h"
#include "app/export/figure_format.h"
#include "app/export/png.h"
#include "app/export/provenance.h"
#include "app/export/svg_canvas.h"
#include "core/io/file.h"
#include "core/io/text.h"
#include "tests/export/sample_figure.h"
#include "tests/fuzz/mutations.h"
#include "tests/fuzz/readers.h"

namespace dispersion::fuzz {
namespace {

// Pictures of few pixels: what they show is not looked at.
RenderOptions small_picture() {
  RenderOptions options = {&style_named("default")};
  options.size.pixels_per_inch = 12;
  return options;
}

// Small, but with something of every kind that a file can hold.
Figure small_figure() {
  Figure figure = sample_figure();
  figure.grids.front().strips.pop_back();
  figure.grids.front().strips.front().frames.resize(1);
  return figure;
}

// Of a figure that a command makes again: its files carry no figure.
Figure figure_of_command(Provenance provenance) {
  Figure figure;
  figure.title = "A table";
  figure.tables = {{"Table", "", {"map", "16"}, {{{.text = "a"}, {.text = "1"}}}, {}}};
  figure.provenance = std::move(provenance);
  return figure;
}

Provenance usual_provenance() {
  return {{"program", "dispersion_lab"},
          {"version", "0.2.0"},
          {"command", "figure fit --style 'paper' --width 84mm"},
          {"date", "2026-01-31T12:00:00Z"},
          {"note", "Größe (50 %) <&> --"}};
}

std::string animation_bytes_of(const FigureFormat& format, const Provenance& provenance) {
  Animation animation;
  animation.frames = {{{1, 1, {0xff000000u}}, 1000}};
  animation.colours = {Colour{}};
  animation.provenance = provenance;
  return std::get<AnimationWriter>(format.write)(animation);
}

// A file of the format with this provenance and no figure.
std::string bytes_with(const FigureFormat& format, const Provenance& provenance) {
  if (is_animation(format)) return animation_bytes_of(format, provenance);
  return figure_bytes(figure_of_command(provenance), format, small_picture());
}

std::vector<std::string> seeds_of(std::string_view ending) {
  const FigureFormat& format = figure_format(ending);
  return {figure_bytes(small_figure(), format, small_picture()),
          bytes_with(format, usual_provenance())};
}

// A format of comments leaves out what would end a comment and escapes what cannot be seen, so it
// is compared after the first writing.
bool keeps_every_text(const FigureFormat& format) {
  return format.kind != FormatKind::kTables && format.ending != "csv";
}

void check_provenance(const FigureFormat& format, const Provenance& provenance) {
  const Provenance again = stored_provenance("again", bytes_with(format, provenance));
  require(!keeps_every_text(format) || again == provenance, "another provenance after writing");
  require(stored_provenance("third", bytes_with(format, again)) == again,
          "another provenance after writing twice");
}

// The figure is the same after it was drawn into a file of the format, under a title that each
// format has to write in another way. Drawing may be refused, for a figure that no sheet has room
// for.
void check_drawing(const FigureFormat& format, Figure figure) {
  figure.title = "</metadata> (a \\ b) & \"endstream\" ü \uFFFF";
  std::string drawn;
  const Verdict verdict = verdict_of<std::invalid_argument>(
      [&] { drawn = figure_bytes(figure, format, small_picture()); });
  if (verdict == Verdict::kRefused) return;
  if (!provenance_value(figure.provenance, "command").empty()) return;
  const std::optional<Figure> again = stored_figure("drawn", drawn);
  require(again && figure_json(*again) == figure_json(figure), "another figure after drawing");
}

bool is_whole(const Series& series) {
  const std::size_t points = series.x.size();
  return series.y.size() == points && series.low.size() == series.high.size() &&
         (series.low.empty() || series.low.size() == points);
}

bool is_whole(const LinePlot& plot) {
  const auto whole = [](const auto& part) { return is_whole(part); };
  return std::ranges::all_of(plot.series, whole) && std::ranges::all_of(plot.unseen, whole) &&
         std::ranges::all_of(plot.bars, [](const Bars& bars) {
           return bars.edge.empty() ? bars.height.empty()
                                    : bars.edge.size() == bars.height.size() + 1;
         });
}

bool is_whole(const HeatmapGrid& grid) {
  return std::ranges::all_of(grid.strips, [](const HeatmapStrip& strip) {
    return std::ranges::all_of(strip.frames, [](const Heatmap& map) {
      return map.rows >= 0 && map.columns >= 0 &&
             map.values.size() ==
                 static_cast<std::size_t>(map.rows) * static_cast<std::size_t>(map.columns);
    });
  });
}

bool is_whole(const Table& table) {
  return (table.heading_values.empty() || table.heading_values.size() == table.headings.size()) &&
         std::ranges::all_of(table.rows, [&](const std::vector<TableCell>& row) {
           return row.size() == table.headings.size();
         });
}

// Painters rely on it.
bool is_whole(const Figure& figure) {
  const auto whole = [](const auto& part) { return is_whole(part); };
  return std::ranges::all_of(figure.grids, whole) && std::ranges::all_of(figure.plots, whole) &&
         std::ranges::all_of(figure.tables, whole) &&
         std::ranges::all_of(figure.fields, [](const FieldPlot& field) {
           return field.values.size() == field.x_value.size() * field.y_value.size();
         });
}

void check_figure(const FigureFormat& format, const Figure& figure, const std::string& input) {
  require(is_whole(figure), "a figure whose parts do not fit together");
  const std::string json = figure_json(figure);
  const std::optional<Figure> again = read_figure_json("again", json);
  require(again && figure_json(*again) == json, "another figure after writing");
  // Drawing takes a hundred times as long as reading.
  if (text_hash(input) % 8 == 0) check_drawing(format, figure);
}

// What a picture carries as JSON, packed in a file of the format. The pictures are empty: only what
// stands around the JSON matters to a reader.

std::string png_with(const std::string& base, const std::string& provenance,
                     const std::string& figure) {
  std::vector<PngText> texts = {{"Provenance", provenance}};
  if (!figure.empty()) texts.push_back({"Figure", figure, true});
  return with_png_notes(base, 96, texts);
}

std::string svg_with(const std::string& provenance, const std::string& figure) {
  return "<?xml version=\"1.0\"?>\n<svg>\n<metadata>" + xml_text(provenance) + "</metadata>\n" +
         (figure.empty() ? "" : "<metadata id=\"figure\">" + xml_text(figure) + "</metadata>\n") +
         "</svg>\n";
}

// A text as cairo writes it into a PDF: in UTF-16 if it has any of the characters that have to be
// escaped otherwise. What is no ASCII stays as it is, which cairo never does.
std::string pdf_text(const std::string& text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const bool ascii = std::ranges::all_of(text, [](char c) { return (c & 0x80) == 0; });
  if (ascii && text.find_first_of("()\\") != std::string::npos) {
    std::string digits = "<FEFF";
    for (const char c : text)
      digits.append("00").append(1, kDigits[c >> 4]).append(1, kDigits[c & 15]);
    return digits + '>';
  }
  std::string escaped = "(";
  for (const char c : text) {
    if (c == '(' || c == ')' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped + ')';
}

std::string pdf_with(const std::string& provenance, const std::string& figure) {
  static const std::string base =
      bytes_with(figure_format("pdf"), {{"program", "x"}, {"command", "x"}});
  constexpr std::string_view kName = "/Keywords ";
  const std::size_t at = base.find(kName) + kName.size();
  std::string pdf = base;
  pdf.replace(at, base.find('\n', at) - at, pdf_text(provenance));
  return figure.empty() ? pdf : with_attachment(pdf, figure);
}

std::string gif_with(const std::string& provenance) {
  constexpr std::size_t kMostBlock = 255;
  constexpr std::size_t kHeaderAndColours = 13 + 3 * 256;
  std::string gif = animation_bytes_of(figure_format("gif"), {}).substr(0, kHeaderAndColours);
  gif += "\x21\xfe";
  for (std::size_t at = 0; at < provenance.size(); at += kMostBlock) {
    const std::string block = provenance.substr(at, kMostBlock);
    gif += static_cast<char>(block.size());
    gif += block;
  }
  return gif + '\0' + ';';
}

std::string packed(const FigureFormat& format, const std::string& provenance,
                   const std::string& figure) {
  static const std::string png = png_of_pixels(1, 1, std::array{Colour{}});
  static const std::string apng = animation_bytes_of(figure_format("apng"), {});
  if (format.ending == "png") return png_with(png, provenance, figure);
  if (format.ending == "apng") return png_with(apng, provenance, "");
  if (format.ending == "gif") return gif_with(provenance);
  if (format.ending == "svg") return svg_with(provenance, figure);
  return pdf_with(provenance, figure);
}

}  // namespace

std::vector<std::string> json_seeds(const std::filesystem::path&) {
  return {figure_json(small_figure()), figure_json(figure_of_command(usual_provenance()))};
}

std::vector<std::string> png_seeds(const std::filesystem::path&) {
  return seeds_of("png");
}

std::vector<std::string> svg_seeds(const std::filesystem::path&) {
  return seeds_of("svg");
}

std::vector<std::string> pdf_seeds(const std::filesystem::path&) {
  return seeds_of("pdf");
}

std::vector<std::string> animation_seeds(const std::filesystem::path&) {
  return {animation_bytes_of(figure_format("gif"), usual_provenance()),
          animation_bytes_of(figure_format("apng"), usual_provenance())};
}

std::vector<std::string> comment_seeds(const std::filesystem::path&) {
  std::vector<std::string> seeds = {figure_csv(small_figure())};
  for (const char* ending : {"csv", "tex", "md"})
    seeds.push_back(bytes_with(figure_format(ending), usual_provenance()));
  return seeds;
}

Verdict check_exported(const std::string& input, const std::filesystem::path&) {
  Provenance provenance;
  std::optional<Figure> figure;
  const Verdict verdict = verdict_of<FileError>([&] {
    provenance = stored_provenance("input", input);
    figure = stored_figure("input", input);
  });
  if (verdict == Verdict::kRefused) return verdict;
  const FigureFormat& format = *format_of_bytes(input);
  // Neither the figure nor a command that makes it: the command figure refuses that too.
  const bool has_command = !provenance_value(provenance, "command").empty();
  if (!figure && !has_command && format.read_figure != nullptr) return Verdict::kRefused;
  if (!figure || text_hash(input) % 8 == 1) check_provenance(format, provenance);
  if (figure) check_figure(format, *figure, input);
  return verdict;
}

std::string mutated_picture(const std::string& input, Random& random) {
  const FigureFormat* format = format_of_bytes(input);
  const auto provenance = format == nullptr ? std::nullopt : format->read_provenance(input);
  if (!provenance || random.one_in(5)) return mutated_bytes(input, random);
  std::string provenance_text = provenance_json(*provenance);
  std::string figure_text;
  if (format->read_figure != nullptr) figure_text = format->read_figure(input).value_or("");
  std::string& changed = figure_text.empty() || random.one_in(4) ? provenance_text : figure_text;
  changed = mutated_json(changed, random);
  return packed(*format, provenance_text, figure_text);
}

}  // namespace dispersion::fuzz
