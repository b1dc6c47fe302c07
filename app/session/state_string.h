#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "app/session/head_name.h"
#include "app/session/user_settings.h"

namespace dispersion {

struct AppState;
class Session;

// A state of the window as one line of text, "dispersion-lab:1:...", to be kept, sent and opened
// again: what the user has set, and which head is open. Numbers come back to the last bit.

inline constexpr std::string_view kStateBegin = "dispersion-lab:1:";
// Longer texts are refused.
inline constexpr std::size_t kLongestState = std::size_t{1} << 18;

struct DeskState {
  UserSettings settings;
  HeadName head;
};

std::string encode_state(const UserSettings& settings, const HeadName& head);
// Spaces around the text are skipped. What is not in it is as in a new window. Throws FileError
// with one sentence for what is no state, and for a view, a setting or a value that this program
// does not know.
DeskState decode_state(std::string_view text);

// The open head at its newest step that is known here.
HeadName head_name(const AppState& app);
// Whether it can be opened elsewhere, from a file or a bookmark, or without any.
bool head_is_kept(const AppState& app);
// encode_state() of what the window shows.
std::string state_string(const AppState& app);

// Where heads are kept that a state may name, besides those inside the program. An empty path is
// none.
struct HeadPlaces {
  std::filesystem::path bookmarks;  // a folder
  std::filesystem::path runs;       // the folder of kept runs
  std::filesystem::path recent;     // the list of recent files
};
// Reads what is kept there, for open_state(). Reports which files were set aside.
void know_kept_heads(AppState& app, const HeadPlaces& places);

// Sets what the state says, and has the worker look for its head. Where it is none, nothing changes,
// a report says why, and false is returned.
bool open_state(AppState& app, Session& session, std::string_view text);

}  // namespace dispersion
