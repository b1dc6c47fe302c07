#pragma once

#include <imgui.h>

#include "app/panels/file_dialog.h"

namespace dispersion {

// The lists of the dialog for heads. Each fills a rectangle at the cursor of the current Dear ImGui
// window, and returns whether the user wants the file that the entry names then.

// The folder of the entry, with or without headings. A click chooses a file or enters a folder, a
// double click on a file confirms it.
bool draw_folder_list(AppState& app, PanelState& state, ImVec2 size, bool headings);

// The recent files; with `with_shipped` the heads inside the program below them. A click on a
// recent file confirms it while opening, and chooses it while saving; one on a head opens that.
bool draw_places(AppState& app, Session& session, PanelState& state, ImVec2 size, bool recent,
                 bool shipped);

// The entries of the folder that are to be shown, in their order.
const std::vector<FolderEntry>& shown_entries(const AppState& app, PanelState& state);

// The place among those of what the entry names; -1: none of them.
int chosen_entry(const PanelState& state);

}  // namespace dispersion
