#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

#include "tests/core/golden_copy.h"

namespace dispersion {
namespace {

struct Falsification {
  const char* file;
  const char* tensor;
  std::size_t index;
  float factor;
  const char* quantity;  // of a row that has to fail
};

// Small factors: a hundredth of what a float32 tolerance would let pass.
TEST(VerifyFalsified, SeesOneChangedNumber) {
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

TEST(VerifyFalsified, SeesOneChangedIndex) {
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
TEST(VerifyFalsified, RefusesIndicesOutOfRange) {
  for (const char* tensor : {"label", "class"}) {
    GoldenCopy copy;
    copy.change_element("forward_backward.safetensors", tensor, 0, [](char* bytes) {
      const std::int32_t value = -70000;
      std::memcpy(bytes, &value, 4);
    });
    expect_failure(run_section(copy.path(), verify_forward_backward), tensor, "-70000");
  }
}

TEST(VerifyFalsified, SeesNumbersThatAreNotFinite) {
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

TEST(VerifyFalsified, SeesOneChangedNumberInCasesJson) {
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

}  // namespace
}  // namespace dispersion
