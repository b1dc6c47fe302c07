#include <cairo-pdf.h>

#include <algorithm>
#include <string>
#include <utility>

#include "app/export/cairo_canvas.h"
#include "app/export/carried_figure.h"
#include "app/export/pdf_attachment.h"
#include "app/export/picture.h"
#include "app/export/picture_parts.h"

namespace dispersion {
namespace {

constexpr double kPointsPerMillimetre = 72 / 25.4;

// cairo 1.16 knows no metadata of one's own, so the provenance stands among the keywords.
void describe(cairo_surface_t* surface, const Figure& figure) {
  const auto set = [surface](cairo_pdf_metadata_t what, const std::string& text) {
    cairo_pdf_surface_set_metadata(surface, what, text.c_str());
  };
  set(CAIRO_PDF_METADATA_TITLE, figure.title);
  set(CAIRO_PDF_METADATA_SUBJECT, figure.sentence);
  set(CAIRO_PDF_METADATA_KEYWORDS, provenance_json(figure.provenance));
  set(CAIRO_PDF_METADATA_CREATOR, "dispersion_lab");
  // Without one, cairo writes the present time.
  const auto date = std::ranges::find(figure.provenance, "date", &Provenance::value_type::first);
  set(CAIRO_PDF_METADATA_CREATE_DATE, date == figure.provenance.end() ? "" : date->second);
}

}  // namespace

std::string pdf_bytes(const Figure& figure, const SheetSize& size, const DrawOptions& options) {
  require_size(size);
  std::string bytes;
  {
    const CairoSurface surface(cairo_pdf_surface_create_for_stream(
        append_bytes, &bytes, size.width_mm * kPointsPerMillimetre,
        size.height_mm * kPointsPerMillimetre));
    require_success(cairo_surface_status(surface.get()));
    // Later versions may hide the description in a compressed stream, where it cannot be read back.
    cairo_pdf_surface_restrict_to_version(surface.get(), CAIRO_PDF_VERSION_1_4);
    describe(surface.get(), figure);
    const Typeface typeface(options.family);
    {
      const CairoContext context(cairo_create(surface.get()));
      const double scale = size.unit_mm() * kPointsPerMillimetre;
      cairo_scale(context.get(), scale, scale);
      CairoCanvas canvas(context.get(), 0, typeface, Letters::kText);
      paint_figure(canvas, figure, {0, 0, size.width(), size.height()}, options);
      require_success(cairo_status(context.get()));
    }
    cairo_surface_finish(surface.get());
    require_success(cairo_surface_status(surface.get()));
  }
  const std::string carried = carried_figure(figure);
  return carried.empty() ? bytes : with_attachment(std::move(bytes), carried);
}

}  // namespace dispersion
