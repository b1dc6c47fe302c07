#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace dispersion {

// What `auto` makes: a backend on the first CUDA device that can be used, or none.
template <class Made>
struct FirstUsable {
  std::unique_ptr<Made> backend;
  int device = 0;
  std::string why_none;  // why device 0 cannot be used; empty where one can be
};

// The rule of `auto`, for both kinds of backends. make(device, reason) gives null and the reason
// for a device that cannot be used; it is asked for device 0 although there are none.
template <class Made, class Make>
FirstUsable<Made> first_usable(int devices, Make make) {
  FirstUsable<Made> found;
  for (int device = 0; device < std::max(1, devices); ++device) {
    std::string reason;
    if (auto backend = make(device, reason)) return {std::move(backend), device, ""};
    if (device == 0) found.why_none = reason;
  }
  return found;
}

}  // namespace dispersion
