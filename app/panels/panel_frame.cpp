#include "app/panels/panel_frame.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "app/panels/keyboard_focus.h"
#include "app/window/theme.h"
#include "core/figure/number_text.h"

namespace dispersion {

void begin_panel(Painter& painter, const char* id, ImVec2 size, std::string_view title,
                 std::string_view subtitle, float kept_free) {
  const Palette& p = *painter.palette;
  ImGui::PushStyleColor(ImGuiCol_ChildBg, colour(p.panel));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {painter.px(14), painter.px(10)});
  ImGui::BeginChild(id, size, ImGuiChildFlags_AlwaysUseWindowPadding | kTabbedThrough,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList* list = ImGui::GetWindowDrawList();
  // Where panels are as dark as what lies between them, a line shows where they end.
  if (p.panel == p.background) {
    const ImVec2 corner = ImGui::GetWindowPos();
    list->AddRect(corner, {corner.x + size.x, corner.y + size.y}, packed(p.line), 0,
                  std::max(1.0F, std::floor(painter.scale)));
  }
  const float title_width = draw_text(painter, list, start, TextStyle::kTitle, p.text,
                                      fitted(painter, TextStyle::kTitle, title, width));
  const float room = width - title_width - painter.px(14) - kept_free;
  const float lower = painter.px(painter.presents ? 5 : 2);  // on the title's line
  draw_text(painter, list, {start.x + title_width + painter.px(14), start.y + lower},
            TextStyle::kSmall, p.muted, subtitle_that_fits(painter, std::string(subtitle), room));
  ImGui::Dummy({width, painter.px(painter.presents ? 24 : 20)});
}

void end_panel() {
  ImGui::EndChild();
}

void begin_card(const Painter& painter, const char* id, ImVec2 size, ImVec2 low, ImVec2 high) {
  const Palette& p = *painter.palette;
  size = {std::min(size.x, high.x - low.x), std::min(size.y, high.y - low.y)};
  const ImVec2 corner = {std::floor((low.x + high.x - size.x) / 2),
                         std::floor((low.y + high.y - size.y) / 2)};
  ImGui::SetCursorScreenPos(corner);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {painter.px(22), painter.px(16)});
  ImGui::BeginChild(id, size, ImGuiChildFlags_AlwaysUseWindowPadding | kTabbedThrough,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  // Dear ImGui would draw the background of a child below the children drawn before it.
  const ImVec2 end = {corner.x + size.x, corner.y + size.y};
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(corner, end, packed(p.panel), painter.px(8));
  list->AddRect(corner, end, packed(p.line), painter.px(8), std::max(1.0F, painter.scale));
}

void end_card() {
  ImGui::EndChild();
}

void draw_empty(const Painter& painter, ImVec2 low, ImVec2 high, std::string_view sentence) {
  const std::string text = fitted(painter, TextStyle::kBody, sentence, high.x - low.x);
  const ImVec2 size = measure(painter, TextStyle::kBody, text);
  draw_text(painter, ImGui::GetWindowDrawList(),
            {(low.x + high.x - size.x) / 2, (low.y + high.y - size.y) / 2}, TextStyle::kBody,
            painter.palette->muted, text);
}

namespace {

// Whether the word is a unit: those stay together with a number before them.
bool is_unit(const std::string& word) {
  return kept_together("1 " + word).find(' ') == std::string::npos;
}

}  // namespace

std::vector<std::string> subtitle_parts(const std::string& whole) {
  const std::string head = whole.substr(0, whole.find(';'));
  const std::string notes = whole.substr(head.size());
  std::vector<std::string> parts;
  // A unit can stand alone, another first word cannot.
  const bool begins_with_unit = is_unit(head.substr(0, head.find(' ')));
  int depth = 0;
  for (std::size_t i = 0; i < head.size(); ++i) {
    depth += head[i] == '{' ? 1 : head[i] == '}' ? -1 : 0;
    const bool first_word = head[i] == ' ' && parts.empty() && begins_with_unit;
    if (depth == 0 && (head[i] == ',' || first_word)) parts.push_back(head.substr(0, i));
  }
  parts.push_back(head);
  std::ranges::reverse(parts);
  if (notes.empty()) return parts;
  // A unit alone comes last: what a number is of matters more than a note.
  const auto unit = parts.end() - (begins_with_unit && parts.size() > 1 ? 1 : 0);
  std::vector<std::string> all;
  for (const auto& [begin, end] : {std::pair(parts.begin(), unit), std::pair(unit, parts.end())}) {
    for (auto part = begin; part != end; ++part)
      all.push_back(*part + notes);
    all.insert(all.end(), begin, end);
  }
  return all;
}

std::string least_subtitle(const std::string& whole) {
  int depth = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    depth += whole[i] == '{' ? 1 : whole[i] == '}' ? -1 : 0;
    if (depth == 0 && (whole[i] == ',' || whole[i] == ';')) return whole.substr(0, i);
  }
  return whole;
}

std::string subtitle_that_fits(const Painter& painter, const std::string& whole, float room) {
  for (const std::string& part : subtitle_parts(whole)) {
    if (measure(painter, TextStyle::kSmall, part).x <= room) return part;
  }
  return "";
}

}  // namespace dispersion
