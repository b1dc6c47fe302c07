#pragma once

#include <stdexcept>

namespace dispersion {

// What was asked for cannot be meant: exit code 2, where every other error gives 1.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace dispersion
