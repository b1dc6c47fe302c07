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

// An experiment computes a result of the paper. Its command, the view of the window, its settings,
// the JSON, CSV and text of the result and its figure all come from one descriptor, and bear its
// name.

struct ExperimentHead {
  std::string name;  // the file, or where it came from in words
  Recipe recipe;
  std::shared_ptr<const TrainingState> state;
};

// Results that the program brings along, each with the words that say when it was computed.
struct StoredResults {
  std::optional<TableRun> table;  // of all shipped heads
  std::string table_provenance;
  std::vector<StoredPrecision> precisions;
};

// What is said of a result that was computed before.
std::string stored_text(const std::string& commit, const std::string& backend);

// What an experiment is computed from, apart from its settings.
struct ExperimentInputs {
  std::vector<ExperimentHead> heads;  // as many as HeadUse says
  std::vector<History> histories;
  StoredResults stored;  // empty: everything is computed
  // What a run with the same settings that was stopped left behind, to go on from it; may be null.
  std::shared_ptr<std::any> unfinished;
};

// What an experiment computes with, each made when it is first asked for.
class ExperimentBackends {
 public:
  virtual ~ExperimentBackends() = default;
  virtual Backend& backend() = 0;
  virtual SequenceBackend& sequence_backend() = 0;
};

// Who waits for the result.
class ExperimentProgress {
 public:
  virtual ~ExperimentProgress() = default;
  // To be asked every 20 ms or so with the share done in [0, 1]. After false the experiment asks no
  // more and returns soon with what it has.
  virtual bool keep_going(double share) = 0;
  // The picture of what is known so far, to be shown until more is.
  virtual void show(Figure partial) = 0;
};

struct ExperimentResult {
  std::vector<std::string> introduction;  // lines for people, above the tables
  std::vector<ResultFact> facts;          // numbers beside the tables, in JSON
  // The first with rows is what CSV has, with all of the same key.
  std::vector<ResultTable> tables;
  std::vector<std::string> sentences;  // what is seen
  Figure figure;
  std::optional<AdaptiveRule> rule;          // a fitted polynomial, to be put to use
  std::optional<AdaptiveRule> guarded_rule;  // that holds its peak
  // The result as a file that the program can bring along; null: this one cannot be.
  std::function<std::string()> stored_text = nullptr;
};

enum class HeadUse {
  kNone,
  kByChoice,  // one head while the setting "logits" is "head"
  kOne,       // the open head of the window
  kSeveral,   // one head, or several that are given
  kAll,       // all heads inside the program, or others that are given
};
// The place in the paper of an experiment that is not from it.
inline constexpr std::string_view kBeyondPaper = "beyond the paper";


// Where an experiment is offered.
enum class ExperimentPlace {
  kEverywhere,  // a command, a view of the window, a figure
  kFigure,      // a figure alone: the first view of the window shows it live
};

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
  bool histories = false;   // training histories go into it
  bool stored = false;      // the program brings its result along, and --save writes it
  bool gives_rule = false;  // its result can be put to use as the adaptive rule
  bool of_backend = false;  // times and memory are of what computes: another one, another result
  bool figure_has_table = false;  // it can become LaTeX and Markdown
  bool figure_has_field = false;  // it can be drawn as a surface
  bool figure_has_parts = false;  // its table can be cut to its main rows
  bool uses_backend = true;       // false: it is computed without one
  std::vector<Setting> settings = {};
  // Why a result with these settings cannot be stored; empty, or null: it can.
  // The summary with the place in the paper in brackets: "Entropy over temperature (figure 5)".
  std::string summary_with_place() const;
  std::function<std::string(const SettingValues&)> why_not_stored = nullptr;
  std::function<ExperimentResult(const SettingValues&, const ExperimentInputs&, ExperimentBackends&,
                                 ExperimentProgress&)>
      run = nullptr;

  bool has_setting(std::string_view setting) const;
  // Whether a head goes into it with these settings.
  bool takes_head(const SettingValues& values) const;
  // Whether its figure is evaluated on as many sets as are asked for.
  bool figure_of_sets() const;
  // Whether it compares attention transforms that can be chosen.
  bool takes_transforms() const { return has_setting("transforms"); }
};

// Runs it with its figure named and with the head that went into it in the figure's provenance.
// Throws std::invalid_argument for settings that cannot be.
ExperimentResult run_experiment(const Experiment& experiment, const SettingValues& values,
                                const ExperimentInputs& inputs, ExperimentBackends& backends,
                                ExperimentProgress& progress);

// All experiments, in the order of the window.
std::span<const Experiment> experiments();
// By its name or its former name; null: there is none.
const Experiment* find_experiment(std::string_view name);

// A Progress that asks for a part of the whole: shares from `from` to `to`. It stays false once it
// was, and `stopped` tells.
class PartialProgress {
 public:
  explicit PartialProgress(ExperimentProgress& progress) : progress_(progress) {}
  Progress part(double from, double to);
  bool stopped() const { return stopped_; }

 private:
  ExperimentProgress& progress_;
  bool stopped_ = false;
};

}  // namespace dispersion
