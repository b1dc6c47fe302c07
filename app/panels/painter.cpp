#include "app/panels/painter.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/theme.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr double kCopiedShown = 1.2;

struct Face {
  ImFont* font;
  float size;  // logical pixels
};

Face face(const Painter& painter, TextStyle style) {
  switch (style) {
    case TextStyle::kSmall:
      return {painter.fonts.regular, kSmallSize};
    case TextStyle::kSmallStrong:
      return {painter.fonts.medium, kSmallSize};
    case TextStyle::kSection:
      return {painter.fonts.medium, kSectionSize};
    case TextStyle::kTitle:
      return {painter.fonts.medium, painter.presents ? kPresentTitleSize : kTitleSize};
    case TextStyle::kBig:
      return {painter.fonts.medium, kBigSize};
    case TextStyle::kLesson:
      return {painter.fonts.regular, kLessonSize};
    case TextStyle::kLessonStrong:
      return {painter.fonts.medium, kLessonSize};
    case TextStyle::kBody:
      break;
  }
  return {painter.fonts.regular, kBodySize};
}

// A text as it is set in lines: Dear ImGui would break one after a straight quotation mark that
// opens, and between a number and its unit.
std::string set_in_lines(std::string_view text) {
  std::string result;
  bool opens = true;
  for (const char letter : kept_together(text)) {
    if (letter != '"') {
      result += letter;
      continue;
    }
    result += opens ? "“" : "”";
    opens = !opens;
  }
  return result;
}

// Length of the UTF-8 character that ends at `end`.
std::size_t last_character(std::string_view text, std::size_t end) {
  std::size_t length = 1;
  while (length < end && (static_cast<unsigned char>(text[end - length]) & 0xC0) == 0x80)
    ++length;
  return length;
}

// Dear ImGui's log of the texts of a frame is to have those too that are drawn without it.
void log_text(ImVec2 at, std::string_view text) {
  if (ImGui::GetCurrentContext()->LogEnabled)
    ImGui::LogRenderedText(&at, text.data(), text.data() + text.size());
}

}  // namespace

float Painter::px(float logical) const {
  return std::round(logical * scale);
}

ImVec2 measure(const Painter& painter, TextStyle style, std::string_view text) {
  const Face f = face(painter, style);
  return f.font->CalcTextSizeA(f.size * painter.scale, 1e9F, 0, text.data(),
                               text.data() + text.size());
}

float draw_text(const Painter& painter, ImDrawList* list, ImVec2 position, TextStyle style,
                Colour value, std::string_view text, float alpha) {
  const Face f = face(painter, style);
  list->AddText(f.font, f.size * painter.scale, {std::round(position.x), std::round(position.y)},
                packed(value, alpha), text.data(), text.data() + text.size());
  log_text(position, text);
  return measure(painter, style, text).x;
}

void draw_wrapped(const Painter& painter, ImVec2 position, TextStyle style, Colour value,
                  std::string_view text, float width) {
  const Face f = face(painter, style);
  const std::string lines = set_in_lines(text);
  ImGui::GetWindowDrawList()->AddText(
      f.font, f.size * painter.scale, {std::round(position.x), std::round(position.y)},
      packed(value), lines.data(), lines.data() + lines.size(), width);
  log_text(position, text);
}

void flow_text(const Painter& painter, TextStyle style, Colour value, std::string_view text) {
  const Face f = face(painter, style);
  const std::string lines = set_in_lines(text);
  ImGui::PushFont(f.font, f.size);
  ImGui::PushStyleColor(ImGuiCol_Text, colour(value));
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(lines.data(), lines.data() + lines.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

float flow_height(const Painter& painter, TextStyle style, std::string_view text, float width) {
  if (text.empty()) return 0;
  const Face f = face(painter, style);
  const std::string lines = set_in_lines(text);
  return f.font
      ->CalcTextSizeA(f.size * painter.scale, 1e9F, width, lines.data(),
                      lines.data() + lines.size())
      .y;
}

std::string fitted(const Painter& painter, TextStyle style, std::string_view text, float width) {
  if (measure(painter, style, text).x <= width) return std::string(text);
  std::size_t end = text.size();
  while (end > 0) {
    end -= last_character(text, end);
    std::string cut = std::string(text.substr(0, end)) + "…";
    if (measure(painter, style, cut).x <= width) return cut;
  }
  return "";
}

std::string as_sentence(std::string text) {
  const std::string_view first_word = std::string_view(text).substr(0, text.find(' '));
  if (first_word.find_first_of("/.") != std::string_view::npos) return text;  // the name of a file
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

void gap(const Painter& painter, float logical) {
  ImGui::Dummy({0, painter.px(logical)});
}

void show_value(Painter& painter, std::string_view label, std::string_view exact,
                std::string_view unit) {
  painter.values.push_back(
      {painter.section, std::string(label), std::string(exact), std::string(unit)});
}

void copy_text(Painter& painter, std::string_view id, const std::string& text) {
  ImGui::SetClipboardText(text.c_str());
  painter.copied = id;
  painter.copied_until = painter.now + kCopiedShown;
  painter.animate(kCopiedShown + 0.1);
}

}  // namespace dispersion
