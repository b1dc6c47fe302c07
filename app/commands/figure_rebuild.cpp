#include "app/commands/figure_rebuild.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "app/commands/shared_options.h"
#include "app/commands/text.h"
#include "app/export/figure_file.h"
#include "app/export/provenance.h"
#include "core/io/file.h"
#include "core/io/history_file.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

// Options that only the user may give: a command in a file must not have them.
constexpr std::array<const char*, 8> kOnTheLineOnly = {
    "--list", "--out", "--force", "--format", "--from", "--search", "--date", "--threads"};

// Reads options that a file holds into `reader`. Throws std::exception if they cannot make a
// figure.
void read_words(std::vector<std::string> words, Subcommand& reader) {
  reader.read(std::move(words));
  for (const char* name : kOnTheLineOnly) {
    if (reader.given(name)) throw std::invalid_argument("it has " + std::string(name));
  }
}

// Reads the command that a file holds into `stored`, to which `reader` adds its options.
void read_command(const FigureOptions& given, std::string_view command, Subcommand& reader,
                  const FigureOptions& stored) {
  try {
    std::vector<std::string> words = split_words(command);
    if (words.size() < 2 || words.front() != "figure")
      throw std::invalid_argument("it does not begin with 'figure NAME'");
    words.erase(words.begin());
    read_words(std::move(words), reader);
    figure_named(stored.name);
  } catch (const std::exception& error) {  // UsageError, and those thrown here
    throw FileError(given.from, "was made by the command " + in_quotes(command) +
                                    ", which makes no figure: " + in_quotes(error.what()));
  }
}

// Reads the drawing options that a file holds, in the same way.
void read_style(const FigureOptions& given, std::string_view style, Subcommand& reader,
                const FigureOptions& stored) {
  try {
    read_words(split_words(style), reader);
    if (!stored.name.empty()) throw std::invalid_argument("it has " + in_quotes(stored.name));
  } catch (const std::exception& error) {
    throw FileError(given.from, "holds the drawing options " + in_quotes(style) +
                                    ", which are wrong: " + in_quotes(error.what()));
  }
}

// The options that `read` reads from the text, except that options on the command line replace
// them.
template <class Read>
FigureOptions merged_options(const Subcommand& line, const FigureOptions& given,
                             std::string_view text, Read read) {
  Subcommand stored;
  FigureOptions stored_options;
  add_figure_options(stored, stored_options);
  read(given, text, stored, stored_options);
  std::vector<std::string> words;
  for (const std::string& name : stored.option_names()) {
    if (name == "--from" || name == "--search") continue;
    const Subcommand& source = line.given(name) ? line : stored;
    for (std::string& word : source.words_of(name))
      words.push_back(std::move(word));
  }
  Subcommand merged;
  FigureOptions options;
  add_figure_options(merged, options);
  merged.read(std::move(words));
  // If the user turned a surface into a heat map, the view in the file no longer applies.
  if (!options.surface && !line.given("--view")) options.view.clear();
  options.from = given.from;
  options.search = given.search;
  return options;
}

std::string recipe_words(std::string_view recipe) {
  try {
    return recipe_text(recipe_from_json(recipe));
  } catch (const std::invalid_argument&) {
    return in_quotes(recipe);
  }
}

std::string run_words(const Provenance& provenance) {
  const std::string_view unknown = provenance_value(provenance, "run");
  if (!unknown.empty()) return in_quotes(unknown);
  return "seed " + in_quotes(provenance_value(provenance, "seed")) + ", step " +
         in_quotes(trained_steps(provenance)) + ", " +
         recipe_words(provenance_value(provenance, "recipe"));
}

HeadSource head_of(const Provenance& provenance, const FigureOptions& options) {
  const std::string_view hash = provenance_value(provenance, "run_hash");
  std::optional<HeadSource> head = find_head(hash, options.search);
  if (head) return *std::move(head);
  throw FileError(
      options.from,
      "was made from the head with the run hash " + in_quotes(hash) + " (" + run_words(provenance) +
          "), which is not inside the program; --search FOLDER says where its checkpoint lies");
}

// A figure of all heads inside the program can only be made again by a program with the same heads.
void require_shipped(const Provenance& provenance, const FigureOptions& options) {
  const std::vector<std::string> made_from =
      split_words(provenance_value(provenance, "run_hashes"));
  const std::vector<std::string> here = shipped_run_hashes();
  for (std::size_t i = 0; i < made_from.size(); ++i) {
    if (std::ranges::find(here, made_from[i]) != here.end()) continue;
    throw FileError(options.from,
                    "was made from heads inside the program, and that with the run "
                    "hash " +
                        in_quotes(made_from[i]) + " (" + std::to_string(i + 1) + " of " +
                        std::to_string(made_from.size()) + ") is not inside this one");
  }
  if (made_from.empty() || made_from == here) return;
  throw FileError(options.from, "was made from " + std::to_string(made_from.size()) +
                                    " heads inside the program; this one has " +
                                    std::to_string(here.size()));
}

// The history in the file, if it has this hash.
std::optional<History> history_in(const fs::path& file, std::string_view hash) {
  try {
    History history = read_history(file);
    if (text_hash_digits(history_csv(history)) == hash) return history;
  } catch (const FileError&) {
    return std::nullopt;  // a file of another program
  }
  return std::nullopt;
}

History found_history(const FigureOptions& options, const fs::path& name, std::string_view hash) {
  for (const fs::path& file : files_named(name, options.search)) {
    if (auto history = history_in(file, hash)) return *std::move(history);
  }
  throw FileError(options.from, "was made from the history " + in_quotes(name.string()) +
                                    " with the hash " + in_quotes(hash) +
                                    "; --search FOLDER says where it lies");
}

std::vector<History> histories_of(const Provenance& provenance, const FigureOptions& options) {
  std::vector<std::string> hashes = split_words(provenance_value(provenance, "history_hashes"));
  hashes.resize(options.histories.size());
  std::vector<History> histories;
  for (std::size_t i = 0; i < hashes.size(); ++i)
    histories.push_back(found_history(options, options.histories[i], hashes[i]));
  return histories;
}

// Says how to make an animation again, from its provenance.
std::string animation_maker(const Provenance& provenance) {
  const std::string_view command = provenance_value(provenance, "command");
  if (!command.empty()) return "made by the command " + in_quotes(command);
  const auto shipped = find_head(provenance_value(provenance, "run_hash"), {});
  return "exported by a window; a similar one is made by 'animate dispersion --" +
         (shipped ? "seed " + std::to_string(shipped->checkpoint.state.seed) + "'"
                  : "checkpoint FILE' with its head, " +
                        in_quotes(provenance_value(provenance, "head")) + " at step " +
                        in_quotes(trained_steps(provenance)));
}

// The command with the drawing options. A file of numbers has these in an entry of their own.
std::string whole_command(const Provenance& provenance) {
  std::string command(provenance_value(provenance, "command"));
  const std::string_view style = provenance_value(provenance, "look");
  return style.empty() ? command : command.append(" ").append(style);
}

[[noreturn]] void refuse_animation(const fs::path& file, const Provenance& provenance) {
  throw FileError(file, "is an animation, which holds frames and no figure, " +
                            animation_maker(provenance) +
                            "; expected a PNG, SVG, PDF or JSON of the window, or a file of the "
                            "command figure");
}

}  // namespace

Rebuild rebuild_of(const Subcommand& line, const FigureOptions& options) {
  const Provenance provenance = stored_provenance(options.from, read_exported_file(options.from));
  Rebuild rebuild;
  rebuild.options = merged_options(line, options, whole_command(provenance), read_command);
  const Experiment& experiment = figure_named(rebuild.options.name);
  const bool one_head = (figure_of_heads(experiment) && !figure_of_all_seeds(experiment)) ||
                        !provenance_value(provenance, "run_hash").empty();
  rebuild.sources.head = one_head ? head_of(provenance, rebuild.options) : shipped_heads().front();
  if (figure_of_shipped_heads(experiment)) require_shipped(provenance, rebuild.options);
  rebuild.sources.histories = histories_of(provenance, rebuild.options);
  rebuild.sources.sets = rebuild.options.sets;
  rebuild.sources.transforms = asked_transforms(rebuild.options);
  rebuild.sources.recompute = rebuild.options.recompute;
  return rebuild;
}

std::optional<StoredFigure> figure_as_stored(const Subcommand& line, const FigureOptions& options) {
  const std::string bytes = read_exported_file(options.from);
  const Provenance provenance = stored_provenance(options.from, bytes);
  if (is_animation(*format_of_bytes(bytes))) refuse_animation(options.from, provenance);
  if (!provenance_value(provenance, "command").empty()) return std::nullopt;
  if (std::optional<Figure> figure = stored_figure(options.from, bytes)) {
    return StoredFigure{
        *std::move(figure),
        merged_options(line, options, provenance_value(provenance, "look"), read_style)};
  }
  throw FileError(options.from,
                  "was exported by a window and does not carry the figure itself; expected a "
                  "PNG, SVG, PDF or JSON of the window, or a file of the command figure");
}

}  // namespace dispersion
