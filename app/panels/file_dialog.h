#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"
#include "app/window/desktop_dialog.h"

namespace dispersion {

// What the dialog for heads remembers from one opening to the next.
struct FileDialog {
  FolderOrder order = FolderOrder::kName;
  bool descending = false;
  bool all_files = false;
  int source = 0;  // the list that a small window shows: folder, recent files, shipped heads

  // The entries that are shown, and from what they were made.
  std::vector<FolderEntry> shown;
  struct From {
    std::uint64_t listings = 0;
    FolderOrder order = FolderOrder::kName;
    bool descending = false;
    bool all_files = false;
    bool hidden = false;
    bool operator==(const From&) const = default;
  } shown_from;

  bool completing = false;        // Tab was pressed, and the list of the folder is awaited
  int moved = 0;                  // by how many entries the arrow keys have moved in this frame
  bool scroll = false;            // the chosen entry is to be seen
  std::filesystem::path clicked;  // the first press of a double click

  DesktopDialog desktop;
  bool has_desktop = false;  // a program for the desktop's own dialog was found at the opening
};

// The dialog in which a head is opened or saved; drawn over everything while PanelState::entry asks
// for a file.
void draw_file_dialog(AppState& app, Session& session, PanelState& state);

// Closes it as Esc does.
void close_file_dialog(PanelState& state);

// Takes the worker's answer to the entry: closes it when the file is opened or saved, and otherwise
// shows why not. To be called once in every frame.
void take_answer(const AppState& app, PanelState& state);

// Opens a file that was dropped on the window, or shows the list of a folder.
void open_dropped(AppState& app, Session& session, PanelState& state,
                  const std::filesystem::path& path);

}  // namespace dispersion
