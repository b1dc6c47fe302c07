#pragma once

struct GLFWwindow;

namespace dispersion {

// The program's icon: attention on the largest items, sharp above and dispersed below. Drawn here,
// not read from a file. Platforms without window icons ignore it.
void set_window_icon(GLFWwindow* window);

}  // namespace dispersion
