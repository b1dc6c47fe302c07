#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/session/kept_runs.h"
#include "app/session/messages.h"
#include "app/session/run_status.h"
#include "app/session/timing.h"
#include "core/backend.h"
#include "core/io/checkpoint.h"

namespace dispersion {

struct ExperimentHead;  // core/experiment/experiment.h

// Whether a training continues that was interrupted by the loss of the device.
enum class Resume { kNo, kYes };

// Whether the head was found that a state names.
enum class Found { kNo, kYes, kTrainedAgain };

// The head that is open first.
struct FirstHead {
  Checkpoint start;
  std::string source;                      // RunStatus::head_source
  std::shared_ptr<const History> earlier;  // of its training so far; null: not known
  std::filesystem::path file;              // where it lies; empty: in none
};

// The open run: carries out the user's commands on it and on the backend that trains it. Belongs to
// the worker's thread. When a function throws, the run has not changed.
class TrainingRun {
 public:
  // `backend` must outlive the run, or live until move_to(), and must train no other run.
  TrainingRun(Backend& backend, const FirstHead& head);

  // A head without moments begins a run of its own at step 0 when it is first trained. `stop_at`
  // counts from the head's first weights on.
  void play(std::int64_t stop_at);
  void pause();
  void step();
  void rewind();
  void start_new(const Recipe& recipe, std::uint32_t seed);
  // Takes the history beside the file too. Returns why it could not, or an empty text.
  std::string open(const std::filesystem::path& path);
  // The same with a run that was kept (kept_runs.h). Its file stays until the run is saved or kept
  // anew.
  std::string open_kept(const std::filesystem::path& path);
  // Rewinding, starting a new run and opening a file set the run before aside, if it had been
  // trained. This function opens the newest of those, with the records of its steps, and sets the
  // open one aside behind the oldest: called again and again, it goes through all of them. Throws
  // when there is none.
  void bring_back();
  // Opens a run that was replaced, as it stood, and sets the open one aside. Throws when it is no
  // longer there.
  void switch_to(std::uint64_t id);
  // Keeps the open head as it is now, with the settings of the bookmark's state. Throws FileError.
  void add_bookmark(const std::filesystem::path& folder, const Bookmark& bookmark);
  // Opens the head that is meant, as FindHeadCommand says.
  Found find(const FindHeadCommand& wanted);
  // Replaces a file that is there only if told so; where one has appeared, the run is saved under
  // another name. Returns the name that it got.
  std::filesystem::path save(const std::filesystem::path& path, bool replace);
  // Writes the open run and those that were set aside into the folder, unless they were saved since
  // they were trained last, or were trained for less than so many seconds. Says so in reports. Call
  // it at the end.
  std::vector<Report> keep(const RunKeeping& keeping);
  // Continues on another backend with the same state, training or not; after the device was lost,
  // from the copy that was kept.
  void move_to(Backend& next, Resume resume);

  bool training() const { return status_.phase == RunPhase::kTraining; }
  // Does at most `steps` further steps and returns how many were done. Ends the training by itself
  // at stop_at, when a loss is not finite, and when the backend throws; then the last good state is
  // kept.
  int train(int steps);
  // Pauses and shows the reason as a notice.
  void stop(std::string notice);
  // The device is lost: returns to the newest copy of the head and waits for another backend.
  void lose_device(const std::string& what);
  bool lost() const { return status_.phase == RunPhase::kDeviceLost; }
  const std::string& loss() const { return loss_; }  // why the device was lost

  // A copy of the current head; it is made on the first call after a change.
  const HeadVersion& head();
  std::uint64_t version() const { return version_; }

  // Complete except for steps_per_second; the hash is that of the last refresh_hash().
  const RunStatus& status() const { return status_; }
  void refresh_hash();  // updates the hash and the points of the spectral path
  // The records of the steps done since the last call.
  std::vector<RunRecord> take_records() { return std::exchange(records_, {}); }

 private:
  // A head that is trained again because it is kept nowhere.
  struct AwaitedHead {
    std::string run_hash;  // empty: there is none
    std::int64_t step = 0;
  };
  // What a run has beside its present weights.
  struct Details {
    std::uint64_t id = 0;  // RunStatus::open_run
    std::string began;     // RunStatus::began
    Checkpoint first;      // where it began
    std::string head_source;
    std::filesystem::path file;        // RunStatus::file
    std::filesystem::path first_file;  // that `first` was opened from; empty: none
    std::int64_t steps_before = 0;
    std::int64_t stop_at = 0;  // as in PlayCommand; 0: it was not played
    // The head without moments with whose weights it began; null: it began with `first` itself.
    std::shared_ptr<const Details> of_weights;
    AwaitedHead awaited;
    std::shared_ptr<const History> earlier;  // what was measured before it was opened
    std::vector<StepRecord> records;         // of all its steps
    std::string backend;                     // what has trained it, as trained_by() says
    double seconds = 0;                      // for which it was trained
    bool saved = true;                       // since its last step
    std::filesystem::path kept_file;         // that it was opened from (open_kept); empty: none
  };
  struct SetAside {
    Details details;
    std::shared_ptr<const TrainingState> state;
    bool worth_keeping = false;  // it was trained, or kept by an earlier session
  };

  static std::string told(const SetAside& run) {
    return seed_and_step(*run.state, run.details.steps_before);
  }
  bool worth_keeping() const;
  std::shared_ptr<const SetAside> open_run();
  void keep(std::shared_ptr<const SetAside> run);
  // A run that comes in addition, so that the oldest may have to go.
  void set_aside(std::shared_ptr<const SetAside> run);
  void return_to(const SetAside& run);
  bool open_shipped(const FindHeadCommand& wanted);
  void open_inside(const ExperimentHead& head, const ShippedData& shipped, const HeadName& name);
  bool open_fresh(const HeadName& head);
  bool open_weights_of(const FindHeadCommand& wanted);
  bool train_again(const FindHeadCommand& wanted);
  void compare_with_awaited();
  void tell_details();
  void adopt(Checkpoint next, std::string head_source);
  void begin_without_moments();
  void require_trainable() const;
  void take_outcome(const TrainOutcome& outcome, const std::vector<StepRecord>& records);
  void restore(const std::string& what);
  void back_to_newest_copy();
  void load_back(const HeadVersion& before, const std::string& what);
  void refresh_points();
  std::int64_t counted(std::int64_t step) const { return counted_step(status_, step); }
  void note_backend();
  HeadVersion last_good();
  void take_curves();
  void note(const StepRecord& record);
  static void forget_kept(Details& details, const std::filesystem::path& saved);
  static Checkpoint checkpoint(const Details& details, const TrainingState& state);

  Backend* backend_;
  Details details_;                                        // of the open run
  std::deque<std::shared_ptr<const SetAside>> set_aside_;  // worth keeping; newest first
  std::deque<std::shared_ptr<const SetAside>> untrained_;  // the others that were replaced
  std::uint64_t newest_id_ = 0;
  HeadVersion head_;  // newest copy; may be older than version_
  std::uint64_t version_ = 0;
  std::uint64_t hashed_version_ = 0;
  Smoothed accuracy_;
  RunStatus status_;
  std::string loss_;
  bool broken_off_ = false;  // whether it was training when the device was lost
  double played_at_ = 0;     // until when details_.seconds counts, on clock_seconds()
  std::vector<RunRecord> records_;
};

}  // namespace dispersion
