#include "figures.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace dispersion {

void figure(const std::string& name, double value) {
  if (std::isfinite(value)) {
    std::printf("%s %.6g\n", name.c_str(), value);
  } else {
    std::printf("%s null\n", name.c_str());
  }
  std::fflush(stdout);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median_seconds(int repetitions, const std::function<void()>& work) {
  work();
  std::vector<double> times;
  for (int r = 0; r < repetitions; ++r)
    times.push_back(seconds_of(work));
  return median(times);
}

}  // namespace dispersion
