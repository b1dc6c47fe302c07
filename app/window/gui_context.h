#pragma once

#include "app/window/keyboard.h"
#include "app/window/theme.h"
#include "app/window/window.h"

namespace dispersion {

// Sets up Dear ImGui on a window and shuts it down again. Dear ImGui's own settings and log files
// are switched off.
class GuiContext {
 public:
  explicit GuiContext(Window& window);
  ~GuiContext();
  GuiContext(const GuiContext&) = delete;
  GuiContext& operator=(const GuiContext&) = delete;

  const Fonts& fonts() const { return fonts_; }

  // What panels draw between these two calls is one frame. `scale`: window units per logical pixel.
  void begin_frame(Theme theme, float scale);
  void end_frame();  // renders the frame; the caller swaps the buffers
  // Whether events have come that no frame has seen yet: Dear ImGui spreads presses that follow one
  // another quickly over several frames.
  bool input_waits() const;

 private:
  Window& window_;
  Keyboard keyboard_;
  Fonts fonts_;
  Theme theme_ = Theme::kDark;
};

}  // namespace dispersion
