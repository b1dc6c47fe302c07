#include "app/lesson/presentation.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/session/app_state.h"
#include "app/session/bookmarks.h"
#include "app/session/comparison.h"
#include "app/session/state_string.h"
#include "app/session/training_stop.h"
#include "core/experiment/size_table.h"

namespace dispersion {
namespace {

Presentation& of(AppState& app) {
  return *app.presentation;
}

DeskBefore desk_of(const AppState& app) {
  DeskBefore desk;
  desk.settings = user_settings(app);
  desk.pinned = pinned_state(app);
  desk.undo = app.undo;
  desk.head = head_name(app);
  desk.run = app.status.open_run;
  desk.training = app.status.phase == RunPhase::kTraining;
  desk.file = app.status.file;
  desk.full_screen = app.full_screen;
  return desk;
}

// Opens a state as it is presented: how the room sees it stays.
void open_presented(AppState& app, Session& session, const std::string& state) {
  const ViewSettings room = app.view;
  if (!open_state(app, session, state)) return;
  app.view.theme = room.theme;
  app.view.ui_scale = room.ui_scale;
  app.view.projector = room.projector;
}

// --- Lessons ---

std::size_t stop_count(const LessonStep& step) {
  return step.stops ? step.stops->values.size() : 0;
}

// The newest step up to this one that opens a state.
std::size_t base_of(const Lesson& lesson, std::size_t step) {
  while (step > 0 && lesson.steps[step].state.empty())
    --step;
  return step;
}

// Sets what the stops of a step set, up to this one.
void put_stop(AppState& app, const LessonStep& step, std::size_t stop) {
  if (stop < stop_count(step)) go_to_stop(*step.stops, stop, app);
}

// What the step shows, from wherever the lesson is. `opened`: the step whose state is open, or none
// of them.
void show_step(AppState& app, Session& session, std::size_t opened) {
  const Presentation& shown = of(app);
  const std::size_t base = base_of(*shown.lesson, shown.step);
  if (base != opened) open_presented(app, session, shown.lesson->steps[base].state);
  for (std::size_t i = base; i < shown.step; ++i) {
    const LessonStep& step = shown.lesson->steps[i];
    if (stop_count(step) > 0) put_stop(app, step, stop_count(step) - 1);
  }
  put_stop(app, shown.lesson->steps[shown.step], shown.stop);
}

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// `whole`: with its last stop and its answer, as it was left.
void move_to_step(AppState& app, Session& session, std::size_t step, bool whole) {
  Presentation& shown = of(app);
  const std::size_t opened = base_of(*shown.lesson, shown.step);
  const bool on = step == shown.step + 1 && shown.lesson->steps[step].state.empty();
  const LessonStep& next = shown.lesson->steps[step];
  shown.step = step;
  shown.stop = whole && stop_count(next) > 0 ? stop_count(next) - 1 : 0;
  shown.answered = whole && !next.question.empty();
  shown.page = 0;
  shown.pages = 1;
  shown.guess = {};
  if (on) {
    put_stop(app, next, 0);  // what is open stays, with all that was changed in it
  } else {
    // A state is opened anew, but not where the steps before and after have the same one.
    show_step(app, session, next.state.empty() || step < shown.step ? opened : kNone);
  }
}

void go_on_in_lesson(AppState& app, Session& session) {
  Presentation& shown = of(app);
  const LessonStep& step = shown.lesson->steps[shown.step];
  if (shown.stop + 1 < stop_count(step)) {
    put_stop(app, step, ++shown.stop);
  } else if (!step.question.empty() && !shown.answered) {
    shown.answered = true;
  } else if (shown.step + 1 < shown.lesson->steps.size()) {
    move_to_step(app, session, shown.step + 1, false);
  }
}

void go_back_in_lesson(AppState& app, Session& session) {
  Presentation& shown = of(app);
  const LessonStep& step = shown.lesson->steps[shown.step];
  if (shown.answered) {
    shown.answered = false;
  } else if (shown.stop > 0) {
    put_stop(app, step, --shown.stop);
  } else if (shown.step > 0) {
    move_to_step(app, session, shown.step - 1, true);
  }
}

// --- Bookmarks and sizes ---

void open_bookmark_of_step(AppState& app, Session& session, std::size_t step) {
  Presentation& shown = of(app);
  shown.step = step;
  if (const Bookmark* bookmark = presented_bookmark(app)) {
    open_presented(app, session, bookmark->state);
    return;
  }
  put_settings(shown.desk.settings, app);
  if (!shown.desk.head.run_hash.empty())
    open_presented(app, session, encode_state(shown.desk.settings, shown.desk.head));
}

// Another step is shown from its first page on.
void to_first_page(AppState& app) {
  of(app).page = 0;
  of(app).pages = 1;
}

std::size_t size_step(const AppState& app) {
  const std::vector<int> sizes = doubling_sizes();
  const auto at = std::ranges::find(sizes, app.view.focused_items);
  return static_cast<std::size_t>(at == sizes.end() ? 0 : at - sizes.begin());
}

void begin(AppState& app, std::shared_ptr<const Lesson> lesson) {
  auto fresh = std::make_shared<Presentation>();
  fresh->lesson = std::move(lesson);
  // What was presented before is no desk to come back to.
  fresh->desk = app.presentation ? app.presentation->desk : desk_of(app);
  app.presentation = std::move(fresh);
  app.undo = UndoHistory::from_here(app);
}

}  // namespace

Steps steps_of(const AppState& app) {
  if (app.presentation->lesson) return Steps::kLesson;
  return app.bookmarks && !app.bookmarks->empty() ? Steps::kBookmarks : Steps::kSizes;
}

std::size_t step_count(const AppState& app) {
  switch (steps_of(app)) {
    case Steps::kLesson:
      return app.presentation->lesson->steps.size();
    case Steps::kBookmarks:
      return app.bookmarks->size();
    case Steps::kSizes:
      break;
  }
  return doubling_sizes().size();
}

const Bookmark* presented_bookmark(const AppState& app) {
  if (!presents(app) || steps_of(app) != Steps::kBookmarks) return nullptr;
  const std::size_t step = app.presentation->step;
  const std::size_t count = app.bookmarks->size();
  return step == 0 || step > count ? nullptr : &(*app.bookmarks)[count - step];
}

const LessonStep* presented_step(const AppState& app) {
  if (!presents(app) || !app.presentation->lesson) return nullptr;
  return &app.presentation->lesson->steps[app.presentation->step];
}

bool presents(const AppState& app) {
  return app.presentation && !app.presentation->leaving;
}

void present(AppState& app) {
  if (app.presentation || !app.head.state) return;
  begin(app, nullptr);
}

void begin_lesson(AppState& app, Session& session, std::shared_ptr<const Lesson> lesson) {
  if (!app.head.state || (app.presentation && app.presentation->leaving)) return;
  begin(app, std::move(lesson));
  unpin(app);
  show_step(app, session, kNone);
}

void go_on(AppState& app, Session& session) {
  const Steps steps = steps_of(app);
  if (of(app).page + 1 < of(app).pages) {
    ++of(app).page;
    return;
  }
  if (steps == Steps::kLesson) {
    go_on_in_lesson(app, session);
  } else if (!at_end(app)) {
    go_to_step(app, session, (steps == Steps::kSizes ? size_step(app) : of(app).step) + 1);
  }
}

void go_back(AppState& app, Session& session) {
  const Steps steps = steps_of(app);
  if (of(app).page > 0) {
    --of(app).page;
    return;
  }
  if (steps == Steps::kLesson) {
    go_back_in_lesson(app, session);
  } else if (!at_begin(app)) {
    go_to_step(app, session, (steps == Steps::kSizes ? size_step(app) : of(app).step) - 1);
  }
}

void go_to_step(AppState& app, Session& session, std::size_t step) {
  to_first_page(app);
  switch (steps_of(app)) {
    case Steps::kLesson:
      if (step < step_count(app)) move_to_step(app, session, step, false);
      break;
    case Steps::kBookmarks:
      if (step <= step_count(app)) open_bookmark_of_step(app, session, step);
      break;
    case Steps::kSizes:
      if (step < step_count(app)) app.view.focused_items = doubling_sizes()[step];
      break;
  }
}

bool at_end(const AppState& app) {
  const Presentation& shown = *app.presentation;
  if (shown.page + 1 < shown.pages) return false;
  switch (steps_of(app)) {
    case Steps::kLesson: {
      const LessonStep& step = shown.lesson->steps[shown.step];
      return shown.step + 1 == shown.lesson->steps.size() && shown.stop + 1 >= stop_count(step) &&
             (step.question.empty() || shown.answered);
    }
    case Steps::kBookmarks:
      return shown.step >= step_count(app);
    case Steps::kSizes:
      break;
  }
  return size_step(app) + 1 >= step_count(app);
}

bool at_begin(const AppState& app) {
  const Presentation& shown = *app.presentation;
  if (shown.page > 0) return false;
  if (steps_of(app) == Steps::kSizes) return size_step(app) == 0;
  return shown.step == 0 && shown.stop == 0 && !shown.answered;
}

// --- Leaving ---

namespace {

// The desk is back: what comes from now on is the user's doing again.
void finish(AppState& app, Session& session) {
  DeskBefore desk = std::move(app.presentation->desk);
  app.presentation.reset();
  put_settings(desk.settings, app);
  put_pinned(desk.pinned, app);
  app.undo = std::move(desk.undo);
  follow_stop(app);
  const bool same = app.status.open_run == desk.run;
  if (desk.training && same && app.status.phase == RunPhase::kPaused)
    session.send(PlayCommand{training_stop(app)});
}

}  // namespace

void leave_presentation(AppState& app) {
  if (!presents(app)) return;
  Presentation& shown = of(app);
  shown.leaving = true;
  app.full_screen = shown.desk.full_screen;
  put_settings(shown.desk.settings, app);
  put_pinned(shown.desk.pinned, app);
}

void follow_presentation(AppState& app, Session& session) {
  if (!app.presentation || !app.presentation->leaving || !session.answered(app.status)) return;
  Presentation& shown = of(app);
  const DeskBefore& desk = shown.desk;
  if (app.status.open_run == desk.run || shown.asked) return finish(app, session);
  shown.asked = true;
  const auto& others = app.status.other_runs;
  if (std::ranges::find(others, desk.run) != others.end()) {
    session.send(SwitchRunCommand{desk.run});
  } else {
    open_state(app, session, encode_state(desk.settings, desk.head));
  }
}

void leave_presentation_at_once(AppState& app) {
  if (!app.presentation) return;
  const std::shared_ptr<Presentation> shown = std::exchange(app.presentation, nullptr);
  put_settings(shown->desk.settings, app);
  put_pinned(shown->desk.pinned, app);
  app.undo = shown->desk.undo;
  app.status.file = shown->desk.file;
}

}  // namespace dispersion
