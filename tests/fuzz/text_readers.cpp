#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/export/encodings.h"
#include "app/lesson/lesson.h"
#include "app/session/state_string.h"
#include "app/window/preferences.h"
#include "core/io/checkpoint.h"
#include "core/io/file.h"
#include "core/io/history_file.h"
#include "core/io/stored_results.h"
#include "core/io/text.h"
#include "tests/fuzz/readers.h"

namespace dispersion::fuzz {
namespace {

// The tallies of a table, whose numbers mean nothing.
TableRun small_table() {
  TableSettings settings;
  settings.sizes = {16, 32};
  settings.sets = 64;
  const std::vector<TableHead> heads = {{1, {}}, {4'294'967'295u, {}}};
  TableRun run = start_table(heads, settings);
  for (TableTally& tally : run.tallies) {
    tally.sets = settings.sets;
    tally.past_window = 3;
    for (SizeRow& row : tally.rows) {
      row.sets = settings.sets;
      row.correct = 60;
      row.entropy_sum = 12.25;
      row.theta_sum = 0.1;
    }
  }
  return run;
}

StoredPrecision small_precision() {
  StoredPrecision stored = {"commit", "cpu", "0123456789abcdef", {}, {}};
  stored.settings.sizes = {16, 64};
  stored.settings.sets = 8;
  for (const int items : stored.settings.sizes) {
    for (const Precision precision : stored.settings.precisions) {
      PrecisionRow row = {precision, {.items = items, .sets = 8, .correct = 7}, 0.875};
      row.measured.entropy_sum = 0.3;
      stored.rows.push_back(row);
    }
  }
  return stored;
}

std::string lines_of(const std::vector<StoredPrecision>& all) {
  std::string text;
  for (const StoredPrecision& stored : all)
    text += stored_precision_line(stored);
  return text;
}

bool same_numbers(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

std::vector<std::string> recipe_seeds(const std::filesystem::path&) {
  Recipe direct = {.l2 = L2Form::kDecoupled, .path = HeadPath::kDirect};
  direct.precision = Precision::kFp16;
  return {recipe_to_json(Recipe()), recipe_to_json(direct)};
}

Verdict check_recipe(const std::string& input, const std::filesystem::path&) {
  Recipe recipe;
  const Verdict verdict =
      verdict_of<std::invalid_argument>([&] { recipe = recipe_from_json(input); });
  if (verdict == Verdict::kRefused) return verdict;
  validate(recipe);
  require(recipe_from_json(recipe_to_json(recipe)) == recipe, "another recipe after writing");
  return verdict;
}

std::vector<std::string> history_seeds(const std::filesystem::path&) {
  History history;
  for (const std::int64_t step : {0, 1, 2, 5, 1000}) {
    HistoryRow row;
    row.seed = 3;
    row.step = step;
    row.spread.delta = 0.1 * static_cast<double>(step);
    row.cross_entropy = 2.25;
    history.push_back(row);
  }
  return {history_csv(history), history_csv({})};
}

Verdict check_history(const std::string& input, const std::filesystem::path&) {
  History history;
  const Verdict verdict = verdict_of<FileError>([&] { history = parse_history("input", input); });
  if (verdict == Verdict::kRefused) return verdict;
  for (std::size_t i = 0; i < history.size(); ++i) {
    require(history[i].seed == history[0].seed, "rows of two seeds");
    require(i == 0 || history[i].step > history[i - 1].step, "steps that do not ascend");
    require(std::isfinite(history[i].spread.delta) && std::isfinite(history[i].accuracy),
            "numbers that are not finite");
  }
  const std::string csv = history_csv(history);
  require(history_csv(parse_history("again", csv)) == csv, "another history after writing");
  return verdict;
}

std::vector<std::string> table_seeds(const std::filesystem::path&) {
  return {stored_table_json({"commit", "cpu", {"0123456789abcdef", "f"}, small_table()})};
}

Verdict check_table(const std::string& input, const std::filesystem::path&) {
  StoredTable table;
  const Verdict verdict =
      verdict_of<FileError>([&] { table = parse_stored_table("input", input); });
  if (verdict == Verdict::kRefused) return verdict;
  require(table.run.tallies.size() == table.run.seeds.size() * table.run.settings.sizes.size() &&
              table.run_hashes.size() == table.run.seeds.size(),
          "a table with holes");
  const std::string json = stored_table_json(table);
  require(stored_table_json(parse_stored_table("again", json)) == json,
          "another table after writing");
  return verdict;
}

std::vector<std::string> precision_seeds(const std::filesystem::path&) {
  return {lines_of({small_precision()}), lines_of({small_precision(), small_precision()}), ""};
}

Verdict check_precision(const std::string& input, const std::filesystem::path&) {
  std::vector<StoredPrecision> all;
  const Verdict verdict =
      verdict_of<FileError>([&] { all = parse_stored_precision("input", input); });
  if (verdict == Verdict::kRefused) return verdict;
  const std::string lines = lines_of(all);
  require(lines_of(parse_stored_precision("again", lines)) == lines,
          "another comparison after writing");
  return verdict;
}

std::vector<std::string> preferences_seeds(const std::filesystem::path& folder) {
  std::vector<std::string> seeds;
  Preferences other;
  other.view.theme = Theme::kLight;
  other.view.ui_scale = 1.3F;
  other.view.projector = true;
  other.view.theta = 0.3;
  other.view.focused_items = 64;
  other.view.rule.guarded = true;
  other.head = "/home/me/head.safetensors";
  other.exporting.width = 84;
  other.exporting.path = "/home/me/figure.pdf";
  other.size = {240, 16384};
  other.backend = {BackendChoice::Kind::kCuda, 3};
  for (const Preferences& preferences : {Preferences(), other}) {
    save_preferences(folder / "saved.json", preferences);
    seeds.push_back(read_whole_file(folder / "saved.json", 65536));
  }
  return seeds;
}

std::vector<std::string> state_seeds(const std::filesystem::path&) {
  UserSettings settings;
  settings.view.view = view_named("fit");
  settings.view.rule.guarded = true;
  settings.view.rule.peak = 2;
  settings.zooms["entropy"].plots["Entropy"] = {AxisLimits{1, 2}, AxisLimits{3, 4}, {"softmax"}};
  HeadName head;
  head.source = "a head";
  head.run_hash = "0123456789abcdef";
  std::vector<std::string> seeds;
  for (const std::string& state : {encode_state({}, {}), encode_state(settings, head)})
    seeds.push_back(*from_base64url(std::string_view(state).substr(kStateBegin.size())));
  return seeds;
}

// What is taken is the same state after it was written.
Verdict check_state(const std::string& input, const std::filesystem::path&) {
  DeskState state;
  const Verdict verdict = verdict_of<FileError>(
      [&] { state = decode_state(std::string(kStateBegin) + base64url(input)); });
  if (verdict == Verdict::kRefused) return verdict;
  const std::string text = encode_state(state.settings, state.head);
  const DeskState again = decode_state(text);
  require(again.settings == state.settings && again.head == state.head, "another state");
  return verdict;
}

std::vector<std::string> lesson_seeds(const std::filesystem::path&) {
  const std::string head =
      "lesson: A title\nabout: A sentence.\nminutes: 5\nstep: One\nstate: " + encode_state({}, {}) +
      "\n";
  return {head + "text: Words.\n",
          head +
              "text:\n  It is {entropy@16 adaptive}, {{not} more.\n\n  So.\nquestion: Why?\n"
              "answer: Since {step} < 5.\ncheck: accuracy@1024 <= 12.5\nformula: e^x\n"
              "check: theta > used_theta@64\notherwise: No.\nstep: Two\ntext: T.\nnotes: N.\n"};
}

// What is taken can be told: there are steps with texts, whose numbers there are.
Verdict check_lesson(const std::string& input, const std::filesystem::path&) {
  Lesson lesson;
  const Verdict verdict = verdict_of<FileError>([&] { lesson = parse_lesson("input", input); });
  if (verdict == Verdict::kRefused) return verdict;
  require(!lesson.steps.empty() && !lesson.steps.front().state.empty(), "a lesson without a state");
  for (const LessonStep& step : lesson.steps) {
    require(!step.text.empty() && step.question.empty() == step.answer.empty() &&
                step.checks.empty() == step.otherwise.empty(),
            "a step that is not whole");
    require(visible_text(step.title + step.formula) == step.title + step.formula,
            "hidden characters");
    for (const LessonCheck& check : step.checks)
      require(check.left.quantity != nullptr, "a check of nothing");
  }
  return verdict;
}

// A file that is refused gives the defaults and a message of one line, and never an error.
Verdict check_preferences(const std::string& input, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "settings.json";
  std::ofstream(file, std::ios::binary | std::ios::trunc) << input;
  const LoadedPreferences loaded = load_preferences(file);
  if (!loaded.notice.empty()) {
    require(loaded.preferences == Preferences(), "a refused file that has changed the defaults");
    require(loaded.notice.find('\n') == std::string::npos, "a message of several lines");
    return Verdict::kRefused;
  }
  save_preferences(file, loaded.preferences);
  const LoadedPreferences again = load_preferences(file);
  require(again.notice.empty() && again.preferences == loaded.preferences,
          "other preferences after saving");
  require(same_numbers(again.preferences.view.ui_scale, loaded.preferences.view.ui_scale),
          "another zoom");
  return Verdict::kAccepted;
}

}  // namespace dispersion::fuzz
