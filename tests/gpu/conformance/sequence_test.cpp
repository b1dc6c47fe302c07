// Attention over sequences by every transform, width and kind of number, by pairwise cover, against
// its definition in double.

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "core/attention/transforms.h"
#include "core/math/area.h"
#include "tests/gpu/conformance/conformance.h"
#include "tests/gpu/conformance/coverage.h"
#include "tests/gpu/row_errors.h"
#include "tests/pairwise.h"

namespace dispersion {
namespace {

constexpr int kHeads[] = {1, 3};
// Around tiles: of 64 queries and keys in float, of 128 queries and 32 keys in bf16.
constexpr int kLengths[] = {1, 31, 33, 64, 65, 128, 129};
constexpr AttentionNumbers kNumbers[] = {AttentionNumbers::kFloat, AttentionNumbers::kBf16};
constexpr double kThetas[] = {1, 0.5};
constexpr double kLargestValue = 1.74;  // sqrt(3), as draw_sequences() says, in bf16

std::vector<AttentionTransform> softmax_transforms(bool on_device) {
  std::vector<AttentionTransform> transforms = every_transform();
  std::erase_if(transforms, [&](const AttentionTransform& transform) {
    const TransformDefinition& definition = transform_definition(transform.id);
    return definition.beta == nullptr || definition.on_device != on_device;
  });
  return transforms;
}

const std::vector<SequenceAttention>& cases() {
  static const std::vector<SequenceAttention> all = [] {
    const auto levels = [](const auto& values) { return static_cast<int>(std::size(values)); };
    const std::vector<AttentionTransform> transforms = softmax_transforms(true);
    std::vector<SequenceAttention> found;
    // Width and numbers choose the tiles, and go together with the rest.
    for (const std::vector<int>& row :
         pairwise({levels(kSequenceWidths) * levels(kNumbers), 2 * levels(transforms),
                   levels(kLengths), levels(kHeads), levels(kThetas)})) {
      AttentionTransform transform = transforms[static_cast<std::size_t>(row[1] / 2)];
      transform.theta = kThetas[row[4]];
      found.push_back({.heads = kHeads[row[3]],
                       .n = kLengths[row[2]],
                       .d = kSequenceWidths[row[0] / levels(kNumbers)],
                       .causal = row[1] % 2 == 0,
                       .transform = transform,
                       .numbers = kNumbers[row[0] % levels(kNumbers)]});
    }
    // What the device refuses.
    for (const AttentionTransform& transform : softmax_transforms(false))
      found.push_back({.heads = 3, .n = 33, .d = 64, .causal = true, .transform = transform});
    return found;
  }();
  return all;
}

using CaseOn = std::tuple<Computes, std::size_t>;
class ConformanceSequences : public ConformanceCase<CaseOn> {};

TEST_P(ConformanceSequences, AgreeWithTheDefinition) {
  const SequenceAttention& attention = cases()[std::get<1>(GetParam())];
  const auto backend = make_counted_sequence_backend(std::get<0>(GetParam()));
  const bool on_device = std::get<0>(GetParam()) == Computes::kOnDevice;
  const Sequences sequences = draw_sequences(attention, 1, 3);
  if (on_device && !transform_definition(attention.transform.id).on_device) {
    EXPECT_THROW(backend->require_room(attention), std::invalid_argument);
    EXPECT_THROW(backend->attend(attention, sequences, {}), std::invalid_argument);
    return;
  }
  backend->require_room(attention);
  const auto run = backend->attend(attention, sequences, {});
  ASSERT_TRUE(run);
  EXPECT_GE(run->seconds, 0);
  const bool bf16 = run->numbers == AttentionNumbers::kBf16;
  EXPECT_TRUE(!bf16 || attention.numbers == AttentionNumbers::kBf16);
  // The CPU keeps bf16 in floats.
  EXPECT_EQ(run->bytes, attention_bytes(attention, bf16 && on_device ? 2 : 4));
  const AttendedSequences& found = run->attended;
  const std::size_t rows = static_cast<std::size_t>(attention.heads * attention.n);
  ASSERT_EQ(found.out.size(), rows * static_cast<std::size_t>(attention.d));
  ASSERT_EQ(found.entropy.size(), rows);
  ASSERT_EQ(found.beta.size(), rows);
  ASSERT_EQ(found.log_sum_exp.size(), rows);
  // Logits of up to 12 in size, in sums of d products, each rounded by 2^-24; theta divides them:
  // measured over all cases, 2.5e-6 in a logit and 7e-6 in an output. A weight and an output in
  // bf16 may fall to either side: 2^-8 of at most 1.74, twice.
  const double theta = attention.transform.theta;
  const double wider = attention.d / 64.0;
  const double colder = wider / theta;
  const double out_tolerance = 2e-5 * colder + (bf16 ? 2 * kLargestValue * 0x1p-8 : 0);
  for (int head = 0; head < attention.heads; ++head) {
    for (int query = 0; query < attention.n; ++query) {
      const AttendedRow wanted = attend_row(attention, sequences, head, query);
      const RowSizes sizes = row_sizes(attention, sequences, head, query);
      const RowErrors device = on_device ? device_errors(attention, sizes) : RowErrors{};
      const auto row = area(head, attention.n) + static_cast<std::size_t>(query);
      // q . k is sqrt(d) times a logit.
      EXPECT_NEAR(found.largest[row], sizes.largest,
                  (1e-5 * wider + device.logit) * std::sqrt(attention.d))
          << row;
      EXPECT_NEAR(found.log_sum_exp[row], wanted.log_sum_exp,
                  1e-5 * colder + device.logit / theta + device.weight)
          << row;
      // By wrong logits it changes by sum p |log p + H| of them, which is at most 1 above the
      // slope.
      const double entropy_on_device =
          device.weight * sizes.entropy_slope + device.logit / theta * (1 + sizes.entropy_slope);
      EXPECT_NEAR(found.entropy[row], wanted.entropy, 1e-5 * colder + entropy_on_device) << row;
      // |d beta / dH| is below 3 where beta is above 1.
      EXPECT_NEAR(found.beta[row], wanted.beta, 3 * (1e-5 * colder + entropy_on_device)) << row;
      // A weight changes by as much as its logit times beta, and so does the sum of them.
      const double pooled_on_device =
          kLargestValue * (device.pooled + 2 * wanted.beta * device.logit / theta);
      for (std::size_t c = 0; c < wanted.out.size(); ++c) {
        ASSERT_NEAR(found.out[row * wanted.out.size() + c], wanted.out[c],
                    out_tolerance + pooled_on_device)
            << "row " << row << ", channel " << c;
      }
    }
  }
  if (on_device) note_attended(attention);
}

std::string case_name(const testing::TestParamInfo<CaseOn>& on) {
  const auto [computes, index] = on.param;
  const SequenceAttention& a = cases()[index];
  return backend_kind(computes) + std::to_string(a.heads) + "Heads" + std::to_string(a.n) + "x" +
         std::to_string(a.d) + (a.causal ? "Causal" : "") +
         (a.numbers == AttentionNumbers::kBf16 ? "Bf16" : "") + transform_word(a.transform) +
         "Row" + std::to_string(index);
}

INSTANTIATE_TEST_SUITE_P(Conformance, ConformanceSequences,
                         testing::Combine(testing::ValuesIn(kEveryBackend),
                                          testing::Range<std::size_t>(0, cases().size())),
                         case_name);

class ConformanceSequenceBackend : public ConformanceTest {
 protected:
  std::unique_ptr<SequenceBackend> backend_ = make_counted_sequence_backend(GetParam());
};

TEST_P(ConformanceSequenceBackend, SaysWhatItIs) {
  EXPECT_EQ(backend_->description().starts_with("CUDA device 0, "),
            GetParam() == Computes::kOnDevice);
  EXPECT_TRUE(backend_->description_with_threads().starts_with(backend_->description()));
}

TEST_P(ConformanceSequenceBackend, RefusesWhatIsNotValid) {
  std::vector<SequenceAttention> wrong = {{.heads = 0}, {.n = 0}, {.d = 0}, {.d = 3}};
  for (const AttentionTransform& transform : every_transform()) {
    if (transform_definition(transform.id).beta == nullptr)
      wrong.push_back({.transform = transform});
    wrong.push_back({.transform = transform});
    wrong.back().transform.theta = 0;
  }
  for (const SequenceAttention& attention : wrong) {
    EXPECT_THROW(backend_->require_room(attention), std::invalid_argument);
    EXPECT_THROW(backend_->attend(attention, {}, {}), std::invalid_argument);
  }
}

// Wherever it is stopped, it asks no more; nothing of it is left for what comes after.
TEST_P(ConformanceSequenceBackend, StopsWhenAsked) {
  for (const AttentionNumbers numbers : kNumbers) {
    for (const AttentionTransform& transform : softmax_transforms(true)) {
      const SequenceAttention attention = {
          .heads = 2, .n = 70, .transform = transform, .numbers = numbers};
      SCOPED_TRACE(transform_text(transform));
      SCOPED_TRACE(attention_numbers_name(numbers));
      const Sequences sequences = draw_sequences(attention, 1, 3);
      const auto whole = backend_->attend(attention, sequences, {});
      ASSERT_TRUE(whole);
      for (const int last : {1, 2, 3}) {
        int asked = 0;
        double share = 0;
        EXPECT_FALSE(backend_->attend(attention, sequences, [&](double done) {
          EXPECT_GE(done, share);
          EXPECT_LE(done, 1);
          share = done;
          return ++asked < last;
        }));
        EXPECT_EQ(asked, last);
      }
      EXPECT_EQ(backend_->attend(attention, sequences, {})->attended, whole->attended);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Conformance, ConformanceSequenceBackend, testing::ValuesIn(kEveryBackend),
                         [](const auto& on) { return backend_kind(on.param); });

}  // namespace
}  // namespace dispersion
