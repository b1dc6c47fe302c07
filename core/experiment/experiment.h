#pragma once

#include <any>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/adaptive_rule.h"
#include "core/backend.h"
#include "core/experiment/result_table.h"
#include "core/experiment/sequence_backend.h"
#include "core/experiment/settings.h"
#include "core/experiment/table_one.h"
#include "core/experiment/training_history.h"
#include "core/figure/figure.h"
#include "core/head/training_state.h"
#include "core/io/stored_results.h"
#include "core/progress.h"

namespace dispersion {

// An experiment computes one result of the paper, or one beyond it. A single descriptor gives it a
// command, a view in the window with controls for its settings, a figure, and the JSON, CSV and
// text of its result. All of them have the name of the experiment.

struct ExperimentHead {
  std::string name;  // the file, or in words where the head came from
  Recipe recipe;
  std::shared_ptr<const TrainingState> state;
  bool has_run = true;            // as in Checkpoint: false where recipe, seed and step are unknown
  std::int64_t steps_before = 0;  // of its weights, before those that `state` counts
};

// Results that were computed before and are stored inside the program.
struct StoredResults {
  std::optional<TableRun> table;  // of all shipped heads
  std::string table_provenance;   // stored_text() of the table
  std::vector<StoredPrecision> precisions;
};

// The provenance of a stored result: which commit and which backend computed it.
std::string stored_text(const std::string& commit, const std::string& backend);

// What an experiment is computed from, beside its settings.
struct ExperimentInputs {
  std::vector<ExperimentHead> heads;  // as many as the experiment's HeadUse says
  std::vector<History> histories;
  StoredResults stored;  // empty: everything is computed anew
  // Where the experiment keeps what it has computed, so that a run with the same settings can go on
  // after a stop. Empty at first; null: nothing is kept.
  std::shared_ptr<std::any> unfinished;
};

// The backends of an experiment; each is made at the first call.
class ExperimentBackends {
 public:
  virtual ~ExperimentBackends() = default;
  virtual Backend& backend() = 0;
  virtual SequenceBackend& sequence_backend() = 0;
};

// Shows a figure of what an experiment has computed so far, until there is a newer one.
using ShowFigure = std::function<void(Figure partial)>;

struct ExperimentResult {
  std::vector<Statement> introduction;  // lines for people, above the tables
  std::vector<ResultFact> facts;        // values beside the tables, in JSON only
  // CSV consists of the first table that has rows and of the others with the same key.
  std::vector<ResultTable> tables;
  std::vector<Statement> sentences;  // what the result shows, below the tables
  Figure figure;
  std::optional<AdaptiveRule> rule;          // fitted here; the user can apply it in the window
  std::optional<AdaptiveRule> guarded_rule;  // the same, held for large H (rule_shape.h)
  Statement rule_text;                       // what these two are, for the buttons that apply them
  Statement guarded_rule_text;
  // Gives the result as a file that can be stored inside the program; null: this one cannot.
  std::function<std::string()> stored_text = nullptr;
};

enum class HeadUse {
  kNone,
  kByChoice,  // one head while the setting "logits" is "head"
  kOne,       // the open head of the window
  kSeveral,   // one head, or several that the user names
  kAll,       // all heads inside the program, or others in their place
};

// Where an experiment is offered.
enum class ExperimentPlace {
  kEverywhere,  // a command, a view of the window, a figure
  kFigure,      // only a figure, since the first view of the window shows it live
};

// The place in the paper of an experiment that is not from it.
inline constexpr std::string_view kBeyondPaper = "beyond the paper";

struct Experiment {
  std::string_view name = {};                   // of the command, the view and the figure
  std::string_view former_name = {};            // in files of version 0.1.0; empty: the same
  std::string_view title = {};                  // of the view
  std::string_view summary = {};                // one line for lists
  std::string_view paper_place = {};            // "figure 5", "appendix C", or kBeyondPaper
  std::string_view help = {};                   // a few lines: what is computed, and in which units
  std::vector<std::string_view> examples = {};  // of the command, after "dispersion_lab "
  ExperimentPlace place = ExperimentPlace::kEverywhere;
  bool theory = false;  // its view stands in the menu "Theory"
  HeadUse heads = HeadUse::kNone;
  bool histories = false;         // it reads training histories
  bool stored = false;            // its result is stored inside the program, and --save writes it
  bool gives_rule = false;        // its result has an adaptive rule that the user can apply
  bool of_backend = false;        // its result has times or memory, which differ between backends
  bool figure_has_table = false;  // its figure can become LaTeX and Markdown
  bool figure_has_field = false;  // its figure can be drawn as a surface
  bool figure_has_parts = false;  // the table in its figure can be cut to its main rows
  bool uses_backend = true;       // false: it is computed without one
  std::vector<Setting> settings = {};
  // Says why a result with these settings cannot be stored; empty, or a null function: it can be.
  std::function<std::string(const SettingValues&)> why_not_stored = nullptr;
  // Computes the result, or what there is of it once the Progress says that it must stop. The
  // ShowFigure is never null.
  std::function<ExperimentResult(const SettingValues&, const ExperimentInputs&, ExperimentBackends&,
                                 const Progress&, const ShowFigure&)>
      run = nullptr;

  // The summary with the place in the paper in brackets: "Entropy over temperature (figure 5)".
  std::string summary_with_place() const;
  bool has_setting(std::string_view setting) const;
  // Whether it is computed from a head with these settings.
  bool takes_head(const SettingValues& values) const;
  // Whether its figure is evaluated on a number of sets that the user can choose.
  bool figure_of_sets() const;
  // Whether it compares attention transforms that the user can choose.
  bool takes_transforms() const { return has_setting("transforms"); }
};

// Throws std::runtime_error that names the head unless its attention logits are finite for queries,
// priorities and classes all over their ranges. Weights that are finite and very large give logits
// that are not; every number and every picture of such a head would be wrong or empty.
void require_finite_attention(const std::string& name, const Parameters<float>& head);

// Runs an experiment. Gives its figures its name, and puts the head that they are computed from
// into their provenance. Throws std::invalid_argument for settings that are out of range, and what
// require_finite_attention throws for a head that the experiment takes.
ExperimentResult run_experiment(const Experiment& experiment, const SettingValues& values,
                                const ExperimentInputs& inputs, ExperimentBackends& backends,
                                const Progress& progress = {}, const ShowFigure& show = nullptr);

// All experiments, in the order of the window.
std::span<const Experiment> experiments();
// The experiment that has this name, or had it in version 0.1.0; null: there is none.
const Experiment* find_experiment(std::string_view name);

}  // namespace dispersion
