#include "app/panels/file_list.h"

#include <algorithm>
#include <string>
#include <utility>

#include "app/panels/keyboard_focus.h"
#include "app/panels/path_entry.h"
#include "app/panels/widgets.h"
#include "app/window/theme.h"
#include "core/figure/number_text.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

constexpr float kRow = 25;
constexpr float kInset = 8;
constexpr float kTimeColumn = 128;
constexpr float kLeastForTime = 330;  // a narrower list leaves the time out

struct Row {
  std::string name;
  std::string note;  // muted, at the right end
  bool chosen = false;
  bool muted = false;
  float note_width = 0;  // of its column; 0: as wide as it is
};

// A row over the whole width. Returns whether it was pressed.
bool draw_row(const Painter& painter, const char* id, const Row& row) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = painter.px(kRow);
  const bool pressed = ImGui::InvisibleButton(id, {width, height}, kFocusable);
  const Palette& p = *painter.palette;
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (row.chosen || ImGui::IsItemHovered())
    list->AddRectFilled(at, {at.x + width, at.y + height}, packed(row.chosen ? p.line : p.raised),
                        painter.px(4));
  const float y = at.y + (height - measure(painter, TextStyle::kBody, "x").y) / 2;
  const float inset = painter.px(kInset);
  const std::string note =
      fitted(painter, TextStyle::kSmall, row.note, row.note_width > 0 ? row.note_width : width / 2);
  const float note_width =
      row.note_width > 0 ? row.note_width : measure(painter, TextStyle::kSmall, note).x;
  draw_text(painter, list, {at.x + width - inset - note_width, y + painter.px(1)},
            TextStyle::kSmall, p.muted, note);
  const float room = width - 3 * inset - note_width;
  draw_text(painter, list, {at.x + inset, y}, TextStyle::kBody, row.muted ? p.muted : p.text,
            fitted(painter, TextStyle::kBody, row.name, room));
  return pressed;
}

// The text, or its longest end that fits with "…" before it.
std::string end_that_fits(const Painter& painter, const std::string& text, float width) {
  if (measure(painter, TextStyle::kSmall, text).x <= width) return text;
  for (std::size_t begin = text.find('/', 1); begin != std::string::npos;
       begin = text.find('/', begin + 1)) {
    std::string cut = "…" + text.substr(begin);
    if (measure(painter, TextStyle::kSmall, cut).x <= width) return cut;
  }
  return fitted(painter, TextStyle::kSmall, text, width);
}

// The folder's path, the way up, and the switch for all files.
void draw_folder_line(PanelState& state, float width) {
  Painter& painter = state.painter;
  PathEntry& entry = state.entry;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const fs::path folder = entry_folder(entry);
  const float up = painter.px(34);
  if (push_button(painter, "↑###up", ButtonKind::kPlain, up, "The folder above."))
    enter_folder(entry, folder.parent_path());
  const float all = painter.px(39) + measure(painter, TextStyle::kBody, "all files").x;
  const float left = at.x + up + painter.px(10);
  const float room = width - up - all - painter.px(24);
  draw_text(painter, ImGui::GetWindowDrawList(), {left, at.y + painter.px(6)}, TextStyle::kSmall,
            painter.palette->muted, end_that_fits(painter, shown_path(folder), room));
  ImGui::SetCursorScreenPos({at.x + width - all, at.y + painter.px(2)});
  toggle(painter, "all files", state.files->all_files, painter.palette->baseline,
         "Also files that are not named *.safetensors, and hidden ones.");
  ImGui::SetCursorScreenPos({at.x, at.y + painter.px(32)});
}

// A heading by which the list is sorted at a click.
void draw_heading(FileDialog& dialog, const Painter& painter, const char* label, FolderOrder order,
                  ImVec2 at, float width) {
  ImGui::SetCursorScreenPos(at);
  const bool chosen = dialog.order == order;
  if (ImGui::InvisibleButton(label, {width, painter.px(22)}, kFocusable)) {
    // The newest first, where it is sorted by time.
    dialog.descending = chosen ? !dialog.descending : order == FolderOrder::kTime;
    dialog.order = order;
  }
  const Palette& p = *painter.palette;
  const std::string text = std::string(label) + (!chosen ? "" : dialog.descending ? " ▾" : " ▴");
  draw_text(painter, ImGui::GetWindowDrawList(), {at.x, at.y + painter.px(3)}, TextStyle::kSmall,
            ImGui::IsItemHovered() || chosen ? p.text : p.muted, text);
}

void draw_headings(FileDialog& dialog, const Painter& painter, ImVec2 at, float width) {
  const float inset = painter.px(4 + kInset);
  const float time = painter.px(kTimeColumn);
  const bool times = width >= painter.px(kLeastForTime);
  draw_heading(dialog, painter, "name", FolderOrder::kName, {at.x + inset, at.y},
               width - inset - (times ? time + painter.px(18) : 0));
  if (times)
    draw_heading(dialog, painter, "changed", FolderOrder::kTime,
                 {at.x + width - painter.px(4) - time, at.y}, time);
}

// What stands in the place of an empty list.
std::string empty_text(const FileBrowser& files, const FileDialog& dialog) {
  if (files.reading()) return "Reading the folder …";
  if (!files.listing.error.empty()) return as_sentence(files.listing.error);
  return dialog.all_files ? "The folder is empty." : "No heads (*.safetensors) in this folder.";
}

// Below a list that does not hold all files.
std::string cut_text() {
  return "Only the first " + counted_text(std::int64_t{FolderListing::kMostEntries}, "file") +
         " are listed; any other can be typed.";
}

bool press_entry(PanelState& state, const FolderEntry& entry) {
  FileDialog& dialog = *state.files;
  const fs::path folder = entry_folder(state.entry);
  const fs::path pressed = folder / entry.name;
  if (entry.folder) {
    enter_folder(state.entry, pressed);
    dialog.clicked.clear();  // a second press does not belong to what is there then
    return false;
  }
  const bool again = ImGui::GetIO().MouseClickedLastCount[ImGuiMouseButton_Left] > 1;
  const bool same = dialog.clicked == pressed;
  dialog.clicked = pressed;
  set_entry(state.entry, folder, entry.name);
  return again && same;
}

bool draw_entries(AppState& app, PanelState& state) {
  const Painter& painter = state.painter;
  const std::vector<FolderEntry>& entries = shown_entries(app, state);
  FileDialog& dialog = *state.files;
  const int chosen = chosen_entry(state);
  const float width = ImGui::GetContentRegionAvail().x;
  const bool times = width >= painter.px(kLeastForTime);
  bool wanted = false;
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(entries.size()), painter.px(kRow));
  if (chosen >= 0) clipper.IncludeItemByIndex(chosen);
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const FolderEntry& entry = entries[static_cast<std::size_t>(i)];
      ImGui::PushID(i);
      const std::string name = visible_text(entry.name) + (entry.folder ? "/" : "");
      const bool head = entry.name.ends_with(".safetensors");
      const Row row = {name, times ? local_time_text(entry.changed) : "", i == chosen,
                       !entry.folder && !head, times ? painter.px(kTimeColumn - kInset) : 0};
      const TabStop stop(i == std::max(chosen, 0));
      if (draw_row(painter, "entry", row)) wanted = press_entry(state, entry);
      if (measure(painter, TextStyle::kBody, name).x > width - painter.px(kTimeColumn))
        help_tooltip(painter, name);
      if (i == chosen && std::exchange(dialog.scroll, false)) ImGui::SetScrollHereY();
      ImGui::PopID();
    }
  }
  return wanted;
}

// Begins a sunken list of this size.
void begin_list(const Painter& painter, const char* id, ImVec2 size) {
  ImGui::PushStyleColor(ImGuiCol_ChildBg, colour(painter.palette->background));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {painter.px(4), painter.px(4)});
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, painter.px(5));
  ImGui::BeginChild(id, size, ImGuiChildFlags_AlwaysUseWindowPadding | kTabbedThrough);
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
}

void end_list() {
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

void draw_place_title(const Painter& painter, const char* title) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_text(painter, ImGui::GetWindowDrawList(), {at.x + painter.px(kInset), at.y + painter.px(5)},
            TextStyle::kSmall, painter.palette->muted, title);
  ImGui::Dummy({1, painter.px(25)});
}

bool draw_recent(AppState& app, PanelState& state) {
  const Painter& painter = state.painter;
  bool wanted = false;
  for (std::size_t i = 0; i < app.files.recent.size(); ++i) {
    const RecentFile& file = app.files.recent[i];
    ImGui::PushID(static_cast<int>(i));
    const Row row = {visible_text(file.path.filename().native()),
                     visible_text(file.path.parent_path().filename().native()), false, !file.there};
    if (draw_row(painter, "recent", row)) {
      set_entry(state.entry, file.path);
      wanted = state.entry.purpose == PathEntry::Purpose::kOpen;
    }
    help_tooltip(painter, shown_path(file.path) + (file.there ? "" : " is not there any more"));
    ImGui::PopID();
  }
  if (app.files.recent.empty()) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text(painter, ImGui::GetWindowDrawList(), {at.x + painter.px(kInset), at.y},
              TextStyle::kBody, painter.palette->muted, "none yet");
    ImGui::Dummy({1, painter.px(kRow)});
  }
  return wanted;
}

void draw_shipped(AppState& app, Session& session, PanelState& state) {
  const std::vector<ExperimentHead>& heads = app.shipped->heads;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (draw_row(state.painter, "shipped", {shipped_text(heads[i]), ""}))
      open_shipped(app, session, state, i);
    ImGui::PopID();
  }
}

}  // namespace

const std::vector<FolderEntry>& shown_entries(const AppState& app, PanelState& state) {
  static const std::vector<FolderEntry> kNone;
  FileDialog& dialog = *state.files;
  if (app.files.reading()) return kNone;
  const std::string name = entry_name(state.entry).string();
  const FileDialog::From from = {app.files.listings, dialog.order, dialog.descending,
                                 dialog.all_files, name.starts_with('.')};
  if (!(from == dialog.shown_from)) {
    dialog.shown =
        shown_entries(app.files.listing, dialog.order, dialog.descending, dialog.all_files, name);
    dialog.shown_from = from;
  }
  return dialog.shown;
}

int chosen_entry(const PanelState& state) {
  const std::string name = entry_name(state.entry).string();
  const std::vector<FolderEntry>& entries = state.files->shown;
  const auto found = std::ranges::find(entries, name, &FolderEntry::name);
  return found == entries.end() ? -1 : static_cast<int>(found - entries.begin());
}

bool draw_folder_list(AppState& app, PanelState& state, ImVec2 size, bool headings) {
  const Painter& painter = state.painter;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  draw_folder_line(state, size.x);
  float top = ImGui::GetCursorScreenPos().y;
  if (headings) {
    draw_headings(*state.files, painter, {start.x, top}, size.x);
    top += painter.px(23);
  }
  ImGui::SetCursorScreenPos({start.x, top});
  const ImVec2 room = {size.x, start.y + size.y - top};
  begin_list(painter, "folder", room);
  const bool wanted = draw_entries(app, state);
  if (shown_entries(app, state).empty()) {
    ImGui::SetCursorScreenPos({start.x + painter.px(12), top + painter.px(10)});
    flow_text(painter, TextStyle::kBody,
              app.files.listing.error.empty() || app.files.reading() ? painter.palette->muted
                                                                     : painter.palette->adaptive,
              empty_text(app.files, *state.files));
  }
  if (app.files.listing.cut && !app.files.reading())
    flow_text(painter, TextStyle::kSmall, painter.palette->muted, cut_text());
  end_list();
  return wanted;
}

bool draw_places(AppState& app, Session& session, PanelState& state, ImVec2 size, bool recent,
                 bool shipped) {
  const Painter& painter = state.painter;
  bool wanted = false;
  begin_list(painter, "places", size);
  if (recent) {
    draw_place_title(painter, "Recent");
    wanted = draw_recent(app, state);
  }
  if (shipped && app.shipped) {
    if (recent) gap(painter, 6);
    draw_place_title(painter, "Inside the program");
    draw_shipped(app, session, state);
  }
  end_list();
  return wanted;
}

}  // namespace dispersion
