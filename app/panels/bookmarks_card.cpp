#include "app/panels/bookmarks_card.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "app/panels/keyboard_focus.h"
#include "app/panels/panel_frame.h"
#include "app/panels/text_entry.h"
#include "app/panels/widgets.h"
#include "app/session/run_status.h"
#include "app/session/state_string.h"

namespace dispersion {
namespace {

void fill(std::span<char> field, std::string_view text) {
  const std::size_t length = std::min(text.size(), field.size() - 1);
  std::copy_n(text.data(), length, field.data());
  field[length] = '\0';
}

void clear(BookmarksEntry& entry) {
  entry.edited.clear();
  entry.removed.clear();
  fill(entry.name, "");
  fill(entry.note, "");
}

// A muted label and a field on one line. Returns whether Enter was pressed.
bool labelled_field(const Painter& painter, const char* label, const char* id,
                    std::span<char> text) {
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float indent = painter.px(52);
  draw_text(painter, ImGui::GetWindowDrawList(), {start.x, start.y + painter.px(4)},
            TextStyle::kSmall, painter.palette->muted, label);
  ImGui::SetCursorScreenPos({start.x + indent, start.y});
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  return keyboard_field(id, text);
}

std::string usual_name(const AppState& app) {
  return app.head.state && app.status.has_run
             ? seed_and_step(*app.head.state, app.status.steps_before)
             : "a state";
}

// The command that the fields stand for: a new bookmark, or one with another name and note.
BookmarkCommand entered_bookmark(const AppState& app, const BookmarksEntry& entry) {
  BookmarkCommand command;
  command.folder = app.bookmarks_folder;
  command.bookmark.state = state_string(app);
  for (const Bookmark& each : *app.bookmarks) {
    if (each.id != entry.edited) continue;
    command.act = BookmarkCommand::Act::kChange;
    command.bookmark = each;
  }
  command.bookmark.name = entry.name.data();
  command.bookmark.note = entry.note.data();
  if (command.bookmark.name.empty()) command.bookmark.name = usual_name(app);
  return command;
}

// The fields of a new bookmark, or of the one that is edited.
void draw_entry(AppState& app, Session& session, PanelState& state) {
  Painter& painter = state.painter;
  BookmarksEntry& entry = state.bookmarks;
  const bool fresh = entry.edited.empty();
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  bool entered = labelled_field(painter, "name", "##bookmark name", entry.name);
  entered = labelled_field(painter, "note", "##bookmark note", entry.note) || entered;
  const float width = painter.px(150);
  const bool pressed =
      push_button(painter, fresh ? "Keep this state###keep bookmark" : "Change###keep bookmark",
                  ButtonKind::kPrimary, width,
                  fresh ? "Keeps settings and view, and a copy of the open head." : "");
  bool left = false;
  if (!fresh) {
    ImGui::SameLine();
    left = push_button(painter, "Cancel###cancel bookmark", ButtonKind::kPlain, painter.px(80), "");
  }
  if (entered || pressed) {
    session.send(entered_bookmark(app, entry));
    leave_keyboard_field();
  }
  if (entered || pressed || left) clear(entry);
}

// Two buttons at the right end of a row. The first click on Delete asks for a second.
void draw_row_buttons(AppState& app, Session& session, PanelState& state, const Bookmark& bookmark,
                      ImVec2 end) {
  Painter& painter = state.painter;
  BookmarksEntry& entry = state.bookmarks;
  const float width = painter.px(72);
  const bool asked = entry.removed == bookmark.id;
  ImGui::SetCursorScreenPos({end.x - width, end.y});
  if (push_button(painter, asked ? "Really?###delete bookmark" : "Delete###delete bookmark",
                  ButtonKind::kPlain, width,
                  asked ? "Removes the bookmark and its copy of the head for good." : "")) {
    if (asked) {
      session.send(BookmarkCommand{BookmarkCommand::Act::kRemove, app.bookmarks_folder, bookmark});
    }
    entry.removed = asked ? "" : bookmark.id;
  }
  ImGui::SetCursorScreenPos({end.x - 2 * width - painter.px(6), end.y});
  if (push_button(painter, "Edit###edit bookmark", ButtonKind::kPlain, width,
                  "Its name and note.")) {
    entry.edited = bookmark.id;
    fill(entry.name, bookmark.name);
    fill(entry.note, bookmark.note);
  }
}

void draw_bookmark(AppState& app, Session& session, PanelState& state, const Bookmark& bookmark) {
  const Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  ImGui::PushID(bookmark.id.c_str());
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = painter.px(44);
  ImGui::SetNextItemAllowOverlap();
  const bool opened = ImGui::Selectable("###open bookmark", false, 0, {width, height});
  const float room = width - painter.px(166);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::string below = bookmark.note.empty() ? bookmark.head : bookmark.note;
  draw_text(painter, list, {start.x + painter.px(6), start.y + painter.px(4)}, TextStyle::kBody,
            p.text, fitted(painter, TextStyle::kBody, bookmark.name, room));
  draw_text(painter, list, {start.x + painter.px(6), start.y + painter.px(24)}, TextStyle::kSmall,
            p.muted, fitted(painter, TextStyle::kSmall, below, room));
  help_tooltip(painter,
               bookmark.note.empty() ? bookmark.head : bookmark.note + "\n" + bookmark.head);
  draw_row_buttons(app, session, state, bookmark,
                   {start.x + width - painter.px(6), start.y + painter.px(10)});
  ImGui::SetCursorScreenPos({start.x, start.y + height});
  ImGui::Dummy({width, 0});
  ImGui::PopID();
  if (!opened) return;
  open_state(app, session, bookmark.state);
  state.bookmarks.shown = false;
}

}  // namespace

void draw_bookmarks_card(AppState& app, Session& session, PanelState& state, ImVec2 low,
                         ImVec2 high) {
  Painter& painter = state.painter;
  const auto rows = static_cast<float>(app.bookmarks ? app.bookmarks->size() : 0);
  begin_card(painter, "bookmarks", {painter.px(520), painter.px(190 + 44 * std::max(rows, 1.0F))},
             low, high);
  section_title(painter, "Bookmarks", "Ctrl B");
  ImGui::BeginChild("list", {0, 0}, kTabbedThrough);
  draw_entry(app, session, state);
  gap(painter, 6);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {painter.px(6), 0});
  if (rows == 0) {
    flow_text(painter, TextStyle::kSmall, painter.palette->muted,
              "None yet. A bookmark keeps settings, view and a copy of the head under a name.");
  }
  if (app.bookmarks) {
    const auto all = app.bookmarks;
    for (const Bookmark& bookmark : *all)
      draw_bookmark(app, session, state, bookmark);
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
  end_card();
}

}  // namespace dispersion
