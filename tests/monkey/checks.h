#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "app/session/app_state.h"
#include "app/session/figure_snapshots.h"

struct ImDrawData;

namespace dispersion::monkey {

// What has to hold whatever was done. The checks throw a Fault with a sentence that says what does
// not.
class Fault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Every vertex is finite. Returns their number.
std::uint64_t check_drawn(const ImDrawData* drawn);

// The settings are finite, and come back from their state string as they are.
void check_state(const AppState& app);

// Axes, curves and fields are ones that can be drawn. Returns the number of figures.
int check_figures(const std::vector<FigureSnapshot>& figures);

// Bytes of this process in memory.
std::size_t resident_bytes();

}  // namespace dispersion::monkey
