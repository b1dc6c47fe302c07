// Long work asks whether to go on, after pieces that stay short, and ends when told to. Work that
// goes to the backend is counted there, in calls and items; the rest by its questions.

#include "core/progress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "core/cpu/cpu_evaluator.h"
#include "core/experiment/bounds.h"
#include "core/experiment/depth.h"
#include "core/experiment/entropy_surface.h"
#include "core/experiment/precision_comparison.h"
#include "core/experiment/size_table.h"
#include "core/experiment/streaming.h"
#include "core/experiment/table_one.h"
#include "core/experiment/temperature_fit.h"

namespace dispersion {
namespace {

// Computes nothing, and counts what it is asked for.
class CountingBackend : public Backend {
 public:
  std::string description() const override { return "counting"; }
  void load(const Recipe&, std::vector<TrainingState>) override {}
  TrainOutcome train(int, std::vector<StepRecord>&) override { return {}; }
  int head_count() const override { return 0; }
  TrainingState state(int) const override { return {}; }
  void attention_logits(const Parameters<float>&, ItemSetsView sets,
                        std::vector<float>& logits) override {
    count(sets.sets, sets.items);
    logits.assign(static_cast<std::size_t>(sets.sets) * static_cast<std::size_t>(sets.items), 0);
  }
  SetEvaluation evaluate(const Parameters<float>& head, ItemSetsView sets,
                         std::span<const AttentionTransform> transforms) override {
    count(sets.sets, sets.items);
    return empty_evaluation(head.shape.classes, sets.sets, sets.items, transforms);
  }
  SetEvaluation evaluate_drawn(const Parameters<float>& head, const DrawnSets& drawn,
                               std::span<const AttentionTransform> transforms,
                               const EvaluationSettings&,
                               std::vector<std::int32_t>& labels) override {
    count(drawn.sets, drawn.items);
    labels.assign(static_cast<std::size_t>(drawn.sets), 0);
    return empty_evaluation(head.shape.classes, drawn.sets, drawn.items, transforms);
  }

  int calls = 0;
  std::int64_t items = 0;
  std::int64_t most_items = 0;       // of one call
  std::chrono::milliseconds time{};  // that every call takes at least

 private:
  void count(int sets, int of_items) {
    const std::int64_t all = std::int64_t{sets} * of_items;
    if (time.count() > 0) std::this_thread::sleep_for(time);
    ++calls;
    items += all;
    most_items = std::max(most_items, all);
  }
};

// Of a call before the backend has shown that it is quick. On the direct path, the slowest, an item
// takes about half a microsecond on one core.
constexpr std::int64_t kMostItems = 1 << 16;
// Long for such a call: it must not be made longer.
constexpr std::chrono::milliseconds kLong{9};

const Parameters<float> kHead = initial_parameters({.width = 4, .classes = 2}, 1);
const std::array<int, 3> kSizes = {16, 1024, 16384};
constexpr int kSets = 600;
constexpr std::int64_t kItems = kSets * (16 + 1024 + 16384);

// Asked by `work`: says no at the question of this number.
class Questions {
 public:
  explicit Questions(int no_at) : no_at_(no_at) {}
  bool operator()(double share) {
    EXPECT_GE(share, last_);
    EXPECT_LE(share, 1);
    last_ = share;
    return ++asked != no_at_;
  }
  int asked = 0;

 private:
  int no_at_;
  double last_ = 0;
};

// `work` takes the question. Asks `least` times or more when it may go on, and never again after a
// no, whenever that comes.
template <class Work>
void expect_questions(Work work, int least) {
  Questions all(-1);
  work([&](double share) { return all(share); });
  EXPECT_GE(all.asked, least);
  for (const int no_at : {1, 2, all.asked / 2, all.asked}) {
    Questions some(no_at);
    work([&](double share) { return some(share); });
    EXPECT_EQ(some.asked, no_at);
  }
}

TEST(Progress, NobodyAskedMeansYes) {
  EXPECT_TRUE(Progress()(0.5));
  const Progress no = [](double) { return false; };
  EXPECT_FALSE(no(0.5));
}

TEST(Progress, IsStoppedWithItsPartsAndStaysSo) {
  double limit = 0.4;
  const Progress whole = [&](double share) { return share < limit; };
  const Progress second = whole.part(0.5, 1);
  EXPECT_FALSE(whole.stopped() || second.stopped());
  EXPECT_TRUE(whole.part(0, 0.5)(0.5));
  EXPECT_FALSE(whole.stopped());
  EXPECT_FALSE(second(0));
  EXPECT_TRUE(whole.stopped() && second.stopped());
  limit = 2;  // a no that is taken back changes nothing
  EXPECT_FALSE(whole(0));
  EXPECT_FALSE(second(1));
  EXPECT_FALSE(Progress().stopped());
}

TEST(Progress, APartReportsItsShareOfTheWhole) {
  std::vector<double> shares;
  const Progress whole = [&](double share) {
    shares.push_back(share);
    return share < 0.6;
  };
  const Progress half = whole.part(0.5, 1);
  EXPECT_TRUE(half(0));
  EXPECT_FALSE(half.part(0.5, 0.75)(1));
  EXPECT_EQ(shares, (std::vector<double>{0.5, 0.875}));
  EXPECT_TRUE(Progress().part(0, 0.5)(1));
}

TEST(TimeSlice, DoublesWhileQuickAndHalvesWhenSlow) {
  TimeSlice slice;
  EXPECT_EQ(slice.pieces(), 1);
  slice.took(slice.pieces(), 0.030);
  EXPECT_EQ(slice.pieces(), 1);
  for (const int expected : {2, 4, 8}) {
    slice.took(slice.pieces(), 0.001);
    EXPECT_EQ(slice.pieces(), expected);
  }
  slice.took(slice.pieces(), 0.012);
  EXPECT_EQ(slice.pieces(), 8);
  slice.took(slice.pieces(), 0.030);
  EXPECT_EQ(slice.pieces(), 4);
  for (int i = 0; i < 100; ++i)
    slice.took(slice.pieces(), 0.001);
  EXPECT_EQ(slice.pieces(), 256);
}

TEST(TimeSlice, ScalesACallThatWasCutShort) {
  TimeSlice slice;
  slice.took(1, 0.001);
  slice.took(2, 0.001);
  slice.took(1, 0.004);  // four would have taken 0.016
  EXPECT_EQ(slice.pieces(), 4);
}

// Whatever a piece takes, the calls settle between two thirds and five thirds of the slice.
TEST(TimeSlice, SettlesNearItsLength) {
  for (const double piece : {1e-6, 3e-5, 1e-3, 4e-3, 7e-3}) {
    TimeSlice slice(0.012, 1 << 20);
    for (int call = 0; call < 40; ++call)
      slice.took(slice.pieces(), slice.pieces() * piece);
    EXPECT_GE(slice.pieces() * piece, 0.008) << piece;
    EXPECT_LE(slice.pieces() * piece, 0.020) << piece;
  }
}

TEST(Progress, TheTableTakesOneShortCallAtATime) {
  CountingBackend backend;
  const std::vector<TableHead> heads = {{1, kHead}, {2, kHead}};
  for (const HeadPath path : {HeadPath::kDirect, HeadPath::kSpectral}) {
    backend = {};
    backend.time = kLong;
    TableRun run = start_table(
        heads, {.sizes = {kSizes.begin(), kSizes.end()}, .sets = kSets, .evaluation = {path}});
    for (int calls = 1; advance_table(run, heads, backend); ++calls)
      ASSERT_EQ(backend.calls, calls);
    EXPECT_EQ(backend.items, 2 * kItems);
    EXPECT_LE(backend.most_items, kMostItems);
  }
}

TEST(Progress, SizesAreEvaluatedInShortCalls) {
  CountingBackend backend;
  const std::array<AttentionTransform, 1> transforms;
  const auto work = [&](const Progress& keep_going) {
    evaluate_sizes(backend, kHead, 1, kSizes, kSets, transforms, keep_going, {});
  };
  work({});
  EXPECT_EQ(backend.items, kItems);
  EXPECT_GT(backend.most_items, kMostItems);  // quick calls grow
  backend = {};
  backend.time = kLong;
  work({});
  EXPECT_EQ(backend.items, kItems);
  EXPECT_LE(backend.most_items, kMostItems);
  expect_questions(work, static_cast<int>(kItems / kMostItems));
  backend = {};
  Questions third(3);
  work([&](double share) { return third(share); });
  EXPECT_EQ(backend.calls, 3);
}

TEST(Progress, PrecisionsAreComparedInShortCalls) {
  CountingBackend backend;
  PrecisionSettings settings;
  settings.sizes = {16, 1024};
  settings.sets = 64;
  const auto work = [&](const Progress& keep_going) {
    compare_precisions(backend, kHead, settings, keep_going);
  };
  work({});
  const int calls = backend.calls;
  EXPECT_LE(backend.most_items, kMostItems);
  expect_questions(work, calls);
  backend = {};
  Questions third(3);
  work([&](double share) { return third(share); });
  EXPECT_EQ(backend.calls, 2);
}

TEST(Progress, LogitsAndSurfacesOfAHeadComeInShortCalls) {
  CountingBackend backend;
  const std::vector<double> theta = {0.5, 1};
  const auto logits = [&](const Progress& keep_going) {
    size_logits(backend, kHead, 1, 1024, 256, keep_going);
  };
  const auto surface = [&](const Progress& keep_going) {
    head_entropy_surface(backend, kHead, 1, kSizes, theta, 20, keep_going);
  };
  expect_questions(logits, 4);
  expect_questions(surface, 1 + 1 + 5);
  EXPECT_LE(backend.most_items, kMostItems);
  backend = {};
  Questions third(3);
  surface([&](double share) { return third(share); });
  EXPECT_EQ(backend.calls, 3);
}

// Every set is searched at a hundred temperatures.
TEST(Progress, AFitTakesOneShortCallAtATime) {
  CountingBackend backend;
  FitRun run = start_fit({.sizes = {16, 1024, 16384}, .sets = 20, .seed = 1});
  for (int calls = 1; advance_fit(run, kHead, backend); ++calls)
    ASSERT_EQ(backend.calls, calls);
  EXPECT_EQ(backend.items, 20 * (16 + 1024 + 16384));
  EXPECT_LE(backend.most_items, 16384);
}

TEST(Progress, BoundsAskEveryFewSets) {
  SizeLogits logits = {1024, 256, {}};
  for (int i = 0; i < logits.items * logits.sets; ++i)
    logits.logits.push_back(static_cast<float>(i % 7));
  expect_questions([&](const Progress& keep_going) { bounds_row(logits, 1, keep_going); }, 4);
  expect_questions([&](const Progress& keep_going) { entropy_slopes(logits, keep_going); }, 4 * 41);
  EXPECT_FALSE(bounds_row(logits, 1, [](double) { return false; }));
  EXPECT_TRUE(entropy_slopes(logits, [](double) { return false; }).empty());
  // A stop loses the slope that was under way and keeps those before.
  Questions sixth(6);
  EXPECT_EQ(entropy_slopes(logits, [&](double share) { return sixth(share); }).size(), 1U);
}

TEST(Progress, PowerSeriesAskForEveryRow) {
  const auto work = [](const Progress& keep_going) {
    return power_series_regions({.points = 9}, {}, keep_going);
  };
  expect_questions(work, 4 * 9);
  Questions twelfth(12);
  EXPECT_EQ(work([&](double share) { return twelfth(share); }).size(), 1U);
}

TEST(Progress, StreamingAsksInEveryPassOverALongRow) {
  const std::vector<float> logits = uniform_logits(1, 150'000, 20, 0);
  expect_questions([&](const Progress& keep_going) { streaming_row(logits, 256, keep_going); },
                   8 * 3);
  EXPECT_FALSE(streaming_row(logits, 256, [](double) { return false; }));
}

TEST(Progress, StacksAskForEveryMatrixAndEveryFewRows) {
  const DepthShape shape = {.layers = 3, .width = 8, .vocabulary = 4};
  expect_questions([&](const Progress& keep_going) { return random_stack(shape, 1, keep_going); },
                   3 * 5);
  Questions seventh(7);
  const DepthStack part = random_stack(shape, 1, [&](double share) { return seventh(share); });
  const DepthStack stack = random_stack(shape, 1);
  ASSERT_EQ(part.layers.size(), 1U);
  EXPECT_EQ(part.layers[0].value, stack.layers[0].value);
  const std::vector<int> tokens = depth_tokens(TokenPattern::kRandom, 64, 4, 1);
  expect_questions(
      [&](const Progress& keep_going) {
        return run_stack(stack, tokens, {.causal = true}, keep_going);
      },
      3 * (64 / 16));
}

}  // namespace
}  // namespace dispersion
