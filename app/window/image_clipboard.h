#pragma once

#include <memory>
#include <string>

namespace dispersion {

// The desktop's clipboard for pictures. A separate program holds the picture, so that it stays on
// the clipboard when this program ends, and other programs that paste do not wait for the window.
class ImageClipboard {
 public:
  virtual ~ImageClipboard() = default;

  // Puts this PNG on the clipboard without waiting. Returns false when the program that holds it
  // cannot be started.
  virtual bool put(const std::shared_ptr<const std::string>& png) = 0;
};

// Uses the program xclip on the X11 server of $DISPLAY. Null when it is not in the PATH.
std::unique_ptr<ImageClipboard> x11_image_clipboard();

// Uses the program wl-copy on Wayland. Null when it is not in the PATH.
std::unique_ptr<ImageClipboard> wayland_image_clipboard();

// The clipboard of the desktop that GLFW runs on. Null where none takes pictures.
std::unique_ptr<ImageClipboard> desktop_image_clipboard();

}  // namespace dispersion
