#include "app/session/worker.h"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <utility>
#include <variant>

#include "app/session/timing.h"
#include "app/session/user_files.h"
#include "core/io/file.h"

namespace dispersion {
namespace {

constexpr double kSliceSeconds = 0.012;  // between two readings of the mailboxes
constexpr int kMostSteps = 4096;         // of training in a slice

// Shares of the time that the picture may take from training.
constexpr double kVisibleShare = 0.22;
constexpr double kHiddenShare = 0.02;

// Seconds between two publications. They are not shorter because the window draws each of them,
// usually on the same processor.
constexpr double kTrainingInterval = 0.1;
constexpr double kPausedInterval = 0.1;
constexpr double kFirstFramesInterval = 0.03;
constexpr double kHashInterval = 0.25;
constexpr double kHeadInterval = 0.5;  // of a copy of the weights, for experiments

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

// The id of a command that is answered by a report; 0 for the others.
std::uint64_t id_of(const Command& command) {
  return std::visit(
      [](const auto& each) -> std::uint64_t {
        if constexpr (requires { each.id; }) return each.id;
        return 0;
      },
      command);
}

std::string full_path_text(const std::filesystem::path& path) {
  return full_path(path).string();
}

}  // namespace

Worker::Worker(Mailboxes& mailboxes, BackendSource source, std::function<void()> wake,
               RunKeeping keeping)
    : mailboxes_(mailboxes),
      wake_(std::move(wake)),
      keeping_(std::move(keeping)),
      backend_(std::move(source)),
      slice_(kSliceSeconds, kMostSteps) {}

void Worker::run(const std::stop_token& stop, const BackendChoice& choice, const FirstHead& head) {
  begin(choice, head);
  while (!stop.stop_requested()) {
    execute_commands(stop);
    take_request();
    bool busy = !backlog_.empty();
    busy = refresh_view() || busy;
    busy = train() || busy;
    publish_when_due(!busy);
    if (!busy) mailboxes_.wake_signal.wait(stop);
  }
  if (run_ && !keeping_.folder.empty()) mailboxes_.reports.put_all(run_->keep(keeping_));
}

void Worker::begin(const BackendChoice& choice, const FirstHead& head) {
  try {
    backend_.begin(choice, [&](Backend& backend) { run_.emplace(backend, head); });
  } catch (const std::exception& error) {
    no_backend_ = std::string("nothing can be computed: ") + error.what();
  }
  status_changed_ = true;
  at_once_ = true;
}

void Worker::execute_commands(const std::stop_token& stop) {
  std::vector<Command> news = mailboxes_.commands.take_all();
  if (!news.empty()) {
    std::ranges::reverse(news);
    backlog_.insert(backlog_.begin(), std::make_move_iterator(news.begin()),
                    std::make_move_iterator(news.end()));
  }
  const double began = clock_seconds();
  while (!backlog_.empty() && !stop.stop_requested() && clock_seconds() < began + kSliceSeconds) {
    const Command command = std::move(backlog_.back());
    backlog_.pop_back();
    ++commands_done_;
    if (run_) {
      execute(command);
    } else {
      refuse(command);
    }
    status_changed_ = true;
    view_changed_ = true;  // since it has the step of the run
    at_once_ = true;
  }
}

void Worker::refuse(const Command& command) {
  if (std::holds_alternative<PauseCommand>(command)) return;
  reports_.push_back({.ok = false, .text = no_backend_, .answers = id_of(command)});
}

void Worker::dispatch(const Command& command) {
  const auto each =
      Overloaded{[&](const PlayCommand& play) { run_->play(play.stop_at); },
                 [&](const PauseCommand&) { run_->pause(); },
                 [&](const StepCommand&) { run_->step(); },
                 [&](const RewindCommand&) { run_->rewind(); },
                 [&](const NewRunCommand& fresh) { run_->start_new(fresh.recipe, fresh.seed); },
                 [&](const OpenCommand& open) {
                   const std::string trouble = run_->open(open.path);
                   reports_.push_back({.ok = true,
                                       .text = "opened " + full_path_text(open.path) +
                                               (trouble.empty() ? "" : ", but " + trouble),
                                       .answers = open.id,
                                       .file = full_path(open.path)});
                 },
                 [&](const OpenKeptCommand& kept) {
                   const std::string trouble = run_->open_kept(kept.path);
                   if (!trouble.empty()) reports_.push_back({.ok = false, .text = trouble});
                 },
                 [&](const DiscardKeptCommand& kept) { discard_kept_run(kept.path); },
                 [&](const BringBackCommand&) { run_->bring_back(); },
                 [&](const SwitchRunCommand& back) { run_->switch_to(back.run); },
                 [&](const FindHeadCommand& wanted) { find(wanted); },
                 [&](const BookmarkCommand& mark) { bookmark(mark); },
                 [&](const SaveCommand& command_to_save) { save(command_to_save); },
                 [&](const UseBackendCommand& use) { use_backend(use.choice); },
                 [&](const GoOnWithCpuCommand&) { go_on_with_cpu(); }};
  std::visit(each, command);
}

void Worker::bookmark(const BookmarkCommand& command) {
  try {
    switch (command.act) {
      case BookmarkCommand::Act::kAdd:
        run_->add_bookmark(command.folder, command.bookmark);
        break;
      case BookmarkCommand::Act::kChange:
        change_bookmark(command.folder, command.bookmark);
        break;
      case BookmarkCommand::Act::kRemove:
        remove_bookmark(command.folder, command.bookmark.id);
        break;
    }
  } catch (const FileError& error) {
    reports_.push_back({.ok = false, .text = error.what()});
  }
  BookmarkList list = read_bookmarks(command.folder);
  for (std::string& trouble : list.troubles)
    reports_.push_back({.ok = false, .text = std::move(trouble)});
  mailboxes_.bookmarks.put(std::make_shared<const std::vector<Bookmark>>(std::move(list.all)));
}

void Worker::find(const FindHeadCommand& wanted) {
  const Found found = run_->find(wanted);
  if (found == Found::kNo) throw std::runtime_error(missing_head_text(wanted.head));
  if (found == Found::kTrainedAgain) {
    reports_.push_back({.ok = true, .text = trained_again_text(wanted.head)});
  } else if (wanted.id != 0) {
    reports_.push_back({.ok = true, .text = "opened " + wanted.head.source, .answers = wanted.id});
  }
}

// What has come under the name since it was chosen is not replaced.
void Worker::save(const SaveCommand& command) {
  const std::filesystem::path file = run_->save(command.path, command.replace);
  std::string text = "saved " + full_path_text(file);
  if (file != command.path)
    text += ", since " + full_path_text(command.path) + " is there already and is kept";
  const std::filesystem::path saved = full_path(file);
  reports_.push_back(
      {.text = std::move(text), .answers = command.id, .file = saved, .saved = saved});
}

// When the backend cannot be made or refuses the run, nothing changes.
void Worker::use_backend(const BackendChoice& choice) {
  backend_.change(choice, [&](Backend& next) { run_->move_to(next, Resume::kNo); });
  on_backend_changed();
}

void Worker::go_on_with_cpu() {
  if (!run_->lost()) return;
  backend_.use_cpu_instead(run_->loss() + "; the CPU computes until the program is started again.",
                           [&](Backend& cpu) { run_->move_to(cpu, Resume::kYes); });
  on_backend_changed();
}

// The time slice and the speed were those of the backend before.
void Worker::on_backend_changed() {
  slice_ = TimeSlice(kSliceSeconds, kMostSteps);
  if (run_->training()) speed_.start(clock_seconds());
}

void Worker::execute(const Command& command) {
  const bool was_training = run_->training();
  try {
    dispatch(command);
  } catch (const DeviceLost& error) {
    run_->lose_device(error.what());
    const std::uint64_t id = id_of(command);
    if (id != 0) reports_.push_back({.ok = false, .text = error.what(), .answers = id});
  } catch (const std::exception& error) {
    reports_.push_back({.ok = false, .text = error.what(), .answers = id_of(command)});
  }
  if (run_->training() && !was_training) speed_.start(clock_seconds());
  view_blocked_ = 0;
  if (run_seen_ == run_->status().run) return;
  run_seen_ = run_->status().run;
  view_.begin_run();
}

void Worker::take_request() {
  std::optional<ViewRequest> request = mailboxes_.request.take();
  if (!request) return;
  const double began = clock_seconds();
  try {
    view_.accept(*std::move(request));
  } catch (const std::invalid_argument& error) {
    reports_.push_back({.ok = false, .text = error.what()});
    at_once_ = true;
    status_changed_ = true;
    return;
  }
  budget_.viewed(clock_seconds() - began);
  view_blocked_ = 0;
  view_changed_ = true;
  at_once_ = true;
  publish_when_due(false);  // before any forward pass
}

// Computes some of the picture for up to a slice. Returns whether there is more to do.
bool Worker::refresh_view() {
  if (!run_ || run_->lost()) return false;
  const double began = clock_seconds();
  bool more = true;
  while (more && clock_seconds() < began + kSliceSeconds) {
    if (run_->training() && !budget_.may_view()) return true;
    const double before = clock_seconds();
    more = refresh_view_once();
    if (more) view_changed_ = true;
    if (run_->training()) budget_.viewed(clock_seconds() - before);
  }
  return more;
}

bool Worker::refresh_view_once() {
  if (view_blocked_ == run_->version()) return false;
  try {
    if (run_->training()) return view_.work_training(*backend_, *run_, kSliceSeconds);
    return view_.work_paused(*backend_, run_->head(), kSliceSeconds, view_.visible());
  } catch (const DeviceLost& error) {
    run_->lose_device(error.what());
  } catch (const std::exception& error) {
    // The same head is not tried again before something else has changed.
    run_->stop(std::string("the picture could not be computed: ") + error.what());
    view_blocked_ = run_->version();
  }
  view_.begin_run();
  status_changed_ = true;
  at_once_ = true;
  return false;
}

bool Worker::train() {
  if (!run_ || !run_->training()) return false;
  const int steps = slice_.pieces();
  const double began = clock_seconds();
  const int done = run_->train(steps);
  const double ended = clock_seconds();
  if (done > 0) slice_.took(done, ended - began);
  speed_.add(ended, done);
  budget_.trained(ended - began, view_.visible() ? kVisibleShare : kHiddenShare);
  status_changed_ = true;
  view_changed_ = true;  // since it has the step of the run
  if (!run_->training()) at_once_ = true;
  return true;
}

double Worker::publishing_interval() const {
  if (run_ && run_->training()) return kTrainingInterval;
  return run_ && !view_.frames_current(run_->version()) ? kFirstFramesInterval : kPausedInterval;
}

void Worker::publish_when_due(bool idle) {
  if (!status_changed_ && !view_changed_) return;
  const bool due = clock_seconds() >= published_at_ + publishing_interval();
  if (idle || due || at_once_) publish();
}

void Worker::refresh_hash(double now) {
  if (run_->training() && now < hashed_at_ + kHashInterval) return;
  hashed_at_ = now;
  read_from_backend([&] { run_->refresh_hash(); });
}

void Worker::refresh_memory(double now) {
  if (run_->lost()) return;
  read_from_backend([&] { backend_.refresh_memory(now); });
}

void Worker::publish_head(double now) {
  if (run_->version() == published_head_) return;
  if (run_->training() && now < head_published_at_ + kHeadInterval) return;
  head_published_at_ = now;
  read_from_backend([&] {
    mailboxes_.head.put(run_->head());
    published_head_ = run_->version();
  });
}

void Worker::read_from_backend(const std::function<void()>& read) {
  try {
    read();
  } catch (const DeviceLost& error) {
    run_->lose_device(error.what());
  } catch (const std::exception& error) {
    run_->stop(std::string("the head cannot be read: ") + error.what());
  }
}

void Worker::publish() {
  const double now = clock_seconds();
  published_at_ = now;
  at_once_ = false;
  RunStatus status;
  status.notice = no_backend_;
  if (run_) {
    refresh_hash(now);
    refresh_memory(now);
    publish_head(now);
    status = run_->status();
    backend_.describe(status);
    status.transforms_note = cpu_transforms_remark(*backend_, view_.transforms());
    const std::string before = std::exchange(transforms_note_, status.transforms_note);
    status_changed_ = status_changed_ || before != transforms_note_;
    status.steps_per_second = speed_.per_second();
    mailboxes_.records.put_all(run_->take_records());
  }
  status.commands_done = commands_done_;
  status.reports_made = reports_made_ += reports_.size();
  status_changed_ = status_changed_ || !reports_.empty();
  if (std::exchange(status_changed_, false)) mailboxes_.status.put(std::move(status));
  if (std::exchange(view_changed_, false)) {
    auto snapshot =
        run_ ? view_.snapshot(run_->status().step, run_->version()) : view_.snapshot(0, 0);
    if (snapshot) mailboxes_.view.put(std::move(snapshot));
  }
  // Reports come last, since they refer to the status and the view.
  mailboxes_.reports.put_all(std::exchange(reports_, {}));
  wake_();
}

}  // namespace dispersion
