#include "app/commands/figure_provenance.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/text.h"
#include "app/export/provenance.h"
#include "app/export/style.h"
#include "core/io/history_file.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

// The name of a file without its folder, which would reveal something about the machine. The run
// hash identifies the head. It is valid UTF-8, as every text in a figure must be.
std::string file_name(const std::filesystem::path& path) {
  return visible_text(path.filename().string());
}

// Whether the figure shows one head. Training curves show all seeds, unless they show the run of
// one checkpoint.
bool has_one_head(const Experiment& experiment, const FigureOptions& options) {
  const bool of_its_run =
      experiment.histories && !options.checkpoint.empty() && !options.histories.empty();
  return figure_of_heads(experiment) && (!figure_of_all_seeds(experiment) || of_its_run);
}

// The drawing options of the command. `figure all` passes its options to every figure; those that
// this figure alone would refuse are left out.
std::string style_text(const Experiment& experiment, const FigureOptions& options,
                       const FigureFormat& format) {
  RenderOptions render_options = render_options_of(options);
  if (!experiment.figure_has_field) render_options.draw.surfaces = false;
  const bool in_command = !is_picture(format) && options.rows == "main";
  if (!experiment.figure_has_parts || in_command)
    render_options.draw.all_rows = render_options.style->draw.all_rows;
  return style_arguments(render_options);
}

// The command that makes the figure again, without its drawing options.
std::string command_text(const Experiment& experiment, const FigureOptions& options,
                         const FigureFormat& format) {
  std::string text = "figure " + std::string(experiment.name);
  const auto add = [&text](std::string_view name, std::string_view value) {
    if (!value.empty()) text.append(" ").append(name).append(" ").append(quoted_word(value));
  };
  if (has_one_head(experiment, options)) add("--checkpoint", file_name(options.checkpoint));
  if (has_one_head(experiment, options) && options.checkpoint.empty())
    add("--seed", std::to_string(options.seed));
  if (experiment.histories) {
    for (const std::filesystem::path& file : options.histories)
      add("--history", file_name(file));
  }
  if (experiment.figure_of_sets() && options.sets > 0) add("--sets", std::to_string(options.sets));
  if (experiment.takes_transforms()) add("--transforms", options.transforms);
  if (experiment.stored && options.recompute) text += " --recompute";
  if (!is_picture(format) && experiment.figure_has_parts && options.rows == "main")
    text += " --rows main";
  return text;
}

// Adds the command. The command of a file of numbers would refuse drawing options, so those of the
// picture that it was made from are in the entry "look", and a picture can be made from it again.
void add_command(const Experiment& experiment, const FigureOptions& options,
                 const FigureFormat& format, Provenance& all) {
  std::string command = command_text(experiment, options, format);
  const std::string style = style_text(experiment, options, format);
  const bool in_own_entry = !is_picture(format) && !style.empty();
  if (!in_own_entry && !style.empty()) command.append(" ").append(style);
  all.emplace_back("command", command);
  if (in_own_entry) all.emplace_back("look", style);
}

std::vector<std::string> hashes_of(const std::vector<History>& histories) {
  std::vector<std::string> hashes;
  for (const History& history : histories)
    hashes.push_back(text_hash_digits(history_csv(history)));
  return hashes;
}

// The two-digit number at `place`.
int number_at(std::string_view text, std::size_t place) {
  return 10 * (text[place] - '0') + (text[place + 1] - '0');
}

bool is_date(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
  if (text.size() != 10 && text.size() != kForm.size()) return false;
  const bool formed = std::ranges::equal(text, kForm.substr(0, text.size()), [](char c, char form) {
    return form == '0' ? c >= '0' && c <= '9' : c == form;
  });
  if (!formed) return false;
  const std::chrono::year_month_day day(
      std::chrono::year(100 * number_at(text, 0) + number_at(text, 2)),
      std::chrono::month(static_cast<unsigned>(number_at(text, 5))),
      std::chrono::day(static_cast<unsigned>(number_at(text, 8))));
  if (!day.ok() || text.size() == 10) return day.ok();
  return number_at(text, 11) < 24 && number_at(text, 14) < 60 && number_at(text, 17) < 60;
}

}  // namespace

std::string figure_date(const std::string& request) {
  if (!request.empty()) {
    if (is_date(request)) return request;
    throw UsageError("--date: expected a date like 2026-01-31 or 2026-01-31T12:00:00Z, not " +
                     in_quotes(request));
  }
  try {
    return date_of_environment();
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

Provenance full_provenance(const Experiment& experiment, const FigureOptions& options,
                           const FigureFormat& format, const FigureSources& sources,
                           const Backend& backend, const Provenance& of_experiment) {
  const TrainingState& state = sources.head.checkpoint.state;
  const Recipe& recipe = sources.head.checkpoint.recipe;
  Provenance all = provenance_of_build();
  if (has_one_head(experiment, options)) {
    const std::string head =
        options.checkpoint.empty() ? sources.head.name : file_name(options.checkpoint);
    add_missing(all, provenance_of_head(head, recipe, state, sources.head.checkpoint.has_run,
                                        steps_before_in(sources.head.checkpoint)));
  }
  add_missing(all, of_experiment);
  if (figure_of_shipped_heads(experiment))
    all.emplace_back("run_hashes", joined(shipped_run_hashes(), " "));
  if (experiment.histories && !options.histories.empty())
    all.emplace_back("history_hashes", joined(hashes_of(sources.histories), " "));
  all.emplace_back("backend", backend.description());
  add_command(experiment, options, format, all);
  const std::string date = figure_date(options.date);
  if (!date.empty()) all.emplace_back("date", date);
  return all;
}

}  // namespace dispersion
