#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "app/palette/palette.h"
#include "app/window/theme.h"

namespace dispersion {

enum class TextStyle { kBody, kSmall, kSection, kTitle, kBig };

// A number on screen that can be copied in full.
struct CopyableValue {
  std::string section;
  std::string label;
  std::string exact;
  std::string unit;
};

// What panels paint with in one frame. Sizes in logical pixels become window units through px().
struct Painter {
  Fonts fonts;
  const Palette* palette = nullptr;
  float scale = 1;
  double now = 0;  // seconds, steady

  // What can be copied, in the order drawn; filled anew in each frame.
  std::vector<CopyableValue> values;
  std::string section;  // of the values that follow

  // Fields drawn while this is set carry a dot: what they say is not what runs.
  bool mark_field = false;

  // The last copy, to be confirmed in place for a moment.
  std::string copied;
  double copied_until = -1;

  // Somebody wants further frames until this time, because something moves.
  double animate_until = -1;

  // Something changes by itself at this time, the soonest of all; < 0: nothing does.
  double redraw_at = -1;

  // The number field whose last entry was refused, with what it takes, shown for a moment.
  std::string refused;
  std::string refused_text;
  double refused_until = -1;

  float px(float logical) const;
  void redraw(double time) { redraw_at = redraw_at < 0 ? time : std::min(redraw_at, time); }
  void animate(double seconds) { animate_until = std::max(animate_until, now + seconds); }
};

ImVec2 measure(const Painter& painter, TextStyle style, std::string_view text);

// Text at a place, without taking part in the layout. Returns its width.
float draw_text(const Painter& painter, ImDrawList* list, ImVec2 position, TextStyle style,
                Colour value, std::string_view text, float alpha = 1);

// Text that flows in the current layout, wrapped at the column's edge.
void flow_text(const Painter& painter, TextStyle style, Colour value, std::string_view text);

// How high that becomes in so wide a column; 0 without text.
float flow_height(const Painter& painter, TextStyle style, std::string_view text, float width);

// The longest beginning of the text that fits, with "…" when it is cut.
std::string fitted(const Painter& painter, TextStyle style, std::string_view text, float width);

// A moment of fresh air between groups of rows.
void gap(const Painter& painter, float logical);

// Remembers a number for "copy all", and puts one on the clipboard.
void show_value(Painter& painter, std::string_view label, std::string_view exact,
                std::string_view unit = "");
void copy_text(Painter& painter, std::string_view id, const std::string& text);
std::string all_values(const Painter& painter);  // "section<tab>label<tab>value unit" lines

}  // namespace dispersion
