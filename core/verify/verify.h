#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dispersion {

// Which numbers a row compares with the reference numbers of the folder.
enum class Arithmetic {
  kFloat32,  // those of this program, as it runs
  kFloat64,  // those of the same code in double precision
  kStored,   // the folder's own float32 results (f32.NAME), compared with our float64 ones
  kExact,    // inputs, indices and counts, which have to be equal
};

// "float32", "float64", "stored float32", "exact": the stable names of machine output.
std::string_view arithmetic_name(Arithmetic arithmetic);

// One quantity of the folder, recomputed.
struct VerifyRow {
  std::string file;      // "trained.safetensors"
  std::string quantity;  // "eval.n16.entropy"
  Arithmetic arithmetic = Arithmetic::kFloat64;
  // The absolute difference and the allowed one for the element where their ratio is largest. The
  // error is infinite when there was nothing to compare with.
  double error = 0;
  double tolerance = 0;
  std::string place;  // the index of that element, or what is wrong
  bool passed = false;
};

struct VerifyReport {
  std::filesystem::path folder;
  std::vector<VerifyRow> rows;
  // The tensors and numbers of the folder that were not compared, such as
  // "cases.json: trained.mean_loss_last_100_steps".
  std::vector<std::string> not_checked;

  // Whether there is at least one row, and every row passed.
  bool passed() const;
};

// Recomputes every quantity of a folder of golden data (tests/golden/README.md describes the
// format) in float32, as the program runs, and in float64, and compares. Throws nothing: a folder
// that cannot be read gives a report that failed.
VerifyReport verify_folder(const std::filesystem::path& folder);

}  // namespace dispersion
