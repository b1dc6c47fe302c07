#include "app/panels/input_fields.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/keyboard_focus.h"
#include "app/panels/number_entry.h"
#include "app/panels/text_entry.h"
#include "app/panels/widgets.h"
#include "app/window/theme.h"
#include "core/figure/symbols.h"

namespace dispersion {
namespace {

constexpr float kFieldHeight = 24;
constexpr float kSegmentsWidth = 168;
constexpr double kRefusalShown = 4;  // seconds

// Draws the label of a row, and moves the cursor to where its field of this width begins.
void label_left_of_field(Painter& painter, const char* label, float field_width) {
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 text_size = measure(painter, TextStyle::kBody, label);
  const float y = start.y + std::floor((painter.px(kFieldHeight) - text_size.y) / 2);
  if (painter.refused == label && painter.now < painter.refused_until) {
    draw_text(painter, ImGui::GetWindowDrawList(), {start.x, y}, TextStyle::kBody,
              painter.palette->adaptive,
              fitted(painter, TextStyle::kBody, painter.refused_text, width - field_width));
    painter.redraw(painter.refused_until);
  } else {
    draw_text(painter, ImGui::GetWindowDrawList(), {start.x, y}, TextStyle::kBody,
              painter.palette->muted, label);
  }
  if (painter.mark_field) {
    const float radius = painter.px(2.5F);
    ImGui::GetWindowDrawList()->AddCircleFilled(
        {start.x + text_size.x + painter.px(5) + radius, y + text_size.y / 2}, radius,
        packed(painter.palette->adaptive));
  }
  ImGui::SetCursorScreenPos({start.x + width - field_width, start.y});
  ImGui::SetNextItemWidth(field_width);
}

float field_padding(const Painter& painter) {
  return std::floor((painter.px(kFieldHeight) - ImGui::GetTextLineHeight()) / 2);
}

// The padding on the left with which a text ends at the right end of its field.
float right_aligning_padding(const Painter& painter, const char* text, float width) {
  const float free = width - measure(painter, TextStyle::kBody, text).x - painter.px(2);
  return std::max(painter.px(6), free - painter.px(6));
}

// As it was typed. The spaces of its own groups are left out, which are in wrong places once a
// digit was added or taken away.
NumberRead typed_number(const NumberField& field, std::string text) {
  constexpr std::string_view kThinSpace = "\u2009";
  for (std::size_t at = 0; field.is_count && (at = text.find(kThinSpace)) != std::string::npos;)
    text.erase(at, kThinSpace.size());
  return read_number(text, field.whole);
}

// For a few seconds, the label of the field is replaced by what may be entered.
void refuse(Painter& painter, const NumberField& field, const NumberRead& read, double value) {
  painter.refused = field.label;
  painter.refused_at = value;
  painter.refused_text = read.hint.empty() ? entry_text(field.low, field.is_count) + " to " +
                                                 entry_text(field.high, field.is_count)
                                           : read.hint;
  painter.refused_until = painter.now + kRefusalShown;
  painter.redraw(painter.now);
}

// Keeps letters out of a field for a number.
int only_of_numbers(ImGuiInputTextCallbackData* data) {
  constexpr std::u32string_view kOfNumbers = U"0123456789+-.,eE \u2009\u00A0\u202F";
  return kOfNumbers.find(static_cast<char32_t>(data->EventChar)) == std::u32string_view::npos ? 1
                                                                                              : 0;
}

void take_wanted_focus(Painter& painter, const char* label) {
  if (painter.wanted_field != label) return;
  painter.wanted_field.clear();
  ImGui::SetKeyboardFocusHere();
}

}  // namespace

bool slider(Painter& painter, const char* id, double& position, double home, std::string_view help,
            double step) {
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = painter.px(20);
  const float radius = painter.px(7);
  ImGui::InvisibleButton(id, {width, height}, kFocusable);
  const bool active = ImGui::IsItemActive();
  const bool hovered = ImGui::IsItemHovered();
  double wanted = position;
  const int by_keys = arrows_left_right().x;
  if (by_keys != 0) {
    wanted = std::clamp(position + by_keys * step, 0.0, 1.0);
  } else if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    wanted = home;
  } else if (active && (ImGui::IsMouseDragging(ImGuiMouseButton_Left, 0) ||
                        ImGui::IsMouseClicked(ImGuiMouseButton_Left))) {
    const float x = ImGui::GetIO().MousePos.x - start.x - radius;
    wanted = std::clamp(static_cast<double>(x / (width - 2 * radius)), 0.0, 1.0);
  }
  if (!active) help_tooltip(painter, help);
  const bool changed = wanted != position;
  position = wanted;

  const Palette& p = *painter.palette;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float y = start.y + height / 2;
  const float line = painter.px(3);
  const float x = start.x + radius + (width - 2 * radius) * static_cast<float>(position);
  list->AddRectFilled({start.x, y - line / 2}, {start.x + width, y + line / 2}, packed(p.line),
                      line / 2);
  list->AddRectFilled({start.x, y - line / 2}, {x, y + line / 2}, packed(p.muted), line / 2);
  const float home_x = start.x + radius + (width - 2 * radius) * static_cast<float>(home);
  list->AddRectFilled({home_x - 1, y - painter.px(5)}, {home_x + 1, y + painter.px(5)},
                      packed(p.line));
  list->AddCircleFilled({x, y}, active || hovered ? radius : radius - painter.px(1), packed(p.text),
                        32);
  return changed;
}

bool number_field(Painter& painter, const NumberField& field, double& value) {
  if (painter.refused == field.label && painter.refused_at != value) painter.refused.clear();
  const float width = painter.px(96);
  std::array<char, 64> text{};
  const std::string shown = entry_text(value, field.is_count);
  std::copy_n(shown.data(), std::min(shown.size(), text.size() - 1), text.data());
  ImGui::PushStyleVarY(ImGuiStyleVar_ItemSpacing, painter.px(3));
  label_left_of_field(painter, field.label, width);
  ImGui::PushStyleVar(
      ImGuiStyleVar_FramePadding,
      {right_aligning_padding(painter, text.data(), width), field_padding(painter)});
  ImGui::PushID(field.label);
  take_wanted_focus(painter, field.label);
  const bool entered = keyboard_field(
      "##number", text, ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_CallbackCharFilter,
      only_of_numbers);
  const bool left = ImGui::IsItemDeactivatedAfterEdit();
  ImGui::PopID();
  ImGui::PopStyleVar(2);
  help_tooltip(painter, with_symbols(field.help, field.label));
  if (!(entered || left)) return false;
  const NumberRead read = typed_number(field, text.data());
  if (!read.value || *read.value < field.low || *read.value > field.high) {
    refuse(painter, field, read, value);
    return false;
  }
  if (entered) leave_keyboard_field();
  const bool changed = *read.value != value;
  value = *read.value;
  return changed;
}

// Wide enough for the longest name and the arrow, as far as the label leaves room.
float choice_width(const Painter& painter, const char* label, std::span<const char* const> names) {
  float width = painter.px(148);
  for (const char* name : names)
    width = std::max(width, measure(painter, TextStyle::kBody, name).x + painter.px(34));
  const float room = ImGui::GetContentRegionAvail().x -
                     measure(painter, TextStyle::kBody, label).x - painter.px(8);
  return std::min(width, std::max(room, painter.px(148)));
}

bool choice_field(Painter& painter, const char* label, const char* const* names, int count,
                  int& chosen, std::string_view help, float least) {
  const float own = choice_width(painter, label, std::span(names, static_cast<std::size_t>(count)));
  const float width = std::max(own, least);
  ImGui::PushStyleVarY(ImGuiStyleVar_ItemSpacing, painter.px(3));
  label_left_of_field(painter, label, width);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {painter.px(8), field_padding(painter)});
  ImGui::PushID(label);
  bool changed = false;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const bool open = ImGui::BeginCombo(
      "##choice", names[chosen], ImGuiComboFlags_HeightLargest | ImGuiComboFlags_NoArrowButton);
  if (!open) {
    draw_text(painter, ImGui::GetWindowDrawList(),
              {corner.x + width - painter.px(18), corner.y + field_padding(painter)},
              TextStyle::kBody, painter.palette->muted, "▾");
  }
  if (!open) help_tooltip(painter, help);
  if (open) {
    for (int i = 0; i < count; ++i) {
      if (ImGui::Selectable(names[i], i == chosen) && i != chosen) {
        chosen = i;
        changed = true;
      }
    }
    ImGui::EndCombo();
  }
  ImGui::PopID();
  ImGui::PopStyleVar(2);
  return changed;
}

bool segment_field(Painter& painter, const char* label, const char* const* names, int count,
                   int& chosen, std::string_view help) {
  const float width = painter.px(kSegmentsWidth);
  const float room = ImGui::GetContentRegionAvail().x;
  ImGui::PushStyleVarY(ImGuiStyleVar_ItemSpacing, painter.px(3));
  if (measure(painter, TextStyle::kBody, label).x + painter.px(8) + width <= room) {
    label_left_of_field(painter, label, width);
  } else {
    // A long label has a line of its own.
    label_left_of_field(painter, label, 0);
    ImGui::Dummy({0, painter.px(kFieldHeight)});
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room - width);
  }
  ImGui::BeginChild(label, {width, painter.px(kFieldHeight)}, kTabbedThrough,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                        ImGuiWindowFlags_NoBackground);
  const bool changed = segments(painter, label, names, count, chosen, help);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  return changed;
}

}  // namespace dispersion
