#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dispersion {

// Whose numbers a row compares with the folder's.
enum class Arithmetic {
  kFloat32,  // this program, as it runs
  kFloat64,  // the same code in double precision
  kStored,   // the folder's own float32 results (f32.NAME), compared with our float64
  kExact,    // inputs, indices and counts, which have to be equal
};

// "float32", "float64", "stored float32", "exact": the stable names of machine output.
std::string_view arithmetic_name(Arithmetic arithmetic);

// One quantity of the folder, recomputed.
struct VerifyRow {
  std::string file;      // "trained.safetensors"
  std::string quantity;  // "eval.n16.entropy"
  Arithmetic arithmetic = Arithmetic::kFloat64;
  // Absolute difference and what is allowed, at the place where their ratio is largest. Infinite
  // when there was nothing to compare with.
  double error = 0;
  double tolerance = 0;
  std::string place;  // index there, or what is wrong
  bool passed = false;
};

// Entries of a list go under one name: "softmax_cases[7].n" is one of "softmax_cases[*].n". So do
// the many tensors about which cases.json has the same few numbers.
std::string group_name(const std::string& quantity);

struct VerifyReport {
  std::filesystem::path folder;
  std::vector<VerifyRow> rows;
  // Tensors and numbers that the folder holds beside, such as
  // "cases.json: trained.mean_loss_last_100_steps".
  std::vector<std::string> not_checked;

  // At least one row, and every row passed.
  bool passed() const;
};

}  // namespace dispersion
