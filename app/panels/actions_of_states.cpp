#include "app/panels/actions.h"
#include "app/panels/actions_table.h"
#include "app/session/comparison.h"
#include "app/session/state_string.h"

namespace dispersion {
namespace {

constexpr const char* kGroup = "States";

void add_undo(std::vector<Action>& all, const AppState& app) {
  all.push_back({.id = "undo",
                 .group = kGroup,
                 .name = "Undo",
                 .help = "Takes the last change of a setting or of the run back.",
                 .chords = {ImGuiMod_Ctrl | ImGuiKey_Z},
                 .act = [](const Actor& a) { a.app.undo.ask(1); },
                 .repeats = true,
                 .value = app.undo.done().empty() ? "" : app.undo.done().back().what});
  all.push_back(
      {.id = "redo",
       .group = kGroup,
       .name = "Redo",
       .help = "Does what was undone again.",
       .chords = {ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z, ImGuiMod_Ctrl | ImGuiKey_Y},
       .act = [](const Actor& a) { a.app.undo.ask(-1); },
       .repeats = true,
       .value = app.undo.undone().empty() ? "" : app.undo.undone().back().what});
  all.push_back({.id = "history",
                 .group = kGroup,
                 .name = "History",
                 .help = "What was changed, to go back to any step.",
                 .chords = {ImGuiMod_Ctrl | ImGuiKey_H},
                 .act = [](const Actor& a) { a.state.history_shown = !a.state.history_shown; }});
}

void add_bookmarks(std::vector<Action>& all, const AppState& app) {
  all.push_back(
      {.id = "bookmarks",
       .group = kGroup,
       .name = "Bookmarks",
       .help = "States of the window that were kept under a name, with their heads.",
       .chords = {ImGuiMod_Ctrl | ImGuiKey_B},
       .act = [](const Actor& a) { a.state.bookmarks.shown = !a.state.bookmarks.shown; }});
  if (!app.bookmarks) return;
  for (const Bookmark& bookmark : *app.bookmarks) {
    all.push_back(
        {.id = "bookmark." + bookmark.id,
         .group = "Bookmarks",
         .name = bookmark.name,
         .help = bookmark.note.empty() ? bookmark.head : bookmark.note,
         .act = [text = bookmark.state](const Actor& a) { open_state(a.app, a.session, text); }});
  }
}

void add_comparison(std::vector<Action>& all, const AppState& app) {
  const bool pinned = app.comparison != nullptr;
  all.push_back({.id = "compare.pin",
                 .group = kGroup,
                 .name = pinned ? "Unpin A" : "Pin the present state as A",
                 .help = pinned ? "Goes back to one state."
                                : "Pins head and settings as A. Change anything, and see both with "
                                  "their difference in every view.",
                 .chords = {ImGuiKey_B},
                 .act = [](const Actor& a) { pin_or_unpin(a.app); },
                 .available = pinned || app.head.state != nullptr});
  all.push_back({.id = "compare.swap",
                 .group = kGroup,
                 .name = "Swap A and B",
                 .help = "A becomes the present state, and the present one A.",
                 .chords = {ImGuiMod_Shift | ImGuiKey_B},
                 .act = [](const Actor& a) { swap_states(a.app, a.session); },
                 .available = pinned});
  all.push_back({.id = "compare.difference",
                 .group = kGroup,
                 .name = "Difference of A and B",
                 .help = "Shows B minus A: blue where B has less, orange where it has more.",
                 .act = [](const Actor& a) { show_difference(a.app, !shows_difference(a.app)); },
                 .available = pinned,
                 .value = pinned ? (shows_difference(app) ? "on" : "off") : ""});
}

}  // namespace

void add_state_actions(std::vector<Action>& all, const AppState& app) {
  add_undo(all, app);
  add_bookmarks(all, app);
  add_comparison(all, app);
  all.push_back({.id = "state.copy",
                 .group = kGroup,
                 .name = "Copy the state of the window",
                 .help = "Settings, view and head as one line of text.",
                 .chords = {ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_C},
                 .act = [](const Actor& a) { copy_state(a.app, a.state); }});
  all.push_back({.id = "state.paste",
                 .group = kGroup,
                 .name = "Open the copied state",
                 .help = "What the line on the clipboard says, with its head.",
                 .chords = {ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_V},
                 .act = [](const Actor& a) { paste_state(a.app, a.session); }});
}

}  // namespace dispersion
