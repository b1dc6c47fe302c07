#pragma once

#include <cstddef>
#include <stdexcept>

#include "app/session/app_state.h"
#include "core/figure/surface.h"

namespace dispersion::monkey {

// What has to hold whatever was done. The checks throw a Fault with a sentence that says what does
// not.
class Fault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Every vertex that was drawn last is finite.
void check_drawn();

// The settings are finite, and come back from their state string as they are.
void check_state(const AppState& app);

// Axes, curves and fields of the figures in front are ones that can be drawn.
void check_figures(const AppState& app);

// Bytes of this process in memory.
std::size_t resident_bytes();

}  // namespace dispersion::monkey
