#include "core/cpu/cpu_trainer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/head/adam.h"
#include "core/head/forward.h"
#include "core/head/regularisation.h"
#include "core/precision/rounding.h"

namespace dispersion {
namespace {

constexpr std::size_t kPieceSize = 8192;

std::size_t at(int row, int column, std::size_t columns) {
  return static_cast<std::size_t>(row) * columns + static_cast<std::size_t>(column);
}

}  // namespace

CpuTrainer::CpuTrainer(const Recipe& recipe, std::vector<TrainingState> heads, int threads)
    : recipe_(recipe), heads_(std::move(heads)) {
  batches_.resize(heads_.size());
  if (product_rounding(recipe_.precision) != Rounding::kNone) rounded_.resize(heads_.size());
  slices_.resize(heads_.size() * kSlices);
  for (std::size_t h = 0; h < heads_.size(); ++h) {
    for (int s = 0; s < kSlices; ++s) {
      slices_[h * kSlices + s].gradient = Parameters<float>(heads_[h].parameters.shape);
    }
  }
  const HeadShape shape = heads_.empty() ? HeadShape{} : heads_.front().parameters.shape;
  for (const TensorSlot& slot : parameter_layout(shape)) {
    for (std::size_t begin = 0; begin < slot.size(); begin += kPieceSize) {
      const std::size_t end = std::min(begin + kPieceSize, slot.size());
      pieces_.push_back({slot.offset + begin, slot.offset + end, slot.is_kernel});
    }
  }
  piece_results_.resize(heads_.size() * pieces_.size());
  spaces_.resize(static_cast<std::size_t>(threads));
}

TrainOutcome CpuTrainer::train(int steps, std::vector<StepRecord>& records, TaskTeam& team) {
  TrainOutcome outcome;
  const int heads = head_count();
  const int pieces = static_cast<int>(pieces_.size());
  for (int step = 0; step < steps; ++step) {
    draw_batches();
    team.run(heads * kSlices, [&](int task, int thread) {
      run_slice(task / kSlices, task % kSlices, spaces_[static_cast<std::size_t>(thread)]);
    });
    team.run(heads * pieces, [&](int task, int) { add_slices(task / pieces, task % pieces); });
    for (int h = 0; h < heads; ++h) {
      const StepRecord done = record(h);
      if (!finite(h, done)) {
        outcome.non_finite = true;
        outcome.non_finite_step = done.step;
        outcome.non_finite_head = h;
        records.resize(records.size() - static_cast<std::size_t>(h));
        return outcome;
      }
      records.push_back(done);
    }
    team.run(heads * pieces, [&](int task, int) { update(task / pieces, task % pieces); });
    for (TrainingState& head : heads_)
      ++head.step;
    ++outcome.steps_done;
  }
  return outcome;
}

void CpuTrainer::draw_batches() {
  for (std::size_t h = 0; h < heads_.size(); ++h) {
    const auto step = static_cast<std::uint32_t>(heads_[h].step);
    batches_[h].resize(
        recipe_.batch_sets,
        draw_batch_size(heads_[h].seed, step, recipe_.smallest_set, recipe_.largest_set));
    draw_item_sets(heads_[h].seed, RandomPurpose::kTraining, step, 0, batches_[h]);
    std::vector<float>& priority = batches_[h].priority;
    round_values(priority_rounding(recipe_.precision), priority.data(), priority.data(),
                 priority.size());
    if (!rounded_.empty())
      rounded_[h].assign(heads_[h].parameters, product_rounding(recipe_.precision));
  }
}

void CpuTrainer::run_slice(int head, int slice, ThreadSpace& space) {
  SliceResult& result = slices_[at(head, slice, kSlices)];
  const int sets = recipe_.batch_sets;
  const int first = sets * slice / kSlices;
  const int count = sets * (slice + 1) / kSlices - first;
  result.used = count > 0;
  result.loss = {};
  if (!result.used) return;
  const ItemSetsView view = batches_[static_cast<std::size_t>(head)].view().slice(first, count);
  result.loss = slice_gradient(head, view, space, result.gradient);
}

BatchLoss CpuTrainer::slice_gradient(int head, const ItemSetsView& sets, ThreadSpace& space,
                                     Parameters<float>& gradient) {
  const std::size_t h = static_cast<std::size_t>(head);
  const AttentionMap map;  // the paper trains with plain softmax at theta = 1
  const float set_weight = 1.0f / static_cast<float>(recipe_.batch_sets);
  if (!rounded_.empty()) {
    rounded_forward(rounded_[h], sets, map, space.rounded_activations);
    return rounded_backward(rounded_[h], sets, map, set_weight, space.rounded_activations,
                            space.rounded_backward, gradient);
  }
  forward(heads_[h].parameters, sets, map, space.activations);
  return backward(heads_[h].parameters, sets, map, BetaGradient::kStopped, set_weight,
                  space.activations, space.backward, gradient);
}

void CpuTrainer::add_slices(int head, int piece) {
  const Piece& range = pieces_[static_cast<std::size_t>(piece)];
  const std::size_t count = range.end - range.begin;
  const float* w = heads_[static_cast<std::size_t>(head)].parameters.values.data() + range.begin;
  // The last slice is never empty, whatever the batch; the sum goes where the update looks for it.
  float* sum = slices_[at(head, kSlices - 1, kSlices)].gradient.values.data() + range.begin;
  for (int s = 0; s + 1 < kSlices; ++s) {
    const SliceResult& slice = slices_[at(head, s, kSlices)];
    if (!slice.used) continue;
    const float* gradient = slice.gradient.values.data() + range.begin;
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
  PieceResult& result = piece_results_[at(head, piece, pieces_.size())];
  result = {};
  for (std::size_t l = 0; l < kLanes; ++l) {
    result.squares += static_cast<double>(squares[l]);
    result.finite = result.finite && nothing[l] == 0.0f;
  }
}

void CpuTrainer::update(int head, int piece) {
  TrainingState& state = heads_[static_cast<std::size_t>(head)];
  const Piece& range = pieces_[static_cast<std::size_t>(piece)];
  const AdamStep<float> adam(recipe_, state.step + 1);
  const Parameters<float>& gradient = slices_[at(head, kSlices - 1, kSlices)].gradient;
  adam.apply(state.parameters.values.data() + range.begin,
             state.first_moment.values.data() + range.begin,
             state.second_moment.values.data() + range.begin, gradient.values.data() + range.begin,
             range.end - range.begin, static_cast<float>(l2_terms(recipe_, range.is_kernel).decay));
}

StepRecord CpuTrainer::record(int head) const {
  BatchLoss loss;
  for (int s = 0; s < kSlices; ++s) {
    loss.cross_entropy += slices_[at(head, s, kSlices)].loss.cross_entropy;
    loss.correct += slices_[at(head, s, kSlices)].loss.correct;
  }
  double l2 = 0;
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    l2 += l2_terms(recipe_, pieces_[p].is_kernel).loss *
          piece_results_[at(head, static_cast<int>(p), pieces_.size())].squares;
  }
  const double sets = recipe_.batch_sets;
  return {heads_[static_cast<std::size_t>(head)].step + 1, head,
          static_cast<float>(loss.cross_entropy / sets), static_cast<float>(l2),
          static_cast<float>(loss.correct / sets)};
}

bool CpuTrainer::finite(int head, const StepRecord& record) const {
  if (!std::isfinite(record.cross_entropy) || !std::isfinite(record.l2)) return false;
  const auto first =
      piece_results_.begin() + static_cast<std::ptrdiff_t>(at(head, 0, pieces_.size()));
  return std::all_of(first, first + static_cast<std::ptrdiff_t>(pieces_.size()),
                     [](const PieceResult& result) { return result.finite; });
}

}  // namespace dispersion
