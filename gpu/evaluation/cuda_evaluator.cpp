#include "gpu/evaluation/cuda_evaluator.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>

#include "core/attention/transforms.h"
#include "core/cpu/cpu_evaluator.h"
#include "gpu/kernels/evaluation_kernels.h"
#include "gpu/runtime/device.h"
#include "gpu/runtime/most_blocks.h"

namespace dispersion {
namespace {

// Of the multiprocessors, in the background.
constexpr double kBackgroundShare = 0.5;

void store(const EvaluationBuffers& buffers, int first, int count, SetEvaluation& to,
           std::vector<std::int32_t>* labels) {
  const std::size_t transforms = to.transforms.size();
  for (int s = 0; s < count; ++s) {
    const SetResult& set = buffers.results()[s];
    const std::size_t at = static_cast<std::size_t>(first) + static_cast<std::size_t>(s);
    to.logit_max[at] = set.logit_max;
    to.logit_min[at] = set.logit_min;
    to.argmax_logit[at] = set.argmax_logit;
    to.argmax_priority[at] = set.argmax_priority;
    to.largest_priorities[at] = set.largest_priorities;
    if (labels != nullptr) (*labels)[at] = set.label;
    for (std::size_t m = 0; m < transforms; ++m) {
      const TransformScore& score =
          buffers.transform_results()[static_cast<std::size_t>(s) * transforms + m];
      TransformEvaluation& transform = to.transforms[m];
      transform.entropy[at] = score.entropy;
      transform.beta[at] = score.beta;
      transform.weight_on_max[at] = score.weight_on_max;
      transform.predicted[at] = score.predicted;
      std::copy_n(score.class_logits, kHeadClasses,
                  transform.class_logits.begin() + at * kHeadClasses);
    }
  }
}

EvaluationTransforms transforms_of(std::span<const AttentionTransform> transforms) {
  if (transforms.size() > kMostTransforms) {
    throw std::invalid_argument("at most " + std::to_string(kMostTransforms) +
                                " transforms at a time");
  }
  for (const AttentionTransform& transform : transforms) {
    validate(transform);
    if (transform_definition(transform.id).on_device) continue;
    throw std::invalid_argument("the CUDA device does not take " +
                                std::string(transform_name(transform.id)));
  }
  EvaluationTransforms result;
  result.count = static_cast<int>(transforms.size());
  for (std::size_t m = 0; m < transforms.size(); ++m) {
    result.transform[m] = transforms[m];
    result.inverse_theta[m] = finite_scale(1 / transforms[m].theta);
  }
  return result;
}

}  // namespace

CudaEvaluator::CudaEvaluator(DeviceUse use)
    : block_shared_bytes_(most_shared_memory()),
      most_blocks_(most_blocks(use, kBackgroundShare)),
      stream_(use) {}

void CudaEvaluator::release_memory() {
  given_.release();
  buffers_.release();
}

// How many sets to take at a time: as many as usual, or as the memory holds where it is scarce.
// Throws what require_memory throws when it does not hold one.
int CudaEvaluator::sets_at_once(int sets, int items,
                                const std::function<std::size_t(std::int64_t)>& bytes_of_set) {
  if (items > kMostItems) {
    throw std::invalid_argument("the CUDA device takes sets of at most " +
                                std::to_string(kMostItems) + " items");
  }
  const std::size_t of_set = bytes_of_set(items);
  const std::size_t available = available_memory() + given_.bytes() + buffers_.bytes();
  const std::size_t fit = available / std::max<std::size_t>(of_set, 1);
  if (fit == 0) {
    release_memory();  // to say what fits without it
    require_memory(
        {"Evaluating a set of " + std::to_string(items) + " items", "items", items, bytes_of_set});
  }
  const auto usual =
      static_cast<std::size_t>(std::min(sets, EvaluationBuffers::sets_at_once(items)));
  return static_cast<int>(std::max<std::size_t>(1, std::min(usual, fit)));
}

void CudaEvaluator::for_each_part(const EvaluationHead& head, const ItemSetsView& given,
                                  std::size_t transforms, std::vector<float>* logits,
                                  const std::function<void(const GivenSets&, int)>& use) {
  const auto area = [&](int sets) {
    return static_cast<std::size_t>(sets) * static_cast<std::size_t>(given.items);
  };
  const bool wanted = logits != nullptr;
  if (wanted) logits->resize(area(given.sets));
  const int at_once = sets_at_once(given.sets, given.items, [&](std::int64_t items) {
    return EvaluationBuffers::bytes_of_set(head, static_cast<int>(items),
                                           static_cast<int>(transforms)) +
           GivenSets::bytes_of_set(static_cast<int>(items), wanted);
  });
  const WaitOnError wait(stream_);
  for (int first = 0; first < given.sets; first += at_once) {
    const int count = std::min(at_once, given.sets - first);
    const GivenSets part(given.slice(first, count), wanted, given_, stream_);
    use(part, first);
    if (wanted) part.fetch_logits(std::span(*logits).subspan(area(first), area(count)), stream_);
  }
}

const DeviceHead& CudaEvaluator::prepare(const Parameters<float>& head, HeadPath path) {
  if (head.shape != kHeadShape) {
    throw std::invalid_argument("the CUDA backend takes heads of width " + std::to_string(kWidth) +
                                " with " + std::to_string(kHeadClasses) + " classes");
  }
  if (!parameters_ || !same_bits(*parameters_, head)) {
    parameters_.reset();
    spectral_.reset();
    direct_.reset();
    points_ = choose_points(head, Spare::kNone);
    parameters_ = head;
  }
  const bool spectral = path == HeadPath::kSpectral && points_.spectral();
  std::optional<DeviceHead>& prepared = spectral ? spectral_ : direct_;
  if (!prepared) {
    prepared.emplace(head, spectral ? points_ : SpectralPoints(), block_shared_bytes_,
                     spectral ? spectral_memory_ : direct_memory_, stream_);
  }
  return *prepared;
}

void CudaEvaluator::score(const DeviceHead& head, const EvaluationMemory& memory) {
  const auto launch_scores = head.spectral() ? launch_spectral_scores : launch_direct_scores;
  launch_scores(stream_, head.view(), memory);
}

// Sets of one call to the kernels; results go to `evaluation` from set `first` on.
void CudaEvaluator::run(const DeviceHead& head, const EvaluationSets& sets,
                        std::span<const AttentionTransform> transforms, float* logits, int first,
                        SetEvaluation& evaluation, std::vector<std::int32_t>* labels) {
  EvaluationBuffers buffers(head.view(), sets, transforms_of(transforms), buffers_);
  EvaluationMemory memory = buffers.memory();
  memory.most_blocks = most_blocks_;
  memory.logits = logits;
  stream_.fill_zero(buffers.moments(), buffers.moment_bytes());
  score(head, memory);
  launch_merge_scores(stream_, head.view(), memory);
  const auto launch_pool = head.spectral() ? launch_spectral_pool : launch_direct_pool;
  launch_pool(stream_, head.view(), memory);
  launch_classify(stream_, head.view(), memory);
  buffers.fetch(stream_);
  stream_.synchronise();
  store(buffers, first, sets.sets, evaluation, labels);
}

SetEvaluation CudaEvaluator::evaluate_drawn(const Parameters<float>& head, const DrawnSets& drawn,
                                            std::span<const AttentionTransform> transforms,
                                            HeadPath path, std::vector<std::int32_t>& labels) {
  const DeviceHead& prepared = prepare(head, path);
  SetEvaluation result = empty_evaluation(kHeadClasses, drawn.sets, drawn.items, transforms);
  labels.resize(static_cast<std::size_t>(drawn.sets));
  const int at_once = sets_at_once(drawn.sets, drawn.items, [&](std::int64_t items) {
    return EvaluationBuffers::bytes_of_set(prepared.view(), static_cast<int>(items),
                                           static_cast<int>(transforms.size()));
  });
  for (int first = 0; first < drawn.sets; first += at_once) {
    EvaluationSets sets;
    sets.sets = std::min(at_once, drawn.sets - first);
    sets.items = drawn.items;
    sets.seed = drawn.seed;
    sets.first_set = drawn.first_set + static_cast<std::uint32_t>(first);
    run(prepared, sets, transforms, nullptr, first, result, &labels);
  }
  return result;
}

SetEvaluation CudaEvaluator::evaluate(const Parameters<float>& head, const ItemSetsView& given,
                                      std::span<const AttentionTransform> transforms,
                                      std::vector<float>* logits) {
  const DeviceHead& prepared = prepare(head, HeadPath::kSpectral);
  SetEvaluation result = empty_evaluation(kHeadClasses, given.sets, given.items, transforms);
  for_each_part(prepared.view(), given, transforms.size(), logits,
                [&](const GivenSets& part, int first) {
                  run(prepared, part.sets(), transforms, part.logits(), first, result, nullptr);
                });
  return result;
}

void CudaEvaluator::attention_logits(const Parameters<float>& head, const ItemSetsView& given,
                                     std::vector<float>& logits) {
  const DeviceHead& prepared = prepare(head, HeadPath::kSpectral);
  for_each_part(prepared.view(), given, 0, &logits, [&](const GivenSets& part, int) {
    const EvaluationBuffers buffers(prepared.view(), part.sets(), {}, buffers_);
    EvaluationMemory memory = buffers.memory();
    memory.most_blocks = most_blocks_;
    memory.logits = part.logits();
    score(prepared, memory);
    stream_.synchronise();  // before the buffers go
  });
}

}  // namespace dispersion
