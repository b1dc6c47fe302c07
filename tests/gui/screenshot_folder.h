#pragma once

#include <filesystem>
#include <string>

#include "app/window/gl_images.h"

namespace dispersion {

// The folder of the screenshots, which is the argument of the program.
extern std::filesystem::path screenshot_folder;

// Writes folder/name.png; the test fails when the picture has another size.
void write(const std::string& name, const Picture& picture, Size size);

}  // namespace dispersion
