// Several users at once, each on a thread and a backend of its own, and one backend that trains a
// head and evaluates it in turn.

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/gpu/conformance/conformance.h"

namespace dispersion {
namespace {

class ConformanceUsers : public ConformanceTest {};

struct Work {
  std::string trained;  // hash
  SetEvaluation evaluated;
  std::vector<float> logits;
  std::vector<float> attended;
};

void train(Backend& backend, Work& work) {
  Recipe recipe;
  recipe.batch_sets = 8;
  backend.load(recipe, {start_training({}, 1), start_training({}, 2)});
  std::vector<StepRecord> records;
  for (int call = 0; call < 4; ++call)
    backend.train(1, records);
  work.trained = run_hash(recipe, backend.state(1));
}

void evaluate(Backend& backend, Work& work) {
  std::vector<std::int32_t> labels;
  const Parameters<float>& head = conformance_head(HeadKind::kShipped);
  const DrawnSets drawn{.seed = 1, .items = 300, .first_set = 0, .sets = 4};
  for (int call = 0; call < 3; ++call)
    work.evaluated = backend.evaluate_drawn(head, drawn, every_transform(), {}, labels);
  ItemSets sets;
  draw_evaluation_sets(drawn, 0, drawn.sets, sets);
  backend.attention_logits(head, sets.view(), work.logits);
}

void attend(SequenceBackend& backend, Work& work) {
  const SequenceAttention attention = {.heads = 1, .n = 70, .d = 64, .causal = true};
  const auto run = backend.attend(attention, draw_sequences(attention, 1, 3), {});
  if (run) work.attended = run->attended.out;
}

// Made on one thread and used on others, as the program does, which computes its experiments in the
// background.
TEST_P(ConformanceUsers, SeveralAtOnceDisturbNobody) {
  const auto trains = make_counted_backend(GetParam());
  const auto evaluates = make_counted_backend(GetParam(), DeviceUse::kBackground);
  const auto attends = make_counted_sequence_backend(GetParam());
  Work alone;
  train(*trains, alone);
  evaluate(*evaluates, alone);
  attend(*attends, alone);
  EXPECT_EQ(alone.attended.size(), 70U * 64U);
  Work together;
  {
    const std::jthread a([&] { train(*trains, together); });
    const std::jthread b([&] { evaluate(*evaluates, together); });
    const std::jthread c([&] { attend(*attends, together); });
  }
  EXPECT_EQ(together.trained, alone.trained);
  for (int set = 0; set < 4; ++set)
    expect_same_set(together.evaluated, set, alone.evaluated, set);
  EXPECT_EQ(together.logits, alone.logits);
  EXPECT_EQ(together.attended, alone.attended);
}

// The head that trains is looked at between steps, and neither disturbs the other.
TEST_P(ConformanceUsers, OneBackendTrainsAndEvaluates) {
  const auto backend = make_counted_backend(GetParam());
  Work apart;
  train(*backend, apart);
  Recipe recipe;
  recipe.batch_sets = 8;
  backend->load(recipe, {start_training({}, 1), start_training({}, 2)});
  std::vector<StepRecord> records;
  ItemSets sets;
  draw_evaluation_sets({.items = 30, .sets = 2}, 0, 2, sets);
  const std::vector<AttentionTransform> transforms = every_transform();
  for (int call = 0; call < 4; ++call) {
    backend->train(1, records);
    const Parameters<float> head = backend->state(0).parameters;
    expect_defined(backend->evaluate(head, sets.view(), transforms), sets.view(), transforms,
                   define_sets(head, sets.view(), transforms));
  }
  EXPECT_EQ(run_hash(recipe, backend->state(1)), apart.trained);
}

INSTANTIATE_TEST_SUITE_P(Conformance, ConformanceUsers, testing::ValuesIn(kEveryBackend),
                         [](const auto& on) { return backend_kind(on.param); });

}  // namespace
}  // namespace dispersion
