#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "core/verify/sections.h"
#include "tests/core/temporary_folder.h"

namespace dispersion {

using nlohmann::json;

inline std::filesystem::path golden_folder() {
  return DISPERSION_GOLDEN_DIR;
}

// The golden folder by links, so that a test can put its own file in place of one of them.
class GoldenCopy {
 public:
  GoldenCopy() {
    for (const auto& entry : std::filesystem::directory_iterator(golden_folder())) {
      std::filesystem::create_symlink(entry.path(), folder_.path() / entry.path().filename());
    }
  }

  const std::filesystem::path& path() const { return folder_.path(); }
  void remove(const std::string& file) { std::filesystem::remove(folder_ / file); }
  void replace(const std::string& file, const std::string& bytes) {
    remove(file);
    write_bytes(folder_ / file, bytes);
  }

  // Calls change(first byte of the element) on one element of one tensor.
  void change_element(const std::string& file, const std::string& tensor, std::size_t index,
                      const std::function<void(char*)>& change) {
    std::string bytes = read_bytes(golden_folder() / file);
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), 8);
    const json entry = json::parse(bytes.substr(8, length)).at(tensor);
    const std::size_t size = entry.at("dtype") == "U8" ? 1 : 4;
    const std::size_t begin = 8 + length + entry.at("data_offsets").at(0).get<std::size_t>();
    change(bytes.data() + begin + index * size);
    replace(file, bytes);
  }

  void change_header(const std::string& file, const std::function<void(json&)>& change) {
    const std::string bytes = read_bytes(golden_folder() / file);
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), 8);
    json header = json::parse(bytes.substr(8, length));
    change(header);
    const std::string text = header.dump();
    const std::uint64_t new_length = text.size();
    replace(file, std::string(reinterpret_cast<const char*>(&new_length), 8) + text +
                      bytes.substr(8 + length));
  }

  void change_cases(const std::function<void(json&)>& change) {
    json cases = json::parse(read_bytes(golden_folder() / "cases.json"));
    change(cases);
    replace("cases.json", cases.dump());
  }

 private:
  TemporaryFolder folder_;
};

using SectionCheck = void (*)(GoldenFolder&, VerifyReport&);

inline VerifyReport run_section(const std::filesystem::path& path, SectionCheck check) {
  GoldenFolder folder(path);
  VerifyReport report;
  report.folder = path;
  check(folder, report);
  return report;
}

inline SectionCheck section_of(const std::string& file) {
  if (file == "forward_backward.safetensors") return verify_forward_backward;
  if (file == "adam.safetensors") return verify_adam;
  if (file == "trained.safetensors") return verify_trained;
  if (file == "adaptive_backward.safetensors") return verify_adaptive_backward;
  if (file == "softmax_cases.safetensors") return verify_softmax_cases;
  if (file == "polynomial.safetensors") return verify_polynomial;
  return verify_streaming;
}

inline std::string failures(const VerifyReport& report) {
  std::string text;
  for (const VerifyRow& row : report.rows) {
    if (!row.passed) {
      text += row.file + " " + row.quantity + " " + std::string(arithmetic_name(row.arithmetic)) +
              " " + std::to_string(row.error) + " " + row.place + "\n";
    }
  }
  return text;
}

inline void expect_failure(const VerifyReport& report, const std::string& what,
                           const std::string& quantity) {
  EXPECT_FALSE(report.passed()) << what;
  EXPECT_TRUE(contains(failures(report), quantity)) << what << "\n" << failures(report);
}

}  // namespace dispersion
