#include "app/commands/figure_output.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/commands/provenance.h"
#include "app/commands/text.h"
#include "app/export/provenance.h"
#include "app/export/style.h"
#include "core/io/file.h"
#include "core/io/history_file.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

// A folder would say something of the machine; the run hash says which head it was.
std::string file_name(const std::filesystem::path& path) {
  return path.filename().string();
}

// Training curves are of all seeds unless they are of the run of one checkpoint.
bool has_one_head(const Experiment& experiment, const FigureOptions& options) {
  const bool of_its_run =
      experiment.histories && !options.checkpoint.empty() && !options.histories.empty();
  return figure_of_heads(experiment) && (!figure_of_all_seeds(experiment) || of_its_run);
}

// `figure all` gives options to every figure; here a figure drops those that it would refuse alone.
std::string style_text(const Experiment& experiment, const FigureOptions& options,
                       const FigureFormat& format) {
  RenderOptions render_options = render_options_of(options);
  if (!experiment.figure_has_field) render_options.draw.surfaces = false;
  const bool in_command = !is_picture(format) && options.rows == "main";
  if (!experiment.figure_has_parts || in_command)
    render_options.draw.all_rows = render_options.style->draw.all_rows;
  return style_arguments(render_options);
}

// Without a style.
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

// A file of numbers has no style, and its command would refuse one. The style of the picture that
// it was made from stands in an entry of its own, so that a picture can be made from it again.
void add_command(const Experiment& experiment, const FigureOptions& options,
                 const FigureFormat& format, Provenance& all) {
  std::string command = command_text(experiment, options, format);
  const std::string style = style_text(experiment, options, format);
  const bool apart = !is_picture(format) && !style.empty();
  if (!apart && !style.empty()) command.append(" ").append(style);
  all.emplace_back("command", command);
  if (apart) all.emplace_back("look", style);
}

std::string hashes(const std::vector<History>& histories) {
  std::string text;
  for (const History& history : histories)
    text.append(text.empty() ? "" : " ").append(text_hash_digits(history_csv(history)));
  return text;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text.append(text.empty() ? "" : " ").append(word);
  return text;
}

// The number that two digits at `place` make.
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

void require_free(std::span<const std::filesystem::path> files, bool may_replace) {
  if (may_replace) return;
  const std::filesystem::path* first = nullptr;
  int others = 0;
  for (const std::filesystem::path& file : files) {
    std::error_code error;
    if (!std::filesystem::exists(std::filesystem::symlink_status(file, error))) continue;
    if (first == nullptr) {
      first = &file;
    } else {
      ++others;
    }
  }
  if (first == nullptr) return;
  if (others == 0) throw FileError(*first, "is there already; --force replaces it");
  throw FileError(*first, "is there already, and so " +
                              std::string(others == 1 ? "is one other" : "are ") +
                              (others == 1 ? "" : std::to_string(others) + " others") + " of the " +
                              std::to_string(files.size()) + "; --force replaces them");
}

void require_free(const std::filesystem::path& file, bool may_replace) {
  require_free(std::span(&file, 1), may_replace);
}

std::string figure_date(const std::string& request) {
  if (!request.empty()) {
    if (is_date(request)) return request;
    throw UsageError("--date: expected a date like 2026-01-31 or 2026-01-31T12:00:00Z, not '" +
                     request + "'");
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
    add_missing(all, provenance_of_head(head, recipe, state));
  }
  add_missing(all, of_experiment);
  if (figure_of_shipped_heads(experiment))
    all.emplace_back("run_hashes", joined(shipped_run_hashes()));
  if (experiment.histories && !options.histories.empty())
    all.emplace_back("history_hashes", hashes(sources.histories));
  all.emplace_back("backend", backend.description());
  add_command(experiment, options, format, all);
  const std::string date = figure_date(options.date);
  if (!date.empty()) all.emplace_back("date", date);
  return all;
}

}  // namespace dispersion
