#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace dispersion {

// What is to be described, as a window that was just opened would show it.
struct DescribeOptions {
  std::filesystem::path checkpoint = {};  // empty: the head inside the program
  std::string view = "attention";         // or the name of an experiment
  double theta = 1;
  int items = 1024;  // the focused n
  // A state of the window as it copies it, in place of all the above; empty: none.
  std::string state = {};
  // Another one that is pinned as A, to be compared with; empty: none.
  std::string pinned = {};
};

// The names that DescribeOptions::view takes.
std::vector<std::string> described_views();

// The text that the window copies of this view once everything in it is computed. `go_on` is told
// the share that is done and returns whether to go on; after a stop the text has what is known by
// then. Throws std::runtime_error where the view cannot be computed and where there is no
// such head.
std::string described(const DescribeOptions& options, const std::function<bool(double)>& go_on);

}  // namespace dispersion
