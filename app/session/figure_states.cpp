#include "app/session/figure_states.h"

#include <charconv>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "app/export/provenance.h"
#include "app/session/app_state.h"
#include "app/session/state_string.h"
#include "core/io/checkpoint.h"

namespace dispersion {
namespace {

constexpr const char* kState = "state";

template <class Number>
Number number_of(std::string_view text) {
  Number number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// The head that a figure is of, as its provenance says.
HeadName head_of(const Provenance& provenance) {
  HeadName head;
  head.run_hash = provenance_value(provenance, "run_hash");
  if (head.run_hash.empty()) return {};
  head.source = provenance_value(provenance, "head");
  const std::string_view recipe = provenance_value(provenance, "recipe");
  head.has_run = !recipe.empty();
  if (!head.has_run) return head;
  try {
    head.recipe = recipe_from_json(recipe);
  } catch (const std::invalid_argument&) {
    head.has_run = false;  // the hash is what it is found by
    return head;
  }
  head.seed = number_of<std::uint32_t>(provenance_value(provenance, "seed"));
  head.steps_before = fresh_moments_step(provenance);
  head.step = number_of<std::int64_t>(trained_steps(provenance)) - head.steps_before;
  return head;
}

std::string state_of(const AppState& app, const Provenance& provenance) {
  const bool of_head = !provenance_value(provenance, "head").empty();
  return encode_state(user_settings(app), of_head ? head_of(provenance) : head_name(app));
}

}  // namespace

void add_states(const AppState& app, std::vector<FigureSnapshot>& figures) {
  for (FigureSnapshot& shown : figures) {
    const std::string state = state_of(app, shown.figure->provenance);
    Figure figure = *shown.figure;
    add_missing(figure.provenance, {{kState, state}});
    shown.figure = std::make_shared<const Figure>(std::move(figure));
    if (!shown.frames) continue;
    std::vector<Figure> frames = *shown.frames;
    for (Figure& frame : frames)
      add_missing(frame.provenance, {{kState, state}});
    shown.frames = std::make_shared<const std::vector<Figure>>(std::move(frames));
  }
}

}  // namespace dispersion
