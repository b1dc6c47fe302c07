#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/session/backend_source.h"
#include "app/session/bookmarks.h"
#include "app/session/head_name.h"
#include "app/session/mailbox.h"
#include "core/attention/attention_transform.h"
#include "core/backend.h"
#include "core/experiment/dispersion.h"
#include "core/experiment/size_table.h"
#include "core/experiment/training_history.h"
#include "core/head/recipe.h"
#include "core/head/training_state.h"

namespace dispersion {

struct ShippedData;  // app/session/shipped_data.h

// --- From the window to the worker ---

// Commands are all carried out, in order.
struct PlayCommand {
  // Training pauses by itself after this step, counted from the head's first weights on.
  std::int64_t stop_at = 100'000;
};
struct PauseCommand {};
struct StepCommand {};    // one step, then pause
struct RewindCommand {};  // back to the first weights of this run; pauses
struct NewRunCommand {    // new random weights in the shape of the open head; pauses
  Recipe recipe;
  std::uint32_t seed = 1;
};
struct OpenCommand {  // opens a checkpoint; pauses. On failure nothing changes
  std::filesystem::path path;
  std::uint64_t id = 0;  // comes back in the report
};
struct OpenKeptCommand {  // the same with a run that was kept (kept_runs.h)
  std::filesystem::path path;
};
struct DiscardKeptCommand {
  std::filesystem::path path;
};
// Opens the run that a rewind, a new run or an opened file replaced last; sent again, the one
// before it. The open run comes last then, if it was trained.
struct BringBackCommand {};
// Opens a run that was replaced, as it stood; the open one can be returned to in the same way.
struct SwitchRunCommand {
  std::uint64_t run = 0;  // RunStatus::open_run of that run
};
// Opens the head of this name, from wherever one is at hand: the open run, those that were
// replaced, `shipped`, `files`, or fresh weights. One that is none of these is trained again where
// its first weights are at hand. Where they are not either, nothing changes and the report says
// which head was not found.
struct FindHeadCommand {
  HeadName head;
  std::shared_ptr<const ShippedData> shipped;
  std::vector<std::filesystem::path> files;
  std::uint64_t id = 0;  // comes back in the report
  bool saved = true;     // whether those in `shipped` are kept anywhere else
};
// Makes, changes or removes a bookmark; then the list of all is sent again.
struct BookmarkCommand {
  enum class Act { kAdd, kChange, kRemove };
  Act act = Act::kAdd;
  std::filesystem::path folder;
  Bookmark bookmark;  // without id where it is new; its state names the open head then
};
struct SaveCommand {
  std::filesystem::path path;
  bool replace = false;  // what is there already; else the head is saved under another name
  std::uint64_t id = 0;  // comes back in the report
};
struct UseBackendCommand {  // the run continues, training or not. On failure nothing changes
  BackendChoice choice;
};
// After kDeviceLost: the CPU continues from the kept head, training if the run was training.
struct GoOnWithCpuCommand {};
using Command = std::variant<PlayCommand, PauseCommand, StepCommand, RewindCommand, NewRunCommand,
                             OpenCommand, OpenKeptCommand, DiscardKeptCommand, BringBackCommand,
                             SwitchRunCommand, FindHeadCommand, BookmarkCommand, SaveCommand,
                             UseBackendCommand, GoOnWithCpuCommand>;

// What the window wants to see; only the newest counts.
struct ViewRequest {
  std::uint64_t revision = 0;  // grows with every change; comes back in ViewSnapshot
  std::vector<AttentionTransform> transforms = {AttentionTransform()};  // plain softmax first
  std::vector<int> sizes;      // ascending, e.g. 16 .. 16,384
  std::uint32_t set_seed = 1;  // of the evaluation sets
  bool visible = true;         // false: training gets nearly all the time
  int focused_items = 0;       // renewed before the other sizes of its class; 0: none

  bool operator==(const ViewRequest&) const = default;
};

// --- From the worker to the window ---

enum class RunPhase {
  kPaused,
  kTraining,
  kFinished,  // reached stop_at
  kDiverged,  // a loss was not finite; the last good state is kept
  // The device is gone or refuses the head: the newest copy on the host is kept, and nothing is
  // computed until the user selects another backend.
  kDeviceLost,
};

// RunStatus::open_run of the run with which a session begins.
inline constexpr std::uint64_t kFirstRun = 1;

struct RunStatus {
  std::uint64_t commands_done = 0;  // so many commands of the window are carried out
  std::uint64_t reports_made = 0;   // so many reports there were until then
  // The open run, as SwitchRunCommand names it. Unlike `run` it stays the same when the run is
  // opened again, and when it is trained on with fresh moments.
  std::uint64_t open_run = 0;
  std::string began;                      // how it came to be open: "new run, seed 2"
  std::vector<std::uint64_t> other_runs;  // to which SwitchRunCommand can return
  // The number of the run. It grows whenever a new history of steps begins: with a new run, a
  // rewind, an opened checkpoint, and the first training of a head without moments.
  std::uint64_t run = 0;
  RunPhase phase = RunPhase::kPaused;
  bool has_run = true;  // as in Checkpoint: false where recipe, seed and step are unknown
  Recipe recipe;
  std::uint32_t seed = 1;
  // Steps done in this run. A head without moments that is not trained yet has the step of its
  // file.
  std::int64_t step = 0;
  // Steps that a head without moments had been trained before this run began with its weights.
  std::int64_t steps_before = 0;
  // What was measured while the head was trained before this run; null: nothing is known.
  std::shared_ptr<const History> earlier;
  std::int64_t stop_at = 0;     // as in PlayCommand, steps_before included
  double steps_per_second = 0;  // over the last second or so of training
  float loss = 0;               // cross-entropy + L2 of the newest step; NaN before the first
  float accuracy = 0;           // of the newest batches, smoothed
  std::string run_hash;         // 16 hexadecimal digits
  std::int64_t hash_step = 0;   // the step of run_hash: a little behind while training
  std::string head_source;      // where the run's first weights came from, in words
  std::filesystem::path file;   // that the run was opened from or saved to last; empty: none
  bool saved = true;            // whether the head is as it was opened or saved
  std::string set_aside;        // the run that BringBackCommand would open, in words; empty: none
  std::string notice;           // e.g. why training stopped; may be empty
  std::string backend;          // its description in one line, for provenance
  std::string backend_line;     // the same with the number of threads, for the status line
  BackendChoice choice;         // the user's selection
  // The backend in use: kCpu, or kCuda with its device.
  BackendChoice computing = {BackendChoice::Kind::kCpu, 0};
  std::string backend_note;     // why CUDA is not used, in a sentence; may be empty
  std::string transforms_note;  // which transforms the CPU computes for the device; may be empty
  std::vector<std::string> devices;    // names of the CUDA devices of the machine
  Facts device_facts;                  // more about them, for reports
  std::optional<DeviceMemory> memory;  // of the device in use
  // Points of the spectral path at hash_step; 0: the direct path is used.
  int item_points = 0;
  int query_points = 0;
  int most_item_points = 0;  // that an item may get in this run on this backend
};

// A copy of a head, which never changes, so that it can be evaluated while training goes on.
struct HeadVersion {
  std::uint64_t version = 0;  // grows whenever the weights change; 0: none
  std::shared_ptr<const TrainingState> state;
  std::uint64_t run = 0;       // RunStatus::run
  std::uint64_t open_run = 0;  // RunStatus::open_run
};

// A training step of the run with this number.
struct RunRecord {
  std::uint64_t run = 0;
  StepRecord record;
};

// The picture of a head under one ViewRequest. Small sizes are computed first; a frame that is not
// computed yet for `step` is still that of an older step.
struct ViewSnapshot {
  std::uint64_t revision = 0;
  std::vector<int> sizes;
  // Per size, in the order of `sizes`; null where nothing is computed yet.
  std::vector<std::shared_ptr<const FrameLogits>> logits;
  std::vector<TransformFrames> transforms;  // as requested, each with one frame per size
  std::vector<std::int64_t> frame_step;     // the training step each frame shows; -1: none yet
  std::vector<std::uint64_t> frame_run;     // RunStatus::run of that step
  // Accuracy and means over a growing number of sets, one row per size and transform.
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
  std::uint64_t answers = 0;         // the id of the command that it is about; 0: of none
  std::filesystem::path file = {};   // a head that was opened or saved, in full; empty: none
  std::filesystem::path saved = {};  // a file that was written, in full; empty: none
};

// The mailboxes between the window's thread and the worker's.
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
  Latest<std::shared_ptr<const std::vector<Bookmark>>> bookmarks;
};

}  // namespace dispersion
