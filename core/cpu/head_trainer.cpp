#include "core/cpu/head_trainer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/head/forward.h"
#include "core/head/optimiser.h"
#include "core/precision/rounding.h"
#include "core/spectral/points.h"

namespace dispersion {
namespace {

constexpr std::size_t kPieceSize = 8192;

}  // namespace

HeadTrainer::Source HeadTrainer::spectral_source(TensorId id) {
  if (id <= TensorId::kItem1Bias) return Source::kHalves;
  if (id <= TensorId::kKeyBias) return Source::kQueries;
  return Source::kSlices;
}

HeadTrainer::HeadTrainer(const Recipe& recipe, TrainingState state)
    : recipe_(recipe), state_(std::move(state)) {
  parts_.resize(kSlices);
  for (Part& part : parts_)
    part.gradient = Parameters<float>(state_.parameters.shape);
  const ParameterLayout layout = parameter_layout(state_.parameters.shape);
  for (std::size_t id = 0; id < layout.size(); ++id) {
    const TensorSlot& slot = layout[id];
    for (std::size_t begin = 0; begin < slot.size(); begin += kPieceSize) {
      const std::size_t end = std::min(begin + kPieceSize, slot.size());
      pieces_.push_back({slot.offset + begin, slot.offset + end, slot.is_kernel,
                         spectral_source(static_cast<TensorId>(id))});
    }
  }
  piece_results_.resize(pieces_.size());
  if (recipe_.path == HeadPath::kDirect) state_.item_points = state_.query_points = 0;
  take_points();
}

// Makes ready for the points of the state.
void HeadTrainer::take_points() {
  if (!spectral()) return;
  spectral_.set_points(state_.parameters.shape, state_.item_points, state_.query_points);
}

void HeadTrainer::restore(const TrainingState& state) {
  state_ = state;
  take_points();
}

void HeadTrainer::choose_points() {
  if (recipe_.path == HeadPath::kDirect || state_.step % kStepsBetweenPointChoices != 0) return;
  const SpectralPoints points =
      dispersion::choose_points(state_.parameters, Spare::kOneStep, state_.most_item_points);
  state_.item_points = points.spectral() ? points.item : 0;
  state_.query_points = points.spectral() ? points.query : 0;
  take_points();
}

int HeadTrainer::tasks(Phase phase) const {
  switch (phase) {
    case Phase::kBegin:
      return spectral() ? SpectralStep<float>::kPrepareTasks : 1;
    case Phase::kSlices:
      return spectral() ? SpectralStep<float>::kSlices : kSlices;
    case Phase::kNodes:
      return spectral() ? SpectralStep<float>::kFinishTasks : 0;
    case Phase::kSum:
    case Phase::kUpdate:
      return static_cast<int>(pieces_.size());
  }
  return 0;
}

void HeadTrainer::run(Phase phase, int task, TrainerSpace& space) {
  switch (phase) {
    case Phase::kBegin:
      return begin(task);
    case Phase::kSlices:
      return spectral() ? run_spectral_slice(task, space) : run_slice(task, space);
    case Phase::kNodes:
      return spectral_.finish(task, state_.parameters, space.spectral,
                              part(task == 0 ? kSlices - 2 : kSlices - 1).gradient);
    case Phase::kSum:
      return sum_parts(task);
    case Phase::kUpdate:
      return update(task);
  }
}

void HeadTrainer::draw_batch() {
  const auto step = static_cast<std::uint32_t>(state_.step);
  batch_.resize(recipe_.batch_sets,
                draw_batch_size(state_.seed, step, recipe_.smallest_set, recipe_.largest_set));
  draw_item_sets(state_.seed, RandomPurpose::kTraining, step, 0, batch_);
  round_values(priority_rounding(recipe_.precision), batch_.priority.data(), batch_.priority.data(),
               batch_.priority.size());
  if (rounded()) rounded_head_.assign(state_.parameters, product_rounding(recipe_.precision));
}

void HeadTrainer::begin(int task) {
  constexpr int kBatchTask = 3;  // of SpectralStep::prepare
  if (!spectral()) return draw_batch();
  if (task == kBatchTask) draw_batch();
  spectral_.prepare(task, state_.parameters, task == kBatchTask ? batch_.view() : ItemSetsView());
}

void HeadTrainer::run_slice(int slice, TrainerSpace& space) {
  Part& result = part(slice);
  const int sets = recipe_.batch_sets;
  const int first = sets * slice / kSlices;
  const int count = sets * (slice + 1) / kSlices - first;
  result.used = count > 0;
  result.loss = {};
  if (!result.used) return;
  result.loss = slice_gradient(batch_.view().slice(first, count), space, result.gradient);
}

// Forward and backward on some sets of the batch; replaces `gradient`.
BatchLoss HeadTrainer::slice_gradient(const ItemSetsView& sets, TrainerSpace& space,
                                      Parameters<float>& gradient) const {
  const AttentionTransform transform;  // the paper trains with plain softmax at theta = 1
  const float set_weight = 1.0f / static_cast<float>(recipe_.batch_sets);
  if (rounded()) {
    rounded_forward(rounded_head_, sets, transform, space.rounded_activations);
    return rounded_backward(rounded_head_, sets, transform, set_weight, space.rounded_activations,
                            space.rounded_backward, gradient);
  }
  forward(state_.parameters, sets, transform, space.activations);
  return backward(state_.parameters, sets, transform, BetaGradient::kStopped, set_weight,
                  space.activations, space.backward, gradient);
}

void HeadTrainer::run_spectral_slice(int slice, TrainerSpace& space) {
  constexpr int kFirst = kSlices - SpectralStep<float>::kSlices;
  for (int unused = 0; slice == 0 && unused < kFirst; ++unused)
    part(unused).loss = {};
  Part& result = part(kFirst + slice);
  result.loss = spectral_.run_slice(slice, state_.parameters, batch_.view(), AttentionTransform(),
                                    space.spectral, result.gradient);
  using Step = SpectralStep<float>;
  result.used = Step::slice_begin(slice, batch_.sets) < Step::slice_begin(slice + 1, batch_.sets);
}

// Whether a part before the last has a share in the gradient of a piece.
bool HeadTrainer::holds(int part, const Piece& piece) const {
  const bool used = parts_[static_cast<std::size_t>(part)].used;
  if (!spectral()) return used;
  switch (piece.spectral_source) {
    case Source::kSlices:
      return part >= kSlices - SpectralStep<float>::kSlices && used;
    case Source::kHalves:
      return part == kSlices - 2;
    case Source::kQueries:
      break;
  }
  return false;
}

void HeadTrainer::sum_parts(int piece) {
  const Piece& range = pieces_[static_cast<std::size_t>(piece)];
  const std::size_t count = range.end - range.begin;
  const float* w = state_.parameters.values.data() + range.begin;
  // The last part is never empty, whatever the batch; the sum goes where the update looks for it.
  float* sum = part(kSlices - 1).gradient.values.data() + range.begin;
  for (int p = 0; p + 1 < kSlices; ++p) {
    if (!holds(p, range)) continue;
    const float* gradient = part(p).gradient.values.data() + range.begin;
    for (std::size_t i = 0; i < count; ++i)
      sum[i] += gradient[i];
  }
  const float l2 = static_cast<float>(l2_terms(recipe_, range.is_kernel).gradient);
  constexpr std::size_t kLanes = 16;
  float squares[kLanes] = {};
  float nothing[kLanes] = {};  // stays 0 as long as the gradient is finite
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::size_t l = 0; l < kLanes; ++l) {
      squares[l] = std::fma(w[i + l], w[i + l], squares[l]);
      sum[i + l] = std::fma(l2, w[i + l], sum[i + l]);
      nothing[l] = std::fma(sum[i + l], 0.0f, nothing[l]);
    }
  }
  for (std::size_t l = 0; i < count; ++i, ++l) {
    squares[l] = std::fma(w[i], w[i], squares[l]);
    sum[i] = std::fma(l2, w[i], sum[i]);
    nothing[l] = std::fma(sum[i], 0.0f, nothing[l]);
  }
  PieceResult& result = piece_results_[static_cast<std::size_t>(piece)];
  result = {};
  for (std::size_t l = 0; l < kLanes; ++l) {
    result.squares += static_cast<double>(squares[l]);
    result.finite = result.finite && nothing[l] == 0.0f;
  }
}

void HeadTrainer::update(int piece) {
  const Piece& range = pieces_[static_cast<std::size_t>(piece)];
  const AdamStep<float> adam(recipe_, state_.step + 1);
  const Parameters<float>& gradient = part(kSlices - 1).gradient;
  adam.apply(state_.parameters.values.data() + range.begin,
             state_.first_moment.values.data() + range.begin,
             state_.second_moment.values.data() + range.begin, gradient.values.data() + range.begin,
             range.end - range.begin, static_cast<float>(l2_terms(recipe_, range.is_kernel).decay));
}

HeadTrainer::Outcome HeadTrainer::finish_step() const {
  BatchLoss loss;
  for (const Part& part : parts_) {
    loss.cross_entropy += part.loss.cross_entropy;
    loss.correct += part.loss.correct;
  }
  double l2 = 0;
  bool finite = true;
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    l2 += l2_terms(recipe_, pieces_[p].is_kernel).loss * piece_results_[p].squares;
    finite = finite && piece_results_[p].finite;
  }
  const double sets = recipe_.batch_sets;
  const StepRecord record{state_.step + 1, 0, static_cast<float>(loss.cross_entropy / sets),
                          static_cast<float>(l2), static_cast<float>(loss.correct / sets)};
  finite = finite && std::isfinite(record.cross_entropy) && std::isfinite(record.l2);
  return {record, finite};
}

}  // namespace dispersion
