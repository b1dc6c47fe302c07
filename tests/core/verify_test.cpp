#include <gtest/gtest.h>

#include <algorithm>

#include "core/io/text.h"
#include "core/verify/verify.h"
#include "tests/core/golden_copy.h"

namespace dispersion {
namespace {

TEST(Verify, PassesTheGoldenFolderAndLeavesNoTensorUnchecked) {
  const VerifyReport report = verify_folder(golden_folder());
  EXPECT_TRUE(report.passed()) << failures(report);
  EXPECT_GT(report.rows.size(), 700u);
  for (const std::string& name : report.not_checked) {
    EXPECT_FALSE(contains(name, ".safetensors: ")) << name;
  }
}

// Every quantity is computed in both precisions: what passes in one alone says little.
TEST(Verify, ComparesBothPrecisions) {
  const VerifyReport report = verify_folder(golden_folder());
  for (const char* quantity : {"loss", "grad.item_mlp.0.kernel", "after5.item_mlp.0.kernel",
                               "eval.n16.entropy", "grad_through.item_mlp.0.kernel", "adaptive"}) {
    for (const Arithmetic arithmetic : {Arithmetic::kFloat32, Arithmetic::kFloat64}) {
      EXPECT_TRUE(std::any_of(report.rows.begin(), report.rows.end(), [&](const VerifyRow& row) {
        return row.quantity == quantity && row.arithmetic == arithmetic;
      })) << quantity;
    }
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

TEST(Verify, FailsForFilesThatAreMissingOrCut) {
  for (const std::string file :
       {"forward_backward.safetensors", "adam.safetensors", "trained.safetensors",
        "adaptive_backward.safetensors", "softmax_cases.safetensors", "streaming.safetensors",
        "polynomial.safetensors", "cases.json"}) {
    const SectionCheck check = file == "cases.json" ? verify_meta : section_of(file);
    GoldenCopy copy;
    copy.remove(file);
    expect_failure(run_section(copy.path(), check), file, file);
    const std::string bytes = read_bytes(golden_folder() / file);
    write_bytes(copy.path() / file, bytes.substr(0, bytes.size() - 2));
    expect_failure(run_section(copy.path(), check), file, file);
  }
}

TEST(Verify, FailsForWhatIsNoGoldenFolder) {
  const TemporaryFolder empty;
  EXPECT_FALSE(verify_folder(empty.path()).passed());
  EXPECT_FALSE(verify_folder(empty / "nowhere").passed());
  EXPECT_FALSE(verify_folder(golden_folder() / "cases.json").passed());
}

}  // namespace
}  // namespace dispersion
