#include "app/panels/data_table_panel.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <memory>
#include <span>

#include "app/panels/keyboard_focus.h"
#include "app/panels/panel_frame.h"
#include "app/panels/widgets.h"
#include "app/window/theme.h"
#include "core/figure/number_text.h"
#include "core/figure/symbols.h"

namespace dispersion {
namespace {

constexpr float kSwitch = 20;     // side of the switch
constexpr float kSwitchGap = 10;  // to what stands left of it
constexpr float kRow = 20;
constexpr float kFoot = 30;
constexpr float kLeastHeight = 90;     // of a panel with the line below the table
constexpr double kLeastBetween = 0.5;  // seconds between two takings of numbers that change
constexpr double kOnScreen = 0.5;      // seconds after its last frame that a table counts as shown
constexpr std::size_t kMostMeasured = 400;  // rows that decide how wide a column is

// Two rows and two columns of a table, or a curve.
void draw_switch_sign(const Painter& painter, ImVec2 low, float side, bool table) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 ink = packed(ImGui::IsItemHovered() ? painter.palette->text : painter.palette->muted);
  const float line = std::max(1.0F, std::floor(painter.scale));
  const float inset = painter.px(4);
  const ImVec2 from = {low.x + inset, low.y + inset};
  const ImVec2 to = {low.x + side - inset, low.y + side - inset};
  if (table) {
    const ImVec2 points[] = {{from.x, to.y - painter.px(1)},
                             {from.x + (to.x - from.x) * 0.35F, from.y + (to.y - from.y) * 0.35F},
                             {from.x + (to.x - from.x) * 0.65F, from.y + (to.y - from.y) * 0.6F},
                             {to.x, from.y + painter.px(1)}};
    list->AddLine({from.x, from.y}, {from.x, to.y}, ink, line);
    list->AddLine({from.x, to.y}, {to.x, to.y}, ink, line);
    list->AddPolyline(points, 4, ink, 1.3F * line);
    return;
  }
  list->AddRect(from, to, ink, 0, line);
  const float third = std::round((to.y - from.y) / 3);
  list->AddLine({from.x, from.y + third}, {to.x, from.y + third}, ink, line);
  list->AddLine({from.x, from.y + 2 * third}, {to.x, from.y + 2 * third}, ink, line);
  const float column = std::round(from.x + (to.x - from.x) * 0.4F);
  list->AddLine({column, from.y}, {column, to.y}, ink, line);
}

DataTables& tables(PanelState& state) {
  if (!state.tables) state.tables = std::make_shared<DataTables>();
  return *state.tables;
}

void sort(OpenTable& open) {
  open.order = sorted_rows(open.table, open.sorted_by, open.descending);
}

// Takes the numbers where they have changed, but while they change all the time not in every frame.
void renew(Painter& painter, OpenTable& open, const TableSource& source) {
  if (open.fingerprint == source.fingerprint && open.made >= 0) return;
  const double due = open.made + kLeastBetween;
  if (painter.now < due) {
    painter.redraw(due);
    return;
  }
  open.table = source.make();
  open.fingerprint = source.fingerprint;
  open.made = painter.now;
  std::erase_if(open.selected, [&](std::size_t row) { return row >= open.table.rows; });
  sort(open);
}

float column_width(const Painter& painter, const DataColumn& column,
                   std::span<const std::size_t> order) {
  float width = measure(painter, TextStyle::kSmall, column.heading).x + painter.px(16);
  const std::size_t step = std::max<std::size_t>(1, order.size() / kMostMeasured);
  for (std::size_t i = 0; i < order.size(); i += step)
    width = std::max(width, measure(painter, TextStyle::kSmall, shown_text(column, order[i])).x);
  return width + painter.px(14);
}

bool holds_numbers(const DataColumn& column) {
  return std::ranges::any_of(column.values, [](double value) { return std::isfinite(value); });
}

void select_row(OpenTable& open, std::size_t place) {
  const std::size_t row = open.order[place];
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyShift && open.anchor < open.order.size()) {
    const auto [first, last] = std::minmax(open.anchor, place);
    open.selected.clear();
    for (std::size_t i = first; i <= last; ++i)
      open.selected.insert(open.order[i]);
    return;
  }
  const bool had = open.selected.contains(row);
  if (!io.KeyCtrl) {
    const bool alone = open.selected.size() == 1;
    open.selected.clear();
    if (!(had && alone)) open.selected.insert(row);
  } else if (had) {
    open.selected.erase(row);
  } else {
    open.selected.insert(row);
  }
  open.anchor = place;
}

void draw_table_row(const Painter& painter, OpenTable& open, const std::vector<bool>& numbers,
                    std::size_t place) {
  const std::size_t row = open.order[place];
  const bool selected = open.selected.contains(row);
  ImGui::TableNextRow(ImGuiTableRowFlags_None, painter.px(kRow));
  // Half-way between the lines above and below the row.
  const float lower =
      std::max(0.0F, std::round((painter.px(kRow) - ImGui::GetTextLineHeight()) / 2 -
                                ImGui::GetStyle().CellPadding.y));
  for (std::size_t c = 0; c < open.table.columns.size(); ++c) {
    if (!ImGui::TableSetColumnIndex(static_cast<int>(c)) && c > 0) continue;
    if (c == 0) {
      const std::string id = "##row " + std::to_string(place);
      if (ImGui::Selectable(id.c_str(), selected,
                            ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowOverlap,
                            {0, painter.px(kRow) - 2}))
        select_row(open, place);
      ImGui::SameLine(0, 0);
    }
    const std::string text = shown_text(open.table.columns[c], row);
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + lower);
    if (numbers[c]) {
      const float room = ImGui::GetContentRegionAvail().x - painter.px(6);
      const float width = measure(painter, TextStyle::kSmall, text).x;
      ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room - width));
    }
    ImGui::TextUnformatted(text.c_str());
  }
}

void take_sorting(OpenTable& open) {
  ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs();
  if (specs == nullptr || !specs->SpecsDirty) return;
  specs->SpecsDirty = false;
  const bool some = specs->SpecsCount > 0;
  open.sorted_by = some ? specs->Specs[0].ColumnIndex : -1;
  open.descending = some && specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
  sort(open);
}

// The headings of numbers stand above their right ends, left of the arrow of the sorted column.
void draw_headings(const Painter& painter, const OpenTable& open,
                   const std::vector<bool>& numbers) {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers, painter.px(kRow));
  for (std::size_t c = 0; c < open.table.columns.size(); ++c) {
    if (!ImGui::TableSetColumnIndex(static_cast<int>(c))) continue;
    const std::string& heading = open.table.columns[c].heading;
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float arrow = open.sorted_by == static_cast<int>(c) ? painter.px(16) : painter.px(6);
    const float room = ImGui::GetContentRegionAvail().x - arrow;
    ImGui::TableHeader(("##heading " + std::to_string(c)).c_str());
    help_tooltip(painter,
                 with_symbols("Click to sort: upwards, downwards, as they were.", heading));
    const float width = measure(painter, TextStyle::kSmall, heading).x;
    const float indent = numbers[c] ? std::max(0.0F, room - width) : 0;
    draw_text(painter, ImGui::GetWindowDrawList(), {start.x + indent, start.y}, TextStyle::kSmall,
              painter.palette->muted, fitted(painter, TextStyle::kSmall, heading, room + 1));
  }
}

void draw_grid(Painter& painter, OpenTable& open, ImVec2 size) {
  const DataTable& table = open.table;
  constexpr ImGuiTableFlags kFlags =
      ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY | ImGuiTableFlags_Sortable |
      ImGuiTableFlags_SortTristate | ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_Resizable |
      ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoBordersInBody |
      ImGuiTableFlags_NoSavedSettings;
  const int columns = static_cast<int>(table.columns.size());
  if (!ImGui::BeginTable("numbers", columns, kFlags, size)) return;
  std::vector<bool> numbers;
  for (const DataColumn& column : table.columns) {
    numbers.push_back(holds_numbers(column));
    ImGui::TableSetupColumn(column.heading.c_str(), ImGuiTableColumnFlags_WidthFixed,
                            column_width(painter, column, open.order));
  }
  ImGui::TableSetupScrollFreeze(1, 1);
  take_sorting(open);
  draw_headings(painter, open, numbers);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(open.order.size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      draw_table_row(painter, open, numbers, static_cast<std::size_t>(i));
  }
  ImGui::EndTable();
}

// How many rows there are, and the button that copies them.
void draw_foot(Painter& painter, OpenTable& open, const std::string& panel) {
  const std::size_t chosen = open.selected.size();
  const std::string id = "table of " + panel;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const bool copied = painter.copied == id && painter.now < painter.copied_until;
  const std::string rows = counted_text(static_cast<std::int64_t>(open.table.rows), "row");
  const std::string text =
      copied       ? "copied"
      : chosen > 0 ? grouped_text(static_cast<std::int64_t>(chosen)) + " of " + rows + " selected"
                   : rows;
  const char* label = chosen > 0 ? "Copy selected rows###copy table" : "Copy table###copy table";
  const float button =
      measure(painter, TextStyle::kSmall, chosen > 0 ? "Copy selected rows" : "Copy table").x +
      painter.px(20);
  draw_text(painter, ImGui::GetWindowDrawList(), {start.x, start.y + painter.px(9)},
            TextStyle::kSmall, copied ? painter.palette->good : painter.palette->muted,
            fitted(painter, TextStyle::kSmall, text, width - button - painter.px(8)));
  ImGui::SetCursorScreenPos({start.x + width - button, start.y + painter.px(4)});
  if (!push_button(painter, label, ButtonKind::kPlain, button,
                   "Copies the rows with all their digits, separated by tabs, for a spreadsheet. "
                   "Shift and Ctrl select more rows."))
    return;
  std::vector<std::size_t> taken;
  for (const std::size_t row : open.order) {
    if (chosen == 0 || open.selected.contains(row)) taken.push_back(row);
  }
  copy_text(painter, id, tab_separated(open.table, taken));
}

void push_style(const Painter& painter) {
  const Palette& p = *painter.palette;
  ImGui::PushFont(painter.fonts.regular, kSmallSize);
  ImGui::PushStyleColor(ImGuiCol_Text, colour(p.text));
  ImGui::PushStyleColor(ImGuiCol_TableHeaderBg, colour(p.panel));
  ImGui::PushStyleColor(ImGuiCol_TableBorderLight, colour(p.line));
  ImGui::PushStyleColor(ImGuiCol_TableBorderStrong, colour(p.line));
  ImGui::PushStyleColor(ImGuiCol_Header, colour(p.line));
  ImGui::PushStyleColor(ImGuiCol_HeaderHovered, colour(p.raised));
  ImGui::PushStyleColor(ImGuiCol_HeaderActive, colour(p.line));
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {painter.px(4), painter.px(1)});
}

void pop_style() {
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(7);
  ImGui::PopFont();
}

}  // namespace

void DataTables::toggle(const std::string& panel) {
  if (others_.erase(panel) == 0) others_.insert(panel);
}

void DataTables::toggle_all() {
  all_ = !all_ && others_.empty();
  others_.clear();
}

std::string panel_key(const char* id, const std::string& title) {
  return std::string(id) + ": " + title;
}

float table_switch_width(const Painter& painter) {
  return painter.presents ? 0 : painter.px(kSwitch + kSwitchGap);
}

bool table_switch(PanelState& state, const std::string& panel) {
  const Painter& painter = state.painter;
  DataTables& all = tables(state);
  if (painter.presents) return all.shown(panel);  // without controls
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float side = painter.px(kSwitch);
  const ImVec2 low = {start.x + ImGui::GetContentRegionAvail().x - side, start.y - painter.px(26)};
  ImGui::SetCursorScreenPos(low);
  if (ImGui::InvisibleButton(("table switch " + panel).c_str(), {side, side}, kFocusable))
    all.toggle(panel);
  const bool shown = all.shown(panel);
  if (ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    ImGui::GetWindowDrawList()->AddRectFilled(low, {low.x + side, low.y + side},
                                              packed(painter.palette->raised), painter.px(4));
  }
  help_tooltip(painter, shown ? "Show the figure (D: all figures of the view)"
                              : "Show the numbers as a table (D: those of all figures)");
  draw_switch_sign(painter, low, side, shown);
  ImGui::SetCursorScreenPos(start);
  ImGui::Dummy({0, 0});  // Dear ImGui wants an item where a panel may end
  ImGui::SetCursorScreenPos(start);
  return shown;
}

void draw_data_table(PanelState& state, const std::string& panel, const TableSource& source) {
  Painter& painter = state.painter;
  OpenTable& open = tables(state).of(panel);
  open.drawn = painter.now;
  renew(painter, open, source);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (open.table.columns.empty() || room.y < painter.px(2 * kRow)) {
    draw_empty(painter, start, {start.x + room.x, start.y + room.y}, "No numbers here");
    return;
  }
  const bool foot = room.y >= painter.px(kLeastHeight);
  push_style(painter);
  ImGui::PushID(panel.c_str());
  draw_grid(painter, open, {room.x, room.y - (foot ? painter.px(kFoot) : 0)});
  if (foot) {
    ImGui::SetCursorScreenPos({start.x, start.y + room.y - painter.px(kFoot)});
    draw_foot(painter, open, panel);
  }
  ImGui::PopID();
  pop_style();
}

std::string selected_rows_text(const PanelState& state) {
  std::string text;
  if (!state.tables) return text;
  for (const auto& [panel, open] : state.tables->open()) {
    const bool on_screen = state.painter.now - open.drawn < kOnScreen;
    if (!on_screen || open.selected.empty() || !state.tables->shown(panel)) continue;
    std::vector<std::size_t> rows;
    for (const std::size_t row : open.order) {
      if (open.selected.contains(row)) rows.push_back(row);
    }
    text += tab_separated(open.table, rows);
  }
  return text;
}

}  // namespace dispersion
