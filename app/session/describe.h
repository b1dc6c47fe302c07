#pragma once

#include <string>

namespace dispersion {

struct AppState;

// What the view in front shows, in words and numbers, as lines of "section<tab>label<tab>value":
// program, head, recipe and settings; then in the attention view the training, the measurements at
// the focused n, why attention disperses there, the cell under the pointer, and the curves against
// n; in the view of an experiment its figure. Numbers have all digits that mean something. The
// window copies it, and the command `describe` prints it.
std::string describe(const AppState& app);

}  // namespace dispersion
