#pragma once

#include <memory>
#include <string>

namespace dispersion {

// The desktop's clipboard, for a picture. A program of the desktop holds it, so that the picture
// stays when this program ends, and other programs are never answered by the window.
class ImageClipboard {
 public:
  virtual ~ImageClipboard() = default;

  // From now on the clipboard holds this PNG, until somebody else puts something there. Does not
  // wait. Returns false when the program cannot be started.
  virtual bool put(const std::shared_ptr<const std::string>& png) = 0;
};

// By the program xclip on X11 (of $DISPLAY). Null when it is not in the PATH.
std::unique_ptr<ImageClipboard> x11_image_clipboard();

// By the program wl-copy on Wayland. Null when it is not in the PATH.
std::unique_ptr<ImageClipboard> wayland_image_clipboard();

// That of the desktop that GLFW is on. Null where there is none that takes pictures.
std::unique_ptr<ImageClipboard> desktop_image_clipboard();

}  // namespace dispersion
