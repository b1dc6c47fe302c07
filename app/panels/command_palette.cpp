#include "app/panels/command_palette.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/action_search.h"
#include "app/panels/actions_table.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/keys.h"
#include "app/panels/number_entry.h"
#include "app/window/theme.h"

namespace dispersion {
namespace {

constexpr const char* kName = "###palette";
constexpr float kWidth = 640;
constexpr float kTop = 56;
constexpr float kField = 44;
constexpr float kRow = 32;
constexpr float kFoot = 32;
constexpr int kMostRows = 11;
constexpr std::size_t kRecent = 5;

// The rows that fit what is typed; with nothing typed, those that were used last come first.
std::vector<FoundAction> rows_of(const CommandPalette& palette, const std::vector<Action>& all) {
  std::vector<FoundAction> found = find_actions(all, palette.text.data());
  if (palette.text[0] != '\0') return found;
  const auto rank = [&](const FoundAction& row) {
    return std::ranges::find(palette.recent, row.action->id) - palette.recent.begin();
  };
  std::ranges::stable_sort(found, std::ranges::less(), rank);
  return found;
}

// Why the action cannot take this number; empty: it can.
std::string refusal(const ActionNumber& setting, double number) {
  if (number < setting.low || number > setting.high)
    return entry_text(setting.low, setting.is_count) + " to " +
           entry_text(setting.high, setting.is_count);
  return setting.whole && number != std::floor(number) ? "whole numbers" : "";
}

void close(CommandPalette& palette, Painter& painter) {
  palette.open = false;
  painter.redraw(painter.now);  // this frame still shows it
}

void carry_out(const Actor& actor, const FoundAction& row) {
  CommandPalette& palette = actor.state.command_palette;
  if (row.number) {
    palette.refusal = refusal(*row.action->number, *row.number);
    if (!palette.refusal.empty()) return;
  }
  std::erase(palette.recent, row.action->id);
  palette.recent.insert(palette.recent.begin(), row.action->id);
  if (palette.recent.size() > kRecent) palette.recent.resize(kRecent);
  close(palette, actor.state.painter);
  if (row.number) {
    row.action->number->set(actor, *row.number);
  } else if (row.action->act) {
    row.action->act(actor);
  } else {
    // It only takes a number: its name is typed, and the number is missing.
    const std::string name = row.action->name + " ";
    open_palette(palette);
    name.copy(palette.text.data(), palette.text.size() - 1);
  }
}

// The name with the letters that were typed in another colour. Returns the width.
float draw_name(const Painter& painter, const FoundAction& row, ImVec2 at) {
  const std::string& name = row.action->name;
  ImDrawList* list = ImGui::GetWindowDrawList();
  float x = at.x;
  for (std::size_t i = 0; i < name.size();) {
    const auto is_matched = [&](std::size_t byte) {
      return std::ranges::binary_search(row.matched, byte);
    };
    const bool matched = is_matched(i);
    std::size_t end = i + 1;
    // The bytes after the first of a character are of the same part.
    while (end < name.size() &&
           ((static_cast<unsigned char>(name[end]) & 0xC0) == 0x80 || is_matched(end) == matched))
      ++end;
    x += draw_text(painter, list, {x, at.y}, TextStyle::kBody,
                   matched ? painter.palette->baseline : painter.palette->text,
                   std::string_view(name).substr(i, end - i));
    i = end;
  }
  return x - at.x;
}

// What stands at the right end: the value, then the keys.
void draw_right(const Painter& painter, const FoundAction& row, float right, float left, float y) {
  const Palette& p = *painter.palette;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto put = [&](const std::string& text, Colour value) {
    const float width = measure(painter, TextStyle::kSmall, text).x;
    if (text.empty() || right - width < left) return;
    right -= width;
    draw_text(painter, list, {right, y}, TextStyle::kSmall, value, text);
    right -= painter.px(16);
  };
  put(chords_text(*row.action), p.muted);
  const std::string& value = row.action->value;
  if (row.number) {
    const bool is_count = row.action->number && row.action->number->is_count;
    put((value.empty() ? "" : value + " → ") + entry_text(*row.number, is_count), p.text);
  } else {
    put(value, p.muted);
  }
  put(row.action->group, mix(p.muted, p.raised, 0.35F));
}

// Returns whether the row was clicked.
bool draw_row(const Painter& painter, CommandPalette& palette, const FoundAction& row, int index,
              float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = painter.px(kRow);
  const bool clicked = ImGui::InvisibleButton(("row " + row.action->id).c_str(), {width, height});
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  if (ImGui::IsItemHovered() && (moved.x != 0 || moved.y != 0)) palette.selected = index;
  if (palette.selected == index) {
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + height},
                                              packed(painter.palette->line), painter.px(4));
  }
  const float y = at.y + std::floor((height - measure(painter, TextStyle::kBody, "n").y) / 2);
  const float name = draw_name(painter, row, {at.x + painter.px(10), y});
  draw_right(painter, row, at.x + width - painter.px(10), at.x + name + painter.px(30),
             y + painter.px(1));
  return clicked;
}

// Moves the selection by the keys. Returns whether it moved.
bool move_selection(CommandPalette& palette, int count, int page) {
  int by = 0;
  if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) by = 1;
  if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) by = -1;
  if (ImGui::IsKeyPressed(ImGuiKey_PageDown)) by = page;
  if (ImGui::IsKeyPressed(ImGuiKey_PageUp)) by = -page;
  if (by == 0 || count == 0) return false;
  const int next = palette.selected + by;
  const bool around = by == 1 || by == -1;  // from the last to the first
  palette.selected = around ? (next + count) % count : std::clamp(next, 0, count - 1);
  return true;
}

void draw_nothing(const Painter& painter, const CommandPalette& palette, ImVec2 size) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string first =
      fitted(painter, TextStyle::kBody,
             "Nothing is called “" + std::string(palette.text.data()) + "”", size.x);
  const std::string second =
      fitted(painter, TextStyle::kSmall,
             "Try the name of a button, a setting or a view, or a number of items.", size.x);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto centred = [&](TextStyle style, const std::string& text, float y, Colour value) {
    draw_text(painter, list, {at.x + (size.x - measure(painter, style, text).x) / 2, y}, style,
              value, text);
  };
  const float y = at.y + size.y / 2 - painter.px(20);
  centred(TextStyle::kBody, first, y, painter.palette->text);
  centred(TextStyle::kSmall, second, y + painter.px(22), painter.palette->muted);
}

// Returns the row that was chosen with the mouse.
const FoundAction* draw_rows(const Painter& painter, CommandPalette& palette,
                             const std::vector<FoundAction>& rows, ImVec2 size, bool moved) {
  const FoundAction* chosen = nullptr;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::BeginChild("rows", size);
  const float width = ImGui::GetContentRegionAvail().x;
  if (rows.empty()) draw_nothing(painter, palette, size);
  const float height = painter.px(kRow);
  if (moved) {
    const float top = height * static_cast<float>(palette.selected);
    const float scroll = ImGui::GetScrollY();
    ImGui::SetScrollY(std::clamp(scroll, top + height - size.y, top));
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows.size()), height);
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const FoundAction& row = rows[static_cast<std::size_t>(i)];
      if (draw_row(painter, palette, row, i, width)) chosen = &row;
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  return chosen;
}

// What the selected row does, or why it cannot be done.
void draw_foot(const Painter& painter, const CommandPalette& palette, const FoundAction* selected,
               ImVec2 at, float width) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine({at.x - painter.px(6), at.y}, {at.x + width + painter.px(6), at.y},
                packed(painter.palette->line));
  const bool refused = !palette.refusal.empty();
  std::string text = selected == nullptr ? "" : selected->action->help;
  if (refused) text = "It can be " + palette.refusal;
  draw_text(painter, list, {at.x + painter.px(10), at.y + painter.px(8)}, TextStyle::kSmall,
            refused ? painter.palette->adaptive : painter.palette->muted,
            fitted(painter, TextStyle::kSmall, text, width - painter.px(20)));
}

// The line to type in. Returns whether Enter was pressed.
bool draw_field(const Painter& painter, CommandPalette& palette, float width) {
  const std::string before = palette.text.data();
  ImGui::SetNextItemWidth(width);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {painter.px(10), painter.px(8)});
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool entered = focused_field("##typed", palette.text, palette.focus);
  ImGui::PopStyleVar();
  if (palette.text[0] == '\0') {
    draw_text(painter, ImGui::GetWindowDrawList(), {at.x + painter.px(12), at.y + painter.px(8)},
              TextStyle::kBody, painter.palette->muted,
              fitted(painter, TextStyle::kBody,
                     "An action, a setting and its value, a view, a number of items", width));
  }
  if (before != palette.text.data()) {
    palette.selected = 0;
    palette.refusal.clear();
  }
  return entered;
}

void draw_inside(const Actor& actor, ImVec2 corner, ImVec2 size) {
  Painter& painter = actor.state.painter;
  CommandPalette& palette = actor.state.command_palette;
  const float margin = painter.px(6);
  const float width = size.x - 2 * margin;
  const float foot = painter.px(kFoot);
  ImGui::SetCursorScreenPos({corner.x + margin, corner.y + margin});
  const bool entered = draw_field(painter, palette, width);
  const std::vector<Action> all = actions(actor.app, actor.state);
  const std::vector<FoundAction> rows = rows_of(palette, all);
  const int count = static_cast<int>(rows.size());
  palette.selected = std::clamp(palette.selected, 0, std::max(0, count - 1));
  const float top = corner.y + margin + painter.px(kField);
  const ImVec2 room = {width, corner.y + size.y - foot - top - painter.px(4)};
  const int page = std::max(1, static_cast<int>(room.y / painter.px(kRow)) - 1);
  const bool moved = move_selection(palette, count, page);
  ImGui::SetCursorScreenPos({corner.x + margin, top});
  const FoundAction* chosen = draw_rows(painter, palette, rows, room, moved);
  const FoundAction* selected =
      rows.empty() ? nullptr : &rows[static_cast<std::size_t>(palette.selected)];
  draw_foot(painter, palette, selected, {corner.x + margin, corner.y + size.y - foot}, width);
  if (chosen == nullptr && entered) chosen = selected;
  if (chosen != nullptr) carry_out(actor, *chosen);
}

}  // namespace

void open_palette(CommandPalette& palette) {
  palette.open = true;
  palette.text.fill('\0');
  palette.focus = {.wanted = true};
  palette.selected = 0;
  palette.refusal.clear();
}

void draw_command_palette(const Actor& actor) {
  Painter& painter = actor.state.painter;
  CommandPalette& palette = actor.state.command_palette;
  if (!palette.open) {
    palette.shown = false;
    return;
  }
  const bool appears = !std::exchange(palette.shown, true);
  if (appears) ImGui::OpenPopup(kName);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float edge = painter.px(10);
  const float top = std::min(painter.px(kTop), edge + display.y / 12);
  const ImVec2 size = {std::floor(std::min(painter.px(kWidth), display.x - 2 * edge)),
                       std::floor(std::min(painter.px(kField + kFoot + 10 + kRow * kMostRows),
                                           display.y - top - edge))};
  const ImVec2 corner = {std::floor((display.x - size.x) / 2), std::floor(top)};
  ImGui::SetNextWindowPos(corner);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_PopupRounding, painter.px(8));
  const bool visible =
      ImGui::BeginPopup(kName, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoScrollbar |
                                   ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar(2);
  if (!visible) {  // the user has clicked beside it
    palette.open = false;
    return;
  }
  keep_arrows_from_focus();
  keep_tab_from_focus();
  // The keys that have opened it are still pressed in the frame in which it appears.
  if (!appears && (pressed(ImGuiKey_Escape) || pressed(ImGuiMod_Ctrl | ImGuiKey_K))) {
    close(palette, painter);
  } else {
    draw_inside(actor, corner, size);
  }
  if (!palette.open) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace dispersion
