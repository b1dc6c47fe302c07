#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace dispersion {

// Rows of indices below `levels`, such that every pair of values of any two columns is in a row.
inline std::vector<std::vector<int>> pairwise(const std::vector<int>& levels) {
  struct Pair {
    std::size_t first, second;
    int a, b;
    auto operator<=>(const Pair&) const = default;
  };
  std::set<Pair> missing;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    for (std::size_t j = i + 1; j < levels.size(); ++j) {
      for (int a = 0; a < levels[i]; ++a) {
        for (int b = 0; b < levels[j]; ++b)
          missing.insert({i, j, a, b});
      }
    }
  }
  std::vector<std::vector<int>> rows;
  while (!missing.empty()) {
    // Begins with a missing pair and fills the other columns with what covers most.
    const Pair begin = *missing.begin();
    std::vector<int> row(levels.size(), -1);
    row[begin.first] = begin.a;
    row[begin.second] = begin.b;
    const auto covered = [&](std::size_t column, int value) {
      return std::ranges::count_if(missing, [&](const Pair& pair) {
        return (pair.first == column && pair.a == value && row[pair.second] == pair.b) ||
               (pair.second == column && pair.b == value && row[pair.first] == pair.a);
      });
    };
    for (std::size_t column = 0; column < levels.size(); ++column) {
      if (row[column] >= 0) continue;
      int best = 0;
      for (int value = 1; value < levels[column]; ++value) {
        if (covered(column, value) > covered(column, best)) best = value;
      }
      row[column] = best;
    }
    std::erase_if(missing, [&](const Pair& pair) {
      return row[pair.first] == pair.a && row[pair.second] == pair.b;
    });
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace dispersion
