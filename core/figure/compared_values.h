#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/figure/cell_values.h"
#include "core/figure/named_value.h"

namespace dispersion {

// What the window says of the states A and B side by side (difference.h).

// A number of both states in three columns.
struct ComparedValue {
  std::string label;
  Statement a;
  Statement b;
  Statement difference;  // B minus A; empty: none is told
  std::string exact_a;   // all digits; empty: there is no number
  std::string exact_b;
  std::string exact_difference;
  std::string_view help = {};
  std::string_view unit = {};

  // A difference of shares in percent is in percentage points.
  std::string_view difference_unit() const { return unit == "%" ? "percentage points" : unit; }
  bool same() const { return a.text() == b.text() && exact_a == exact_b; }
};

// The values of both under their labels, in the order of B; a dash where one has none. Without
// differences.
std::vector<ComparedValue> side_by_side(const std::vector<NamedValue>& a,
                                        const std::vector<NamedValue>& b);

// What is said of both, once, and of each alone.
struct ComparedText {
  Statement both;
  Statement a;
  Statement b;
};
// A sentence that has the same words for A and for B is of both.
ComparedText compared_text(std::span<const Statement> a, std::span<const Statement> b);

// weight_values() of the same cell in both, with the differences of weight and entropy. Null: not
// computed yet, or the state does not show the transform.
std::vector<ComparedValue> compared_weight_values(const AttentionFrame* a, const AttentionFrame* b,
                                                  FrameCell cell);

}  // namespace dispersion
