#include "app/commands/unused_options.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/usage_error.h"

namespace dispersion {
namespace {

void refuse(const CLI::App& line, const char* option, std::string_view figure,
            const std::string& why) {
  if (line.count(option) == 0) return;
  throw UsageError(std::string(option) + " does nothing for the figure '" + std::string(figure) +
                   "', " + why);
}

}  // namespace

void refuse_unused_options(const CLI::App& line, const FigureOptions& options,
                           FigureFormat format) {
  const std::string ending = "." + std::string(format_ending(format));
  if (!is_picture(format)) {
    for (const char* name : {"--style", "--width", "--dpi", "--theme", "--font-size", "--typeface",
                             "--transparent", "--no-title", "--surface", "--view"}) {
      if (line.count(name) == 0) continue;
      throw UsageError(std::string(name) + " does nothing for " + ending +
                       ", which has numbers and no look; leave it out");
    }
    return;
  }
  if (format != FigureFormat::kPng && line.count("--dpi") > 0 && !options.width.ends_with("px"))
    throw UsageError("--dpi does nothing for " + ending +
                     ", which has no pixels, unless --width is in px; leave it out");
}

void refuse_unused_sources(const CLI::App& line, const CatalogueEntry& entry) {
  if (!entry.of_heads) {
    for (const char* name : {"--seed", "--checkpoint"})
      refuse(line, name, entry.name, "into which no head goes; leave it out");
  } else if (entry.of_shipped_heads()) {
    for (const char* name : {"--seed", "--checkpoint"})
      refuse(line, name, entry.name,
             "which is of the heads inside the program; the command table takes --heads");
  } else if (entry.of_all_seeds) {
    refuse(line, "--seed", entry.name,
           "which is of all seeds; --checkpoint or --history says whose run is to be shown");
  }
  if (!entry.of_histories)
    refuse(line, "--history", entry.name, "into which no training history goes; leave it out");
  if (!entry.of_sets)
    refuse(line, "--sets", entry.name,
           "which takes no number of sets; it goes with " + figures_with(&CatalogueEntry::of_sets));
  if (!entry.is_stored)
    refuse(
        line, "--recompute", entry.name,
        "which is computed every time; it goes with " + figures_with(&CatalogueEntry::is_stored));
}

void refuse_unused_draw_options(const CLI::App& line, const FigureTraits& figure) {
  if (!figure.field) {
    for (const char* name : {"--surface", "--view"})
      refuse(line, name, figure.name, "which has no field over two quantities; leave it out");
  }
  if (!figure.parts)
    refuse(line, "--rows", figure.name, "which has no table with main rows; leave it out");
}

void refuse_opposites(const CLI::App& line) {
  for (const char* name : {"--title", "--transparent", "--surface"}) {
    const CLI::Option& flag = *line.get_option(name);
    const std::vector<std::string>& given = flag.results();
    if (std::ranges::adjacent_find(given, std::ranges::not_equal_to()) == given.end()) continue;
    throw UsageError("--" + flag.get_lnames().front() + " and --" + flag.get_lnames().back() +
                     " cannot be given together; leave one of them out");
  }
}

}  // namespace dispersion
