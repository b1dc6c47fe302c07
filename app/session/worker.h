#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/session/backend_holder.h"
#include "app/session/kept_runs.h"
#include "app/session/live_view.h"
#include "app/session/messages.h"
#include "app/session/timing.h"
#include "app/session/training_run.h"
#include "core/progress.h"

namespace dispersion {

// Runs on the session's thread, in slices so short that every command is answered at once. Each
// slice carries out the commands, then computes some of the picture that the window requests, then
// trains; without work the thread sleeps.
class Worker {
 public:
  Worker(Mailboxes& mailboxes, BackendSource source, std::function<void()> wake,
         RunKeeping keeping);

  // Returns when a stop is requested, after keeping the runs that nobody has saved.
  void run(const std::stop_token& stop, const BackendChoice& choice, const FirstHead& head);

 private:
  void begin(const BackendChoice& choice, const FirstHead& head);
  void execute_commands(const std::stop_token& stop);
  void execute(const Command& command);
  void dispatch(const Command& command);
  void use_backend(const BackendChoice& choice);
  void go_on_with_cpu();
  void on_backend_changed();
  void take_request();
  bool refresh_view();
  bool refresh_view_once();
  bool train();
  void refuse(const Command& command);
  void save(const SaveCommand& command);
  void find(const FindHeadCommand& wanted);
  void bookmark(const BookmarkCommand& command);

  void publish_when_due(bool idle);
  void refresh_hash(double now);
  void refresh_memory(double now);
  void publish_head(double now);
  void read_from_backend(const std::function<void()>& read);
  void publish();
  double publishing_interval() const;

  Mailboxes& mailboxes_;
  std::function<void()> wake_;
  RunKeeping keeping_;
  BackendHolder backend_;
  std::optional<TrainingRun> run_;  // empty when there is no backend
  std::string no_backend_;          // why there is none
  LiveView view_;

  std::vector<Command> backlog_;  // oldest last
  std::uint64_t commands_done_ = 0;
  TimeSlice slice_;
  SpeedMeter speed_;
  TimeBudget budget_;
  std::uint64_t run_seen_ = 0;      // RunStatus::run that view_ was told of last
  std::uint64_t view_blocked_ = 0;  // the head's version for which computing a picture failed

  std::vector<Report> reports_;  // not published yet
  std::uint64_t reports_made_ = 0;
  bool status_changed_ = false;
  bool view_changed_ = false;
  bool at_once_ = false;         // publish now and not only at the next regular time
  std::string transforms_note_;  // as published last
  double published_at_ = 0;
  double hashed_at_ = 0;
  std::uint64_t published_head_ = 0;  // version
  double head_published_at_ = 0;
};

}  // namespace dispersion
