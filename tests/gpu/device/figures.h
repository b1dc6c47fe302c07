#pragma once

#include <functional>
#include <string>
#include <vector>

namespace dispersion {

// Prints "NAME VALUE" and lets nobody wait for it; "NAME null" where the value is not finite.
// tests/gpu_check.sh gathers these lines.
void figure(const std::string& name, double value);

// Of at least one.
double median(std::vector<double> values);

// By the host's clock; the work has to wait for the device itself.
double seconds_of(const std::function<void()>& work);

// Of `repetitions` times after one that does not count.
double median_seconds(int repetitions, const std::function<void()>& work);

}  // namespace dispersion
