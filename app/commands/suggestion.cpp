#include "app/commands/suggestion.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace dispersion {
namespace {

constexpr std::size_t kMostEdits = 2;

// Letters to insert, remove or replace, and neighbours to exchange, to get from one to the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> above(b.size() + 1);  // the row before
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::vector<std::size_t> next = {i + 1};
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = row[j] + (a[i] == b[j] ? 0 : 1);
      next.push_back(std::min({replaced, row[j + 1] + 1, next[j] + 1}));
      const bool exchanged = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (exchanged) next.back() = std::min(next.back(), above[j - 1] + 1);
    }
    above = std::exchange(row, std::move(next));
  }
  return row.back();
}

std::vector<std::string> known_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames().front());
  }
  for (const CLI::App* sub : command.get_subcommands({}))
    names.push_back(sub->get_name());
  return names;
}

}  // namespace

const CLI::App& chosen_command(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.back();
}

std::string unknown_arguments_text(const CLI::App& app) {
  const std::vector<std::string> unknown = app.remaining(true);
  if (unknown.empty()) return "too many arguments";
  return "unknown argument '" + unknown.front() + "'" +
         did_you_mean(unknown.front(), known_names(chosen_command(app)));
}

std::string repeated_argument_text(const CLI::App& app, const std::string& otherwise) {
  for (const CLI::Option* option : chosen_command(app).get_options()) {
    const bool once = option->get_items_expected_max() == 1;
    if (!once || option->count() < 2) continue;
    return option->get_name() + " is given " + std::to_string(option->count()) +
           " times; expected once";
  }
  return otherwise;
}

std::string did_you_mean(std::string_view unknown, const std::vector<std::string>& names) {
  std::string nearest;
  std::size_t fewest = kMostEdits + 1;
  for (const std::string& name : names) {
    const std::size_t edits = edit_distance(in_small_letters(unknown), name);
    if (edits < fewest && edits < name.size() / 2) {
      fewest = edits;
      nearest = name;
    }
  }
  return nearest.empty() ? "" : ", did you mean " + nearest + "?";
}

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return small;
}

}  // namespace dispersion
