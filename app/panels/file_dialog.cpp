#include "app/panels/file_dialog.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "app/panels/actions.h"
#include "app/panels/dialog_frame.h"
#include "app/panels/file_list.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/keys.h"
#include "app/panels/path_entry.h"
#include "app/panels/text_entry.h"
#include "app/panels/widgets.h"
#include "app/window/theme.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "Head###file dialog";
constexpr float kWidth = 900;
constexpr float kHeight = 600;
constexpr float kMargin = 18;
constexpr float kPlaces = 250;
constexpr float kLeastBeside = 620;  // from this width on, the places are beside the folder
constexpr float kLeastHigh = 320;    // a lower dialog has no titles, and its foot is one line
constexpr float kTitle = 34;
constexpr float kFoot = 84;  // path and buttons
constexpr float kLowFoot = 48;
constexpr float kMessage = 60;  // the most height of a message; a longer one scrolls
constexpr float kLeastButton = 84;
constexpr float kBetween = 6;
constexpr double kAskAgain = 0.1;  // seconds, whether the desktop's dialog has an answer

bool opens(const PathEntry& entry) {
  return entry.purpose == PathEntry::Purpose::kOpen;
}

const char* title_of(const PathEntry& entry) {
  return opens(entry) ? "Open a head" : "Save the head";
}

// --- The field for the path: Tab completes it, the arrow keys go through the list ---

struct FieldActor {
  AppState& app;
  PanelState& state;
};

void replace_text(ImGuiInputTextCallbackData& field, const std::string& text) {
  field.DeleteChars(0, field.BufTextLen);
  field.InsertChars(0, text.c_str());
}

// Completes the name once the list of its folder is there. The entry has the text of the field.
void complete(const FieldActor& actor, ImGuiInputTextCallbackData& field) {
  if (actor.app.files.reading()) return;
  actor.state.files->completing = false;
  const std::string typed = entry_name(actor.state.entry).string();
  const std::string whole = completed_name(shown_entries(actor.app, actor.state), typed);
  if (whole != typed)
    field.InsertChars(field.BufTextLen, visible_text(whole.substr(typed.size())).c_str());
}

void move_choice(const FieldActor& actor, ImGuiInputTextCallbackData& field, int by) {
  PanelState& state = actor.state;
  const std::vector<FolderEntry>& entries = shown_entries(actor.app, state);
  if (entries.empty()) return;
  const int last = static_cast<int>(entries.size()) - 1;
  const int now = chosen_entry(state);
  const int next = now < 0 ? (by > 0 ? 0 : last) : std::clamp(now + by, 0, last);
  set_entry(state.entry, entry_folder(state.entry), entries[static_cast<std::size_t>(next)].name);
  state.files->scroll = true;
  replace_text(field, state.entry.text.data());
}

int on_field(ImGuiInputTextCallbackData* field) {
  const FieldActor& actor = *static_cast<const FieldActor*>(field->UserData);
  // The text of the entry is that of the field before this frame's typing.
  std::array<char, 4096>& text = actor.state.entry.text;
  const auto length =
      std::min<std::size_t>(static_cast<std::size_t>(field->BufTextLen), text.size() - 1);
  const bool active_text = std::string_view(text.data()) == std::string_view(field->Buf, length);
  if (!active_text) {
    std::memcpy(text.data(), field->Buf, length);
    text[length] = '\0';
  }
  if (field->EventFlag == ImGuiInputTextFlags_CallbackCompletion)
    actor.state.files->completing = true;
  if (field->EventFlag == ImGuiInputTextFlags_CallbackHistory)
    move_choice(actor, *field, field->EventKey == ImGuiKey_DownArrow ? 1 : -1);
  if (actor.state.files->completing) complete(actor, *field);
  return 0;
}

// Returns whether Enter was pressed.
bool draw_field(AppState& app, PanelState& state, float width) {
  const Painter& painter = state.painter;
  PathEntry& entry = state.entry;
  ImGui::SetNextItemWidth(width);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {painter.px(8), painter.px(5)});
  const std::string before = entry.text.data();
  FieldActor actor = {app, state};
  const bool entered =
      focused_field("##path", entry.text, entry.focus,
                    ImGuiInputTextFlags_CallbackCompletion | ImGuiInputTextFlags_CallbackHistory |
                        ImGuiInputTextFlags_CallbackAlways,
                    on_field, &actor);
  ImGui::PopStyleVar();
  if (before != entry.text.data()) {
    entry.overwrite = false;
    entry.error.clear();
  }
  return entered;
}

// --- The desktop's own dialog ---

void show_desktop_dialog(PanelState& state) {
  const PathEntry& entry = state.entry;
  const bool open = opens(entry);
  // A "/" at the end tells the programs that it is a folder.
  const fs::path at = entry_folder(entry) / (open ? fs::path() : entry_name(entry));
  if (!state.files->desktop.show(
          open ? DesktopDialog::Purpose::kOpen : DesktopDialog::Purpose::kSave, at))
    state.entry.error = "the desktop's dialog could not be started";
}

// Takes the file that was chosen there; it has asked before a file is replaced.
void take_desktop_answer(AppState& app, Session& session, PanelState& state) {
  DesktopDialog& desktop = state.files->desktop;
  if (!desktop.shown()) return;
  state.painter.redraw(state.painter.now + kAskAgain);
  const std::optional<fs::path> file = desktop.answer();
  if (!file || file->empty()) return;
  set_entry(state.entry, *file);
  state.entry.overwrite = !opens(state.entry);
  confirm_entry(app, session, state);
}

// --- The foot: the path, a message, the buttons ---

enum class FootButton { kConfirm, kCancel, kDesktop, kCopy };

struct Button {
  FootButton does;
  std::string label;
  ButtonKind kind = ButtonKind::kPlain;
  const char* help = "";
};

// From right to left.
std::vector<Button> buttons(const PanelState& state) {
  const PathEntry& entry = state.entry;
  const std::string verb = entry.asked != 0  ? "Working …"
                           : opens(entry)    ? "Open"
                           : entry.overwrite ? "Replace"
                                             : "Save";
  std::vector<Button> all = {{FootButton::kConfirm, verb + "###confirm", ButtonKind::kPrimary, ""},
                             {FootButton::kCancel, "Cancel###cancel", ButtonKind::kPlain, "Esc"}};
  if (state.files->has_desktop)
    all.push_back(
        {FootButton::kDesktop,
         state.files->desktop.shown() ? "Is shown …###desktop" : "System dialog …###desktop",
         ButtonKind::kPlain, "The dialog for files of your desktop."});
  if (!entry.error.empty()) {
    const bool copied =
        state.painter.copied == "file error" && state.painter.now < state.painter.copied_until;
    all.push_back({FootButton::kCopy, copied ? "Copied###copy error" : "Copy message###copy error",
                   ButtonKind::kPlain, "The whole message on the clipboard."});
  }
  return all;
}

void act(AppState& app, Session& session, PanelState& state, FootButton button) {
  switch (button) {
    case FootButton::kConfirm:
      confirm_entry(app, session, state);
      state.entry.focus.wanted = true;
      break;
    case FootButton::kCancel:
      close_file_dialog(state);
      break;
    case FootButton::kDesktop:
      show_desktop_dialog(state);
      break;
    case FootButton::kCopy:
      copy_text(state.painter, "file error", state.entry.error);
      break;
  }
}

float button_width(const Painter& painter, const Button& button) {
  const std::string text = button.label.substr(0, button.label.find('#'));
  return std::max(measure(painter, TextStyle::kSmall, text).x + painter.px(20),
                  painter.px(button.kind == ButtonKind::kPrimary ? kLeastButton : 0));
}

float buttons_width(const PanelState& state) {
  float width = 0;
  for (const Button& button : buttons(state))
    width += button_width(state.painter, button) + state.painter.px(kBetween);
  return width;
}

void draw_buttons(AppState& app, Session& session, PanelState& state, float right, float y) {
  Painter& painter = state.painter;
  float x = right;
  for (const Button& button : buttons(state)) {
    const float width = button_width(painter, button);
    x -= width;
    ImGui::SetCursorScreenPos({x, y});
    if (push_button(painter, button.label.c_str(), button.kind, width, button.help)) {
      act(app, session, state, button.does);
      return;  // the dialog may be closed
    }
    x -= painter.px(kBetween);
  }
}

// What the user has to know before going on.
std::string message_of(const PathEntry& entry) {
  if (entry.overwrite) return "This file is there already. Replace it?";
  return as_sentence(entry.error);
}

float message_height(const PanelState& state, float width) {
  const std::string text = message_of(state.entry);
  if (text.empty()) return 0;
  const Painter& painter = state.painter;
  return std::min(flow_height(painter, TextStyle::kBody, text, width), painter.px(kMessage)) +
         painter.px(10);
}

void draw_message(const PanelState& state, ImVec2 at, ImVec2 size) {
  const Painter& painter = state.painter;
  ImGui::SetCursorScreenPos(at);
  ImGui::BeginChild("message", size, kTabbedThrough, ImGuiWindowFlags_NoBackground);
  flow_text(painter, TextStyle::kBody, painter.palette->adaptive, message_of(state.entry));
  ImGui::EndChild();
}

// After a click in a list the field does not have the keyboard: it would end a double click.
bool entered_after_click() {
  return !ImGui::IsAnyItemActive() && !ImGui::GetIO().NavVisible &&
         (pressed(ImGuiKey_Enter) || pressed(ImGuiKey_KeypadEnter));
}

// In a low dialog the buttons are beside the path, otherwise below it.
void draw_foot(AppState& app, Session& session, PanelState& state, ImVec2 at, float width,
               float message, bool low) {
  const Painter& painter = state.painter;
  float label = 0;
  if (!low) {
    label = measure(painter, TextStyle::kBody, "file").x + painter.px(12);
    draw_text(painter, ImGui::GetWindowDrawList(), {at.x, at.y + painter.px(5)}, TextStyle::kBody,
              painter.palette->muted, "file");
  }
  ImGui::SetCursorScreenPos({at.x + label, at.y});
  const bool entered = draw_field(app, state, width - label - (low ? buttons_width(state) : 0));
  const float below = at.y + painter.px(38);
  if (message > 0) draw_message(state, {at.x, below}, {width, message - painter.px(8)});
  draw_buttons(app, session, state, at.x + width, low ? at.y + painter.px(1) : below + message);
  if (entered || entered_after_click()) confirm_entry(app, session, state);
}

// --- The dialog ---

// One list at a time, for a small window.
bool draw_one_list(AppState& app, Session& session, PanelState& state, ImVec2 size, bool low) {
  constexpr std::array<const char*, 3> kSources = {"Folder", "Recent", "Inside the program"};
  const Painter& painter = state.painter;
  FileDialog& dialog = *state.files;
  const int count = opens(state.entry) && app.shipped ? 3 : 2;
  dialog.source = std::min(dialog.source, count - 1);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::BeginChild("sources", {size.x, painter.px(24)}, kTabbedThrough,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground);
  segments(state.painter, "source", kSources.data(), count, dialog.source, "");
  ImGui::EndChild();
  ImGui::SetCursorScreenPos({at.x, at.y + painter.px(32)});
  const ImVec2 room = {size.x, size.y - painter.px(32)};
  if (dialog.source == 0) return draw_folder_list(app, state, room, !low);
  return draw_places(app, session, state, room, dialog.source == 1, dialog.source == 2);
}

bool draw_lists(AppState& app, Session& session, PanelState& state, ImVec2 size, bool low) {
  const Painter& painter = state.painter;
  if (size.x < painter.px(kLeastBeside - 2 * kMargin))
    return draw_one_list(app, session, state, size, low);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float places = painter.px(kPlaces);
  const float gutter = painter.px(16);
  const bool of_places =
      draw_places(app, session, state, {places, size.y}, true, opens(state.entry));
  ImGui::SetCursorScreenPos({at.x + places + gutter, at.y});
  const bool of_folder = draw_folder_list(app, state, {size.x - places - gutter, size.y}, !low);
  return of_places || of_folder;
}

void draw_inside(AppState& app, Session& session, PanelState& state, ImVec2 corner, ImVec2 size) {
  const Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const bool low = size.y < painter.px(kLeastHigh);
  const float margin = painter.px(low ? 10 : kMargin);
  const float inner = size.x - 2 * margin;
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (!low)
    draw_text(painter, list, {corner.x + margin, corner.y + painter.px(14)}, TextStyle::kTitle,
              p.text, title_of(state.entry));
  const float top = corner.y + (low ? margin : painter.px(14 + kTitle));
  const float message = message_height(state, inner);
  const float foot = corner.y + size.y - painter.px(low ? kLowFoot : kFoot) - message;
  ImGui::SetCursorScreenPos({corner.x + margin, top});
  const bool wanted = draw_lists(app, session, state, {inner, foot - top - painter.px(10)}, low);
  list->AddLine({corner.x, foot}, {corner.x + size.x, foot}, packed(p.line));
  draw_foot(app, session, state, {corner.x + margin, foot + painter.px(low ? 10 : 12)}, inner,
            message, low);
  if (wanted) confirm_entry(app, session, state);
}

// The list follows the folder of the path.
void follow_folder(AppState& app, const PanelState& state) {
  const fs::path folder = entry_folder(state.entry);
  if (app.files.folder != folder) app.files.folder = folder;
}

void begin(AppState& app, PanelState& state) {
  if (!state.files) state.files = std::make_shared<FileDialog>();
  FileDialog& dialog = *state.files;
  dialog.has_desktop = DesktopDialog::available();
  dialog.completing = false;
  dialog.source = 0;
  app.files.renew = true;
  ImGui::OpenPopup(kName);
}

}  // namespace

void close_file_dialog(PanelState& state) {
  state.entry = {};
  if (state.files) state.files->desktop.end();
}

void draw_file_dialog(AppState& app, Session& session, PanelState& state) {
  const bool asked = state.entry.purpose != PathEntry::Purpose::kNone;
  if (asked && !ImGui::IsPopupOpen(kName)) begin(app, state);
  const std::optional<ImVec2> size = begin_dialog(state.painter, kName, {kWidth, kHeight});
  if (!size) return;
  if (asked) {
    take_desktop_answer(app, session, state);
    draw_inside(app, session, state, ImGui::GetWindowPos(), *size);
    if (ImGui::IsKeyPressed(ImGuiKey_Escape)) close_file_dialog(state);
    follow_folder(app, state);
  }
  if (state.entry.purpose == PathEntry::Purpose::kNone) {
    ImGui::CloseCurrentPopup();
    state.painter.redraw(state.painter.now);  // this frame still shows the dialog
  }
  end_dialog();
}

void take_answer(const AppState& app, PanelState& state) {
  PathEntry& entry = state.entry;
  if (entry.asked == 0) return;
  const auto answer = std::ranges::find(app.reports, entry.asked, &Report::answers);
  if (answer == app.reports.end()) return;
  if (answer->ok) {
    close_file_dialog(state);
    return;
  }
  entry.asked = 0;
  entry.error = answer->text;
  state.reports_read = app.reports_added;  // it is told below the field
}

void open_dropped(AppState& app, Session& session, PanelState& state, const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    ask_for_path(app, state.entry, PathEntry::Purpose::kOpen);
    enter_folder(state.entry, path);
    return;
  }
  session.send(OpenCommand{path});
}

}  // namespace dispersion
