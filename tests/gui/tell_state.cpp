// Opens the window on the desktop and prints, whenever it changes, what keys can change: the view,
// theta, the zoom, the theme, whether adaptive temperature is shown, the seed of the run, how many
// steps it has done, and the entry for a file name with its error. Usage: tell_state

#include <cstdio>
#include <string>

#include "app/commands/chosen_backend.h"
#include "app/commands/command_inputs.h"
#include "app/panels/lab.h"

namespace {

using namespace dispersion;

std::string entry_text(const PathEntry& entry) {
  if (entry.purpose == PathEntry::Purpose::kNone) return "none";
  return std::string(entry.text.data()) + (entry.asked != 0 ? " asked" : "") +
         (entry.error.empty() ? "" : " refused");
}

std::string state_text(Lab& lab) {
  const AppState& app = lab.app();
  std::string text = "view=" + std::string(view_title(app.view.view));
  text += " theta=" + std::to_string(app.view.theta);
  text += " zoom=" + std::to_string(static_cast<int>(100 * app.view.ui_scale + 0.5F));
  text.append(" ").append(theme_name(app.view.theme));
  text += is_shown(app.view, TransformId::kAdaptive) ? " adaptive" : " plain";
  text += " seed=" + std::to_string(app.status.seed);
  text += " steps=" + std::to_string(app.history.size());
  return text + " entry=" + entry_text(lab.panels().entry);
}

}  // namespace

int main() {
  LabOptions options;
  options.size = {1200, 800};
  options.shipped = shipped_data();
  Lab lab(options, window_backends(), load_head({}).checkpoint, "the trained head");
  std::string told;
  lab.after_drawing = [&] {
    if (lab.app().status.backend.empty()) return;  // the worker has not reported yet
    const std::string now = state_text(lab);
    if (now == told) return;
    told = now;
    std::printf("%s\n", now.c_str());
    std::fflush(stdout);
  };
  lab.run();
  return 0;
}
