#include "core/io/checkpoint.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "core/io/file.h"
#include "core/io/head_names.h"
#include "core/io/safetensors.h"
#include "core/io/text.h"
#include "core/task/item_sets.h"

namespace dispersion {
namespace {

constexpr std::string_view kFormat = "dispersion-lab-head";
constexpr std::string_view kFormatVersion = "1";
constexpr std::array<std::string_view, 11> kOwnKeys = {
    "format",      "format_version", "recipe",          "seed",
    "step",        "width",          "classes",         "run_hash",
    "item_points", "query_points",   "most_item_points"};
constexpr int kWidest = 4096;
// The step is a word of the random numbers' counter.
constexpr std::int64_t kLastStep = std::numeric_limits<std::uint32_t>::max();

bool is_own_key(std::string_view key) {
  return std::find(kOwnKeys.begin(), kOwnKeys.end(), key) != kOwnKeys.end();
}

std::vector<std::int64_t> slot_shape(const TensorSlot& slot) {
  if (slot.is_kernel || slot.rows > 1) return {slot.rows, slot.cols};
  return {slot.cols};
}

enum class Sign { kAny, kNotNegative };

// Throws FileError that names the first number that cannot be right.
void check_values(const std::filesystem::path& path, const std::string& name,
                  std::span<const float> values, Sign sign) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool right = std::isfinite(values[i]) && (sign == Sign::kAny || values[i] >= 0);
    if (right) continue;
    throw FileError(path, "tensor " + in_quotes(name) + " has " + exact_text(values[i]) +
                              " at index " + std::to_string(i) + "; expected a finite number" +
                              (sign == Sign::kAny ? "" : ", 0 or more"));
  }
}

// Appends the tensors of `numbers`; `values` must outlive the list.
void list_tensors(const std::filesystem::path& path, std::string_view prefix,
                  const Parameters<float>& numbers, Sign sign, std::vector<FloatTensor>& list) {
  if (numbers.values.size() != parameter_count(numbers.shape)) {
    throw std::invalid_argument("a head of width " + std::to_string(numbers.shape.width) + " has " +
                                std::to_string(parameter_count(numbers.shape)) +
                                " numbers; given " + std::to_string(numbers.values.size()));
  }
  for (const TensorSlot& slot : parameter_layout(numbers.shape)) {
    FloatTensor tensor;
    tensor.name = std::string(prefix) + std::string(slot.name);
    tensor.shape = slot_shape(slot);
    tensor.values = std::span(numbers.values).subspan(slot.offset, slot.size());
    check_values(path, tensor.name, tensor.values, sign);
    list.push_back(std::move(tensor));
  }
}

Parameters<float> read_tensors(const TensorFile& file, std::string_view prefix, HeadShape shape,
                               Sign sign) {
  Parameters<float> numbers(shape);
  for (const TensorSlot& slot : parameter_layout(shape)) {
    const std::string name = std::string(prefix) + std::string(slot.name);
    const std::vector<float> values = file.floats(name, slot_shape(slot));
    check_values(file.path(), name, values, sign);
    std::copy(values.begin(), values.end(),
              numbers.values.begin() + static_cast<std::ptrdiff_t>(slot.offset));
  }
  return numbers;
}

// Those of the one transform whose tensors the file has.
std::span<const LearnedTensor> learned_of(const TensorFile& file, const std::string& prefix,
                                          std::span<const TransformDefinition* const> transforms) {
  for (const TransformDefinition* definition : transforms) {
    for (const LearnedTensor& tensor : definition->learned) {
      if (file.contains(std::string(prefix).append(tensor.name))) return definition->learned;
    }
  }
  return {};
}

// The last kernel has both sizes of the head: [width, classes].
HeadShape shape_of(const TensorFile& file, const std::string& prefix,
                   std::span<const TransformDefinition* const> transforms) {
  const std::string name = prefix + "readout_mlp.1.kernel";
  constexpr std::array<std::int64_t, 2> kAny = {-1, -1};
  file.floats(name, kAny);
  const std::vector<std::int64_t>& axes = file.tensor(name).shape;
  if (axes[0] < 1 || axes[0] > kWidest || axes[1] != kClasses) {
    throw FileError(file.path(), "tensor " + in_quotes(name) + " is " + std::to_string(axes[0]) +
                                     " x " + std::to_string(axes[1]) +
                                     "; expected a width of 1 to 4096 and 10 classes");
  }
  return {static_cast<int>(axes[0]), static_cast<int>(axes[1]),
          learned_of(file, prefix, transforms)};
}

const std::string& metadata_text(const TensorFile& file, const std::string& key) {
  const auto found = file.metadata().find(key);
  if (found == file.metadata().end()) {
    throw FileError(file.path(), "metadata " + in_quotes(key) + " is missing");
  }
  return found->second;
}

std::int64_t metadata_number(const TensorFile& file, const std::string& key, std::int64_t largest) {
  const std::string& text = metadata_text(file, key);
  std::int64_t value = -1;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < 0 || value > largest) {
    throw FileError(file.path(), "metadata " + in_quotes(key) + " is " + in_quotes(text) +
                                     "; expected a whole number from 0 to " +
                                     std::to_string(largest));
  }
  return value;
}

void check_size(const TensorFile& file, const std::string& key, int found) {
  const std::int64_t said = metadata_number(file, key, std::numeric_limits<int>::max());
  if (said == found) return;
  throw FileError(file.path(), "metadata " + in_quotes(key) + " is " + std::to_string(said) +
                                   ", but the tensors have " + std::to_string(found));
}

// A number of points; `otherwise` where the file is from before there was such a number.
int points(const TensorFile& file, const std::string& key, int otherwise) {
  if (file.metadata().find(key) == file.metadata().end()) return otherwise;
  const auto count = static_cast<int>(metadata_number(file, key, kMostTrainingItemPoints));
  if (count % 4 == 0) return count;
  throw FileError(file.path(), "metadata " + in_quotes(key) + " is " + std::to_string(count) +
                                   "; expected a multiple of 4");
}

// The points that were chosen, and among how many.
void read_points(const TensorFile& file, TrainingState& state) {
  state.item_points = points(file, "item_points", 0);
  state.query_points = points(file, "query_points", 0);
  state.most_item_points = points(file, "most_item_points", kMostItemPoints);
  if (state.most_item_points != kMostItemPoints &&
      state.most_item_points != kMostTrainingItemPoints) {
    throw FileError(file.path(), "metadata 'most_item_points' is " +
                                     std::to_string(state.most_item_points) + "; expected " +
                                     std::to_string(kMostItemPoints) + " or " +
                                     std::to_string(kMostTrainingItemPoints));
  }
  if (state.item_points > state.most_item_points ||
      (state.item_points == 0) != (state.query_points == 0)) {
    throw FileError(file.path(), "metadata 'item_points' and 'query_points' are " +
                                     std::to_string(state.item_points) + " and " +
                                     std::to_string(state.query_points) +
                                     "; expected both 0 or neither, and at most " +
                                     std::to_string(state.most_item_points) + " item points");
  }
}

void read_own_metadata(const TensorFile& file, Checkpoint& checkpoint) {
  const std::string& version = metadata_text(file, "format_version");
  if (version != kFormatVersion) {
    throw FileError(file.path(), "has format_version " + in_quotes(version) +
                                     "; this program reads " + in_quotes(kFormatVersion));
  }
  try {
    checkpoint.recipe = recipe_from_json(metadata_text(file, "recipe"));
  } catch (const std::invalid_argument& error) {
    throw FileError(file.path(), std::string("metadata 'recipe': ") + error.what());
  }
  checkpoint.state.seed = static_cast<std::uint32_t>(
      metadata_number(file, "seed", std::numeric_limits<std::uint32_t>::max()));
  checkpoint.state.step = metadata_number(file, "step", kLastStep);
  read_points(file, checkpoint.state);
  check_size(file, "width", checkpoint.state.parameters.shape.width);
  check_size(file, "classes", checkpoint.state.parameters.shape.classes);
}

void add_own_metadata(const Checkpoint& checkpoint, std::map<std::string, std::string>& metadata) {
  const TrainingState& state = checkpoint.state;
  const HeadShape shape = state.parameters.shape;
  metadata["format"] = kFormat;
  metadata["format_version"] = kFormatVersion;
  metadata["recipe"] = recipe_to_json(checkpoint.recipe);
  metadata["seed"] = std::to_string(state.seed);
  metadata["step"] = std::to_string(state.step);
  metadata["width"] = std::to_string(shape.width);
  metadata["classes"] = std::to_string(shape.classes);
  metadata["item_points"] = std::to_string(state.item_points);
  metadata["query_points"] = std::to_string(state.query_points);
  metadata["most_item_points"] = std::to_string(state.most_item_points);
  metadata["run_hash"] = run_hash(checkpoint.recipe, state);
}

// Our own files hold nothing but what we write.
void refuse_strange_tensors(const TensorFile& file, HeadShape shape) {
  const std::vector<std::string> others = other_tensors(file, "", shape);
  if (others.empty()) return;
  throw FileError(file.path(),
                  "tensor " + in_quotes(others.front()) + " does not belong to a head");
}

// Other programs use the key "format" too (PyTorch writes "pt"): such a file is a bare head.
bool has_our_format(const TensorFile& file) {
  const auto format = file.metadata().find("format");
  return format != file.metadata().end() && format->second == kFormat;
}

// "'step' (I64)"; of many only the first few: "'a' (F32), 'b' (F32), 'c' (F32) and 4 more".
std::string tensors_text(const TensorFile& file, std::span<const std::string> names) {
  constexpr std::size_t kMostNamed = 3;
  std::string text;
  for (const std::string& name : names.first(std::min(names.size(), kMostNamed))) {
    text.append(text.empty() ? "" : ", ").append(in_quotes(name)).append(" (");
    text.append(dtype_name(file.tensor(name).dtype)).append(")");
  }
  if (names.size() > kMostNamed)
    text += " and " + std::to_string(names.size() - kMostNamed) + " more";
  return text;
}

// Checkpoint::remark of a bare head.
std::string remark_on(const TensorFile& file, const std::string& prefix, HeadShape shape) {
  std::string remark;
  const auto add = [&remark](const std::string& text) {
    remark.append(remark.empty() ? "" : "; ").append(text);
  };
  if (!prefix.empty()) add("the names of its tensors begin with " + in_quotes(prefix));
  const std::string formats = widened_formats(file, prefix, shape);
  if (!formats.empty()) add("widened to F32 from " + formats);
  const std::vector<std::string> others = other_tensors(file, prefix, shape);
  if (!others.empty()) add("ignored, as no part of a head: " + tensors_text(file, others));
  return remark;
}

bool any_tensor_starts_with(const TensorFile& file, std::string_view prefix) {
  const auto found = file.tensors().lower_bound(prefix);
  return found != file.tensors().end() && found->first.starts_with(prefix);
}

// The bytes of the file. `path`: what errors name.
std::string checkpoint_bytes(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  const TrainingState& state = checkpoint.state;
  const HeadShape shape = state.parameters.shape;
  std::vector<FloatTensor> tensors;
  list_tensors(path, "", state.parameters, Sign::kAny, tensors);
  if (checkpoint.has_moments) {
    if (state.first_moment.shape != shape || state.second_moment.shape != shape) {
      throw std::invalid_argument("the Adam moments have another shape than the head");
    }
    list_tensors(path, kFirstMoment, state.first_moment, Sign::kAny, tensors);
    list_tensors(path, kSecondMoment, state.second_moment, Sign::kNotNegative, tensors);
  }
  std::map<std::string, std::string> metadata;
  for (const auto& [key, value] : checkpoint.metadata) {
    if (!is_own_key(key)) metadata[key] = value;
  }
  if (checkpoint.has_run) add_own_metadata(checkpoint, metadata);
  return safetensors_bytes(tensors, metadata);
}

}  // namespace

std::int64_t steps_before_in(const Checkpoint& checkpoint) {
  const auto found = checkpoint.metadata.find(kStepsBefore);
  if (!checkpoint.has_run || found == checkpoint.metadata.end()) return 0;
  std::int64_t steps = 0;
  const char* end = found->second.data() + found->second.size();
  const auto result = std::from_chars(found->second.data(), end, steps);
  const bool sane = result.ec == std::errc() && result.ptr == end && steps > 0 &&
                    steps <= std::numeric_limits<std::int64_t>::max() - checkpoint.state.step;
  return sane ? steps : 0;
}

void save_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  write_file_atomically(path, checkpoint_bytes(path, checkpoint));
}

bool create_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  return create_file_atomically(path, checkpoint_bytes(path, checkpoint));
}

std::filesystem::path save_under_free_name(const std::filesystem::path& path,
                                           const Checkpoint& checkpoint) {
  const std::string bytes = checkpoint_bytes(path, checkpoint);
  std::filesystem::path name = path;
  for (int number = 2; !create_file_atomically(name, bytes); ++number)
    name = numbered_name(path, number);
  return name;
}

Checkpoint load_checkpoint(const std::filesystem::path& path) {
  return checkpoint_from(TensorFile::read(path));
}

Checkpoint checkpoint_from(const TensorFile& file,
                           std::span<const TransformDefinition* const> transforms) {
  const bool ours = has_our_format(file);
  const std::string prefix = ours ? "" : head_prefix(file);
  const HeadShape shape = shape_of(file, prefix, transforms);
  Checkpoint checkpoint;
  TrainingState& state = checkpoint.state;
  state.parameters = read_tensors(file, prefix, shape, Sign::kAny);
  checkpoint.has_run = ours && widened_formats(file, prefix, shape).empty();
  checkpoint.has_moments = checkpoint.has_run && (any_tensor_starts_with(file, kFirstMoment) ||
                                                  any_tensor_starts_with(file, kSecondMoment));
  if (checkpoint.has_moments) {
    state.first_moment = read_tensors(file, kFirstMoment, shape, Sign::kAny);
    state.second_moment = read_tensors(file, kSecondMoment, shape, Sign::kNotNegative);
  } else {
    state.first_moment = Parameters<float>(shape);
    state.second_moment = Parameters<float>(shape);
  }
  if (checkpoint.has_run) {
    refuse_strange_tensors(file, shape);
    read_own_metadata(file, checkpoint);
  } else {
    checkpoint.remark = remark_on(file, prefix, shape);
  }
  for (const auto& [key, value] : file.metadata()) {
    if (!is_own_key(key)) checkpoint.metadata[key] = value;
  }
  return checkpoint;
}

}  // namespace dispersion
