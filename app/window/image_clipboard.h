#pragma once

#include <memory>
#include <string>

namespace dispersion {

// The desktop's clipboard, for a picture. Belongs to the thread that made it; other programs are
// answered on a thread of its own, so that the window never waits for them.
class ImageClipboard {
 public:
  virtual ~ImageClipboard() = default;

  // From now on the clipboard holds this PNG, as long as this lives and nobody else puts something
  // there. Does not wait. Returns false when it cannot be done after all.
  virtual bool put(const std::shared_ptr<const std::string>& png) = 0;
};

// An own selection on X11 (of $DISPLAY). Null when there is no such display.
std::unique_ptr<ImageClipboard> x11_image_clipboard();

// The program wl-copy on Wayland. Null when it is not in the PATH.
std::unique_ptr<ImageClipboard> wayland_image_clipboard();

// That of the desktop that GLFW is on. Null where there is none that takes pictures.
std::unique_ptr<ImageClipboard> desktop_image_clipboard();

}  // namespace dispersion
