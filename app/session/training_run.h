#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/session/messages.h"
#include "app/session/timing.h"
#include "core/backend.h"
#include "core/io/checkpoint.h"

namespace dispersion {

// Whether training that the loss of a device broke off goes on.
enum class Resume { kNo, kYes };

// The run that is open: what the commands do to it and to the backend that trains it. Lives on the
// worker's thread. Where a function throws, the run is as it was before.
class TrainingRun {
 public:
  // `backend` must outlive the run, or its stay there, and do nothing else's work.
  TrainingRun(Backend& backend, Checkpoint start, std::string head_source);

  // A head without moments begins a run of its own at step 0 when it is first trained.
  void play(std::int64_t stop_at);
  void pause();
  void step();
  void rewind();
  void start_new(const Recipe& recipe, std::uint32_t seed);
  void open(const std::filesystem::path& path);
  // Rewinding, starting anew and opening set a run aside that had been trained. This brings it back
  // as it stood, and sets aside what is open now. Throws when there is none.
  void bring_back();
  void save(const std::filesystem::path& path);
  // Goes on as it stands, training or not, on another backend, or from the copy that was kept when
  // the device was lost.
  void move_to(Backend& next, Resume resume);

  bool training() const { return status_.phase == RunPhase::kTraining; }
  // At most `steps` further; returns how many were done. Ends the training by itself at stop_at,
  // when a loss is not finite, and when the backend throws: the last good state is kept then.
  int train(int steps);
  // Pauses and says why.
  void stop(std::string notice);
  // The device is gone: goes back to the newest copy and waits there for another backend.
  void lose_device(const std::string& what);
  bool lost() const { return status_.phase == RunPhase::kDeviceLost; }
  const std::string& loss() const { return loss_; }  // what was said of it

  // A copy of the head as it stands, made when it is asked for after a change.
  const HeadVersion& head();
  std::uint64_t version() const { return version_; }

  // All but steps_per_second; the hash is as of the last refresh_hash().
  const RunStatus& status() const { return status_; }
  void refresh_hash();  // and the points of the spectral path
  // Those of the steps done since the last call.
  std::vector<RunRecord> take_records();

 private:
  struct SetAside {
    Checkpoint first;
    std::shared_ptr<const TrainingState> state;
    std::string head_source;
    std::int64_t steps_before = 0;
  };

  std::shared_ptr<const SetAside> worth_keeping();
  void set_aside(std::shared_ptr<const SetAside> run);
  void adopt(Checkpoint next, std::string head_source);
  void begin_without_moments();
  void take_outcome(const TrainOutcome& outcome, const std::vector<StepRecord>& records);
  void restore(const std::string& what);
  void back_to_newest_copy();
  void load_back(const HeadVersion& before, const std::string& what);
  void refresh_points();
  HeadVersion last_good();
  Checkpoint checkpoint();

  Backend* backend_;
  Checkpoint first_;                           // where the run began
  std::shared_ptr<const SetAside> set_aside_;  // null: none
  HeadVersion head_;                           // newest copy; may be older than version_
  std::uint64_t version_ = 0;
  std::uint64_t hashed_version_ = 0;
  Smoothed accuracy_;
  RunStatus status_;
  std::string loss_;
  bool broken_off_ = false;  // it was training when the device was lost
  std::vector<RunRecord> records_;
};

}  // namespace dispersion
