#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"

namespace dispersion {

// The path in the dialogs for heads: what is typed, what it means, and what becomes of it.

// The path for people: with "~/" for the home folder, and what cannot be seen escaped.
std::string shown_path(const std::filesystem::path& path);

// What the text of the entry means: the folder up to the last "/", in full, or the one chosen last
// where there is no "/"; and the name behind it.
// The bytes of names that are no UTF-8 are kept.
std::filesystem::path entry_folder(const PathEntry& entry);
std::filesystem::path entry_name(const PathEntry& entry);

// Puts a folder and a name into the entry.
void set_entry(PathEntry& entry, const std::filesystem::path& folder,
               const std::filesystem::path& name);
// Puts a file into it that was chosen elsewhere.
void set_entry(PathEntry& entry, const std::filesystem::path& file);
// Goes to another folder. While saving, the name stays.
void enter_folder(PathEntry& entry, const std::filesystem::path& folder);

// Asks the worker to open or save the file of the entry. Of a folder its list is shown; a file that
// exists is overwritten only after a second confirmation.
void confirm_entry(AppState& app, Session& session, PanelState& state);
// Opens a head of those inside the program.
void open_shipped(AppState& app, Session& session, PanelState& state, std::size_t index);

// "seed 3, step 100 000" of a head inside the program.
std::string shipped_text(const ExperimentHead& head);

}  // namespace dispersion
