#include "tests/export/tools.h"

#include <cairo.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

extern char** environ;

namespace dispersion {
namespace {

constexpr int kTile = 12;

int over_white(std::uint32_t pixel, int shift) {
  const int alpha = static_cast<int>(pixel >> 24);
  return static_cast<int>(pixel >> shift & 255) + 255 - alpha;  // premultiplied
}

double tile_mean(const std::vector<int>& channel, int width, int height, int left, int top) {
  const int right = std::min(left + kTile, width), bottom = std::min(top + kTile, height);
  double sum = 0;
  for (int y = top; y < bottom; ++y) {
    for (int x = left; x < right; ++x)
      sum += channel[static_cast<std::size_t>(y * width + x)];
  }
  return sum / (kTile * kTile);
}

}  // namespace

std::string run_tool(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments)
    argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  std::array<int, 2> pipe = {};
  if (::pipe(pipe.data()) != 0) throw std::runtime_error("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, pipe[0]);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(pipe[1]);
  std::string output;
  std::array<char, 4096> buffer;
  for (ssize_t got = 0; (got = ::read(pipe[0], buffer.data(), buffer.size())) > 0;)
    output.append(buffer.data(), static_cast<std::size_t>(got));
  ::close(pipe[0]);
  int status = 0;
  if (error != 0 || ::waitpid(child, &status, 0) != child || status != 0)
    throw std::runtime_error(arguments.front() + " failed; it is one of the packages to test");
  return output;
}

Raster read_png(const std::filesystem::path& file) {
  cairo_surface_t* surface = cairo_image_surface_create_from_png(file.c_str());
  if (cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS) {
    cairo_surface_destroy(surface);
    throw std::runtime_error("no PNG: " + file.string());
  }
  Raster raster;
  raster.width = cairo_image_surface_get_width(surface);
  raster.height = cairo_image_surface_get_height(surface);
  const bool opaque = cairo_image_surface_get_format(surface) == CAIRO_FORMAT_RGB24;
  const unsigned char* data = cairo_image_surface_get_data(surface);
  const std::ptrdiff_t stride = cairo_image_surface_get_stride(surface);
  for (int y = 0; y < raster.height; ++y) {
    for (int x = 0; x < raster.width; ++x) {
      std::uint32_t pixel = 0;
      std::memcpy(&pixel, data + y * stride + std::ptrdiff_t{4} * x, 4);
      if (opaque) pixel |= 0xFF000000u;
      raster.red.push_back(over_white(pixel, 16));
      raster.green.push_back(over_white(pixel, 8));
      raster.blue.push_back(over_white(pixel, 0));
    }
  }
  cairo_surface_destroy(surface);
  return raster;
}

double largest_difference(const Raster& a, const Raster& b) {
  if (a.width != b.width || a.height != b.height) return 255;
  double largest = 0;
  for (const auto channel : {&Raster::red, &Raster::green, &Raster::blue}) {
    for (int y = 0; y < a.height; y += kTile) {
      for (int x = 0; x < a.width; x += kTile) {
        const double difference = tile_mean(a.*channel, a.width, a.height, x, y) -
                                  tile_mean(b.*channel, b.width, b.height, x, y);
        largest = std::max(largest, std::abs(difference));
      }
    }
  }
  return largest;
}

}  // namespace dispersion
