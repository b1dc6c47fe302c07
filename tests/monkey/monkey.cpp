#include "tests/monkey/monkey.h"

#include <imgui_internal.h>

#include <algorithm>
#include <chrono>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/command_inputs.h"
#include "app/session/figure_snapshots.h"
#include "tests/monkey/checks.h"

namespace dispersion::monkey {
namespace {

// Within so many frames, each of which leaves the worker a millisecond or more, it carries out what
// it was asked. On a machine that is busy with other things it takes a few hundred.
constexpr int kFramesForAnswer = 30'000;

// In so many frames after one another nothing is left to be answered.
constexpr int kFramesAtRest = 3;

// As many changes as are undone and done again at a time.
constexpr std::size_t kMostUndone = 12;

// The window takes about 400 MiB on a software renderer, a frame of 8K another 400. What grows with
// use is bounded: the histories of 200 undo steps and of the runs that can be brought back, 100
// reports, figures that are exported. Sanitizers keep what was freed and more than double it.
constexpr std::size_t kMostMemory = std::size_t{3} << 30;

// One of so many frames is painted; all are put together, and looked at.
constexpr std::uint64_t kFramesForPainting = 8;

// After one of so many acts the numbers of all figures are looked at.
constexpr std::uint64_t kActsForFigures = 8;

std::uint64_t newest_run(const RunStatus& status) {
  std::uint64_t newest = status.open_run;
  for (const std::uint64_t run : status.other_runs)
    newest = std::max(newest, run);
  return newest;
}

}  // namespace

Monkey::Monkey(const Playground& playground, std::ostream& log, Pulse& pulse)
    : playground_(playground), log_(log), pulse_(pulse) {
  open();
}

Monkey::~Monkey() = default;

void Monkey::open() {
  LabOptions options;
  options.platform = WindowPlatform::kHeadless;
  options.size = {1280, 800};
  options.preferences = playground_.home / "settings.json";
  options.bookmarks = playground_.home / "bookmarks";
  options.recent_files = playground_.home / "recent.json";
  options.keeping = {.folder = playground_.home / "kept", .least_seconds = 1};
  options.shipped = shipped_data();
  Checkpoint head = load_head({}).checkpoint;
  options.earlier = head_history({}, head);
  lab_ = std::make_unique<Lab>(options, with_device(device_), std::move(head), "the trained head");
  ImGui::GetCurrentContext()->ErrorCallbackUserData = &seen_;
  ImGui::GetCurrentContext()->ErrorCallback = [](ImGuiContext*, void* seen, const char* message) {
    *static_cast<std::string*>(seen) = std::string("Dear ImGui was called wrongly: ") + message;
  };
  ImGuiContextHook look;
  look.Type = ImGuiContextHookType_RenderPost;
  look.UserData = this;
  look.Callback = [](ImGuiContext*, ImGuiContextHook* hook) {
    static_cast<Monkey*>(hook->UserData)->look_at_frame();
  };
  ImGui::AddContextHook(ImGui::GetCurrentContext(), &look);
  hand_ = std::make_unique<Hand>(*lab_, playground_, *device_, [this] { ++pulse_.frames; });
}

// Called by Dear ImGui, which no exception may pass through.
void Monkey::look_at_frame() {
  try {
    counts_.vertices += check_drawn(ImGui::GetDrawData());
  } catch (const Fault& fault) {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    seen_ = std::string(fault.what()) + "; view " + std::string(view_title(lab_->app().view.view)) +
            ", window " + std::to_string(size.x) + " x " + std::to_string(size.y);
  }
  if (pulse_.frames % kFramesForPainting == 0) return;
  ImDrawData* drawn = ImGui::GetDrawData();
  drawn->CmdLists.resize(0);
  drawn->TotalVtxCount = drawn->TotalIdxCount = 0;
}

void Monkey::throw_what_was_seen() {
  if (!seen_.empty()) throw Fault(seen_);
}

void Monkey::close() {
  hand_.reset();
  device_->lost = false;
  const auto begin = std::chrono::steady_clock::now();
  lab_->window().close();
  lab_->run();  // returns at once, and keeps runs and preferences
  lab_.reset();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  counts_.longest_close = std::max(counts_.longest_close, took.count());
}

void Monkey::play(const Act& act) {
  ++acts_;
  ++counts_.acts[act.kind->name];
  log_ << act_text(act) << std::flush;
  if (act.kind == &kRest) {
    rest();
  } else if (act.kind == &kRestart) {
    close();
    open();
    hand_->frames(3);
  } else {
    fuzz::Random dice(act.dice);
    log_ << " " << act.kind->carry_out(*hand_, dice);
  }
  log_ << "\n" << std::flush;
  throw_what_was_seen();
  check_state(lab_->app());
  ++counts_.states;
  if (acts_ % kActsForFigures == 0) counts_.figures += check_figures(figure_snapshots(lab_->app()));
  look_at_memory();
}

void Monkey::look_at_memory() {
  const std::size_t now = resident_bytes();
  counts_.most_memory = std::max(counts_.most_memory, now);
  check_memory(now, kMostMemory);
}

void Monkey::rest() {
  hand_->let_go();
  device_->lost = false;
  lab_->session().send(PauseCommand{});
  wait_for_worker();
  undo_and_redo();
}

// What was asked before may send further commands, as several steps of undo do one after the other.
void Monkey::wait_for_worker() {
  int at_rest = 0;
  wait_in_frames(
      kFramesForAnswer, "the worker does not answer", [&] { hand_->frames(1); },
      [&] {
        at_rest = lab_->session().answered(lab_->app().status) ? at_rest + 1 : 0;
        return at_rest == kFramesAtRest;
      });
  ++counts_.answers;
}

void Monkey::take_step(int step) {
  lab_->app().undo.ask(step);
  wait_for_worker();
  hand_->frames(1);  // its answer is taken
}

// A file that was still being read may open a run in between, which is not the fault of undo. Undo
// itself never makes a run.
void Monkey::undo_and_redo() {
  const std::uint64_t newest = newest_run(lab_->app().status);
  try {
    go_back_and_forth();
  } catch (const Fault&) {
    if (newest_run(lab_->app().status) == newest) throw;
  }
}

void Monkey::go_back_and_forth() {
  AppState& app = lab_->app();
  if (app.status.phase == RunPhase::kDeviceLost) return;  // runs cannot be opened
  hand_->frames(3);
  const auto& done = app.undo.done();
  const UndoWalk walk = {
      .here =
          [&] {
            return Place{user_settings(app), app.status.open_run};
          },
      .steps_left = [&] { return done.size(); },
      .take = [&](int step) { take_step(step); },
      .last = [&] { return done.empty() ? "the first step" : done.back().what; }};
  counts_.undone += check_undo(walk, kMostUndone);
}

}  // namespace dispersion::monkey
