#pragma once

namespace dispersion {

// One column of the paper's Table 1: accuracies as fractions.
struct PaperColumn {
  int items = 0;
  double plain = 0;     // softmax
  double adaptive = 0;  // adaptive temperature
  double p_value = 0;   // paired t-test over ten seeds
};

// Over how many seeds the paper's means are.
inline constexpr int kPaperSeeds = 10;

// Null for a size that is not in the table.
const PaperColumn* paper_column(int items);

}  // namespace dispersion
