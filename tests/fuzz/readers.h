#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/fuzz/target.h"

namespace dispersion::fuzz {

// The seeds and the checks of every target, by the files that they are in. What a check compares is
// said in its file.

// tensor_readers.cpp
std::vector<std::string> safetensors_seeds(const std::filesystem::path& folder);
Verdict check_safetensors(const std::string& input, const std::filesystem::path& folder);
std::vector<std::string> checkpoint_seeds(const std::filesystem::path& folder);
Verdict check_checkpoint(const std::string& input, const std::filesystem::path& folder);

// text_readers.cpp
std::vector<std::string> recipe_seeds(const std::filesystem::path& folder);
Verdict check_recipe(const std::string& input, const std::filesystem::path& folder);
std::vector<std::string> history_seeds(const std::filesystem::path& folder);
Verdict check_history(const std::string& input, const std::filesystem::path& folder);
std::vector<std::string> table_seeds(const std::filesystem::path& folder);
Verdict check_table(const std::string& input, const std::filesystem::path& folder);
std::vector<std::string> precision_seeds(const std::filesystem::path& folder);
Verdict check_precision(const std::string& input, const std::filesystem::path& folder);
std::vector<std::string> preferences_seeds(const std::filesystem::path& folder);
Verdict check_preferences(const std::string& input, const std::filesystem::path& folder);
std::vector<std::string> state_seeds(const std::filesystem::path& folder);  // the JSON inside
Verdict check_state(const std::string& input, const std::filesystem::path& folder);
std::vector<std::string> lesson_seeds(const std::filesystem::path& folder);
Verdict check_lesson(const std::string& input, const std::filesystem::path& folder);

// figure_readers.cpp: files of the command figure and of the window, one target for each format.
std::vector<std::string> json_seeds(const std::filesystem::path& folder);
std::vector<std::string> png_seeds(const std::filesystem::path& folder);
std::vector<std::string> svg_seeds(const std::filesystem::path& folder);
std::vector<std::string> pdf_seeds(const std::filesystem::path& folder);
std::vector<std::string> animation_seeds(const std::filesystem::path& folder);  // GIF and APNG
std::vector<std::string> comment_seeds(
    const std::filesystem::path& folder);  // CSV, TeX and Markdown
Verdict check_exported(const std::string& input, const std::filesystem::path& folder);
// Changes the provenance or the figure that the file carries, and packs it again.
std::string mutated_picture(const std::string& input, Random& random);

// look_reader.cpp: the drawing options in the provenance of a figure.
std::vector<std::string> look_seeds(const std::filesystem::path& folder);
std::string mutated_words(const std::string& input, Random& random);
Verdict check_look(const std::string& input, const std::filesystem::path& folder);

// folder_readers.cpp: folders with reference numbers.
std::vector<std::string> cases_seeds(const std::filesystem::path& folder);
Verdict check_cases(const std::string& input, const std::filesystem::path& folder);
std::vector<std::string> tensor_cases_seeds(const std::filesystem::path& folder);
Verdict check_tensor_cases(const std::string& input, const std::filesystem::path& folder);

}  // namespace dispersion::fuzz
