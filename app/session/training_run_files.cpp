// What a run of the window reads from files and writes into them.

#include <cstdint>
#include <exception>
#include <system_error>
#include <utility>

#include "app/export/provenance.h"
#include "app/session/earlier_history.h"
#include "app/session/kept_runs.h"
#include "app/session/run_status.h"
#include "app/session/training_run.h"
#include "app/session/user_files.h"
#include "core/build_info.h"
#include "core/experiment/experiment.h"
#include "core/io/checkpoint.h"
#include "core/io/file.h"
#include "core/io/history_file.h"
#include "core/io/text.h"

namespace dispersion {

std::string TrainingRun::open(const std::filesystem::path& path) {
  Checkpoint opened = load_checkpoint(path);
  require_finite_attention(path.string(), opened.state.parameters);
  const std::int64_t steps_before = steps_before_in(opened);
  std::string head_source = path_text(path.filename()) + ", ";
  head_source +=
      opened.has_run ? seed_and_step(opened.state, steps_before) : std::string(kWeightsOnly);
  if (opened.has_run && !opened.has_moments) head_source += ", weights only";
  if (!opened.remark.empty()) head_source += "; " + opened.remark;
  EarlierHistory earlier = history_beside(path, opened);
  auto before = open_run();
  adopt(std::move(opened), std::move(head_source));
  details_.steps_before = steps_before;
  details_.earlier = std::move(earlier.rows);
  details_.began = "opened " + path_text(path.filename());
  details_.file = details_.first_file = full_path(path);
  set_aside(std::move(before));
  return earlier.trouble;
}

std::string TrainingRun::open_kept(const std::filesystem::path& path) {
  std::string trouble = open(path);
  details_.kept_file = path;
  details_.file.clear();  // it is offered, not opened, at the next start
  details_.first_file.clear();
  const auto origin = details_.first.metadata.find("origin");
  if (origin != details_.first.metadata.end()) details_.head_source = origin->second;
  tell_details();
  return trouble;
}

std::filesystem::path TrainingRun::save(const std::filesystem::path& path, bool replace) {
  const Checkpoint present = checkpoint(details_, *head().state);
  std::filesystem::path name = path;
  if (replace) {
    save_checkpoint(path, present);
  } else {
    name = save_under_free_name(path, present);
  }
  details_.saved = true;
  details_.file = full_path(name);
  // It has other weights now than the run began with.
  if (details_.file == details_.first_file) details_.first_file.clear();
  if (details_.of_weights && details_.file == details_.of_weights->first_file) {
    Details weights = *details_.of_weights;
    weights.file.clear();
    weights.first_file.clear();
    details_.of_weights = std::make_shared<const Details>(std::move(weights));
  }
  forget_kept(details_, name);
  tell_details();
  return name;
}

// Removes the file that a run was opened from and that holds an older state of it than `saved`,
// where it is now. The history beside it is copied there.
void TrainingRun::forget_kept(Details& details, const std::filesystem::path& saved) {
  const std::filesystem::path kept = std::exchange(details.kept_file, {});
  std::error_code error;
  if (kept.empty() || std::filesystem::equivalent(kept, saved, error)) return;
  try {
    if (std::filesystem::exists(history_path(kept), error))
      create_file_atomically(history_path(saved), history_csv(read_history(history_path(kept))));
    discard_kept_run(kept);
  } catch (const FileError&) {
    // Then it is offered once more.
  }
}

std::vector<Report> TrainingRun::keep(const RunKeeping& keeping) {
  std::vector<SetAside> all;
  if (worth_keeping()) all.push_back(*open_run());
  for (const auto& run : set_aside_)
    all.push_back(*run);
  std::vector<Report> reports;
  for (SetAside& run : all) {
    const bool enough = run.details.seconds > keeping.least_seconds;
    if (run.details.saved || (!enough && run.details.kept_file.empty())) continue;
    try {
      const auto file = keep_run(keeping.folder, checkpoint(run.details, *run.state));
      reports.push_back({.ok = true,
                         .text = "the run that was not saved (" + told(run) + ") is kept in " +
                                 path_text(file) + "; the window offers it at the next start"});
      forget_kept(run.details, file);
    } catch (const std::exception& error) {
      reports.push_back(
          {.ok = false,
           .text = "the run that was not saved (" + told(run) + ") is lost: " + error.what()});
    }
  }
  return reports;
}

Checkpoint TrainingRun::checkpoint(const Details& details, const TrainingState& state) {
  Checkpoint checkpoint = details.first;
  checkpoint.state = state;
  checkpoint.metadata["origin"] = details.head_source;
  checkpoint.metadata["program"] = "dispersion_lab";
  checkpoint.metadata["version"] = build_info().version;
  checkpoint.metadata["commit"] = build_info().commit;
  checkpoint.metadata.erase(kStepsBefore);
  if (details.steps_before > 0)
    checkpoint.metadata[kStepsBefore] = std::to_string(details.steps_before);
  if (details.records.empty()) return checkpoint;  // not trained by this program
  for (const auto& [name, value] : checkpoint_metadata(details.backend))
    checkpoint.metadata[name] = value;
  return checkpoint;
}

}  // namespace dispersion
