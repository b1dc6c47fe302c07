#include "app/export/figure_file.h"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>

#include "app/export/figure_data.h"
#include "app/export/provenance.h"
#include "core/io/file.h"
#include "core/io/json.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

constexpr std::uintmax_t kLargestFile = std::uintmax_t{1} << 30;
constexpr std::size_t kFirstBytes = 64;  // that tell every format

[[noreturn]] void refuse(const std::filesystem::path& file) {
  throw FileError(file, "does not say where it came from; expected a whole " + format_names() +
                            " file that dispersion_lab wrote");
}

// The smallest sheet that has room for each of the figures.
SheetSize common_sheet(std::span<const Figure> figures, const RenderOptions& render_options) {
  SheetSize common =
      sheet_for(figures.front(), *render_options.style, render_options.size, render_options.draw);
  for (const Figure& figure : figures) {
    const SheetSize size =
        sheet_for(figure, *render_options.style, render_options.size, render_options.draw);
    common.width_mm = std::max(common.width_mm, size.width_mm);
    common.height_mm = std::max(common.height_mm, size.height_mm);
    common.text_points = std::min(common.text_points, size.text_points);
  }
  return common;
}

}  // namespace

std::string figure_bytes(const Figure& figure, const FigureFormat& format,
                         const RenderOptions& render_options) {
  if (is_animation(format))
    throw std::invalid_argument("this format is an animation, which shows several figures");
  if (const DataWriter* write = std::get_if<DataWriter>(&format.write)) return (*write)(figure);
  const SheetSize size =
      sheet_for(figure, *render_options.style, render_options.size, render_options.draw);
  return std::get<PictureWriter>(format.write)(figure, size, render_options.draw);
}

RenderOptions animation_render_options(RenderOptions render_options) {
  render_options.draw.names = 0;
  return render_options;
}

std::string animation_bytes(std::span<const Figure> figures, const FigureFormat& format,
                            const RenderOptions& render_options, const AnimationTiming& timing) {
  if (figures.empty()) throw std::invalid_argument("an animation needs figures");
  const RenderOptions still = animation_render_options(render_options);
  const SheetSize sheet = common_sheet(figures, still);
  return std::get<AnimationWriter>(format.write)(animation_of(figures, sheet, still.draw, timing));
}

std::string carrying_bytes(Figure figure, const FigureFormat& format,
                           const RenderOptions& render_options) {
  std::erase_if(figure.provenance, [](const auto& entry) { return entry.first == "look"; });
  const std::string options = style_arguments(render_options);
  if (format.read_figure != nullptr && !options.empty())
    figure.provenance.emplace_back("look", options);
  return figure_bytes(figure, format, render_options);
}

std::string read_exported_file(const std::filesystem::path& file) {
  InputFile input(file, kLargestFile);
  if (format_of_bytes(input.read_to(kFirstBytes)) == nullptr) refuse(file);
  return input.read_all();
}

std::optional<Figure> stored_figure(const std::filesystem::path& file, std::string_view bytes) {
  bytes = without_byte_order_mark(bytes);
  const FigureFormat* format = format_of_bytes(bytes);
  if (format == nullptr || format->read_figure == nullptr) return std::nullopt;
  try {
    const std::optional<std::string> json = format->read_figure(bytes);
    return json ? read_figure_json(file, *json) : std::nullopt;
  } catch (const LimitError& error) {
    throw FileError(file, std::string("its figure is refused: ") + error.what());
  }
}

Provenance stored_provenance(const std::filesystem::path& file, std::string_view bytes) {
  bytes = without_byte_order_mark(bytes);
  const FigureFormat* format = format_of_bytes(bytes);
  if (format == nullptr) refuse(file);
  try {
    const std::optional<Provenance> provenance = format->read_provenance(bytes);
    if (provenance && provenance_value(*provenance, "program") == "dispersion_lab")
      return *provenance;
  } catch (const LimitError& error) {
    throw FileError(file, std::string("its provenance is refused: ") + error.what());
  }
  refuse(file);
}

}  // namespace dispersion
