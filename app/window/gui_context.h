#pragma once

#include "app/window/theme.h"
#include "app/window/window.h"

namespace dispersion {

// Dear ImGui on a window, for as long as this lives. Nothing is read from or written to
// the working folder.
class GuiContext {
 public:
  explicit GuiContext(Window& window);
  ~GuiContext();
  GuiContext(const GuiContext&) = delete;
  GuiContext& operator=(const GuiContext&) = delete;

  const Fonts& fonts() const { return fonts_; }

  // Everything between these two lands in one frame. `scale`: window units per logical pixel.
  void begin_frame(Theme theme, float scale);
  void end_frame();  // draws; the caller swaps

 private:
  Window& window_;
  Fonts fonts_;
  Theme theme_ = Theme::kDark;
};

}  // namespace dispersion
