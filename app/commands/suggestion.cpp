#include "app/commands/suggestion.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

namespace dispersion {
namespace {

constexpr std::size_t kMostEdits = 2;

// Letters to insert, remove or replace to get from one to the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
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

// Empty when nothing is near.
std::string nearest_name(const CLI::App& command, std::string_view unknown) {
  std::string nearest;
  std::size_t fewest = kMostEdits + 1;
  for (const std::string& name : known_names(command)) {
    const std::size_t edits = edit_distance(unknown, name);
    if (edits < fewest && edits < name.size() / 2) {
      fewest = edits;
      nearest = name;
    }
  }
  return nearest;
}

}  // namespace

const CLI::App& chosen_command(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.back();
}

std::string unknown_arguments_text(const CLI::App& app) {
  const std::vector<std::string> unknown = app.remaining(true);
  if (unknown.empty()) return "too many arguments";
  const std::string nearest = nearest_name(chosen_command(app), unknown.front());
  std::string text = "unknown argument '" + unknown.front() + "'";
  if (!nearest.empty()) text += ", did you mean " + nearest + "?";
  return text;
}

}  // namespace dispersion
