#include "app/commands/gui.h"

#include <cstdio>
#include <memory>
#include <string>

#include "app/commands/backend_choice.h"
#include "app/commands/head_source.h"
#include "app/commands/shipped_material.h"
#include "app/panels/lab.h"
#include "app/window/preferences.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

std::string head_source_text(const HeadSource& head, bool shipped) {
  const TrainingState& state = head.checkpoint.state;
  if (shipped) {
    return "the trained head that ships with the lab, " + grouped_text(state.step) + " steps";
  }
  return head.name + " head: seed " + std::to_string(state.seed) + ", " + grouped_text(state.step) +
         " steps" + (head.checkpoint.has_moments ? "" : ", weights only");
}

}  // namespace

int run_window(const GuiOptions& options) {
  HeadSource head = load_head(options.checkpoint);
  LabOptions lab_options;
  lab_options.preferences = preferences_path();
  lab_options.material = study_material();
  lab_options.studies = window_studies();
  const std::string head_source = head_source_text(head, options.checkpoint.empty());
  try {
    Lab lab(lab_options, window_backends(), std::move(head.checkpoint), head_source);
    lab.run();
  } catch (const WindowError& error) {
    std::fprintf(stderr, "dispersion_lab: %s\n", error.what());
    return 1;
  }
  return 0;
}

}  // namespace dispersion
