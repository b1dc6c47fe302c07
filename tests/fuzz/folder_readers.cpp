#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/head/parameters.h"
#include "core/io/file.h"
#include "core/verify/verify.h"
#include "tests/fuzz/readers.h"

namespace dispersion::fuzz {
namespace {

using Json = nlohmann::ordered_json;

const std::filesystem::path kGolden = DISPERSION_GOLDEN_DIR;

constexpr std::array<const char*, 7> kTensorFiles = {
    "adam",          "adaptive_backward", "forward_backward", "polynomial",
    "softmax_cases", "streaming",         "trained"};

Json golden_cases() {
  return Json::parse(read_whole_file(kGolden / "cases.json", std::uintmax_t{1} << 24));
}

void write_plainly(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

std::string rows_text(const VerifyReport& report) {
  std::string text;
  for (const VerifyRow& row : report.rows) {
    text += row.file + " " + row.quantity + " " + std::to_string(row.error) + " " +
            std::to_string(row.tolerance) + " " + row.place + (row.passed ? " ok\n" : "\n");
  }
  return text;
}

// A report says of every number how far it is off, and never that one which is no number is right.
// Accepted is an input from whose files something was right: cases.json, or the tensors.
Verdict verdict_of_report(const VerifyReport& report, bool of_cases) {
  require(!report.rows.empty(), "a report without rows");
  bool any = false;
  for (const VerifyRow& row : report.rows) {
    any = any || (row.passed && (row.file == "cases.json") == of_cases);
    require(!row.passed || std::isfinite(row.error), "passed without an error that is a number");
  }
  return any ? Verdict::kAccepted : Verdict::kRefused;
}

// A tensor of any type; its values are given as bytes.
class TensorWriter {
 public:
  template <class Value>
  void add(const std::string& name, const char* dtype, const std::vector<std::int64_t>& shape,
           const std::vector<Value>& values) {
    const std::size_t begin = data_.size();
    data_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
    header_[name] = {{"dtype", dtype}, {"shape", shape}, {"data_offsets", {begin, data_.size()}}};
  }
  std::string bytes() const {
    const std::string json = header_.dump();
    const std::uint64_t length = json.size();
    return std::string(reinterpret_cast<const char*>(&length), sizeof length) + json + data_;
  }

 private:
  Json header_ = Json::object();
  std::string data_;
};

void add_head(TensorWriter& file, HeadShape shape) {
  const Parameters<float> head = initial_parameters(shape, 3);
  for (const TensorSlot& slot : parameter_layout(shape)) {
    const auto begin = head.values.begin() + static_cast<std::ptrdiff_t>(slot.offset);
    const std::vector<float> values(begin, begin + static_cast<std::ptrdiff_t>(slot.size()));
    const std::vector<std::int64_t> matrix = {slot.rows, slot.cols};
    const std::vector<std::int64_t> vector = {slot.cols};
    file.add(std::string(slot.name), "F32", slot.is_kernel ? matrix : vector, values);
  }
}

void add_sets(TensorWriter& file, const std::string& prefix) {
  file.add<float>(prefix + "rho", "F32", {2, 3}, {0.1F, 0.9F, 0.2F, 0.5F, 0.4F, 0.3F});
  file.add<std::uint8_t>(prefix + "class", "U8", {2, 3}, {1, 2, 3, 4, 5, 6});
  file.add<float>(prefix + "q", "F32", {2}, {0.5F, -0.5F});
  file.add<std::int32_t>(prefix + "label", "I32", {2}, {2, 4});
}

// One file that stands for each of the folder: a head, sets, and rows of logits.
std::string every_input() {
  TensorWriter file;
  add_head(file, {.width = 1});
  for (const char* prefix : {"", "step0.", "eval.n16."})
    add_sets(file, prefix);
  file.add<float>("logits", "F32", {5}, {0, 1, -2, 3, 3});
  file.add<float>("w", "F32", {5}, {1, 2, 3, 4, 5});
  file.add<std::uint8_t>("mask", "U8", {5}, {1, 1, 1, 1, 1});
  file.add<std::int32_t>("offsets", "I32", {2}, {0, 5});
  file.add<std::int32_t>("target", "I32", {1}, {3});
  file.add<float>("theta_opt", "F32", {1}, {0.5F});
  return file.bytes();
}

// What cases.json says of tensors, cut to one case of every list.
std::string short_cases() {
  Json cases = golden_cases();
  for (const char* section : {"measured_f32_vs_f64", "statistics", "power_series"})
    cases.erase(section);
  cases["streaming"].erase("formula_cases");
  cases["polynomial"].erase("fits");
  for (Json* list : {&cases["softmax_cases"], &cases["streaming"]["cases"],
                     &cases["polynomial"]["theta_search"]["cases"]}) {
    Json first = list->front();
    first["n"] = 5;
    *list = Json::array();
    list->push_back(first);
  }
  return cases.dump();
}

// Lists cut to their first entries, at every level, so that what belongs together stays together.
Json with_short_lists(Json value) {
  constexpr std::size_t kMost = 3;
  while (value.is_array() && value.size() > kMost)
    value.erase(kMost);
  if (value.is_structured()) {
    for (Json& item : value)
      item = with_short_lists(item);
  }
  return value;
}

}  // namespace

// Sections that need no tensors, with a few cases each, and streaming with a formula.
std::vector<std::string> cases_seeds(const std::filesystem::path&) {
  const Json all = golden_cases();
  Json cases = Json::object();
  for (const char* section : {"statistics", "power_series"})
    cases[section] = with_short_lists(all.at(section));
  Json formula = all.at("streaming").at("formula_cases").at(0);
  formula["n"] = 100;
  cases["streaming"]["formula_cases"] = Json::array({formula});
  cases["polynomial"] = all.at("polynomial");
  cases["polynomial"].erase("theta_search");
  cases["polynomial"]["table"] = with_short_lists(cases["polynomial"]["table"]);
  cases["polynomial"].erase("fits");
  return {cases.dump()};
}

Verdict check_cases(const std::string& input, const std::filesystem::path& folder) {
  write_plainly(folder / "cases.json", input);
  const VerifyReport report = verify_folder(folder);
  const Verdict verdict = verdict_of_report(report, true);
  if (verdict == Verdict::kRefused) return verdict;
  write_plainly(folder / "cases.json", Json::parse(input.substr(input.find('{'))).dump());
  require(rows_text(verify_folder(folder)) == rows_text(report), "another report after writing");
  return verdict;
}

std::vector<std::string> tensor_cases_seeds(const std::filesystem::path&) {
  return {every_input()};
}

Verdict check_tensor_cases(const std::string& input, const std::filesystem::path& folder) {
  static const std::string cases = short_cases();
  write_plainly(folder / "cases.json", cases);
  for (const char* name : kTensorFiles)
    write_plainly(folder / (std::string(name) + ".safetensors"), input);
  return verdict_of_report(verify_folder(folder), false);
}

}  // namespace dispersion::fuzz
