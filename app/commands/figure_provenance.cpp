#include "app/commands/figure_provenance.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>

#include "app/commands/command_words.h"
#include "app/commands/provenance.h"
#include "app/commands/usage_error.h"
#include "core/build_info.h"
#include "core/io/history_file.h"
#include "core/io/text_hash.h"

namespace dispersion {
namespace {

constexpr std::int64_t kLastSecond = 253'402'300'799;  // of the year 9999

// Paths tell of a machine; the run hash tells which head it was.
std::string file_name(const std::filesystem::path& path) {
  return path.filename().string();
}

std::string command_text(const CatalogueEntry& entry, const FigureOptions& options) {
  std::string text = "figure " + std::string(entry.name);
  const auto add = [&text](std::string_view name, std::string_view value) {
    if (!value.empty()) text.append(" ").append(name).append(" ").append(quoted_word(value));
  };
  const auto add_flag = [&text](std::string_view name, bool given) {
    if (given) text.append(" ").append(name);
  };
  const bool one_head = entry.of_heads && !entry.of_all_seeds;
  add("--checkpoint", file_name(options.checkpoint));
  if (one_head && options.checkpoint.empty()) add("--seed", std::to_string(options.seed));
  for (const std::filesystem::path& file : options.histories)
    add("--history", file_name(file));
  if (options.sets > 0) add("--sets", std::to_string(options.sets));
  add("--style", options.style == "default" ? "" : options.style);
  add("--width", options.width);
  if (options.dpi > 0) add("--dpi", Json(options.dpi).dump());
  add("--theme", options.theme);
  add_flag("--transparent", options.transparent);
  add_flag("--no-title", options.no_title);
  add_flag("--surface", options.surface);
  return text;
}

std::string hashes(const std::vector<History>& histories) {
  std::string text;
  for (const History& history : histories)
    text.append(text.empty() ? "" : " ").append(text_hash_digits(history_csv(history)));
  return text;
}

bool is_date(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
  if (text.size() != 10 && text.size() != kForm.size()) return false;
  return std::ranges::equal(text, kForm.substr(0, text.size()), [](char c, char form) {
    return form == '0' ? c >= '0' && c <= '9' : c == form;
  });
}

std::string date_of_epoch(const char* text) {
  std::int64_t seconds = -1;
  const std::string_view all(text);
  const auto read = std::from_chars(all.data(), all.data() + all.size(), seconds);
  if (read.ec != std::errc() || read.ptr != all.data() + all.size() || seconds < 0 ||
      seconds > kLastSecond) {
    throw UsageError("SOURCE_DATE_EPOCH: expected seconds since 1970, not '" + std::string(all) +
                     "'");
  }
  const auto time = static_cast<std::time_t>(seconds);
  std::tm utc = {};
  gmtime_r(&time, &utc);
  char date[64];
  std::snprintf(date, sizeof date, "%04d-%02d-%02dT%02d:%02d:%02dZ", utc.tm_year + 1900,
                utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec);
  return date;
}

}  // namespace

std::string figure_date(const std::string& wish) {
  if (!wish.empty()) {
    if (is_date(wish)) return wish;
    throw UsageError("--date: expected a date like 2026-01-31 or 2026-01-31T12:00:00Z, not '" +
                     wish + "'");
  }
  const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
  return epoch == nullptr || *epoch == '\0' ? "" : date_of_epoch(epoch);
}

Provenance full_provenance(const CatalogueEntry& entry, const FigureOptions& options,
                           const FigureSources& sources, const Backend& backend,
                           const Provenance& of_experiment) {
  const TrainingState& state = sources.head.checkpoint.state;
  const Recipe& recipe = sources.head.checkpoint.recipe;
  const BuildInfo build = build_info();
  Provenance all = {{"program", "dispersion_lab"},
                    {"version", std::string(build.version)},
                    {"commit", std::string(build.commit)}};
  if (entry.of_heads && !entry.of_all_seeds) {
    const std::string head =
        options.checkpoint.empty() ? sources.head.name : file_name(options.checkpoint);
    const Provenance of_head = {{"head", head},
                                {"recipe", recipe_to_json(recipe)},
                                {"seed", std::to_string(state.seed)},
                                {"step", std::to_string(state.step)},
                                {"run_hash", run_hash(recipe, state)}};
    all.insert(all.end(), of_head.begin(), of_head.end());
  }
  for (const auto& [name, value] : of_experiment) {
    if (std::ranges::none_of(all, [&](const auto& known) { return known.first == name; }))
      all.emplace_back(name, value);
  }
  if (!options.histories.empty()) all.emplace_back("history_hashes", hashes(sources.histories));
  all.emplace_back("backend", backend.description());
  all.emplace_back("command", command_text(entry, options));
  const std::string date = figure_date(options.date);
  if (!date.empty()) all.emplace_back("date", date);
  return all;
}

}  // namespace dispersion
