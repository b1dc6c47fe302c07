#include "app/export/figure_file.h"

#include <stdexcept>

#include "app/export/figure_data.h"

namespace dispersion {

std::string figure_bytes(const Figure& figure, FigureFormat format,
                         const RenderOptions& render_options) {
  switch (format) {
    case FigureFormat::kCsv:
      return figure_csv(figure);
    case FigureFormat::kJson:
      return figure_json(figure);
    case FigureFormat::kTex:
      return figure_tex(figure);
    case FigureFormat::kMarkdown:
      return figure_markdown(figure);
    default:
      break;
  }
  if (is_animation(format))
    throw std::invalid_argument("a figure does not move; an animation is of several");
  const SheetSize size =
      sheet_for(figure, *render_options.style, render_options.size, render_options.draw);
  if (format == FigureFormat::kSvg) return svg_bytes(figure, size, render_options.draw);
  if (format == FigureFormat::kPdf) return pdf_bytes(figure, size, render_options.draw);
  return png_bytes(figure, size, render_options.draw);
}

}  // namespace dispersion
