// What figures, the window and `train` say of training.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/experiment/training_history.h"
#include "core/figure/figures.h"
#include "core/figure/training_text.h"
#include "tests/statements/claims.h"

namespace dispersion {
namespace {

using Histories = std::vector<History>;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// A history in which so many of the 128 sets are right at these steps.
History history(std::uint32_t seed, const std::vector<std::pair<std::int64_t, double>>& right,
                double cross_entropy = 0.5) {
  History rows;
  for (const auto& [step, sets] : right) {
    HistoryRow row;
    row.seed = seed;
    row.step = step;
    row.accuracy = sets / 128;
    row.cross_entropy = cross_entropy / (1 + static_cast<double>(step));
    row.l2 = 0.25;
    rows.push_back(row);
  }
  return rows;
}

// Histories of every kind: learned, not learned, one row, one step, lost again, diverged, of
// different lengths, of one seed and of two equal ones, with shares of other numbers of sets.
std::vector<Histories> all_kinds() {
  const History learned = history(1, {{0, 13}, {100, 90}, {1000, 127}, {2000, 128}, {3000, 126}});
  History diverged = history(2, {{0, 12}, {100, 30}, {1000, 10}});
  diverged.back().cross_entropy = kNaN;
  std::vector<Histories> all = {
      {},
      {{}},
      {learned},
      {learned, {}},
      {diverged},
      {history(3, {{0, 13}})},
      {history(3, {{0, 13}, {1, 14}})},
      {history(4, {{0, 10}, {1000, 128}, {2000, 70}})},  // lost again
      {history(4, {{0, 128}, {1, 128}})},
      {history(5, {{0, 13}, {1000, 128 * 0.7501}})},
      {learned, diverged},
      {learned, history(1, {{0, 13}, {100, 100}, {1000, 120}})},  // two of one seed
      {learned, history(6, {{0, 9}, {100, 128}, {1000, 128}, {2000, 128}, {3000, 128}})},
      {learned, learned},
  };
  Histories ten;
  for (std::uint32_t seed = 1; seed <= 10; ++seed)
    ten.push_back(history(seed, {{0, 12.0 + seed}, {1000, 118.0 + seed}, {2000, 128.0 - seed}}));
  all.push_back(ten);
  return all;
}

// The rows of a step.
std::vector<HistoryRow> rows_at(const Histories& histories, double step) {
  std::vector<HistoryRow> rows;
  for (const History& history : histories) {
    for (const HistoryRow& row : history) {
      if (static_cast<double>(row.step) == step) rows.push_back(row);
    }
  }
  return rows;
}

double mean_accuracy(const std::vector<HistoryRow>& rows) {
  double sum = 0;
  for (const HistoryRow& row : rows)
    sum += row.accuracy;
  return sum / static_cast<double>(rows.size());
}

std::size_t with_rows(const Histories& histories) {
  return static_cast<std::size_t>(
      std::ranges::count_if(histories, [](const History& history) { return !history.empty(); }));
}

// Whether the accuracy is at least 95 % at every step from this one on, measured in all histories.
bool good_from(const Histories& histories, double from) {
  bool good = true;
  for (const History& history : histories) {
    for (const HistoryRow& row : history) {
      const auto step = static_cast<double>(row.step);
      if (step < from) continue;
      const auto rows = rows_at(histories, step);
      good = good && rows.size() == with_rows(histories) && mean_accuracy(rows) >= 0.95;
    }
  }
  return good;
}

// Where `records` are shown, their losses and accuracies.
Claims training_claims(const Histories& shown, const std::vector<StepRecord>& records,
                       std::int64_t steps_before) {
  const auto record_at = [&records, steps_before](const Claim& claim) {
    return *std::ranges::find_if(records, [&](const StepRecord& record) {
      return static_cast<double>(record.step + steps_before) == claim.at.front();
    });
  };
  return Claims({
      {"sets that are right",
       [&, record_at](const Claim& claim) {
         if (!records.empty())
           return Truth{128.0 * static_cast<double>(record_at(claim).accuracy), 1e-5};
         return Truth{128 * rows_at(shown, claim.at.front()).front().accuracy, 1e-9};
       }},
      {"accuracy (%)",
       [&, record_at](const Claim& claim) {
         if (!records.empty())
           return Truth{100.0 * static_cast<double>(record_at(claim).accuracy), 0};
         return Truth{100 * rows_at(shown, claim.at.front()).front().accuracy, 0};
       }},
      {"loss",
       [record_at](const Claim& claim) {
         const StepRecord record = record_at(claim);
         const double loss = static_cast<double>(record.cross_entropy) + record.l2;
         return Truth{loss, 1e-7 * loss};
       }},
      {"mean accuracy (%)",
       [&](const Claim& claim) {
         return Truth{100 * mean_accuracy(rows_at(shown, claim.at.front())), 1e-9};
       }},
      {"smallest accuracy (%)",
       [&](const Claim& claim) {
         return Truth{
             100 * std::ranges::min(rows_at(shown, claim.at.front()), {}, &HistoryRow::accuracy)
                       .accuracy,
             0};
       }},
      {"largest accuracy (%)",
       [&](const Claim& claim) {
         return Truth{
             100 * std::ranges::max(rows_at(shown, claim.at.front()), {}, &HistoryRow::accuracy)
                       .accuracy,
             0};
       }},
      {"heads with this step",
       [&](const Claim& claim) {
         return Truth{static_cast<double>(rows_at(shown, claim.at.front()).size()), 0};
       }},
      {"heads with a history",
       [&](const Claim&) {
         return Truth{static_cast<double>(with_rows(shown)), 0};
       }},
      {"histories",
       [&](const Claim&) {
         return Truth{static_cast<double>(with_rows(shown)), 0};
       }},
      {"one history",
       [&](const Claim&) {
         return Truth{with_rows(shown) == 1 ? 1.0 : 0.0, 0};
       }},
      {"every history has a seed of its own",
       [&](const Claim&) {
         std::set<std::uint32_t> seeds;
         for (const History& history : shown) {
           if (!history.empty()) seeds.insert(history.front().seed);
         }
         return Truth{seeds.size() == with_rows(shown) ? 1.0 : 0.0, 0};
       }},
      {"every step is in every history",
       [&](const Claim&) {
         bool every = true;
         for (const History& history : shown) {
           for (const HistoryRow& row : history)
             every =
                 every && rows_at(shown, static_cast<double>(row.step)).size() == with_rows(shown);
         }
         return Truth{every ? 1.0 : 0.0, 0};
       }},
      {"cross-entropy",
       [&](const Claim& claim) {
         Truth truth;
         const auto rows = rows_at(shown, claim.at.front());
         for (const HistoryRow& row : rows)
           truth.value += row.cross_entropy / static_cast<double>(rows.size());
         return truth;
       }},
      {"accuracy is at least 95 % from here on",
       [&](const Claim& claim) {
         return Truth{good_from(shown, claim.at.front()) ? 1.0 : 0.0, 0};
       }},
      {"accuracy rises to more than half",
       [&](const Claim&) {
         bool rises = true;
         for (const History& history : shown) {
           if (history.empty()) continue;
           rises = rises && history.size() > 1 && history.back().accuracy > 0.5 &&
                   history.back().accuracy > history.front().accuracy;
         }
         return Truth{rises ? 1.0 : 0.0, 0};
       }},
      {"values that are not finite",
       [&](const Claim&) {
         double count = 0;
         for (const StepRecord& record : records)
           count += std::isfinite(record.cross_entropy + record.l2) ? 0 : 1;
         for (const History& history : shown) {
           for (const HistoryRow& row : history)
             count += std::isfinite(row.cross_entropy + row.l2) ? 0 : 1;
         }
         return Truth{count, 0};
       }},
      // Step 0 has no place on a logarithmic axis; the loss has two curves.
      {"points not shown",
       [&](const Claim& claim) {
         return Truth{rows_at(shown, 0).empty() ? 0.0 : claim.of == "Loss" ? 2.0 : 1.0, 0};
       }},
      {"smoothed accuracy (%)",
       [](const Claim&) {
         return Truth{97.65625, 0};
       }},
  });
}

const std::vector<StepRecord> kRecords = {
    {.step = 1, .cross_entropy = 2.25F, .l2 = 0.0625F, .accuracy = 0.125F},
    {.step = 2, .cross_entropy = 3e-5F, .l2 = 1e-5F, .accuracy = 1},
    {.step = 3, .cross_entropy = 2e7F, .l2 = 0, .accuracy = 0.9997F},
    {.step = 4,
     .cross_entropy = std::numeric_limits<float>::infinity(),
     .l2 = 0,
     .accuracy = 0.5F}};

TEST(TrainingStatements, AreTrueOfHistoriesOfEveryKind) {
  Histories shown;
  std::vector<StepRecord> records;
  Claims claims = training_claims(shown, records, 100);
  for (Histories& each : all_kinds()) {
    shown = each;
    SCOPED_TRACE(training_sentence(shown).text());
    claims.check(statements_of(training_figure(shown)));
  }
  shown.clear();
  records = kRecords;
  for (std::size_t count = 1; count <= kRecords.size(); ++count) {
    records.resize(count, kRecords[count - 1]);
    records[count - 1] = kRecords[count - 1];
    claims.check(statements_of(run_figure({records, {}, 100}, 7)));
  }
  Claims of_batches = training_claims(shown, records, 0);
  for (const StepRecord& record : kRecords) {
    of_batches.check(batch_text(record));
    for (const NamedValue& value : batch_values(&record, 0.9765625, Recipe()))
      of_batches.check(value.value);
  }
  std::vector<std::string> missing = claims.never_made();
  for (const std::string& name : of_batches.never_made())
    EXPECT_TRUE(std::ranges::count(missing, name) == 0 || name != "smoothed accuracy (%)") << name;
  std::erase(missing, "smoothed accuracy (%)");
  EXPECT_EQ(missing, std::vector<std::string>());
}

TEST(TrainingStatements, OfWhatWasMeasuredBeforeARunCountTheSets) {
  const History before = history(1, {{0, 13}, {1000, 127}});
  Histories shown;
  std::vector<StepRecord> records = earlier_records({{}, before, 0});
  Claims claims = training_claims(shown, records, 0);
  const Figure figure = run_figure({{}, before, 0}, 1);
  claims.check(statements_of(figure));
  EXPECT_NE(figure.sentence.text().find("127 of the 128 sets of 16 items are right"),
            std::string::npos)
      << figure.sentence.text();
}

// 95 % that were reached and lost again are not said to be reached.
TEST(TrainingStatements, SayFromWhichStepAccuracyStays) {
  const auto sentence = [](const std::vector<std::pair<std::int64_t, double>>& right) {
    return training_sentence({history(1, right)}).text();
  };
  EXPECT_NE(sentence({{0, 9}, {10, 127}, {20, 128}}).find("at least 95 % from step 10 on"),
            std::string::npos);
  EXPECT_EQ(sentence({{0, 9}, {10, 127}, {20, 100}}).find("95 %"), std::string::npos);
  EXPECT_NE(sentence({{0, 9}, {10, 127}, {20, 100}, {30, 126}, {40, 126}}).find("from step 30 on"),
            std::string::npos);
  EXPECT_EQ(sentence({{0, 9}, {10, 127}}).find("95 %"), std::string::npos);
  EXPECT_EQ(sentence({{0, 9}}).find("Before its first step the head is right on 9 of the 128 sets"),
            0U);
  EXPECT_EQ(sentence({{0, 9}, {1, 10}}).find("After 1 step the head is right on 10 of"), 0U);
}

TEST(TrainingStatements, CallSeedsSeedsOnlyWhereTheyDiffer) {
  const History one = history(1, {{0, 9}, {10, 12}});
  const History again = history(1, {{0, 9}, {10, 13}});
  const History other = history(2, {{0, 9}});
  EXPECT_EQ(training_subtitle({one}).text(), "one seed, 128 sets of 16 items");
  EXPECT_EQ(training_subtitle({one, again}).text(),
            "mean and range of 2 histories, 128 sets of 16 items");
  EXPECT_EQ(training_subtitle({one, other}).text(),
            "mean and range of up to 2 seeds, 128 sets of 16 items");
  EXPECT_EQ(training_title({one}), "Loss and accuracy over training");
}

}  // namespace
}  // namespace dispersion
