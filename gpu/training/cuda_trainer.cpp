#include "gpu/training/cuda_trainer.h"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <thread>

#include "core/head/optimiser.h"
#include "core/spectral/points.h"
#include "gpu/kernels/node_table.h"
#include "gpu/kernels/training_kernels.h"

namespace dispersion {
namespace {

static_assert(kStepsBetweenPointChoices <= TrainingMemory::kRing);

void queue_step(Stream& stream, const GroupMemory& group) {
  launch_networks(stream, group);
  launch_node_logits(stream, group);
  launch_sets(stream, group);
  launch_node_gradients(stream, group);
  launch_networks_backward(stream, group);
  launch_weight_gradients(stream, group);
  launch_update(stream, group);
}

Graph record_steps(Stream& stream, const GroupMemory& group, int steps) {
  return stream.record([&] {
    for (int step = 0; step < steps; ++step)
      queue_step(stream, group);
  });
}

// No nodes: the direct path.
NodeTable chosen_nodes(int count, int most) {
  if (count == 0) return {};
  if (count < 0 || count > most || count % 4 != 0) {
    throw std::invalid_argument("a head with " + std::to_string(count) +
                                " interpolation points cannot be trained on a CUDA device");
  }
  return node_table(chebyshev_points(count));
}

// Calls use(now, kept) for the weights and both moments of a group, each [heads, kParameterStride].
template <class Use>
void for_each_state(const GroupMemory& group, Use use) {
  float* kept = group.kept;
  for (float* now : {group.parameters, group.first_moment, group.second_moment}) {
    use(now, kept);
    kept += static_cast<std::ptrdiff_t>(group.heads) * kParameterStride;
  }
}

int threads_for(int heads) {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, std::max(heads, 1));
}

}  // namespace

CudaTrainer::CudaTrainer(const Recipe& recipe, const std::vector<TrainingState>& heads,
                         DeviceUse use, int steps_per_graph)
    : recipe_(recipe),
      thread_pool_(threads_for(static_cast<int>(heads.size()))),
      steps_per_graph_(steps_per_graph),
      memory_(recipe, static_cast<int>(heads.size())),
      stream_(use) {
  for (const TrainingState& head : heads) {
    // More points than fit were chosen by a CPU: the direct path until the next choice.
    const bool direct = recipe.path == HeadPath::kDirect || head.item_points > kMostItemPoints;
    heads_.push_back({head.seed, head.step, direct ? 0 : head.item_points,
                      direct ? 0 : head.query_points, head.most_item_points});
  }
  upload(heads);
  upload_points();
}

void CudaTrainer::upload(const std::vector<TrainingState>& heads) {
  const GroupMemory& group = memory_.group();
  // Kernels read four parameters at a time, and so a little of what lies between two heads.
  for (float* padded :
       {group.parameters, group.first_moment, group.second_moment, group.gradient}) {
    stream_.fill_zero(padded, heads.size() * kParameterStride * sizeof(float));
  }
  for (std::size_t h = 0; h < heads.size(); ++h) {
    const std::size_t at = h * kParameterStride;
    const TrainingState& head = heads[h];
    stream_.upload<std::uint32_t>({&head.seed, 1}, memory_.seeds() + h);
    stream_.upload<std::int64_t>({&head.step, 1}, group.step + h);
    stream_.upload<float>(head.parameters.values, group.parameters + at);
    stream_.upload<float>(head.first_moment.values, group.first_moment + at);
    stream_.upload<float>(head.second_moment.values, group.second_moment + at);
  }
  stream_.fill_zero(group.failed, sizeof(int));
  stream_.fill_zero(group.overflowed, sizeof(int));
  stream_.fill_zero(group.arrived, sizeof(int));
  launch_transpose(stream_, group);
  stream_.synchronise();
}

Parameters<float> CudaTrainer::download(const float* from, int head) {
  Parameters<float> to(kHeadShape);
  stream_.download<float>(from + static_cast<std::ptrdiff_t>(head) * kParameterStride, to.values);
  stream_.synchronise();
  return to;
}

void CudaTrainer::require_known() const {
  if (!known_) {
    throw std::runtime_error(
        "the heads must be loaded again: training them failed, and their state is not known");
  }
}

TrainingState CudaTrainer::state(int head) {
  require_known();
  const HeadInfo& info = heads_[static_cast<std::size_t>(head)];
  const GroupMemory& group = memory_.group();
  return {info.seed,
          info.step,
          info.item_points,
          info.query_points,
          download(group.parameters, head),
          download(group.first_moment, head),
          download(group.second_moment, head),
          info.most_item_points};
}

// Heads whose points are chosen anew at the step they are at, as the CPU backend does it
// (core/cpu/head_trainer.cpp).
std::vector<int> CudaTrainer::due_heads() const {
  std::vector<int> due;
  if (recipe_.path == HeadPath::kDirect) return due;
  for (int h = 0; h < head_count(); ++h) {
    if (heads_[static_cast<std::size_t>(h)].step % kStepsBetweenPointChoices == 0) due.push_back(h);
  }
  return due;
}

// Fetches what points are chosen from: the parameters of this very step.
void CudaTrainer::download_parameters() {
  const std::span<float> to = memory_.parameters();
  stream_.download<float>(memory_.group().parameters, to);
  stream_.synchronise();
}

// From what download_parameters() fetched; the heads share the cores. Whether a head has other
// points than before.
bool CudaTrainer::choose_points(const std::vector<int>& due) {
  std::vector<char> changed(due.size(), 0);
  thread_pool_.run(static_cast<int>(due.size()), [&](int i, int) {
    const int head = due[static_cast<std::size_t>(i)];
    Parameters<float> parameters(kHeadShape);
    const auto from = memory_.parameters().begin() + head * std::ptrdiff_t{kParameterStride};
    std::copy_n(from, parameters.values.size(), parameters.values.begin());
    const SpectralPoints points = dispersion::choose_points(parameters, Spare::kOneStep);
    HeadInfo& info = heads_[static_cast<std::size_t>(head)];
    const int item = points.spectral() ? points.item : 0;
    const int query = points.spectral() ? points.query : 0;
    changed[static_cast<std::size_t>(i)] = item != info.item_points || query != info.query_points;
    info.item_points = item;
    info.query_points = query;
  });
  return std::ranges::any_of(changed, [](char c) { return c != 0; });
}

void CudaTrainer::upload_points() {
  nodes_.clear();
  for (const HeadInfo& head : heads_) {
    nodes_.push_back({chosen_nodes(head.item_points, kMostItemNodesPerClass),
                      chosen_nodes(head.query_points, kMostQueryNodes)});
  }
  stream_.upload<HeadNodes>(nodes_, memory_.group().nodes);
}

// Steps until the points of some head are chosen anew.
int CudaTrainer::steps_to_choice() const {
  std::int64_t steps = kStepsBetweenPointChoices;
  for (const HeadInfo& head : heads_) {
    steps = std::min(steps, kStepsBetweenPointChoices - head.step % kStepsBetweenPointChoices);
  }
  return static_cast<int>(steps);
}

// Adam's corrections of the next steps, computed here as for the CPU: a device would keep all of a
// step's last kernel waiting for two powers.
void CudaTrainer::upload_corrections(int steps) {
  const std::span<AdamCorrections> corrections = memory_.corrections();
  for (std::size_t h = 0; h < heads_.size(); ++h) {
    AdamCorrections correct = {};
    for (std::int64_t step = heads_[h].step + 1; step <= heads_[h].step + steps; ++step) {
      // Once both are 1, they are for good.
      if (correct.first != 1 || correct.second != 1) {
        const AdamStep<float> adam(recipe_, step);
        correct = {adam.correct1, adam.correct2};
      }
      corrections[h * TrainingMemory::kRing +
                  static_cast<std::size_t>(step % TrainingMemory::kRing)] = correct;
    }
  }
  stream_.upload<AdamCorrections>(corrections, memory_.group().corrections);
}

// Graphs of steps whose grids are right for the heads as they are: a head on the direct path needs
// blocks for all its items; where there is none, those would come and go for nothing.
void CudaTrainer::record_graphs() {
  GroupMemory group = memory_.group();
  group.any_direct =
      std::ranges::any_of(heads_, [](const HeadInfo& head) { return head.item_points == 0; });
  if (many_steps_ && group.any_direct == any_direct_) return;
  // Should the second fail, neither is of use.
  many_steps_ = {};
  one_step_ = record_steps(stream_, group, 1);
  many_steps_ = record_steps(stream_, group, steps_per_graph_);
  any_direct_ = group.any_direct;
}

void CudaTrainer::queue_steps(int steps) {
  record_graphs();
  int queued = 0;
  for (; queued + steps_per_graph_ <= steps; queued += steps_per_graph_)
    stream_.launch(many_steps_);
  for (; queued < steps; ++queued)
    stream_.launch(one_step_);
}

// Keeps the weights and moments as they are, on the device.
void CudaTrainer::keep_states() {
  const std::size_t count = heads_.size() * kParameterStride;
  for_each_state(memory_.group(),
                 [&](float* now, float* kept) { stream_.copy_on_device(now, count, kept); });
}

// Takes back what was kept, of the step that `heads_` is at, and trains on from there: steps can be
// repeated bit for bit, up to one whose update overflows, which leaves no state of the step before,
// or with other points.
void CudaTrainer::go_back_and_repeat(int steps) {
  const GroupMemory& group = memory_.group();
  const std::size_t count = heads_.size() * kParameterStride;
  for_each_state(group, [&](float* now, float* kept) { stream_.copy_on_device(kept, count, now); });
  launch_transpose(stream_, group);
  std::vector<std::int64_t> step;
  for (const HeadInfo& head : heads_)
    step.push_back(head.step);
  const WaitOnError wait(stream_);  // the copy reads `step` until then
  stream_.upload<std::int64_t>(step, group.step);
  stream_.fill_zero(group.failed, sizeof(int));
  stream_.fill_zero(group.overflowed, sizeof(int));
  queue_steps(steps);
  stream_.synchronise();
}

int CudaTrainer::collect(std::int64_t steps, TrainOutcome& outcome,
                         std::vector<StepRecord>& records) {
  int failed = 0;
  int overflowed = 0;
  std::int64_t now = 0;
  stream_.download<int>(memory_.group().failed, {&failed, 1});
  stream_.download<int>(memory_.group().overflowed, {&overflowed, 1});
  stream_.download<std::int64_t>(memory_.group().step, {&now, 1});
  stream_.synchronise();
  const int done = failed == 0 ? static_cast<int>(steps) : static_cast<int>(now - heads_[0].step);
  if (overflowed != 0) go_back_and_repeat(done);
  for (int step = 1; step <= done; ++step) {
    for (int h = 0; h < head_count(); ++h) {
      const std::int64_t number = heads_[static_cast<std::size_t>(h)].step + step;
      const StepReport& report =
          memory_.group().reports[h * TrainingMemory::kRing + number % TrainingMemory::kRing];
      records.push_back({report.step, h, report.cross_entropy, report.l2, report.accuracy});
    }
  }
  for (HeadInfo& head : heads_)
    head.step += done;
  if (failed != 0) {
    outcome.non_finite = true;
    outcome.non_finite_head = kMostHeads - failed;
    outcome.non_finite_step = heads_[static_cast<std::size_t>(outcome.non_finite_head)].step + 1;
    stream_.fill_zero(memory_.group().failed, sizeof(int));
  }
  return done;
}

// A choice of points takes the host as long as some 70 steps of one head take a fast device, and
// mostly changes nothing. So the device goes on with the points it has meanwhile, and does these
// steps again where the choice was another: the results are those of choosing first.
void CudaTrainer::queue_slice(int steps) {
  const std::vector<int> due = due_heads();
  if (!due.empty()) download_parameters();
  // A head that has not begun was never measured.
  const bool guess = std::ranges::none_of(
      due, [&](int h) { return heads_[static_cast<std::size_t>(h)].step == 0; });
  if (!guess && choose_points(due)) upload_points();
  keep_states();
  upload_corrections(steps);
  queue_steps(steps);
  if (!guess) return;
  if (!choose_points(due)) return;
  stream_.synchronise();  // the points on the device are in use
  upload_points();
  go_back_and_repeat(steps);
}

TrainOutcome CudaTrainer::train(int steps, std::vector<StepRecord>& records) {
  require_known();
  TrainOutcome outcome;
  while (outcome.steps_done < steps && !outcome.non_finite) {
    const int slice = std::min(steps - outcome.steps_done, steps_to_choice());
    known_ = false;  // what fails on the way may leave the device ahead of `heads_`
    queue_slice(slice);
    outcome.steps_done += collect(slice, outcome, records);
    known_ = true;
  }
  return outcome;
}

}  // namespace dispersion
