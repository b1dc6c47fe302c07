#pragma once

namespace dispersion {

// One column of the paper's Table 1, fractions.
struct PaperColumn {
  int items = 0;
  double plain = 0;
  double adaptive = 0;
  double p_value = 0;  // paired t-test over ten seeds
};

// Null for a size that the table does not have.
const PaperColumn* paper_column(int items);

}  // namespace dispersion
