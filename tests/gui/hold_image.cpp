// Reads paths from standard input, one per line, and puts each file on the X11 clipboard as a
// picture. Prints its number of bytes, and to standard error how long it took. Usage: hold_image

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>

#include "app/window/image_clipboard.h"

int main() {
  const auto clipboard = dispersion::x11_image_clipboard();
  if (!clipboard) {
    std::fprintf(stderr, "no program for the clipboard\n");
    return 1;
  }
  std::string path;
  while (std::getline(std::cin, path)) {
    std::ifstream file(path, std::ios::binary);
    const auto bytes = std::make_shared<const std::string>(std::istreambuf_iterator<char>(file),
                                                           std::istreambuf_iterator<char>());
    const auto before = std::chrono::steady_clock::now();
    if (!clipboard->put(bytes)) return 1;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
    std::printf("gave %zu bytes\n", bytes->size());
    std::fflush(stdout);
    std::fprintf(stderr, "put took %.6f s\n", took.count());
  }
  return 0;
}
