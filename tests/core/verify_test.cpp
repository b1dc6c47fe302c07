#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>

#include "core/io/text.h"
#include "core/verify/sections.h"
#include "core/verify/verify.h"
#include "tests/core/temporary_folder.h"

namespace dispersion {
namespace {

using nlohmann::json;

const std::filesystem::path kGolden = DISPERSION_GOLDEN_DIR;

// The golden folder by links, so that a test can put its own file in place of one of them.
class GoldenCopy {
 public:
  GoldenCopy() {
    for (const auto& entry : std::filesystem::directory_iterator(kGolden)) {
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
    std::string bytes = read_bytes(kGolden / file);
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), 8);
    const json entry = json::parse(bytes.substr(8, length)).at(tensor);
    const std::size_t size = entry.at("dtype") == "U8" ? 1 : 4;
    const std::size_t begin = 8 + length + entry.at("data_offsets").at(0).get<std::size_t>();
    change(bytes.data() + begin + index * size);
    replace(file, bytes);
  }

  void change_header(const std::string& file, const std::function<void(json&)>& change) {
    const std::string bytes = read_bytes(kGolden / file);
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
    json cases = json::parse(read_bytes(kGolden / "cases.json"));
    change(cases);
    replace("cases.json", cases.dump());
  }

 private:
  TemporaryFolder folder_;
};

using SectionCheck = void (*)(GoldenFolder&, VerifyReport&);

VerifyReport run_section(const std::filesystem::path& path, SectionCheck check) {
  GoldenFolder folder(path);
  VerifyReport report;
  report.folder = path;
  check(folder, report);
  return report;
}

SectionCheck section_of(const std::string& file) {
  if (file == "forward_backward.safetensors") return verify_forward_backward;
  if (file == "adam.safetensors") return verify_adam;
  if (file == "trained.safetensors") return verify_trained;
  if (file == "adaptive_backward.safetensors") return verify_adaptive_backward;
  if (file == "softmax_cases.safetensors") return verify_softmax_cases;
  if (file == "polynomial.safetensors") return verify_polynomial;
  return verify_streaming;
}

std::string failures(const VerifyReport& report) {
  std::string text;
  for (const VerifyRow& row : report.rows) {
    if (!row.passed) {
      text += row.file + " " + row.quantity + " " + std::string(arithmetic_name(row.arithmetic)) +
              " " + std::to_string(row.error) + " " + row.place + "\n";
    }
  }
  return text;
}

void expect_failure(const VerifyReport& report, const std::string& what,
                    const std::string& quantity) {
  EXPECT_FALSE(report.passed()) << what;
  EXPECT_TRUE(contains(failures(report), quantity)) << what << "\n" << failures(report);
}

TEST(Verify, PassesTheGoldenFolderAndLeavesNoTensorUnchecked) {
  const VerifyReport report = verify_folder(kGolden);
  EXPECT_TRUE(report.passed()) << failures(report);
  EXPECT_GT(report.rows.size(), 700u);
  for (const std::string& name : report.not_checked) {
    EXPECT_FALSE(contains(name, ".safetensors: ")) << name;
  }
}

// Every quantity is computed in both precisions: what passes in one alone says little.
TEST(Verify, ComparesBothPrecisions) {
  const VerifyReport report = verify_folder(kGolden);
  for (const char* quantity : {"loss", "grad.item_mlp.0.kernel", "after5.item_mlp.0.kernel",
                               "eval.n16.entropy", "grad_through.item_mlp.0.kernel", "adaptive"}) {
    for (const Arithmetic arithmetic : {Arithmetic::kFloat32, Arithmetic::kFloat64}) {
      EXPECT_TRUE(std::any_of(report.rows.begin(), report.rows.end(), [&](const VerifyRow& row) {
        return row.quantity == quantity && row.arithmetic == arithmetic;
      })) << quantity;
    }
  }
}

struct Falsification {
  const char* file;
  const char* tensor;
  std::size_t index;
  float factor;
  const char* quantity;  // of a row that has to fail
};

// Small factors: a hundredth of what a float32 tolerance would let pass.
TEST(Verify, SeesOneChangedNumber) {
  const Falsification table[] = {
      {"forward_backward.safetensors", "item_embedding", 7000, 1 + 1e-5f, "item_embedding"},
      {"forward_backward.safetensors", "key_projection", 11263, 1 + 1e-5f, "key_projection"},
      {"forward_backward.safetensors", "attention", 40, 1 + 1e-6f, "attention"},
      {"forward_backward.safetensors", "loss", 0, 1 + 1e-6f, "loss"},
      {"forward_backward.safetensors", "grad.attention.query.kernel", 1234, 1 + 1e-5f,
       "grad.attention.query.kernel"},
      {"forward_backward.safetensors", "item_mlp.1.kernel", 99, 1 + 1e-3f, "item_embedding"},
      {"forward_backward.safetensors", "rho", 3, 1 + 1e-4f, "item_embedding"},
      {"forward_backward.safetensors", "f32.class_logits", 12, 1 + 1e-4f, "f32.class_logits"},
      {"forward_backward.safetensors", "f32.grad.readout_mlp.1.kernel", 5, 1 + 1e-5f,
       "grad.readout_mlp.1.kernel"},
      {"adam.safetensors", "loss", 4, 1 + 1e-6f, "loss"},
      {"adam.safetensors", "after5.readout_mlp.1.bias", 9, 1 + 1e-5f, "after5.readout_mlp.1.bias"},
      {"adam.safetensors", "after5.attention.out.kernel", 77, 1 + 1e-5f,
       "after5.attention.out.kernel"},
      {"adam.safetensors", "step3.rho", 100, 1 + 1e-3f, "loss"},
      {"trained.safetensors", "eval.n16384.entropy", 2, 1 + 1e-6f, "eval.n16384.entropy"},
      {"trained.safetensors", "eval.n1024.beta", 63, 1 + 1e-6f, "eval.n1024.beta"},
      {"trained.safetensors", "eval.n256.class_logits", 30, 1 + 1e-5f, "eval.n256.class_logits"},
      {"trained.safetensors", "eval.n64.attention_adaptive", 4095, 2.f,
       "eval.n64.attention_adaptive"},
      {"trained.safetensors", "eval.n64.logits", 1000, 1 + 1e-6f, "eval.n64.logits"},
      {"trained.safetensors", "eval.n16.predicted_margin", 0, 1 + 1e-5f, "predicted_margin"},
      {"trained.safetensors", "f32.eval.n16.logit_max", 5, 1 + 1e-5f, "f32.eval.n16.logit_max"},
      {"trained.safetensors", "attention.value.bias", 8, 1 + 1e-3f, "class_logits"},
      {"adaptive_backward.safetensors", "grad_through.item_mlp.0.bias", 64, 1 + 1e-5f,
       "grad_through.item_mlp.0.bias"},
      {"adaptive_backward.safetensors", "grad_stop.query_mlp.0.kernel", 17, 1 + 1e-4f,
       "grad_stop.query_mlp.0.kernel"},
      {"adaptive_backward.safetensors", "q", 7, 1 + 1e-6f, "q, as in trained"},
      {"softmax_cases.safetensors", "softmax", 10000, 1 + 1e-5f, "softmax"},
      {"softmax_cases.safetensors", "grad_through", 52500, 1 + 1e-5f, "grad_through"},
      {"softmax_cases.safetensors", "w", 52500, 1 + 1e-3f, "grad_stop"},
      {"streaming.safetensors", "prefix_entropy", 1500, 1 + 1e-6f, "prefix_entropy"},
      {"streaming.safetensors", "prefix_lse_minus_max", 9000, 1 + 1e-6f, "prefix_lse_minus_max"},
      {"polynomial.safetensors", "theta_opt", 12, 1 + 1e-6f, "theta_opt"},
      {"polynomial.safetensors", "logits", 12, 1 + 1e-3f, "theta_search"},
  };
  for (const Falsification& row : table) {
    GoldenCopy copy;
    copy.change_element(row.file, row.tensor, row.index, [&](char* bytes) {
      float value = 0;
      std::memcpy(&value, bytes, 4);
      ASSERT_NE(value, 0) << row.tensor << " does not change there";
      value *= row.factor;
      std::memcpy(bytes, &value, 4);
    });
    expect_failure(run_section(copy.path(), section_of(row.file)), row.tensor, row.quantity);
  }
}

TEST(Verify, SeesOneChangedIndex) {
  const struct {
    const char* file;
    const char* tensor;
    std::size_t index;
  } table[] = {
      {"forward_backward.safetensors", "label", 3},
      {"adam.safetensors", "step2.label", 127},
      {"trained.safetensors", "eval.n1024.label", 10},
      {"trained.safetensors", "eval.n256.argmax_rho", 1},
      {"trained.safetensors", "eval.n64.argmax_logit", 2},
      {"trained.safetensors", "eval.n16384.predicted_adaptive", 3},
      {"trained.safetensors", "f32.eval.n16.predicted", 4},
      {"adaptive_backward.safetensors", "label", 0},
      {"adaptive_backward.safetensors", "class", 2000},
      {"softmax_cases.safetensors", "mask", 30000},
      {"softmax_cases.safetensors", "offsets", 40},
      {"streaming.safetensors", "offsets", 6},
  };
  for (const auto& row : table) {
    GoldenCopy copy;
    copy.change_element(row.file, row.tensor, row.index,
                        [](char* bytes) { *bytes = static_cast<char>(*bytes ^ 1); });
    EXPECT_FALSE(run_section(copy.path(), section_of(row.file)).passed()) << row.tensor;
  }
}

// Classes and labels are used as indices: nonsense has to be refused, not followed.
TEST(Verify, RefusesIndicesOutOfRange) {
  for (const char* tensor : {"label", "class"}) {
    GoldenCopy copy;
    copy.change_element("forward_backward.safetensors", tensor, 0, [](char* bytes) {
      const std::int32_t value = -70000;
      std::memcpy(bytes, &value, 4);
    });
    expect_failure(run_section(copy.path(), verify_forward_backward), tensor, "-70000");
  }
}

TEST(Verify, SeesNumbersThatAreNotFinite) {
  for (const std::uint32_t bits : {0x7fc00000u, 0x7f800000u, 0xff800000u}) {
    for (const auto& [file, tensor] : std::vector<std::pair<std::string, std::string>>{
             {"forward_backward.safetensors", "query_mlp.1.kernel"},
             {"softmax_cases.safetensors", "adaptive"},
             {"streaming.safetensors", "logits"}}) {
      GoldenCopy copy;
      copy.change_element(file, tensor, 1, [&](char* bytes) { std::memcpy(bytes, &bits, 4); });
      EXPECT_FALSE(run_section(copy.path(), section_of(file)).passed()) << tensor << bits;
    }
  }
}

TEST(Verify, SeesOneChangedNumberInCasesJson) {
  const struct {
    const char* pointer;
    SectionCheck check;
  } table[] = {
      {"/meta/width", verify_meta},
      {"/meta/attention_scale", verify_meta},
      {"/meta/lambda", verify_forward_backward},
      {"/forward_backward/loss", verify_forward_backward},
      {"/forward_backward/gradient_norm", verify_forward_backward},
      {"/forward_backward/batch", verify_forward_backward},
      {"/measured_f32_vs_f64/forward_backward/attended/rms_abs", verify_forward_backward},
      {"/adam/learning_rate", verify_adam},
      {"/adam/loss_before_step/3", verify_adam},
      {"/adam/sizes/1", verify_adam},
      {"/adam/after5_difference_quantiles/item_mlp.0.bias/q99", verify_adam},
      {"/trained/eval/16384/mean_beta", verify_trained},
      {"/trained/eval/16/accuracy", verify_trained},
      {"/trained/eval/64/min_delta", verify_trained},
      {"/trained/key_bias_max_abs", verify_trained},
      {"/adaptive_backward/loss", verify_adaptive_backward},
      {"/adaptive_backward/beta/5", verify_adaptive_backward},
      {"/softmax_cases/30/entropy_at_theta/0.5", verify_softmax_cases},
      {"/softmax_cases/80/polynomial", verify_softmax_cases},
      {"/softmax_cases/20/sparsemax_support", verify_softmax_cases},
      {"/softmax_cases/12/top2_indices/1", verify_softmax_cases},
      {"/streaming/cases/4/entropy", verify_streaming},
      {"/streaming/formula_cases/1/log_sum_exp", verify_streaming},
      {"/streaming/formula_cases/2/multiplier", verify_streaming},
      {"/polynomial/coefficients/2", verify_polynomial},
      {"/polynomial/table/beta/60", verify_polynomial},
      {"/polynomial/peak/h", verify_polynomial},
      {"/polynomial/roots_of_polynomial_minus_1/1", verify_polynomial},
      {"/polynomial/fits/1/coefficients/0", verify_polynomial},
      {"/polynomial/fits/2/h/3", verify_polynomial},
      {"/polynomial/theta_search/cases/30/grid_index", verify_polynomial},
      {"/polynomial/theta_search/cases/59/probability_at_theta_1", verify_polynomial},
      {"/statistics/paired_t/2/p", verify_statistics},
      {"/statistics/paired_t/0/a/4", verify_statistics},
      {"/statistics/wilson95/5/high", verify_statistics},
      {"/statistics/mcnemar_exact/6/c", verify_statistics},
      {"/power_series/entropy_exponents_1_to_10/4/4", verify_power_series},
      {"/power_series/random/7/lambda", verify_power_series},
      {"/bounds/largest_singular_value/initial/key", verify_bounds},
      {"/bounds/cases/3/attention_min", verify_bounds},
      {"/bounds/cases/19/lemma_upper", verify_bounds},
  };
  for (const auto& row : table) {
    GoldenCopy copy;
    copy.change_cases([&](json& cases) {
      json& value = cases.at(json::json_pointer(row.pointer));
      if (value.is_number_integer()) {
        value = value.get<std::int64_t>() + 1;
      } else {
        value = value.get<double>() * (1 + 1e-4);
      }
    });
    EXPECT_FALSE(run_section(copy.path(), row.check).passed()) << row.pointer;
  }
}

TEST(Verify, NamesWhatIsMissing) {
  const struct {
    const char* file;
    const char* tensor;
  } table[] = {
      {"forward_backward.safetensors", "attended"},
      {"forward_backward.safetensors", "grad.query_mlp.0.bias"},
      {"forward_backward.safetensors", "attention.out.kernel"},
      {"forward_backward.safetensors", "f32.l2"},
      {"adam.safetensors", "after5.item_mlp.1.kernel"},
      {"adam.safetensors", "step4.q"},
      {"trained.safetensors", "eval.n64.logits"},
      {"trained.safetensors", "eval.n256.label"},
      {"trained.safetensors", "f32.eval.n1024.argmax_rho"},
      {"softmax_cases.safetensors", "entmax15"},
      {"softmax_cases.safetensors", "mask"},
      {"streaming.safetensors", "prefix_entropy"},
  };
  for (const auto& row : table) {
    GoldenCopy copy;
    copy.change_header(row.file, [&](json& header) {
      header["another"] = header.at(row.tensor);
      header.erase(row.tensor);
    });
    expect_failure(run_section(copy.path(), section_of(row.file)), row.tensor,
                   in_quotes(row.tensor) + " is missing");
  }
}

// With all the tensors of a size gone, cases.json still tells of it.
TEST(Verify, MissesAWholeSize) {
  GoldenCopy copy;
  copy.change_header("trained.safetensors", [](json& header) {
    json renamed = json::object();
    for (const auto& [name, entry] : header.items()) {
      std::string kept = name;
      const std::size_t at = kept.find("eval.n64.");
      if (at != std::string::npos) kept.replace(at, 4, "away");
      renamed[kept] = entry;
    }
    header = renamed;
  });
  expect_failure(run_section(copy.path(), verify_trained), "n64", "'eval.n64.rho' is missing");
}

TEST(Verify, ListsWhatItDoesNotKnow) {
  GoldenCopy copy;
  copy.change_header("streaming.safetensors", [](json& header) {
    header["unheard_of"] = {{"dtype", "F32"}, {"shape", {0}}, {"data_offsets", {0, 0}}};
  });
  copy.change_cases([](json& cases) { cases["streaming"]["novel"] = 1.5; });
  write_bytes(copy.path() / "other.safetensors", "?");
  const std::vector<std::string> names = verify_folder(copy.path()).not_checked;
  for (const char* name :
       {"streaming.safetensors: unheard_of", "cases.json: streaming.novel", "other.safetensors"}) {
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  }
}

TEST(Verify, FailsForFilesThatAreMissingCutOrForeign) {
  for (const char* file :
       {"forward_backward.safetensors", "adam.safetensors", "trained.safetensors",
        "adaptive_backward.safetensors", "softmax_cases.safetensors", "streaming.safetensors",
        "polynomial.safetensors", "cases.json"}) {
    GoldenCopy copy;
    copy.remove(file);
    expect_failure(verify_folder(copy.path()), file, file);
    const std::string bytes = read_bytes(kGolden / file);
    write_bytes(copy.path() / file, bytes.substr(0, bytes.size() - 2));
    expect_failure(verify_folder(copy.path()), file, file);
  }
  const TemporaryFolder empty;
  EXPECT_FALSE(verify_folder(empty.path()).passed());
  EXPECT_FALSE(verify_folder(empty / "nowhere").passed());
  EXPECT_FALSE(verify_folder(kGolden / "cases.json").passed());
}

}  // namespace
}  // namespace dispersion
