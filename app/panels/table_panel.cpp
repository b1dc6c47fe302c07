#include "app/panels/figure_panels.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/data_table_panel.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/marks.h"
#include "app/panels/panel_frame.h"
#include "app/panels/value_tooltip.h"
#include "app/window/theme.h"
#include "core/figure/number_text.h"
#include "core/figure/symbols.h"

namespace dispersion {
namespace {

constexpr float kRow = 22;
constexpr float kColumnGap = 18;
constexpr float kMostExtraGap = 30;  // added to the gap where the panel is wide
constexpr float kMostLessGap = 10;   // taken from it where small letters are still too wide
constexpr float kNote = 18;

Colour cell_colour(const Palette& p, const TableCell& cell) {
  if (cell.muted) return p.muted;
  return cell.role == ColourRole::kNeutral ? p.text : role_colour(p, cell.role);
}

std::vector<float> column_widths(const Painter& painter, const Table& table, bool small) {
  std::vector<float> widths;
  for (const std::string& heading : table.headings)
    widths.push_back(measure(painter, TextStyle::kSmall, heading).x);
  for (const auto& row : table.rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], measure(painter, cell_style(row[i], small), row[i].text).x);
  }
  return widths;
}

float whole_width(const Painter& painter, const std::vector<float>& widths) {
  float width = 0;
  for (const float each : widths)
    width += each + painter.px(kColumnGap);
  return std::max(0.0F, width - painter.px(kColumnGap));
}

// The right ends of the columns, measured from the left end of the first.
std::vector<float> column_ends(const Painter& painter, const Table& table, bool small, float room) {
  const std::vector<float> widths = column_widths(painter, table, small);
  const float spare = room - whole_width(painter, widths);
  const auto gaps = static_cast<float>(std::max<std::size_t>(1, widths.size() - 1));
  const float extra =
      std::clamp(spare / gaps, small ? -painter.px(kMostLessGap) : 0.0F, painter.px(kMostExtraGap));
  std::vector<float> ends;
  float x = 0;
  for (const float width : widths) {
    x += width;
    ends.push_back(x);
    x += painter.px(kColumnGap) + extra;
  }
  return ends;
}

std::string row_text(const std::vector<TableCell>& row) {
  std::string text;
  for (std::size_t i = 0; i < row.size(); ++i)
    text.append(i == 0 ? "" : "\t").append(row[i].text);
  return text;
}

// Draws a cell. The first column is left-aligned, the others are right-aligned.
void draw_cell(const Painter& painter, const std::vector<float>& ends, std::size_t column,
               ImVec2 row, TextStyle style, Colour value, const std::string& text, float alpha) {
  const ImVec2 size = measure(painter, style, text);
  const float x = column == 0 ? 0 : ends[column] - size.x;
  draw_text(painter, ImGui::GetWindowDrawList(),
            {row.x + x, row.y + (painter.px(kRow) - size.y) / 2}, style, value, text, alpha);
}

void draw_row(Painter& painter, const std::vector<TableCell>& row, const std::vector<float>& ends,
              const std::string& id, bool small, float alpha) {
  const Palette& p = *painter.palette;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ends.empty() ? 1 : ends.back();
  const std::string text = row_text(row);
  if (ImGui::InvisibleButton(id.c_str(), {std::max(width, 1.0F), painter.px(kRow)}, kFocusable))
    copy_text(painter, id, text);
  if (ImGui::IsItemHovered()) {
    ImGui::GetWindowDrawList()->AddRectFilled(
        {start.x - painter.px(5), start.y},
        {start.x + width + painter.px(5), start.y + painter.px(kRow)}, packed(p.raised),
        painter.px(4));
  }
  if (painter.copied == id && painter.now < painter.copied_until) {
    draw_cell(painter, ends, 0, start, TextStyle::kBody, p.good, "copied", 1);
    return;
  }
  for (std::size_t i = 0; i < row.size(); ++i)
    draw_cell(painter, ends, i, start, cell_style(row[i], small), cell_colour(p, row[i]),
              row[i].text, alpha);
}

// The column under the pointer: column c ends at ends[c] and begins where the one before ends.
std::size_t column_at(const std::vector<float>& ends, float x) {
  const auto end = std::ranges::lower_bound(ends, x);
  return std::min(static_cast<std::size_t>(end - ends.begin()), ends.size() - 1);
}

// The number under the pointer, of what it is, and its interval.
void explain_cell(const Painter& painter, const Table& table, std::size_t row,
                  const std::vector<float>& ends, ImVec2 corner) {
  if (ends.empty()) return;
  const std::size_t column = column_at(ends, ImGui::GetIO().MousePos.x - corner.x);
  if (column >= table.rows[row].size()) return;
  const TableCell& cell = table.rows[row][column];
  const bool numbered =
      column < table.heading_values.size() && std::isfinite(table.heading_values[column]);
  std::string heading = column < table.headings.size() ? table.headings[column] : "";
  const std::string symbols = symbols_text(heading);
  if (!std::isfinite(cell.value) && symbols.empty()) return;
  if (numbered) heading = "n = " + heading;
  const float left = corner.x + (column == 0 ? 0 : ends[column - 1]);
  const float middle = (left + corner.x + ends[column]) / 2;
  const auto scale = static_cast<double>(painter.scale);
  std::vector<TooltipLine> lines;
  if (column > 0) lines.push_back({table.rows[row].front().text + ", " + heading});
  if (std::isfinite(cell.value)) lines.push_back({computed_number(cell.value)});
  if (std::isfinite(cell.low) && std::isfinite(cell.high)) {
    lines.push_back({"from " + computed_number(cell.low) + " to " + computed_number(cell.high)});
  }
  if (!symbols.empty()) lines.push_back({symbols});
  draw_value_tooltip(painter, {middle / scale, corner.y / scale}, lines);
}

// Lies behind the cells that are about the marked size, from the heading down.
void draw_mark(const Painter& painter, const Marked& marked, const Table& table,
               const std::vector<float>& ends, ImVec2 heading) {
  const float row = painter.px(kRow);
  const float first = heading.y + row + painter.px(2);
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    for (std::size_t c = 0; c < ends.size(); ++c) {
      if (!marks_cell(marked, table, i, c)) continue;
      const float left = heading.x + (c == 0 ? 0 : ends[c - 1]) + painter.px(5);
      const float top = first + row * static_cast<float>(i);
      list->AddRectFilled({left, top}, {heading.x + ends[c] + painter.px(5), top + row},
                          packed(painter.palette->line));
    }
  }
}

void horizontal_line(const Painter& painter, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddLine(at, {at.x + width, at.y}, packed(painter.palette->line),
                                      std::max(1.0F, std::floor(painter.scale)));
}

}  // namespace

TextStyle cell_style(const TableCell& cell, bool small) {
  if (small) return cell.strong ? TextStyle::kSmallStrong : TextStyle::kSmall;
  return cell.strong ? TextStyle::kSection : TextStyle::kBody;
}

TableSize table_panel_size(const Painter& painter, const Table& table) {
  const float titles =
      measure(painter, TextStyle::kTitle, table.title).x +
      (table.subtitle.empty()
           ? 0
           : painter.px(14) + measure(painter, TextStyle::kSmall, table.subtitle).x);
  const float columns = whole_width(painter, column_widths(painter, table, false)) + painter.px(16);
  const float width = std::max(columns, std::min(titles, 1.4F * columns));
  float notes = 0;
  for (const std::string& note : table.notes) {
    const float lines =
        std::ceil(measure(painter, TextStyle::kSmall, note).x / std::max(width, 1.0F));
    notes += painter.px(kNote) * std::max(1.0F, lines) + painter.px(3);
  }
  return {width + painter.px(28),
          painter.px(58) + painter.px(kRow) * static_cast<float>(table.rows.size() + 1) + notes};
}

void draw_table_panel(PanelState& state, const char* id, const Table& table, float alpha,
                      ImVec2 size) {
  Painter& painter = state.painter;
  const float sign = table_switch_width(painter);
  const float room =
      size.x - painter.px(42) - sign - measure(painter, TextStyle::kTitle, table.title).x;
  begin_panel(painter, id, size, table.title.empty() ? id : table.title.text(),
              subtitle_that_fits(painter, table.subtitle, room), sign);
  if (table_switch(state, panel_key(id, table.title))) {
    draw_data_table(state, panel_key(id, table.title), table_source(table));
    end_panel();
    return;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::BeginChild("rows", {0, 0}, kTabbedThrough, ImGuiWindowFlags_HorizontalScrollbar);
  const float width = ImGui::GetContentRegionAvail().x;
  const bool small =
      whole_width(painter, column_widths(painter, table, false)) > width - painter.px(6);
  const std::vector<float> ends = column_ends(painter, table, small, width - painter.px(6));
  const float whole = ends.empty() ? width : std::max(ends.back(), 1.0F);
  ImVec2 start = ImGui::GetCursorScreenPos();
  // Indented, so that the highlight behind a row is not clipped.
  start.x += painter.px(5);
  draw_mark(painter, state.marked, table, ends, start);
  for (std::size_t i = 0; i < table.headings.size(); ++i) {
    draw_cell(painter, ends, i, start, TextStyle::kSmall, painter.palette->muted, table.headings[i],
              1);
  }
  ImGui::Dummy({1, painter.px(kRow)});
  ImGui::Indent(painter.px(5));
  horizontal_line(painter, whole);
  ImGui::Dummy({1, painter.px(2)});
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const TabStop stop(i == 0);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    draw_row(painter, table.rows[i], ends, std::string(id) + std::to_string(i), small, alpha);
    if (!ImGui::IsItemHovered() || ends.empty()) continue;
    explain_cell(painter, table, i, ends, corner);
    const std::size_t column = column_at(ends, ImGui::GetIO().MousePos.x - corner.x);
    if (const int items = items_of_cell(table, i, column); items > 0)
      state.pointed = {.items = items};
  }
  ImGui::Dummy({1, painter.px(2)});
  horizontal_line(painter, whole);
  ImGui::Dummy({1, painter.px(4)});
  for (const std::string& note : table.notes) {
    flow_text(painter, TextStyle::kSmall, painter.palette->muted, note);
    ImGui::Dummy({1, painter.px(3)});
  }
  ImGui::Unindent(painter.px(5));
  ImGui::EndChild();
  ImGui::PopStyleVar();
  end_panel();
}

}  // namespace dispersion
