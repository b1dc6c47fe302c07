#include "app/commands/idle_options.h"

#include <string>

#include "app/commands/usage_error.h"

namespace dispersion {

void refuse_idle_options(const CLI::App& line, const FigureOptions& options, FigureFormat format) {
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

}  // namespace dispersion
