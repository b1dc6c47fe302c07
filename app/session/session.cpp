#include "app/session/session.h"

#include <utility>

#include "app/session/messages.h"
#include "app/session/thread_priority.h"
#include "app/session/worker.h"

namespace dispersion {

Session::Session(BackendSource source, Checkpoint start, std::string head_source,
                 std::function<void()> wake, BackendChoice choice, RunKeeping keeping,
                 std::shared_ptr<const History> earlier, std::filesystem::path file)
    : mailboxes_(std::make_unique<Mailboxes>()),
      worker_([mailboxes = mailboxes_.get(), source = std::move(source), choice,
               start = std::move(start), head_source = std::move(head_source),
               wake = std::move(wake), keeping = std::move(keeping), earlier = std::move(earlier),
               file = std::move(file)](const std::stop_token& stop) mutable {
        give_way_to_window();
        Worker worker(*mailboxes, std::move(source), std::move(wake), std::move(keeping));
        worker.run(stop, choice, {start, head_source, earlier, file});
      }) {}

// The worker's thread is stopped and joined before the mailboxes go, by the order of the members.
Session::~Session() = default;

void Session::end() {
  worker_.request_stop();
  if (worker_.joinable()) worker_.join();
}

void Session::send(Command command) {
  ++commands_sent_;
  mailboxes_->commands.put(std::move(command));
  mailboxes_->wake_signal.notify();
}

void Session::request(ViewRequest request) {
  mailboxes_->request.put(std::move(request));
  mailboxes_->wake_signal.notify();
}

std::optional<RunStatus> Session::take_status() {
  return mailboxes_->status.take();
}

std::shared_ptr<const ViewSnapshot> Session::take_view() {
  return mailboxes_->view.take().value_or(nullptr);
}

std::optional<HeadVersion> Session::take_head() {
  return mailboxes_->head.take();
}

std::vector<RunRecord> Session::take_records() {
  return mailboxes_->records.take_all();
}

std::shared_ptr<const std::vector<Bookmark>> Session::take_bookmarks() {
  return mailboxes_->bookmarks.take().value_or(nullptr);
}

std::vector<Report> Session::take_reports() {
  std::vector<Report> reports = mailboxes_->reports.take_all();
  reports_taken_ += reports.size();
  return reports;
}

bool Session::answered(const RunStatus& status) const {
  return status.commands_done == commands_sent_ && status.reports_made == reports_taken_;
}

}  // namespace dispersion
