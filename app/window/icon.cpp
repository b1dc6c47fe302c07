#include "app/window/icon.h"

#include <cmath>
#include <cstddef>
#include <vector>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/palette/palette.h"

namespace dispersion {
namespace {

constexpr int kSide = 64;
constexpr int kCell = 8;

// Weight in a cell: the upper half is the softmax of a small set, the lower of ever larger ones.
double weight(int row, int column) {
  const double width = row < 4 ? 0.6 : 0.6 + 1.6 * (row - 3);
  return std::exp(-(7 - column) / width) / (row < 4 ? 1.0 : 1.0 + 0.35 * (row - 3));
}

}  // namespace

void set_window_icon(GLFWwindow* window) {
  if (glfwGetPlatform() != GLFW_PLATFORM_X11) return;
  std::vector<unsigned char> pixels(static_cast<std::size_t>(kSide) * kSide * 4);
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const Colour colour = viridis(std::sqrt(weight(y / kCell, x / kCell)));
      unsigned char* pixel = &pixels[(static_cast<std::size_t>(y) * kSide + x) * 4];
      pixel[0] = colour.red;
      pixel[1] = colour.green;
      pixel[2] = colour.blue;
      pixel[3] = 255;
    }
  }
  const GLFWimage image = {kSide, kSide, pixels.data()};
  glfwSetWindowIcon(window, 1, &image);
}

}  // namespace dispersion
