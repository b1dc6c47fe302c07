#include "app/export/carried_figure.h"

#include "app/export/figure_data.h"
#include "app/export/figure_reader.h"
#include "app/export/pdf_attachment.h"
#include "app/export/stored_provenance.h"
#include "app/export/stored_text.h"
#include "app/export/style_arguments.h"

namespace dispersion {
namespace {

std::optional<std::string> carried_json(std::string_view bytes) {
  if (is_png(bytes)) return png_text(bytes, "Figure");
  if (bytes.starts_with("%PDF-")) return pdf_attachment(bytes);
  return svg_metadata(bytes, "figure");
}

}  // namespace

bool carries_figure(FigureFormat format) {
  return format == FigureFormat::kPng || format == FigureFormat::kSvg ||
         format == FigureFormat::kPdf || format == FigureFormat::kJson;
}

std::string carried_figure(const Figure& figure) {
  if (!provenance_value(figure.provenance, "command").empty()) return "";
  return figure_json(figure);
}

std::string carrying_bytes(Figure figure, FigureFormat format,
                           const RenderOptions& render_options) {
  std::erase_if(figure.provenance, [](const auto& entry) { return entry.first == "look"; });
  const std::string style = style_arguments(render_options);
  if (carries_figure(format) && !style.empty()) figure.provenance.emplace_back("look", style);
  return figure_bytes(figure, format, render_options);
}

std::optional<Figure> stored_figure(const std::filesystem::path& file, std::string_view bytes) {
  if (auto figure = read_figure_json(file, bytes)) return figure;
  const std::optional<std::string> json = carried_json(bytes);
  return json ? read_figure_json(file, *json) : std::nullopt;
}

}  // namespace dispersion
