#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/session/backend_source.h"
#include "app/session/mailbox.h"
#include "core/attention/attention_transform.h"
#include "core/backend.h"
#include "core/experiment/dispersion.h"
#include "core/experiment/size_table.h"
#include "core/head/recipe.h"
#include "core/head/training_state.h"

namespace dispersion {

// --- From the window to the worker ---

// Commands are all carried out, in order.
struct PlayCommand {
  std::int64_t stop_at = 100'000;  // training pauses by itself after this step
};
struct PauseCommand {};
struct StepCommand {};    // one step, then pause
struct RewindCommand {};  // back to the start of this run, weights too; pauses
struct NewRunCommand {    // fresh weights in the shape of the head that is open; pauses
  Recipe recipe;
  std::uint32_t seed = 1;
};
struct OpenCommand {  // a checkpoint to go on from; pauses. On failure nothing changes
  std::filesystem::path path;
};
struct BringBackCommand {
};  // the run that rewind, new run or open set aside; changes places with this
struct SaveCommand {
  std::filesystem::path path;
};
struct UseBackendCommand {  // the run continues, training or not. On failure nothing changes
  BackendChoice choice;
};
struct GoOnWithCpuCommand {
};  // after kDeviceLost: from the state that was kept, training if it was
using Command =
    std::variant<PlayCommand, PauseCommand, StepCommand, RewindCommand, NewRunCommand, OpenCommand,
                 BringBackCommand, SaveCommand, UseBackendCommand, GoOnWithCpuCommand>;

// What the window wants to see; only the newest counts.
struct ViewRequest {
  std::uint64_t revision = 0;  // grows with every change; comes back in ViewSnapshot
  std::vector<AttentionTransform> transforms = {AttentionTransform()};  // plain softmax first
  std::vector<int> sizes;      // ascending, e.g. 16 .. 16,384
  std::uint32_t set_seed = 1;  // of the evaluation sets
  bool visible = true;         // hidden: training gets (nearly) all the time
  int focused_items = 0;       // renewed before the other sizes of its class; 0: none

  bool operator==(const ViewRequest&) const = default;
};

// --- From the worker to the window ---

enum class RunPhase {
  kPaused,
  kTraining,
  kFinished,  // reached stop_at
  kDiverged,  // a loss was not finite; the last good state is kept
  // The device is gone, or does not take the head back: the newest copy that the host has is kept,
  // and nothing is computed until another backend is chosen.
  kDeviceLost,
};

struct RunStatus {
  // Which run: grows whenever a history of steps begins anew (new run, rewind, opened checkpoint,
  // first training of a head without moments).
  std::uint64_t run = 0;
  RunPhase phase = RunPhase::kPaused;
  Recipe recipe;
  std::uint32_t seed = 1;
  // Steps done in this run; of a head without moments that was not trained yet, its own.
  std::int64_t step = 0;
  // Those that the weights had behind them when this run was begun from a head without moments.
  std::int64_t steps_before = 0;
  std::int64_t stop_at = 0;
  double steps_per_second = 0;  // over the last second or so of training
  float loss = 0;               // cross-entropy + L2 of the newest step; NaN before the first
  float accuracy = 0;           // of the newest batches, smoothed
  std::string run_hash;         // 16 hexadecimal digits
  std::int64_t hash_step = 0;   // the step of run_hash: a little behind while training
  std::string head_source;      // where the run's first weights came from, in words
  std::string set_aside;        // the run that can be brought back, in words; empty: none
  std::string notice;           // e.g. why training stopped; empty when there is nothing to say
  std::string backend;          // one line
  BackendChoice choice;         // what was asked to compute
  // What computes: kCpu, or the device by its index.
  BackendChoice computing = {BackendChoice::Kind::kCpu, 0};
  std::string backend_note;     // one sentence: why CUDA is not used; empty: nothing to say
  std::string transforms_note;  // one sentence: which transforms the CPU computes for the device
  std::vector<std::string> devices;    // names of the CUDA devices there are
  std::optional<DeviceMemory> memory;  // of the device that computes
  // Points of the spectral path at hash_step; 0: the head is computed by the direct path.
  int item_points = 0;
  int query_points = 0;
};

// A head as it stood: never changed once made, so it can be evaluated while training goes on.
struct HeadVersion {
  std::uint64_t version = 0;  // grows whenever the weights change; 0: none
  std::shared_ptr<const TrainingState> state;
  std::uint64_t run = 0;  // RunStatus::run
};

// A training step of the run with this number.
struct RunRecord {
  std::uint64_t run = 0;
  StepRecord record;
};

// A picture of a head at one step under one ViewRequest. Frames arrive small sizes first: those not
// computed yet for `step` keep their older step.
struct ViewSnapshot {
  std::uint64_t revision = 0;
  std::vector<int> sizes;
  // Per size, in the order of `sizes`; null or items == 0 where nothing is there yet.
  std::vector<std::shared_ptr<const FrameLogits>> logits;
  std::vector<TransformFrames> transforms;  // as asked for; a frame per size in each
  std::vector<std::int64_t> frame_step;     // the training step each frame shows; -1: none yet
  std::vector<std::uint64_t> frame_run;     // RunStatus::run of that step
  // Accuracy and means over more and more sets: a row per transform and size.
  std::vector<SizeRow> rows;
  // Per size; -1: none yet, or still counted under an older transform or set seed.
  std::vector<std::int64_t> row_step;
  std::vector<std::uint64_t> row_run;
  std::int64_t step = 0;  // newest step of the run
  bool complete = false;  // every frame and row is of `step` and `revision`
};

// A finished save or open, or a failure, to be shown once.
struct Report {
  bool ok = true;
  std::string text;
};

// All that passes between the window's thread and the worker's.
struct Mailboxes {
  // To the worker, which the wake signal wakes when there is something to take.
  Drain<Command> commands;
  Latest<ViewRequest> request;
  WakeSignal wake_signal;
  // From the worker.
  Latest<RunStatus> status;
  Latest<std::shared_ptr<const ViewSnapshot>> view;
  Latest<HeadVersion> head;
  Drain<RunRecord> records;
  Drain<Report> reports;
};

}  // namespace dispersion
