#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
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
// That many are not too many.
void check_memory(std::size_t bytes, std::size_t most);

// Draws frames until what is waited for has come, at most so many. `what` does not: "the worker
// does not answer".
void wait_in_frames(int most, std::string_view what, const std::function<void()>& draw_frame,
                    const std::function<bool()>& has_come);

// What undo has to bring back.
struct Place {
  UserSettings settings;
  std::uint64_t run = 0;
};
// Undo as it is walked through, in the window or in a test.
struct UndoWalk {
  std::function<Place()> here;
  std::function<std::size_t()> steps_left;  // that can be undone
  std::function<void(int)> take;            // undoes one, or does one again where negative
  std::function<std::string()> last;        // what the newest step that is left is called
};
// Goes back at most so many steps and forth again: each comes about, and everything is as it was at
// each on the way. Returns how many were done again.
int check_undo(const UndoWalk& walk, std::size_t most);

}  // namespace dispersion::monkey
