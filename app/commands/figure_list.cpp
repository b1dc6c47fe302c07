#include "app/commands/figure_list.h"

#include <string>

#include "app/commands/figure_catalogue.h"
#include "app/commands/standard_streams.h"
#include "app/commands/text.h"
#include "app/export/style.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr int kNameWidth = 21;
// Curves over fewer sets are as wide, and sooner there.
constexpr int kFewSets = 16;

FigureSources quick_sources(const CatalogueEntry& entry) {
  FigureSources sources = {shipped_heads().front(), {}, 0, false};
  if (entry.of_sets && !entry.is_stored) sources.sets = kFewSets;
  return sources;
}

// "84 mm"
std::string paper_width(const CatalogueEntry& entry, StudyTools& tools) {
  const Figure figure =
      make_figure(entry, quick_sources(entry), tools, [](double) { return true; });
  const Style& paper = style_named("paper");
  return fixed_text(sheet_for(figure, paper, {}, paper.draw).width_mm, 0) + " mm";
}

}  // namespace

void list_figures(int threads) {
  StudyTools tools(cpu_studies(threads), {BackendChoice::Kind::kCpu, 0});
  print("figures, and how wide each is in the style paper\n");
  for (const CatalogueEntry& entry : figure_catalogue()) {
    print(align_left(entry.name, kNameWidth) + align_right(paper_width(entry, tools), 6) + "  " +
          std::string(entry.what) + "\n");
  }
  std::string text = "\nstyles\n";
  for (const Style& style : styles())
    text += align_left(style.name, kNameWidth) + std::string(style.purpose) + "\n";
  print(text);
}

}  // namespace dispersion
