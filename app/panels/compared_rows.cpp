#include "app/panels/compared_rows.h"

#include <array>
#include <string>
#include <utility>

#include "app/panels/keyboard_focus.h"
#include "app/panels/widgets.h"
#include "app/window/theme.h"
#include "core/figure/symbols.h"

namespace dispersion {
namespace {

constexpr float kRow = 22;
constexpr float kColumn = 56;  // width of a column of numbers
constexpr std::size_t kMost = 3;

using Texts = std::array<std::string, kMost>;  // the first is empty where there are two columns

// The numbers of a row, right-aligned in their columns; the last is that of the present state or of
// the difference.
void draw_columns(const Painter& painter, ImVec2 start, float width, const Texts& texts,
                  Colour colour, Colour last) {
  for (std::size_t i = 0; i < kMost; ++i) {
    const float right = start.x + width - painter.px(kColumn) * static_cast<float>(kMost - 1 - i);
    const float own = measure(painter, TextStyle::kSmall, texts[i]).x;
    draw_text(painter, ImGui::GetWindowDrawList(), {right - own, start.y}, TextStyle::kSmall,
              i + 1 == kMost ? last : colour, texts[i]);
  }
}

// "1.46" of "1.46 nats": the label's tooltip and the copy have the unit.
std::string without_unit(const std::string& text, std::string_view unit) {
  const std::string end = " " + std::string(unit);
  if (unit.empty() || !text.ends_with(end)) return text;
  return text.substr(0, text.size() - end.size());
}

Texts texts_of(const ComparedValue& value, ComparedColumns columns) {
  const std::string a = without_unit(value.a, value.unit);
  const std::string b = without_unit(value.b, value.unit);
  switch (columns) {
    case ComparedColumns::kBoth:
      return {"", a, b};
    case ComparedColumns::kSame:
      return {"", "", b};
    case ComparedColumns::kWithDifference:
      break;
  }
  return {a, b, value.difference};
}

Texts headings_of(ComparedColumns columns) {
  switch (columns) {
    case ComparedColumns::kBoth:
      return {"", "A", "B"};
    case ComparedColumns::kSame:
      return {"", "", "A = B"};
    case ComparedColumns::kWithDifference:
      break;
  }
  return {"A", "B", "B − A"};
}

// Shows the numbers to what copies them, with all digits.
void note_values(Painter& painter, const ComparedValue& value) {
  const std::array<std::pair<const char*, const std::string*>, kMost> all = {
      {{", A", &value.exact_a}, {", B", &value.exact_b}, {", B − A", &value.exact_difference}}};
  for (const auto& [side, exact] : all) {
    if (exact == &value.exact_difference && value.difference.empty()) continue;
    const bool difference = exact == &value.exact_difference;
    show_value(painter, value.label + side, exact->empty() ? "–" : *exact,
               difference ? value.difference_unit() : value.unit);
  }
}

std::string copied_text(const ComparedValue& value) {
  const std::string both = value.exact_a + "\t" + value.exact_b;
  return value.difference.empty() ? both : both + "\t" + value.exact_difference;
}

}  // namespace

void compared_heading(Painter& painter, std::string_view name, Colour colour,
                      ComparedColumns columns) {
  group_title(painter, name, colour);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  draw_columns(painter, {start.x, start.y - painter.px(18)}, ImGui::GetContentRegionAvail().x,
               headings_of(columns), painter.palette->muted, painter.palette->muted);
}

void compared_group(Painter& painter, std::string_view name, std::string_view section,
                    const std::vector<ComparedValue>& values) {
  const Colour colour = painter.palette->muted;
  for (const ComparedColumns columns : {ComparedColumns::kSame, ComparedColumns::kBoth}) {
    bool begun = false;
    for (const ComparedValue& value : values) {
      if (value.same() != (columns == ComparedColumns::kSame)) continue;
      if (!std::exchange(begun, true)) {
        compared_heading(painter, std::exchange(name, ""), colour, columns);
        painter.section = section;  // after the heading, which begins one of its own
      }
      compared_row(painter, value, colour, columns);
    }
  }
}

void compared_row(Painter& painter, const ComparedValue& value, Colour colour,
                  ComparedColumns columns) {
  note_values(painter, value);
  const std::string id = painter.section + "/" + value.label;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::PushStyleVarY(ImGuiStyleVar_ItemSpacing, 0);
  {
    const TabStop stop(!std::exchange(painter.rows_begun, true));
    if (ImGui::InvisibleButton(id.c_str(), {width, painter.px(kRow)}, kFocusable))
      copy_text(painter, id, copied_text(value));
  }
  ImGui::PopStyleVar();
  if (ImGui::IsItemHovered())
    ImGui::GetWindowDrawList()->AddRectFilled(
        {start.x - painter.px(5), start.y},
        {start.x + width + painter.px(5), start.y + painter.px(kRow)},
        packed(painter.palette->raised), painter.px(4));
  help_tooltip(painter, with_symbols(value.help, value.label));
  const Texts texts = texts_of(value, columns);
  float used = 0;
  for (std::size_t i = 0; i < kMost && used == 0; ++i) {
    if (texts[i].empty()) continue;
    used = painter.px(kColumn) * static_cast<float>(kMost - 1 - i) +
           measure(painter, TextStyle::kSmall, texts[i]).x;
  }
  const bool copied = painter.copied == id && painter.now < painter.copied_until;
  const float y = start.y + painter.px(3);
  draw_text(painter, ImGui::GetWindowDrawList(), {start.x, y}, TextStyle::kSmall,
            painter.palette->muted,
            fitted(painter, TextStyle::kSmall, value.label, width - used - painter.px(6)));
  draw_columns(painter, {start.x, y}, width, copied ? Texts{"", "", "copied"} : texts, colour,
               copied ? painter.palette->good : painter.palette->text);
}

}  // namespace dispersion
