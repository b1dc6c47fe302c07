#include "core/cpu/cpu_backend.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "core/build_info.h"
#include "core/cpu/cpu_evaluator.h"
#include "core/cpu/cpu_rounded_evaluator.h"
#include "core/cpu/cpu_trainer.h"
#include "core/cpu/spectral_evaluator.h"
#include "core/cpu/thread_pool.h"
#include "core/math/product.h"

namespace dispersion {
namespace {

int available_threads() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

class CpuBackend : public Backend {
 public:
  CpuBackend(int threads, std::stop_token stop)
      : stop_(std::move(stop)), thread_pool_(threads), trainer_({}, {}, threads) {}

  std::string description() const override { return "CPU, " + cpu_instruction_set(); }

  std::string description_with_threads() const override {
    const int threads = thread_pool_.threads();
    return "CPU, " + std::to_string(threads) + (threads == 1 ? " thread, " : " threads, ") +
           cpu_instruction_set();
  }

  void load(const Recipe& recipe, std::vector<TrainingState> heads) override {
    validate(recipe);
    require_group(heads);
    trainer_ = CpuTrainer(recipe, std::move(heads), thread_pool_.threads(), stop_);
  }

  TrainOutcome train(int steps, std::vector<StepRecord>& records) override {
    return trainer_.train(steps, records, thread_pool_);
  }

  int head_count() const override { return trainer_.head_count(); }

  TrainingState state(int head) const override {
    if (head < 0 || head >= trainer_.head_count()) {
      throw std::invalid_argument("there is no head " + std::to_string(head));
    }
    return trainer_.state(head);
  }

  void attention_logits(const Parameters<float>& head, ItemSetsView sets,
                        std::vector<float>& logits) override {
    evaluate(head, sets, {.transforms = {}, .logits = &logits, .stop = stop_});
  }

  SetEvaluation evaluate(const Parameters<float>& head, ItemSetsView sets,
                         std::span<const AttentionTransform> transforms) override {
    return evaluate(head, sets, EvaluationRequest{.transforms = transforms, .stop = stop_});
  }

  SetEvaluation evaluate_with_logits(const Parameters<float>& head, ItemSetsView sets,
                                     std::span<const AttentionTransform> transforms,
                                     std::vector<float>& logits) override {
    return evaluate(head, sets,
                    EvaluationRequest{.transforms = transforms, .logits = &logits, .stop = stop_});
  }

  SetEvaluation evaluate_drawn(const Parameters<float>& head, const DrawnSets& drawn,
                               std::span<const AttentionTransform> transforms,
                               const EvaluationSettings& settings,
                               std::vector<std::int32_t>& labels) override {
    require_items(drawn.sets, drawn.items);
    if (path_in(settings.precision, settings.path) == HeadPath::kSpectral &&
        spectral_evaluator_.points(head).spectral()) {
      return spectral_evaluator_.evaluate_drawn(
          head, drawn, transforms, priority_rounding(settings.precision), thread_pool_, labels);
    }
    if (settings.precision != Precision::kFloat) {
      return rounded_evaluator_.evaluate(head, drawn, transforms, settings.precision, thread_pool_,
                                         labels, stop_);
    }
    ItemSets sets;
    draw_evaluation_sets(drawn, 0, drawn.sets, sets);
    labels.assign(sets.label.begin(), sets.label.end());
    return cpu_evaluate(head, sets.view(), {.transforms = transforms, .stop = stop_}, thread_pool_);
  }

 private:
  SetEvaluation evaluate(const Parameters<float>& head, const ItemSetsView& sets,
                         const EvaluationRequest& request) {
    require_items(sets.sets, sets.items);
    return spectral_evaluator_.points(head).spectral()
               ? spectral_evaluator_.evaluate(head, sets, request, thread_pool_)
               : cpu_evaluate(head, sets, request, thread_pool_);
  }

  std::stop_token stop_;
  ThreadPool thread_pool_;
  CpuTrainer trainer_;
  SpectralEvaluator spectral_evaluator_;
  CpuRoundedEvaluator rounded_evaluator_;
};

}  // namespace

std::string cpu_instruction_set() {
  std::string text(build_info().instruction_set);
  const std::string_view products = product_instruction_set();
  if (products != text) text.append(", products by ").append(products);
  return text;
}

std::unique_ptr<Backend> make_cpu_backend(int threads, std::stop_token stop) {
  if (threads < 0) throw std::invalid_argument("the number of threads must be at least 0");
  return std::make_unique<CpuBackend>(threads == 0 ? available_threads() : threads,
                                      std::move(stop));
}

}  // namespace dispersion
