#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dispersion {

// Runs a program from the PATH without a shell; what it prints. Throws std::runtime_error unless it
// succeeds.
std::string run_tool(const std::vector<std::string>& arguments);

// Colours [height, width] of a PNG file, channels one after the other, over white paper.
struct Raster {
  int width = 0;
  int height = 0;
  std::vector<int> red, green, blue;
};
Raster read_png(const std::filesystem::path& file);

// How different two pictures of the same size are to the eye: the largest difference of a channel's
// mean over any tile of 12 x 12 pixels, of 255. Letters and edges that are drawn a little otherwise
// do not add up to much; what is missing, moved or of another colour does. 255 for different sizes.
double largest_difference(const Raster& a, const Raster& b);

}  // namespace dispersion
