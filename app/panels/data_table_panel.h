#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/panels/panel_state.h"
#include "core/figure/data_table.h"

namespace dispersion {

// A figure of the window as a table of its numbers, in the place of the figure.

// Where the numbers come from. They are made again when `fingerprint` changes.
struct TableSource {
  std::uint64_t fingerprint = 0;
  std::function<DataTable()> make;
};
template <class Part>
TableSource table_source(const Part& part) {
  return {fingerprint(part), [&part] { return data_table(part); }};
}

// One table while it is shown.
struct OpenTable {
  DataTable table;
  std::vector<std::size_t> order;  // indices of the rows as they are shown
  int sorted_by = -1;              // column; -1: the table's own order
  bool descending = false;
  std::set<std::size_t> selected;  // rows
  std::size_t anchor = 0;          // the row that a selection with Shift begins at, in `order`
  std::uint64_t fingerprint = 0;   // of the numbers
  double made = -1e9;              // when they were taken; seconds
  double drawn = -1e9;             // when it was drawn last
};

// Which panels show their numbers. A panel is known by its id and the title of what it shows.
class DataTables {
 public:
  bool shown(const std::string& panel) const { return all_ != others_.contains(panel); }
  void toggle(const std::string& panel);
  // All panels as tables, or all as figures if any is a table.
  void toggle_all();

  OpenTable& of(const std::string& panel) { return open_[panel]; }
  const std::map<std::string, OpenTable>& open() const { return open_; }

 private:
  bool all_ = false;
  std::set<std::string> others_;  // those that differ from `all_`
  std::map<std::string, OpenTable> open_;
};

// The name of a panel in DataTables.
std::string panel_key(const char* id, const std::string& title);

// Width that the switch takes at the right end of a panel's title row.
float table_switch_width(const Painter& painter);

// The switch between figure and table, to be drawn after begin_panel(). Returns whether the panel
// shows the table.
bool table_switch(PanelState& state, const std::string& panel);

// The table in the rest of the panel: a click on a heading sorts, a click on a row selects it.
void draw_data_table(PanelState& state, const std::string& panel, const TableSource& source);

// The selected rows of the tables on screen with their headings; empty where none is selected.
std::string selected_rows_text(const PanelState& state);

}  // namespace dispersion
