#pragma once

namespace dispersion {

// Prints the figures, each with its width in the style paper, which is found by making it, and the
// styles. threads: 0 for as many as the machine has.
void list_figures(int threads);

}  // namespace dispersion
