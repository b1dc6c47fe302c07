#include <algorithm>
#include <array>
#include <string>

#include "app/panels/comparison_bar.h"
#include "app/panels/widgets.h"
#include "app/session/comparison.h"
#include "app/session/frame_at.h"
#include "app/window/theme.h"
#include "core/figure/compared_sizes.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr float kRow = 22;
constexpr float kColumns = 56;  // width of each of the three columns of numbers

const SizeRow* row_at(const FrameAt& at, TransformId id) {
  const auto found = std::ranges::find(at.transforms, id, &TransformAt::id);
  return found == at.transforms.end() ? nullptr : found->row;
}

const SizePair* pair_at(const ComparedPairs* pairs, TransformId id, int items) {
  if (pairs == nullptr) return nullptr;
  for (const SizePair& pair : pairs->pairs) {
    if (pair.items == items && pair.id == id && pair.sets > 0) return &pair;
  }
  return nullptr;
}

// The numbers of a row, right-aligned in their columns.
void draw_columns(const Painter& painter, ImVec2 start, float width,
                  const std::array<std::string, 3>& texts, TextStyle style, Colour colour) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const float right = start.x + width - painter.px(kColumns) * static_cast<float>(2 - i);
    const float own = measure(painter, style, texts[i]).x;
    draw_text(painter, ImGui::GetWindowDrawList(), {right - own, start.y}, style,
              i == 2 ? painter.palette->text : colour, texts[i]);
  }
}

void draw_heading(Painter& painter, std::string_view name, Colour colour) {
  group_title(painter, name, colour);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  draw_columns(painter, {start.x, start.y - painter.px(18)}, width, {"A", "B", "B − A"},
               TextStyle::kSmall, painter.palette->muted);
}

// Shows the numbers to what copies them, with all digits.
void note_values(Painter& painter, const ComparedValue& value) {
  const std::array<std::pair<const char*, const std::string*>, 3> all = {
      {{", A", &value.exact_a}, {", B", &value.exact_b}, {", B − A", &value.exact_difference}}};
  for (const auto& [side, exact] : all)
    show_value(painter, value.label + side, exact->empty() ? "–" : *exact, value.unit);
}

void draw_row(Painter& painter, const ComparedValue& value, Colour colour) {
  note_values(painter, value);
  const std::string id = painter.section + "/" + value.label;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::PushStyleVarY(ImGuiStyleVar_ItemSpacing, 0);
  if (ImGui::InvisibleButton(id.c_str(), {width, painter.px(kRow)}))
    copy_text(painter, id, value.exact_a + "\t" + value.exact_b + "\t" + value.exact_difference);
  ImGui::PopStyleVar();
  if (ImGui::IsItemHovered())
    ImGui::GetWindowDrawList()->AddRectFilled(
        {start.x - painter.px(5), start.y},
        {start.x + width + painter.px(5), start.y + painter.px(kRow)},
        packed(painter.palette->raised), painter.px(4));
  help_tooltip(painter, value.help);
  const float y = start.y + painter.px(3);
  draw_text(painter, ImGui::GetWindowDrawList(), {start.x, y}, TextStyle::kSmall,
            painter.palette->muted,
            fitted(painter, TextStyle::kSmall, value.label,
                   width - 3 * painter.px(kColumns) + painter.px(14)));
  draw_columns(painter, {start.x, y}, width, {value.a, value.b, value.difference},
               TextStyle::kSmall, colour);
}

}  // namespace

void draw_compared_size_panel(const AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  const int items = app.view.focused_items;
  const FrameAt a = frame_at(app.comparison->a, items);
  const FrameAt b = frame_at(app, items);
  section_title(painter, "At n = " + grouped_text(items), row_age_text(b));
  const ComparedPairs* pairs = present_pairs(app);
  for (const TransformId id : compared_transforms(app)) {
    const TransformDefinition& definition = transform_definition(id);
    const Colour colour = role_colour(*painter.palette, definition.colour);
    draw_heading(painter, definition.label, colour);
    const ComparedRows rows = {id, row_at(a, id), row_at(b, id), pair_at(pairs, id, items)};
    for (const ComparedValue& value : compared_size_values(rows))
      draw_row(painter, value, colour);
    const std::string paired = paired_text(rows);
    flow_text(painter, TextStyle::kSmall, painter.palette->muted,
              paired.empty() ? "B − A of the accuracy is being counted …" : "95 %: " + paired);
  }
}

}  // namespace dispersion
