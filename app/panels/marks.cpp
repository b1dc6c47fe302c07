#include "app/panels/marks.h"

#include <cmath>
#include <limits>
#include <utility>

#include "app/session/frame_at.h"
#include "core/experiment/size_table.h"
#include "core/figure/axis.h"

namespace dispersion {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kReach = 0.06;  // share of the axis within which a size is pointed at

// The mean entropy of plain softmax at this n and at θ = 1, as far as it is known.
double entropy_at(const AppState& app, int items) {
  const FrameAt at = frame_at(app, items);
  return at.plain_row() == nullptr || app.view.theta != 1 ? kUnknown
                                                          : at.plain_row()->mean_entropy();
}

// The number as a size; 0 where it is none.
int as_items(double value) {
  return std::isfinite(value) && value >= 1 && value < 1e9 ? static_cast<int>(value) : 0;
}

}  // namespace

void take_marks(const AppState& app, PanelState& state) {
  state.marked = std::exchange(state.pointed, {});
  if (state.marked.items > 0) state.marked.entropy = entropy_at(app, state.marked.items);
}

void point_at(PanelState& state, const Axis& axis, double share) {
  if (!counts_items(axis)) return;
  double nearest = kReach;
  for (const int items : doubling_sizes()) {
    const double distance = std::fabs(axis_share(axis, items) - share);
    if (!(distance < nearest)) continue;
    nearest = distance;
    state.pointed = {.items = items};
  }
}

double marked_on(const Marked& marked, const Axis& axis) {
  if (marked.items <= 0) return kUnknown;
  if (counts_items(axis)) return marked.items;
  return axis.label.starts_with("entropy H") ? marked.entropy : kUnknown;
}

int items_of_cell(const Table& table, std::size_t row, std::size_t column) {
  if (!table.heading_values.empty())
    return column < table.heading_values.size() ? as_items(table.heading_values[column]) : 0;
  const bool rows_are_sizes = !table.headings.empty() && table.headings.front() == "n";
  if (!rows_are_sizes || row >= table.rows.size() || table.rows[row].empty()) return 0;
  return as_items(table.rows[row].front().value);
}

bool marks_cell(const Marked& marked, const Table& table, std::size_t row, std::size_t column) {
  return marked.items > 0 && items_of_cell(table, row, column) == marked.items;
}

}  // namespace dispersion
