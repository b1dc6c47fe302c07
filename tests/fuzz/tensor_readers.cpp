#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/io/checkpoint.h"
#include "core/io/file.h"
#include "core/io/safetensors.h"
#include "tests/fuzz/readers.h"

namespace dispersion::fuzz {
namespace {

constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 24;

// A head with moments, small enough to be changed thousands of times a second.
Checkpoint small_checkpoint() {
  Checkpoint checkpoint;
  checkpoint.state = start_training({.width = 1}, 7);
  checkpoint.state.step = 12;
  checkpoint.state.item_points = 8;
  checkpoint.state.query_points = 16;
  std::ranges::fill(checkpoint.state.second_moment.values, 0.5F);
  checkpoint.metadata = {{"program", "dispersion_lab"}, {"note", "two\nlines"}};
  return checkpoint;
}

Checkpoint bare_head() {
  Checkpoint checkpoint = small_checkpoint();
  checkpoint.has_run = false;
  checkpoint.has_moments = false;
  checkpoint.metadata.clear();
  return checkpoint;
}

std::string saved(const Checkpoint& checkpoint, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "saved.safetensors";
  save_checkpoint(file, checkpoint);
  return read_whole_file(file, kMostBytes);
}

void write_plainly(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

bool has_floats_alone(const TensorFile& file) {
  return std::ranges::all_of(file.tensors(),
                             [](const auto& entry) { return entry.second.dtype == DType::kF32; });
}

std::string written(const TensorFile& file) {
  std::vector<std::vector<float>> values;
  for (const auto& [name, view] : file.tensors())
    values.push_back(file.floats(name, view.shape));
  std::vector<FloatTensor> tensors;
  for (const auto& [name, view] : file.tensors())
    tensors.push_back({name, view.shape, values[tensors.size()]});
  return safetensors_bytes(tensors, file.metadata());
}

bool are_equal(const TensorFile& a, const TensorFile& b) {
  const auto equal = [](const auto& one, const auto& other) {
    return one.first == other.first && one.second.dtype == other.second.dtype &&
           one.second.shape == other.second.shape &&
           std::ranges::equal(one.second.bytes, other.second.bytes);
  };
  return a.metadata() == b.metadata() && std::ranges::equal(a.tensors(), b.tensors(), equal);
}

bool is_finite(const Parameters<float>& numbers) {
  return std::ranges::all_of(numbers.values, [](float value) { return std::isfinite(value); });
}

bool are_equal(const Checkpoint& a, const Checkpoint& b) {
  return a.recipe == b.recipe && a.metadata == b.metadata && a.has_run == b.has_run &&
         a.has_moments == b.has_moments && a.state.seed == b.state.seed &&
         a.state.step == b.state.step && a.state.item_points == b.state.item_points &&
         a.state.query_points == b.state.query_points &&
         same_bits(a.state.parameters, b.state.parameters) &&
         same_bits(a.state.first_moment, b.state.first_moment) &&
         same_bits(a.state.second_moment, b.state.second_moment) &&
         run_hash(a.recipe, a.state) == run_hash(b.recipe, b.state);
}

}  // namespace

std::vector<std::string> safetensors_seeds(const std::filesystem::path& folder) {
  const std::vector<float> values = {1, -2.5F, 0, 3e-8F, 1e30F, 6};
  const std::vector<FloatTensor> tensors = {
      {"a", {2, 3}, values}, {"b.kernel", {6}, values}, {"empty", {0, 4}, {}}};
  return {safetensors_bytes(tensors, {{"format", "pt"}, {"note", "ü"}}),
          safetensors_bytes({}, {{"key", "value"}}), safetensors_bytes({}, {}),
          saved(small_checkpoint(), folder)};
}

// A file gives the same tensors from memory and from the disk; where all of them can be written,
// they are the same once more after that.
Verdict check_safetensors(const std::string& input, const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "input.safetensors";
  write_plainly(path, input);
  TensorFile file, on_disk;
  const Verdict verdict =
      verdict_of<FileError>([&] { file = TensorFile::from_bytes("input", input); });
  const Verdict of_disk = verdict_of<FileError>([&] { on_disk = TensorFile::read(path); });
  require(verdict == of_disk, "memory and disk differ in what is refused");
  if (verdict == Verdict::kRefused) return verdict;
  require(are_equal(file, on_disk), "memory and disk differ");
  if (!has_floats_alone(file)) return verdict;
  require(are_equal(file, TensorFile::from_bytes("again", written(file))),
          "other tensors after writing");
  return verdict;
}

std::vector<std::string> checkpoint_seeds(const std::filesystem::path& folder) {
  Checkpoint direct = small_checkpoint();
  direct.recipe.path = HeadPath::kDirect;
  direct.recipe.precision = Precision::kBf16;
  direct.has_moments = false;
  return {saved(small_checkpoint(), folder), saved(direct, folder), saved(bare_head(), folder)};
}

// What is accepted is finite and within the limits of a run, and the same after saving.
Verdict check_checkpoint(const std::string& input, const std::filesystem::path& folder) {
  Checkpoint checkpoint;
  const Verdict verdict = verdict_of<FileError>(
      [&] { checkpoint = checkpoint_from(TensorFile::from_bytes("input", input)); });
  if (verdict == Verdict::kRefused) return verdict;
  require(is_finite(checkpoint.state.parameters) && is_finite(checkpoint.state.first_moment) &&
              is_finite(checkpoint.state.second_moment),
          "numbers that are not finite");
  validate(checkpoint.recipe);
  const std::string again = saved(checkpoint, folder);
  require(are_equal(checkpoint, checkpoint_from(TensorFile::from_bytes("again", again))),
          "another checkpoint after saving");
  return verdict;
}

}  // namespace dispersion::fuzz
