#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "app/palette/palette.h"
#include "app/window/theme.h"

namespace dispersion {

enum class TextStyle {
  kBody,
  kSmall,
  kSmallStrong,
  kSection,
  kTitle,
  kBig,
  kLesson,
  kLessonStrong
};

// A number on screen that can be copied with all its digits.
struct CopyableValue {
  std::string section;
  std::string label;
  std::string exact;
  std::string unit;
};

// What the panels share while they draw a frame. px() converts logical pixels, in which sizes are
// written, to window units.
struct Painter {
  Fonts fonts;
  const Palette* palette = nullptr;
  float scale = 1;
  double now = 0;         // seconds, steady
  bool presents = false;  // something is presented: titles are larger, and nothing flickers

  // The numbers on screen in the order in which they were drawn; filled anew in each frame.
  std::vector<CopyableValue> values;
  std::string section;  // the section of the values that are drawn next

  // While this is set, input fields are drawn with a dot: their value differs from that of the open
  // run.
  bool mark_field = false;

  // What was copied last; its row reads "copied" until this time.
  std::string copied;
  double copied_until = -1;

  // Something on screen moves until this time, so frames have to be drawn.
  double animate_until = -1;

  // The next time at which something on screen changes without input; < 0: there is none.
  double redraw_at = -1;

  // The number field whose last entry was refused; it shows the range that it accepts until this
  // time.
  std::string refused;
  std::string refused_text;
  double refused_until = -1;
  double refused_at = 0;  // the value that it had, and has until it is set in another way

  // A key was pressed that does something: what explains the item under the pointer is out of the
  // way until the mouse moves, or until keys are used to go to another item.
  bool help_hidden = false;

  // The label of the field that is to get the keyboard when it is drawn next.
  std::string wanted_field;

  // The focused item, a plot, leaves the arrow keys to the window, in which they change n.
  bool arrows_left = false;

  // Whether a menu or a card is open over the window, and whether an item had the focus below it.
  bool popup_open = false;
  bool focused_below = false;

  // A row of values has been drawn since the title of its section: the first takes part in Tab, and
  // the arrow keys go on from it.
  bool rows_begun = false;

  float px(float logical) const;
  void redraw(double time) { redraw_at = redraw_at < 0 ? time : std::min(redraw_at, time); }
  void animate(double seconds) { animate_until = std::max(animate_until, now + seconds); }
};

ImVec2 measure(const Painter& painter, TextStyle style, std::string_view text);

// Draws text at a position, without moving the cursor of the layout. Returns its width.
float draw_text(const Painter& painter, ImDrawList* list, ImVec2 position, TextStyle style,
                Colour value, std::string_view text, float alpha = 1);

// Draws text at a position, wrapped to this width, without moving the cursor of the layout. Its
// height is flow_height().
void draw_wrapped(const Painter& painter, ImVec2 position, TextStyle style, Colour value,
                  std::string_view text, float width);

// Draws text at the cursor of the layout, wrapped at the edge of the column.
void flow_text(const Painter& painter, TextStyle style, Colour value, std::string_view text);

// The height of flow_text() in a column of this width; 0 for an empty text.
float flow_height(const Painter& painter, TextStyle style, std::string_view text, float width);

// The text, or its longest beginning that fits with "…" at its end.
std::string fitted(const Painter& painter, TextStyle style, std::string_view text, float width);

// The text with a capital first letter. Errors begin with a small letter, since on the command line
// they follow "name:".
std::string as_sentence(std::string text);

// Vertical space between groups of rows.
void gap(const Painter& painter, float logical);

// Adds a number to Painter::values.
void show_value(Painter& painter, std::string_view label, std::string_view exact,
                std::string_view unit = "");
// Puts a text on the clipboard and marks the row `id` as copied.
void copy_text(Painter& painter, std::string_view id, const std::string& text);

}  // namespace dispersion
