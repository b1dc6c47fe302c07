#pragma once

#include <filesystem>

namespace dispersion {

// Files that the program keeps for the user from one start to the next.

// $HOME; empty where there is none.
std::filesystem::path home_folder();

// $XDG_CONFIG_HOME/dispersion-lab, or under ~/.config; empty when there is neither.
std::filesystem::path user_config_folder();

// $XDG_STATE_HOME/dispersion-lab, or under ~/.local/state; empty when there is neither.
std::filesystem::path user_state_folder();

// $XDG_DATA_HOME/dispersion-lab, or under ~/.local/share; empty when there is neither.
std::filesystem::path user_data_folder();

// The path in full and without "..", or as it is where that cannot be had.
std::filesystem::path full_path(const std::filesystem::path& path);

}  // namespace dispersion
