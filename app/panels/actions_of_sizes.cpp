#include <limits>

#include "app/panels/actions.h"
#include "app/panels/actions_table.h"
#include "core/experiment/size_table.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr const char* kGroup = "Set size";

}  // namespace

void add_size_actions(std::vector<Action>& all, const AppState& app) {
  constexpr int kAllTheWay = 100;
  const std::vector<int> sizes = doubling_sizes();
  all.push_back({.id = "size.double",
                 .group = kGroup,
                 .name = "Twice as many items",
                 .chords = {ImGuiKey_RightArrow, ImGuiKey_UpArrow},
                 .act = [](const Actor& a) { double_items(a.app, a.state, 1); },
                 .shown_chords = 2,
                 .repeats = true});
  all.push_back({.id = "size.halve",
                 .group = kGroup,
                 .name = "Half as many items",
                 .chords = {ImGuiKey_LeftArrow, ImGuiKey_DownArrow},
                 .act = [](const Actor& a) { double_items(a.app, a.state, -1); },
                 .shown_chords = 2,
                 .repeats = true});
  all.push_back({.id = "size.first",
                 .group = kGroup,
                 .name = "Fewest items: " + grouped_text(sizes.front()),
                 .chords = {ImGuiKey_PageDown},
                 .act = [](const Actor& a) { double_items(a.app, a.state, -kAllTheWay); }});
  all.push_back({.id = "size.last",
                 .group = kGroup,
                 .name = "Most items: " + grouped_text(sizes.back()),
                 .chords = {ImGuiKey_PageUp},
                 .act = [](const Actor& a) { double_items(a.app, a.state, kAllTheWay); }});
  for (const int items : sizes) {
    all.push_back({.id = "size." + std::to_string(items),
                   .group = kGroup,
                   .name = "n = " + grouped_text(items),
                   .help = "Looks at sets of this many items.",
                   .act = [items](const Actor& a) { focus_items(a.app, a.state, items); },
                   .value = items == app.view.focused_items ? "chosen" : ""});
  }
}

}  // namespace dispersion
