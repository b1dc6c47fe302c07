// What is said of streamed entropies and of attention over sequences.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/attention/sequence_attention.h"
#include "core/attention/streaming_entropy.h"
#include "core/cpu/cpu_backend.h"
#include "core/experiment/attention_length.h"
#include "core/experiment/streaming.h"
#include "core/figure/figures.h"
#include "core/task/item_sets.h"
#include "tests/statements/claims.h"
#include "tests/statements/zoo.h"

namespace dispersion {
namespace {

Truth holds(bool fact) {
  return {fact ? 1.0 : 0.0, 0};
}

ItemSets first_set(int items) {
  ItemSets sets;
  sets.resize(1, items);
  draw_item_sets(1, RandomPurpose::kEvaluation, static_cast<std::uint32_t>(items), 0, sets);
  return sets;
}

// H = -sum p log p in long double.
double exact(const std::vector<float>& logits) {
  const long double most = *std::ranges::max_element(logits);
  long double sum = 0;
  for (const float e : logits)
    sum += std::exp(static_cast<long double>(e) - most);
  const long double log_sum = std::log(sum);
  long double entropy = 0;
  for (const float e : logits) {
    const long double log_weight = static_cast<long double>(e) - most - log_sum;
    entropy -= std::exp(log_weight) * log_weight;
  }
  return static_cast<double>(entropy);
}

// Blocks of so many logits, each streamed by itself and then merged into the total.
template <class Scalar>
double in_blocks(const std::vector<float>& logits, int block) {
  StreamingEntropy<Scalar> total;
  for (std::size_t begin = 0; begin < logits.size(); begin += static_cast<std::size_t>(block)) {
    StreamingEntropy<Scalar> part;
    const std::size_t end = std::min(logits.size(), begin + static_cast<std::size_t>(block));
    for (std::size_t i = begin; i < end; ++i)
      part.push(static_cast<Scalar>(logits[i]));
    total.merge(part);
  }
  return static_cast<double>(total.entropy());
}

// Appendix G line by line, with the maximum of the items before a new one in its weight (`printed`)
// or with that of all up to it.
template <class Scalar>
Scalar by_the_appendix(const std::vector<float>& logits, bool printed) {
  Scalar most = logits[0];
  Scalar lambda = 1;
  Scalar k = most;
  for (std::size_t i = 1; i < logits.size(); ++i) {
    const Scalar e = logits[i];
    const Scalar next = std::max(most, e);
    const Scalar weight = std::exp(e - (printed ? most : next));
    const Scalar scale = std::exp(most - next);
    lambda = lambda * scale + weight;
    k = k * scale + weight * e;
    most = next;
  }
  return most + std::log(lambda) - k / lambda;
}

// The entropies of the rows of one run, by size.
struct Rows {
  std::map<int, std::vector<float>> logits;
  int block = 256;

  double largest_error(bool in_float) const {
    double largest = 0;
    for (const auto& [items, row] : logits) {
      const double streamed =
          in_float ? in_blocks<float>(row, block) : in_blocks<double>(row, block);
      largest = std::max(largest, std::abs(streamed - exact(row)));
    }
    return largest;
  }
  double printed(const Claim& claim) const {
    const std::vector<float>& row = logits.at(static_cast<int>(claim.at[0]));
    const bool sign = claim.of == "the sign";
    return (sign ? -1 : 1) * by_the_appendix<double>(row, !sign);
  }
  // The errors of one size: streamed in blocks, not centred, and as the appendix prints it.
  std::vector<double> errors(const std::vector<float>& row) const {
    const double right = exact(row);
    return {in_blocks<double>(row, block) - right, in_blocks<float>(row, block) - right,
            by_the_appendix<float>(row, false) - right, by_the_appendix<double>(row, true) - right,
            -by_the_appendix<double>(row, false) - right};
  }
  // How many are exactly 0. The last bit of an entropy may be another here, so that those within
  // some of its units may be among them or not.
  Truth zero_errors() const {
    Truth zeros{0, 0};
    for (const auto& [items, row] : logits) {
      const double last_bits = 1e-15 * exact(row);
      for (const double error : errors(row)) {
        zeros.value += error == 0;
        zeros.tolerance += last_bits > 0 && std::abs(error) <= last_bits;
      }
    }
    return zeros;
  }
  int not_finite(const std::string& curve) const {
    int count = 0;
    for (const auto& [items, row] : logits) {
      if (curve == "blocks, float") count += !std::isfinite(in_blocks<float>(row, block));
      if (curve == "printed maximum") count += !std::isfinite(by_the_appendix<double>(row, true));
      if (curve == "not centred, float")
        count += !std::isfinite(by_the_appendix<float>(row, false));
    }
    return count;
  }
};

std::string three_decimals(double value) {
  const std::string text = std::to_string(std::round(1000 * value) / 1000 + 0.0);
  return text.substr(0, text.find('.') + 4);
}

Claims entropy_claims(const Rows*& rows) {
  return Claims({
      {"entropy (nats)",
       [&](const Claim& claim) {
         return Truth{exact(rows->logits.at(static_cast<int>(claim.at[0]))), 1e-9};
       }},
      {"entropy as printed (nats)",
       [&](const Claim& claim) {
         return Truth{rows->printed(claim), 1e-9};
       }},
      {"entropy as printed is the same",
       [&](const Claim& claim) {
         const double entropy = exact(rows->logits.at(static_cast<int>(claim.at[0])));
         return holds(three_decimals(std::abs(rows->printed(claim))) ==
                          three_decimals(std::abs(entropy)) &&
                      (rows->printed(claim) > 0 || entropy < 0.0006));
       }},
      {"entropy as printed is not finite",
       [&](const Claim& claim) { return holds(!std::isfinite(rows->printed(claim))); }},
      {"largest error of the entropy in blocks (nats)",
       [&](const Claim& claim) {
         return Truth{rows->largest_error(claim.of == "float"), 0};
       }},
      {"streamed entropy that is not finite",
       [&](const Claim& claim) {
         return holds(std::ranges::any_of(rows->logits, [&](const auto& row) {
           return !std::isfinite(claim.of == "float" ? in_blocks<float>(row.second, rows->block)
                                                     : in_blocks<double>(row.second, rows->block));
         }));
       }},
      {"sizes streamed",
       [&](const Claim&) {
         return Truth{static_cast<double>(rows->logits.size()), 0};
       }},
      {"points not shown", [&](const Claim&) { return rows->zero_errors(); }},
      {"values that are not finite",
       [&](const Claim& claim) {
         return Truth{static_cast<double>(rows->not_finite(claim.of)), 0};
       }},
  });
}

TEST(StreamingStatements, OfEntropiesAreTrue) {
  const Rows* rows = nullptr;
  Claims claims = entropy_claims(rows);
  const std::vector<std::string> sizes = {"300,40,7", "1", "2,16", "5000"};
  const std::vector<std::string> scales = {"20", "0", "1e6"};
  const std::vector<std::string> offsets = {"0", "1e4", "-1e6", "1e9"};
  const std::vector<std::string> blocks = {"256", "1", "7"};
  for (const std::vector<int>& row : pairwise({4, 3, 4, 3})) {
    Rows drawn{.logits = {}, .block = std::stoi(blocks[row[3]])};
    for (const int items : numbers(sizes[row[0]])) {
      for (const float priority : first_set(items).priority) {
        drawn.logits[items].push_back(
            static_cast<float>(std::stod(offsets[row[2]]) +
                               std::stod(scales[row[1]]) * static_cast<double>(priority)));
      }
    }
    rows = &drawn;
    claims.check(statements_of(run_on("streaming", zoo_head("shipped"),
                                      {{"sizes", sizes[row[0]]},
                                       {"scale", scales[row[1]]},
                                       {"offset", offsets[row[2]]},
                                       {"block", blocks[row[3]]}})));
  }
  for (const ZooHead& head : zoo()) {
    SCOPED_TRACE(head.name);
    Rows drawn;
    for (const int items : {300, 2}) {
      make_cpu_backend(1)->attention_logits(head.parameters, first_set(items).view(),
                                            drawn.logits[items]);
    }
    rows = &drawn;
    claims.check(
        statements_of(run_on("streaming", head, {{"logits", "head"}, {"sizes", "300,2"}})));
  }
  // So far apart that their distance is no float.
  const Rows apart{.logits = {{2, {-3e38F, 3e38F}}}, .block = 1};
  rows = &apart;
  const std::vector<StreamingRow> row = {streaming_row(apart.logits.at(2), 1)};
  claims.check(statements_of(streaming_figure(row)));
  EXPECT_EQ(claims.never_made(), std::vector<std::string>());
}

// What is claimed of attention, with the sequences attended over again.
struct Attention {
  std::vector<SequenceAttention> all;
  double spread = 3;

  const SequenceAttention& of(const Claim& claim) const {
    return *std::ranges::find(all, static_cast<int>(claim.at[0]), &SequenceAttention::n);
  }
  static double rows(const SequenceAttention& a) { return static_cast<double>(a.heads) * a.n; }
  static double bytes(const SequenceAttention& a) { return rows(a) * (4.0 * a.d * 4 + 4 * 4); }

  double largest_error(const SequenceAttention& a) const {
    const Sequences sequences = draw_sequences(a, 1, spread);
    const auto run = make_cpu_sequence_backend(1)->attend(a, sequences, {});
    const auto count = static_cast<std::int64_t>(rows(a));
    const std::int64_t checked = std::min<std::int64_t>(64, count);
    double largest = 0;
    for (std::int64_t i = 1; i <= checked; ++i) {
      const std::int64_t row = i * count / checked - 1;
      const AttendedRow right =
          attend_row(a, sequences, static_cast<int>(row / a.n), static_cast<int>(row % a.n));
      for (int c = 0; c < a.d; ++c) {
        const double out = run->attended.out[static_cast<std::size_t>(row * a.d + c)];
        largest = std::max(largest, std::abs(out - right.out[static_cast<std::size_t>(c)]));
      }
    }
    return largest;
  }
};

TEST(StreamingStatements, OfAttentionAreTrue) {
  const Attention* attention = nullptr;
  Claims claims({
      {"memory (MB)",
       [&](const Claim& claim) {
         return Truth{1e-6 * Attention::bytes(attention->of(claim)), 1e-12};
       }},
      {"memory of all weights (MB)",
       [&](const Claim& claim) {
         const SequenceAttention& a = attention->of(claim);
         return Truth{4e-6 * Attention::rows(a) * a.n, 1e-12};
       }},
      {"memory proportional to n",
       [&](const Claim&) {
         return holds(std::ranges::all_of(attention->all, [&](const SequenceAttention& a) {
           return Attention::bytes(a) * attention->all[0].n ==
                  Attention::bytes(attention->all[0]) * a.n;
         }));
       }},
      {"rows",
       [&](const Claim& claim) {
         return Truth{Attention::rows(attention->of(claim)), 0};
       }},
      {"checked rows",
       [&](const Claim& claim) {
         return Truth{std::min(64.0, Attention::rows(attention->of(claim))), 0};
       }},
      {"largest error of the output",
       [&](const Claim& claim) {
         return Truth{attention->largest_error(attention->of(claim)), 0};
       }},
  });
  const std::vector<std::string> lengths = {"40,16", "1", "100", "16,150"};
  const std::vector<std::string> heads = {"1", "3"};
  const std::vector<std::string> numbers_of = {"fp32", "bf16"};
  const std::vector<std::string> transforms = {"adaptive", "softmax"};
  const std::vector<std::string> spreads = {"3", "0", "1e6"};
  for (const std::vector<int>& row : pairwise({4, 2, 2, 2, 2, 3})) {
    Attention attended{.all = {}, .spread = std::stod(spreads[row[5]])};
    for (const int n : numbers(lengths[row[0]])) {
      attended.all.push_back(
          {.heads = std::stoi(heads[row[1]]),
           .n = n,
           .d = 64,
           .causal = row[2] == 1,
           .transform = {row[4] == 1 ? TransformId::kSoftmax : TransformId::kAdaptive, 1, {}},
           .numbers = row[3] == 1 ? AttentionNumbers::kBf16 : AttentionNumbers::kFloat});
    }
    attention = &attended;
    const ExperimentResult result = run_on("streaming", zoo_head("shipped"),
                                           {{"part", "attention"},
                                            {"lengths", lengths[row[0]]},
                                            {"heads", heads[row[1]]},
                                            {"causal", row[2] == 1 ? "1" : "0"},
                                            {"numbers", numbers_of[row[3]]},
                                            {"transform", transforms[row[4]]},
                                            {"spread", spreads[row[5]]},
                                            {"untimed", "1"}});
    claims.check(statements_of(result));
    const std::string sentence = result.figure.sentence;
    EXPECT_EQ(sentence.find("two passes") == std::string::npos, row[4] == 1) << sentence;
  }
  EXPECT_EQ(claims.never_made(), std::vector<std::string>());
}

// Times and what is not finite come from no run that could be made again.
TEST(StreamingStatements, OfMeasuredTimesAreTheirNumbers) {
  const std::vector<AttentionLength> rows = {{.n = 64,
                                              .seconds = 0.0123,
                                              .bytes = 66'560,
                                              .matrix_bytes = 16'384,
                                              .rows = 64,
                                              .checked_rows = 64,
                                              .out_error = NAN}};
  Claims claims({
      {"time (ms)",
       [](const Claim&) {
         return Truth{12.3, 1e-12};
       }},
      {"memory (MB)",
       [](const Claim&) {
         return Truth{0.06656, 1e-12};
       }},
      {"memory of all weights (MB)",
       [](const Claim&) {
         return Truth{0.016384, 1e-12};
       }},
      {"output that is not finite",
       [](const Claim&) {
         return Truth{1, 0};
       }},
  });
  const Statement sentence = attention_length_sentence(rows);
  claims.check(sentence);
  EXPECT_TRUE(sentence.text().ends_with("in all its rows its output is not finite."));
  EXPECT_EQ(claims.never_made(), std::vector<std::string>());
}

}  // namespace
}  // namespace dispersion
