#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "app/lesson/lesson.h"
#include "app/session/head_name.h"
#include "app/session/undo_history.h"
#include "app/session/user_settings.h"

namespace dispersion {

class Session;

// The desk as it was before something was presented.
struct DeskBefore {
  UserSettings settings;
  PinnedState pinned;
  UndoHistory undo;
  HeadName head;
  std::uint64_t run = 0;  // RunStatus::open_run
  bool training = false;
  std::filesystem::path file;  // RunStatus::file
  bool full_screen = false;    // of the window
};

// What is presented: views that fill the window, stepped through by a clicker. Its end gives back
// the desk as it was.
struct Presentation {
  std::shared_ptr<const Lesson> lesson;  // null: bookmarks are stepped through, or n
  std::size_t step = 0;   // of the lesson, from 0 on; of the bookmarks, from 1 on, 0: the desk
  std::size_t stop = 0;   // of LessonStep::stops
  std::size_t page = 0;   // of the view, where not all of it has room at once
  std::size_t pages = 1;  // that the view has, as it was drawn last
  bool answered = false;  // the answer of the step is shown
  std::array<char, 64> guess{};  // of the class, as typed
  bool blank = false;            // nothing is shown
  bool controls = false;         // the window's controls are shown
  double moved_at = -1e9;        // when the pointer was moved last
  DeskBefore desk;
  bool leaving = false;  // the desk comes back as soon as the worker has opened its head
  bool asked = false;    // while leaving: the worker was asked for that head
};

// What a clicker steps through.
enum class Steps { kLesson, kBookmarks, kSizes };
Steps steps_of(const AppState& app);
// How many there are: steps of the lesson, bookmarks, or sizes.
std::size_t step_count(const AppState& app);
// The bookmark of a step, in the order in which they were made; null for the desk itself.
const Bookmark* presented_bookmark(const AppState& app);
// The step of the lesson that is open; null: none is.
const LessonStep* presented_step(const AppState& app);

// Whether something is presented and not being left.
bool presents(const AppState& app);

// Presents what the window shows. Nothing changes before the first head has come, and while
// something is presented already.
void present(AppState& app);
// Opens a lesson at its first step, in the place of what is presented.
void begin_lesson(AppState& app, Session& session, std::shared_ptr<const Lesson> lesson);

// To the next page of the view, the next stop, the answer or the next step; and back. At the ends
// nothing changes.
void go_on(AppState& app, Session& session);
void go_back(AppState& app, Session& session);
void go_to_step(AppState& app, Session& session, std::size_t step);
bool at_end(const AppState& app);
bool at_begin(const AppState& app);

// Gives the desk back. The head comes as soon as the worker has it: follow_presentation() is to be
// called in every frame.
void leave_presentation(AppState& app);
void follow_presentation(AppState& app, Session& session);
// The same at once, for what the window keeps as it closes; the head is not waited for.
void leave_presentation_at_once(AppState& app);

}  // namespace dispersion
