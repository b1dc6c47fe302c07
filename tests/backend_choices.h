#pragma once

#include "app/session/backend_source.h"

namespace dispersion {

// What the tests choose.
inline constexpr BackendChoice kAutomatic = {BackendChoice::Kind::kAutomatic, 0};
inline constexpr BackendChoice kCpu = {BackendChoice::Kind::kCpu, 0};
inline constexpr BackendChoice kDevice0 = {BackendChoice::Kind::kCuda, 0};
inline constexpr BackendChoice kDevice1 = {BackendChoice::Kind::kCuda, 1};

}  // namespace dispersion
