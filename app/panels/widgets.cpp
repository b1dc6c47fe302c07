#include "app/panels/widgets.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/panels/keyboard_focus.h"
#include "app/window/theme.h"
#include "core/figure/symbols.h"

namespace dispersion {
namespace {

constexpr float kRowHeight = 22;
constexpr float kButtonHeight = 26;

// The top of a text of this height that is centred in a row that begins at y.
float centred(float y, float height, float text_height) {
  return y + std::floor((height - text_height) / 2);
}

Colour button_fill(const Painter& painter, ButtonKind kind) {
  const Palette& p = *painter.palette;
  const bool pressed = ImGui::IsItemActive();
  const bool hovered = ImGui::IsItemHovered();
  if (kind == ButtonKind::kPrimary) {
    return pressed ? mix(p.text, p.panel, 0.3F) : hovered ? mix(p.text, p.panel, 0.12F) : p.text;
  }
  return pressed ? mix(p.line, p.muted, 0.3F) : hovered ? p.line : p.raised;
}

}  // namespace

void section_title(Painter& painter, std::string_view name, std::string_view note) {
  painter.section = name;
  painter.rows_begun = false;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = painter.px(24);
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_text(painter, list, start, TextStyle::kSection, painter.palette->text, name);
  const float note_x = start.x + width - measure(painter, TextStyle::kSmall, note).x;
  draw_text(painter, list, {note_x, start.y + painter.px(1)}, TextStyle::kSmall,
            painter.palette->muted, note);
  const float y = start.y + painter.px(20);
  list->AddLine({start.x, y}, {start.x + width, y}, packed(painter.palette->line),
                std::max(1.0F, std::floor(painter.scale)));
  ImGui::Dummy({width, height});
}

void group_title(Painter& painter, std::string_view name, Colour value) {
  painter.section = name;
  painter.rows_begun = false;
  ImGui::PushStyleVarY(ImGuiStyleVar_ItemSpacing, painter.px(1));
  gap(painter, 7);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  draw_text(painter, ImGui::GetWindowDrawList(), start, TextStyle::kSmall, value, name);
  ImGui::Dummy({ImGui::GetContentRegionAvail().x, painter.px(17)});
  ImGui::PopStyleVar();
}

void value_row(Painter& painter, const ValueRow& row) {
  // A row that shows a dash has no value, whatever `exact` says.
  const bool dash = row.text.text().starts_with("–");
  const std::string exact = row.exact.empty() || dash ? row.text.text() : row.exact;
  show_value(painter, row.label, exact, dash ? "" : row.unit);
  const std::string id = painter.section + "/" + row.label;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = painter.px(kRowHeight);
  ImGui::PushStyleVarY(ImGuiStyleVar_ItemSpacing, 0);
  {
    const TabStop stop(!std::exchange(painter.rows_begun, true));
    if (ImGui::InvisibleButton(id.c_str(), {width, height}, kFocusable))
      copy_text(painter, id, exact);
  }
  ImGui::PopStyleVar();
  const bool hovered = ImGui::IsItemHovered();
  help_tooltip(painter, with_symbols(row.help, row.label));
  const Palette& p = *painter.palette;
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (hovered) {
    list->AddRectFilled({start.x - painter.px(5), start.y},
                        {start.x + width + painter.px(5), start.y + height}, packed(p.raised),
                        painter.px(4));
  }
  const bool just_copied = painter.copied == id && painter.now < painter.copied_until;
  const std::string text = just_copied ? "copied" : row.text.text();
  const ImVec2 text_size = measure(painter, TextStyle::kBody, text);
  const float y = centred(start.y, height, text_size.y);
  const float room = width - text_size.x - painter.px(8);
  draw_text(painter, list, {start.x, y}, TextStyle::kBody, p.muted,
            fitted(painter, TextStyle::kBody, row.label, room));
  draw_text(painter, list, {start.x + width - text_size.x, y}, TextStyle::kBody,
            just_copied ? p.good : row.value_colour.value_or(p.text), text);
}

void named_value_row(Painter& painter, const NamedValue& value, std::optional<Colour> colour) {
  value_row(painter,
            ValueRow{value.label, value.value, value.exact, colour, value.help, value.unit});
}

bool push_button(Painter& painter, const char* label, ButtonKind kind, float width,
                 std::string_view help) {
  const char* end = std::find(label, label + std::string_view(label).size(), '#');
  const std::string_view text(label, static_cast<std::size_t>(end - label));
  const ImVec2 text_size = measure(painter, TextStyle::kSmall, text);
  const float height = painter.px(kButtonHeight);
  if (width <= 0) width = text_size.x + painter.px(20);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(label, {width, height}, kFocusable);
  help_tooltip(painter, help);
  const Palette& p = *painter.palette;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float alpha = ImGui::GetStyle().Alpha;
  list->AddRectFilled(start, {start.x + width, start.y + height},
                      packed(button_fill(painter, kind), alpha), painter.px(5));
  draw_text(painter, list,
            {start.x + (width - text_size.x) / 2, centred(start.y, height, text_size.y)},
            TextStyle::kSmall, kind == ButtonKind::kPrimary ? p.panel : p.text, text, alpha);
  return pressed;
}

void copy_button(Painter& painter, const std::string& id, const std::string& message, float width) {
  const bool copied = painter.copied == id && painter.now < painter.copied_until;
  if (push_button(painter, ((copied ? "Copied###" : "Copy###") + id).c_str(), ButtonKind::kPlain,
                  width, "Puts the whole message on the clipboard."))
    copy_text(painter, id, message);
}

bool toggle(Painter& painter, const char* label, bool& value, Colour on_colour,
            std::string_view help) {
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float height = painter.px(kRowHeight);
  const float knob_width = painter.px(30);
  const float knob_height = painter.px(17);
  const ImVec2 text_size = measure(painter, TextStyle::kBody, label);
  const bool pressed =
      ImGui::InvisibleButton(label, {knob_width + painter.px(9) + text_size.x, height}, kFocusable);
  if (pressed) value = !value;
  help_tooltip(painter, help);
  const Palette& p = *painter.palette;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float y = centred(start.y, height, knob_height);
  const float radius = knob_height / 2;
  list->AddRectFilled({start.x, y}, {start.x + knob_width, y + knob_height},
                      packed(value ? on_colour : p.line), radius);
  const float x = value ? start.x + knob_width - radius : start.x + radius;
  list->AddCircleFilled({x, y + radius}, radius - painter.px(2.5F), packed(p.panel), 24);
  draw_text(painter, list,
            {start.x + knob_width + painter.px(9), centred(start.y, height, text_size.y)},
            TextStyle::kBody, p.text, label);
  return pressed;
}

bool segments(Painter& painter, const char* id, const char* const* names, int count, int& chosen,
              std::string_view help) {
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float height = painter.px(24);
  const float whole = ImGui::GetContentRegionAvail().x;
  const float width = whole / static_cast<float>(count);
  const Palette& p = *painter.palette;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(start, {start.x + whole, start.y + height}, packed(p.raised), painter.px(5));
  bool changed = false;
  int by_keys = -1;
  ImGui::PushID(id);
  for (int i = 0; i < count; ++i) {
    const float left = start.x + width * static_cast<float>(i);
    ImGui::SetCursorScreenPos({left, start.y});
    const TabStop stop(chosen == i);
    if (ImGui::InvisibleButton(names[i], {width, height}, kFocusable) && chosen != i) {
      chosen = i;
      changed = true;
    }
    const int next = std::clamp(i + arrows_left_right().x, 0, count - 1);
    if (next != i) by_keys = next;
    const bool hovered = ImGui::IsItemHovered();
    help_tooltip(painter, help);
    if (chosen == i) {
      const float inset = painter.px(2);
      list->AddRectFilled({left + inset, start.y + inset},
                          {left + width - inset, start.y + height - inset},
                          packed(mix(p.line, p.muted, 0.15F)), painter.px(4));
    }
    const ImVec2 text_size = measure(painter, TextStyle::kSmall, names[i]);
    draw_text(painter, list,
              {left + (width - text_size.x) / 2, centred(start.y, height, text_size.y)},
              TextStyle::kSmall, chosen == i || hovered ? p.text : p.muted, names[i]);
  }
  if (by_keys >= 0) {
    chosen = by_keys;
    changed = true;
    move_focus(ImGui::GetID(names[by_keys]));
  }
  ImGui::PopID();
  return changed;
}

void progress_line(Painter& painter, double share) {
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = painter.px(3);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(start, {start.x + width, start.y + height}, packed(painter.palette->line),
                      height / 2);
  const float filled = width * static_cast<float>(std::clamp(share, 0.0, 1.0));
  if (filled >= 1) {
    list->AddRectFilled(start, {start.x + filled, start.y + height}, packed(painter.palette->text),
                        height / 2);
  }
  ImGui::Dummy({width, height});
}

void help_tooltip(const Painter& painter, std::string_view text) {
  if (text.empty() || painter.help_hidden || !ImGui::BeginItemTooltip()) return;
  ImGui::PushTextWrapPos(painter.px(300));
  ImGui::PushFont(painter.fonts.regular, kSmallSize);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopFont();
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

}  // namespace dispersion
