#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/session/backend_source.h"
#include "app/session/kept_runs.h"
#include "app/session/messages.h"
#include "core/io/checkpoint.h"

namespace dispersion {

struct Mailboxes;

// The worker thread and both ends of its mailboxes: the only thing panels and commands talk to. The
// worker owns the backend. Destruction stops it within a slice (about 20 ms).
class Session {
 public:
  // `start`: the head to show first. `head_source`: where it came from, in words. `wake` is called
  // from the worker's thread whenever there is news; it must neither block nor throw. `choice`:
  // what is to compute; where that cannot be used, the CPU does and RunStatus::backend_note says
  // why. `keeping`: what becomes of runs that nobody has saved when the session ends. `earlier`:
  // what was measured of the head while it was trained; null: nothing. `file`: where it lies;
  // empty: in none.
  Session(BackendSource source, Checkpoint start, std::string head_source,
          std::function<void()> wake, BackendChoice choice = {}, RunKeeping keeping = {},
          std::shared_ptr<const History> earlier = nullptr, std::filesystem::path file = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Neither waits for the worker.
  void send(Command command);
  void request(ViewRequest request);
  // So many commands were sent; RunStatus::commands_done of them are carried out.
  std::uint64_t commands_sent() const { return commands_sent_; }
  // Whether every command is carried out according to this status, and what was reported of it is
  // taken. Reports follow their status, so that there is a moment in which they are still to come.
  bool answered(const RunStatus& status) const;

  // News since the last call; none is waited for.
  std::optional<RunStatus> take_status();
  std::shared_ptr<const ViewSnapshot> take_view();  // null: nothing new
  std::optional<HeadVersion> take_head();  // for experiments; a little behind while training
  std::vector<RunRecord> take_records();   // every training step, none lost
  std::vector<Report> take_reports();
  std::shared_ptr<const std::vector<Bookmark>> take_bookmarks();  // null: nothing new

  // Ends the worker, within a slice and the time that it takes to keep a run. Its last reports can
  // be taken then; commands are no longer carried out.
  void end();

 private:
  std::unique_ptr<Mailboxes> mailboxes_;
  std::jthread worker_;
  std::uint64_t commands_sent_ = 0;
  std::uint64_t reports_taken_ = 0;
};

}  // namespace dispersion
