#include "tests/monkey/checks.h"

#include <imgui.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include "app/session/state_string.h"
#include "core/io/file.h"

namespace dispersion::monkey {
namespace {

bool finite(const ImVec2& place) {
  return std::isfinite(place.x) && std::isfinite(place.y);
}

void check_axis(const Axis& axis, const std::string& where) {
  const bool usable = std::isfinite(axis.low) && std::isfinite(axis.high) && axis.low < axis.high &&
                      (!axis.logarithmic || axis.low > 0);
  if (!usable) {
    throw Fault(where + ": the axis \"" + axis.label + "\" goes from " + std::to_string(axis.low) +
                " to " + std::to_string(axis.high));
  }
  for (const Tick& tick : axis.ticks)
    if (!std::isfinite(tick.value)) throw Fault(where + ": a tick of " + axis.label);
}

void check_series(const Series& series, const std::string& where) {
  const std::string name = where + ": the curve " + series.name;
  if (series.x.size() != series.y.size()) throw Fault(name + " has x without y");
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (!std::ranges::all_of(series.x, is_finite)) throw Fault(name + " has an x that is not finite");
  // NaN is a gap, which painters leave out.
  if (std::ranges::any_of(series.y, [](double y) { return std::isinf(y); }))
    throw Fault(name + " has an infinite y");
}

void check_plots(const Figure& figure) {
  for (const LinePlot& plot : figure.plots) {
    const std::string where = figure.name + ", " + plot.title.text();
    check_axis(plot.x, where);
    check_axis(plot.y, where);
    for (const Series& series : plot.series)
      check_series(series, where);
  }
}

void check_fields(const Figure& figure) {
  for (const FieldPlot& field : figure.fields) {
    const std::string where = figure.name + ", " + field.title.text();
    check_axis(field.x, where);
    check_axis(field.y, where);
    if (field.values.size() != field.x_value.size() * field.y_value.size())
      throw Fault(where + ": the field is not whole");
    if (std::ranges::any_of(field.values, [](float value) { return std::isinf(value); }))
      throw Fault(where + ": the field has an infinite value");
  }
}

void check_grids(const Figure& figure) {
  for (const HeatmapGrid& grid : figure.grids) {
    for (const HeatmapStrip& strip : grid.strips) {
      for (const Heatmap& map : strip.frames) {
        if (!std::ranges::all_of(map.values, [](float v) { return std::isfinite(v); }))
          throw Fault(strip.title + ", n = " + map.title + ": a weight is not finite");
      }
    }
  }
}

}  // namespace

std::uint64_t check_drawn(const ImDrawData* drawn) {
  if (drawn == nullptr) return 0;
  for (const ImDrawList* list : drawn->CmdLists) {
    for (const ImDrawVert& vertex : list->VtxBuffer) {
      if (!finite(vertex.pos) || !finite(vertex.uv))
        throw Fault(std::string("a vertex of ") + list->_OwnerName + " is not finite: number " +
                    std::to_string(&vertex - list->VtxBuffer.Data) + " of " +
                    std::to_string(list->VtxBuffer.Size) + ", at " + std::to_string(vertex.pos.x) +
                    " " + std::to_string(vertex.pos.y));
    }
  }
  return static_cast<std::uint64_t>(drawn->TotalVtxCount);
}

void check_state(const AppState& app) {
  const UserSettings settings = user_settings(app);
  if (!(settings == settings)) throw Fault("a setting is NaN");
  const HeadName head = head_name(app);
  const std::string text = encode_state(settings, head);
  DeskState back;
  try {
    back = decode_state(text);
  } catch (const FileError& error) {
    throw Fault("the state cannot be read: " + std::string(error.what()) + "\n" + text);
  }
  if (back.settings == settings) return;
  throw Fault("the state does not come back: " + difference_text(settings, back.settings) + "\n" +
              text);
}

int check_figures(const std::vector<FigureSnapshot>& figures) {
  for (const FigureSnapshot& snapshot : figures) {
    check_plots(*snapshot.figure);
    check_fields(*snapshot.figure);
    check_grids(*snapshot.figure);
  }
  return static_cast<int>(figures.size());
}

std::size_t resident_bytes() {
  std::size_t all = 0;
  std::size_t resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void check_memory(std::size_t bytes, std::size_t most) {
  if (bytes > most)
    throw Fault("the program takes " + std::to_string(bytes >> 20) + " MiB of memory");
}

void wait_in_frames(int most, std::string_view what, const std::function<void()>& draw_frame,
                    const std::function<bool()>& has_come) {
  for (int frame = 0; frame < most; ++frame) {
    draw_frame();
    if (has_come()) return;
  }
  throw Fault(std::string(what));
}

namespace {

void take_step(const UndoWalk& walk, int step) {
  const std::size_t before = walk.steps_left();
  walk.take(step);
  if (walk.steps_left() == before - static_cast<std::size_t>(step)) return;
  throw Fault(std::string(step > 0 ? "undo" : "redo") + " of one of " + std::to_string(before) +
              " steps left " + std::to_string(walk.steps_left()));
}

void check_place(const UndoWalk& walk, const Place& before) {
  const Place here = walk.here();
  if (!(here.settings == before.settings))
    throw Fault("undo and redo left a difference: " +
                difference_text(before.settings, here.settings) + ", after " + walk.last());
  if (here.run != before.run)
    throw Fault("undo and redo left run " + std::to_string(here.run) + " open and not run " +
                std::to_string(before.run) + ", after " + walk.last());
}

}  // namespace

int check_undo(const UndoWalk& walk, std::size_t most) {
  std::vector<Place> way = {walk.here()};
  while (way.size() <= most && walk.steps_left() > 0) {
    take_step(walk, 1);
    way.push_back(walk.here());
  }
  int redone = 0;
  for (way.pop_back(); !way.empty(); way.pop_back(), ++redone) {
    take_step(walk, -1);
    check_place(walk, way.back());
  }
  return redone;
}

}  // namespace dispersion::monkey
