// Attention over sequences on the CPU, against softmax written out in double.

#include "core/attention/sequence_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/attention/sequence_pieces.h"
#include "core/experiment/attention_length.h"
#include "core/experiment/sequence_backend.h"

namespace dispersion {
namespace {

constexpr AttentionTransform kPlain = {TransformId::kSoftmax, 1, {}};

// Row by the formulas, with nothing of the library but beta(H).
AttendedRow plain_row(const SequenceAttention& a, const Sequences& s, int head, int query) {
  const std::size_t d = static_cast<std::size_t>(a.d);
  const std::size_t first = static_cast<std::size_t>(head * a.n);
  const int keys = a.causal ? query + 1 : a.n;
  std::vector<double> e;
  for (int j = 0; j < keys; ++j) {
    double dot = 0;
    for (std::size_t c = 0; c < d; ++c) {
      dot += static_cast<double>(s.q[(first + static_cast<std::size_t>(query)) * d + c]) *
             static_cast<double>(s.k[(first + static_cast<std::size_t>(j)) * d + c]);
    }
    e.push_back(dot / std::sqrt(static_cast<double>(a.d)) / a.transform.theta);
  }
  const double top = *std::max_element(e.begin(), e.end());
  const auto sum_of = [&](double beta) {
    double sum = 0;
    for (const double x : e)
      sum += std::exp(beta * (x - top));
    return sum;
  };
  AttendedRow row;
  row.log_sum_exp = top + std::log(sum_of(1));
  for (const double x : e)
    row.entropy -= std::exp(x - row.log_sum_exp) * (x - row.log_sum_exp);
  if (a.transform.id == TransformId::kAdaptive)
    row.beta = adaptive_beta(a.transform.rule, row.entropy);
  if (a.transform.id == TransformId::kLogN)
    row.beta = std::log(static_cast<double>(e.size())) / std::log(16.0);
  row.out.resize(d);
  for (int j = 0; j < keys; ++j) {
    const double weight =
        std::exp(row.beta * (e[static_cast<std::size_t>(j)] - top)) / sum_of(row.beta);
    for (std::size_t c = 0; c < d; ++c)
      row.out[c] +=
          weight * static_cast<double>(s.v[(first + static_cast<std::size_t>(j)) * d + c]);
  }
  return row;
}

struct Case {
  std::string name;
  SequenceAttention attention;
};

// Neither multiples of a tile of queries nor of keys, and one of each.
const Case kCases[] = {
    {"OneToken", {.heads = 2, .n = 1, .d = 64}},
    {"JustATile", {.heads = 1, .n = 64, .d = 64}},
    {"Odd", {.heads = 3, .n = 131, .d = 64}},
    {"OddCausal", {.heads = 2, .n = 299, .d = 128, .causal = true}},
    {"Widest", {.heads = 1, .n = 70, .d = 256}},
    {"Plain", {.heads = 2, .n = 131, .d = 64, .causal = true, .transform = kPlain}},
    {"LogN",
     {.heads = 1,
      .n = 97,
      .d = 64,
      .causal = true,
      .transform = {TransformId::kLogN, 1, {}, {16}}}},
    {"Cold", {.heads = 1, .n = 300, .d = 64, .transform = {TransformId::kAdaptive, 0.5, {}}}},
    {"Bf16", {.heads = 2, .n = 131, .d = 64, .numbers = AttentionNumbers::kBf16}},
};

class SequenceAttentionTest : public testing::TestWithParam<Case> {};

TEST_P(SequenceAttentionTest, TheDefinitionIsThatOfTheFormulas) {
  const SequenceAttention& a = GetParam().attention;
  const Sequences s = draw_sequences(a, 1, 3);
  for (int head = 0; head < a.heads; ++head) {
    for (int query = 0; query < a.n; query += 13) {
      const AttendedRow row = attend_row(a, s, head, query);
      const AttendedRow expected = plain_row(a, s, head, query);
      EXPECT_NEAR(row.log_sum_exp, expected.log_sum_exp, 1e-12);
      EXPECT_NEAR(row.entropy, expected.entropy, 1e-12);
      EXPECT_NEAR(row.beta, expected.beta, 1e-11);
      for (std::size_t c = 0; c < row.out.size(); ++c)
        ASSERT_NEAR(row.out[c], expected.out[c], 1e-11) << c;
    }
  }
}

TEST_P(SequenceAttentionTest, TilesAgreeWithTheDefinition) {
  const SequenceAttention& a = GetParam().attention;
  const Sequences s = draw_sequences(a, 1, 3);
  const auto run = make_cpu_sequence_backend(2)->attend(a, s, {});
  ASSERT_TRUE(run);
  const AttendedSequences& attended = run->attended;
  // Logits of up to about 12, in sums of up to 256 rounded products of 2^-24 each.
  const double logit_error = 1e-5;
  const bool rounds = a.numbers == AttentionNumbers::kBf16;
  // Weights and outputs are rounded by 2^-9 of their size, which is at most 1.74.
  const double out_rounding = rounds ? 2 * 1.74 * 0x1p-9 : 0;
  std::size_t row = 0;
  for (int head = 0; head < a.heads; ++head) {
    for (int query = 0; query < a.n; ++query, ++row) {
      const AttendedRow exact = attend_row(a, s, head, query);
      ASSERT_NEAR(attended.log_sum_exp[row], exact.log_sum_exp, logit_error) << row;
      ASSERT_NEAR(attended.entropy[row], exact.entropy, logit_error) << row;
      // |d beta / dH| is below 3 where beta is above 1.
      ASSERT_NEAR(attended.beta[row], exact.beta, 3 * logit_error) << row;
      for (std::size_t c = 0; c < exact.out.size(); ++c) {
        ASSERT_NEAR(attended.out[row * exact.out.size() + c], exact.out[c],
                    out_rounding + 10 * logit_error)
            << row << ", " << c;
      }
    }
  }
}

TEST_P(SequenceAttentionTest, BitsDependNeitherOnThreadsNorOnTheHeadsBeside) {
  const SequenceAttention& a = GetParam().attention;
  const Sequences s = draw_sequences(a, 2, 3);
  const AttendedSequences one = make_cpu_sequence_backend(1)->attend(a, s, {})->attended;
  EXPECT_EQ(make_cpu_sequence_backend(3)->attend(a, s, {})->attended, one);
  SequenceAttention alone = a;
  alone.heads = 1;
  const AttendedSequences first =
      make_cpu_sequence_backend(1)->attend(alone, draw_sequences(alone, 2, 3), {})->attended;
  EXPECT_TRUE(std::equal(first.out.begin(), first.out.end(), one.out.begin()));
  EXPECT_TRUE(std::equal(first.entropy.begin(), first.entropy.end(), one.entropy.begin()));
}

INSTANTIATE_TEST_SUITE_P(Table, SequenceAttentionTest, testing::ValuesIn(kCases),
                         [](const auto& c) { return c.param.name; });

TEST(DrawnSequences, BeginAlikeWhateverTheirLength) {
  const Sequences longer = draw_sequences({.heads = 1, .n = 40, .d = 64}, 3, 2);
  const Sequences shorter = draw_sequences({.heads = 1, .n = 9, .d = 64}, 3, 2);
  for (const auto array : {&Sequences::q, &Sequences::k, &Sequences::v}) {
    EXPECT_TRUE(
        std::equal((shorter.*array).begin(), (shorter.*array).end(), (longer.*array).begin()));
  }
  EXPECT_NE(longer.q, longer.k);
  EXPECT_NE(longer.k, longer.v);
}

TEST(DrawnSequences, AreThoseOfTheHeadWhateverIsBesideIt) {
  const SequenceAttention one = {.heads = 1, .n = 9, .d = 64};
  const Sequences all = draw_sequences({.heads = 3, .n = 9, .d = 64}, 3, 2);
  const Sequences last = draw_heads(one, 3, 2, 2, {});
  for (const auto array : {&Sequences::q, &Sequences::k, &Sequences::v}) {
    ASSERT_EQ((last.*array).size(), 9u * 64);
    EXPECT_TRUE(std::equal((last.*array).rbegin(), (last.*array).rend(), (all.*array).rbegin()));
  }
}

// Three arrays of three times 4,096 tokens, as many as are drawn between two questions.
TEST(DrawnSequences, StopWhenTold) {
  const SequenceAttention a = {.heads = 3, .n = 4096, .d = 64};
  int asked = 0;
  EXPECT_FALSE(draw_heads(a, 1, 3, 0, [&](double) { return ++asked > 0; }).v.empty());
  EXPECT_EQ(asked, 9);
  asked = 0;
  EXPECT_TRUE(draw_heads(a, 1, 3, 0, [&](double) { return ++asked < 5; }).v.empty());
  EXPECT_EQ(asked, 5);
}

// A tile has 64 queries past all keys, twice.
TEST(CpuSequenceBackend, StopsWithinATile) {
  const SequenceAttention a = {.heads = 1, .n = 20'000, .d = 64};
  const Sequences s = draw_sequences(a, 1, 3);
  AttendedSequences room = room_for(a);
  int asked = 0;
  EXPECT_TRUE(attend_tile(
      a, s, 0, 0, [&] { return ++asked > 0; }, room));
  EXPECT_EQ(asked, 4);
  asked = 0;
  EXPECT_FALSE(attend_tile(
      a, s, 0, 0, [&] { return ++asked < 3; }, room));
  EXPECT_EQ(asked, 3);
}

// The mean of 640,000 uniform numbers is uncertain by 1 / 800, and so is the deviation, nearly.
TEST(DrawnSequences, HaveTheSpreadAskedFor) {
  const SequenceAttention a = {.heads = 1, .n = 10'000, .d = 64};
  const Sequences s = draw_sequences(a, 1, 3);
  double sum = 0;
  double squares = 0;
  for (const float q : s.q) {
    sum += static_cast<double>(q);
    squares += static_cast<double>(q) * static_cast<double>(q);
  }
  const double count = static_cast<double>(s.q.size());
  EXPECT_NEAR(sum / count, 0, 3 * 4.0 / 800);
  EXPECT_NEAR(std::sqrt(squares / count), 3, 3 * 4.0 / 800);
}

TEST(SequenceAttention, SaysWhatIsWrong) {
  const auto refused = [](SequenceAttention a) -> std::string {
    try {
      validate(a);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused({}), "");
  EXPECT_EQ(refused({.heads = 0}), "attention over sequences: 0 heads; 1 to 65535 are possible");
  EXPECT_EQ(refused({.n = 0}), "attention over sequences: n is 0; it must be at least 1");
  EXPECT_EQ(refused({.d = 96}), "attention over sequences: d is 96; it must be 64, 128 or 256");
  EXPECT_EQ(refused({.transform = {TransformId::kHard, 1, {}}}),
            "attention over sequences: hard is not offered; there are softmax, adaptive, log-n");
  EXPECT_EQ(refused({.transform = {TransformId::kSoftmax, -1, {}}}),
            "attention over sequences: softmax: theta is -1; it must be above 0");
}

// A row of d = 64 floats: four arrays of 256 bytes, and 16 bytes of figures.
TEST(SequenceAttention, KnowsTheLargestLengthThatFits) {
  const SequenceAttention a = {.heads = 2, .n = 1000, .d = 64};
  EXPECT_EQ(attention_bytes(a, 4), 2'080'000U);
  EXPECT_EQ(longest_attention(a, 4, 2'080'000), 1000);
  EXPECT_EQ(longest_attention(a, 4, 2'079'999), 999);
  EXPECT_EQ(longest_attention(a, 4, 100), 0);
  EXPECT_NO_THROW(require_attention_fits(a, 4, 2'080'000, "memory"));
  try {
    require_attention_fits(a, 4, 1'050'000, "memory");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "Attention over n = 1000 needs 2.08 MB of memory; 1.05 MB of what is free may "
                 "be used, enough for n = 504 at most.");
  }
}

// 2^31 - 1 tokens of 65,535 heads need some 150,000 TB.
TEST(CpuSequenceBackend, RefusesWhatMemoryCannotHold) {
  EXPECT_THROW(
      make_cpu_sequence_backend(1)->require_room({.heads = 65'535, .n = 2'147'483'647, .d = 256}),
      std::runtime_error);
}

TEST(CpuSequenceBackend, StopsWhenTold) {
  const SequenceAttention a = {.heads = 1, .n = 640, .d = 64};
  int asked = 0;
  const auto sequence_backend = make_cpu_sequence_backend(1);
  EXPECT_FALSE(
      sequence_backend->attend(a, draw_sequences(a, 1, 3), [&](double) { return ++asked < 3; }));
  EXPECT_EQ(asked, 3);
}

TEST(AttentionLengths, SayWhatTheyTookAndHowRightTheyAre) {
  const SequenceAttention a = {.heads = 2, .n = 300, .d = 64};
  const auto length =
      attention_length(*make_cpu_sequence_backend(1), a, {.spread = 0.5, .checked_rows = 50}, {});
  ASSERT_TRUE(length);
  EXPECT_EQ(length->n, 300);
  EXPECT_EQ(length->bytes, 2U * 300 * (4 * 64 * 4 + 16));
  EXPECT_EQ(length->matrix_bytes, 2U * 300 * 300 * 4);
  EXPECT_GT(length->seconds, 0);
  EXPECT_EQ(length->checked_rows, 50);
  // For many normal logits log n - spread^2 / 2; of 300, somewhat off.
  EXPECT_NEAR(length->entropy, std::log(300.0) - 0.125, 0.02);
  EXPECT_EQ(length->sharpened, 1);  // within the rule's window
  EXPECT_GT(length->beta, 1.5);
  EXPECT_GT(length->out_error, 0);
  EXPECT_LT(length->out_error, 1e-4);
  EXPECT_LT(length->entropy_error, 1e-5);
}

TEST(AttentionLengths, DoNotDependOnHowManyHeadsAreInMemory) {
  const SequenceAttention a = {.heads = 5, .n = 70, .d = 64};
  const auto backend = make_cpu_sequence_backend(1);
  const auto whole = attention_length(*backend, a, {}, {});
  ASSERT_TRUE(whole);
  for (const std::size_t heads : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
    const std::size_t bytes = heads * attention_bytes({.heads = 1, .n = 70, .d = 64}, 4);
    auto pieces = attention_length(*backend, a, {.piece_bytes = bytes}, {});
    ASSERT_TRUE(pieces);
    pieces->seconds = whole->seconds;
    EXPECT_TRUE(*pieces == *whole);
  }
}

// Of 65,535 heads, which together need 17 TB.
TEST(AttentionLengths, NeedMemoryForSomeHeadsOnly) {
  const auto backend = make_cpu_sequence_backend(1);
  EXPECT_NO_THROW(require_attention_room(*backend, {.heads = 65'535, .n = 4096, .d = 256}));
  EXPECT_THROW(require_attention_room(*backend, {.heads = 65'535, .n = 2'147'483'647, .d = 256}),
               std::runtime_error);
}

TEST(AttentionLengths, TheErrorShows) {
  const SequenceAttention a = {.heads = 1, .n = 100, .d = 64, .numbers = AttentionNumbers::kBf16};
  const auto length =
      attention_length(*make_cpu_sequence_backend(1), a, {.checked_rows = 1000}, {});
  EXPECT_EQ(length->checked_rows, 100);
  EXPECT_EQ(length->numbers, AttentionNumbers::kBf16);
  EXPECT_GT(length->out_error, 1e-4);  // weights rounded to bf16
  EXPECT_LT(length->entropy_error, 1e-5);
}

TEST(AttentionLengths, StopWhenToldAnywhere) {
  const SequenceAttention a = {.heads = 1, .n = 200, .d = 64};
  int all = 0;
  ASSERT_TRUE(
      attention_length(*make_cpu_sequence_backend(1), a, {}, [&](double) { return ++all > 0; }));
  for (int stop = 1; stop <= all; stop += 7) {
    int asked = 0;
    EXPECT_FALSE(attention_length(*make_cpu_sequence_backend(1), a, {},
                                  [&](double) { return ++asked < stop; }));
    EXPECT_EQ(asked, stop);
  }
}

}  // namespace
}  // namespace dispersion
