#include "app/commands/study_heads.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

#include "app/commands/head_source.h"
#include "app/commands/progress_bar.h"
#include "app/commands/provenance.h"
#include "app/commands/train_runs.h"
#include "core/io/atomic_file.h"
#include "core/io/checkpoint.h"
#include "core/io/history_file.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kStepsBetweenSaves = 10'000;

fs::path head_file(const StudyTraining& training, const StudyArm& arm, int seed) {
  return training.folder / arm.heads / ("seed" + std::to_string(seed) + ".safetensors");
}

// A head that was trained by another recipe than the arm's is none of its heads.
void require_recipe(const fs::path& file, const Recipe& recipe, const StudyArm& arm) {
  if (recipe == arm.recipe) return;
  throw FileError(file, "was trained by another recipe (" + recipe_text(recipe) + ") than " +
                            arm.name + " (" + recipe_text(arm.recipe) + ")");
}

// The run of one seed: from its file, which must be of the arm's recipe, or from the start.
Run open_run(const StudyArm& arm, const StudyTraining& training, int seed) {
  const fs::path file = head_file(training, arm, seed);
  std::error_code ignored;
  if (!fs::exists(file, ignored)) {
    return start_runs(arm.recipe, static_cast<std::uint32_t>(seed), 1, training.steps,
                      file.parent_path())
        .front();
  }
  ResumedRuns resumed = resume_runs(file, training.steps, {});
  require_recipe(file, resumed.recipe, arm);
  return std::move(resumed.runs.front());
}

int heads_at_once(int threads) {
  return threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

std::vector<Run> train_study_heads(Backend& backend, const StudyArm& arm,
                                   const StudyTraining& training, InterruptGuard& interrupt) {
  std::vector<Run> done;
  ProgressBar bar;
  const int at_once = heads_at_once(training.threads);
  for (int first = 1; first <= training.seeds && !interrupt.interrupted(); first += at_once) {
    std::vector<Run> runs;
    const int last = std::min(first + at_once - 1, training.seeds);
    for (int seed = first; seed <= last; ++seed)
      runs.push_back(open_run(arm, training, seed));
    prepare_folders(runs);
    const TrainingPlan plan{arm.recipe, training.steps, kStepsBetweenSaves, true, training.threads};
    const TrainingEnd end = train_runs(backend, plan, runs, [&](const TrainingProgress& progress) {
      const double share = progress.steps_to_do == 0
                               ? 1
                               : static_cast<double>(progress.steps_done) /
                                     static_cast<double>(progress.steps_to_do);
      if (bar.due()) {
        bar.update((first - 1 + share * (last - first + 1)) / training.seeds,
                   "training " + arm.name);
      }
      return !interrupt.interrupted();
    });
    if (end.non_finite) {
      throw std::runtime_error(arm.name + ", seed " + std::to_string(end.non_finite_seed) +
                               ": the loss is not finite at step " +
                               std::to_string(end.non_finite_step));
    }
    if (!end.loss.empty()) throw std::runtime_error(loss_text(end, runs));
    for (Run& run : runs) {
      if (run.state.step == training.steps) done.push_back(std::move(run));
    }
  }
  return done;
}

std::vector<Run> finished_study_heads(const StudyArm& arm, const StudyTraining& training) {
  std::vector<HeadSource> shipped = shipped_heads();
  std::erase_if(shipped, [&](const HeadSource& head) {
    return head.checkpoint.recipe != arm.recipe || head.checkpoint.state.step != training.steps;
  });
  std::vector<Run> done;
  for (int seed = 1; seed <= training.seeds; ++seed) {
    const fs::path file = head_file(training, arm, seed);
    std::error_code ignored;
    if (fs::exists(file, ignored)) {
      Checkpoint head = load_checkpoint(file);
      require_recipe(file, head.recipe, arm);
      if (head.state.step != training.steps) continue;
      Run run{file, std::move(head.state)};
      if (fs::exists(history_path(file), ignored)) run.history = read_history(history_path(file));
      done.push_back(std::move(run));
      continue;
    }
    for (const HeadSource& head : shipped) {
      if (head.checkpoint.state.seed == static_cast<std::uint32_t>(seed))
        done.push_back({fs::path("shipped") / file.filename(), head.checkpoint.state});
    }
  }
  return done;
}

void export_heads(const StudyArm& arm, const std::vector<Run>& runs, const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw FileError(folder, error.message());
  for (const Run& run : runs) {
    const fs::path file = folder / run.file.filename();
    if (!run.history.empty()) write_file_atomically(history_path(file), history_csv(run.history));
    save_checkpoint(file, {arm.recipe, run.state, false, checkpoint_metadata()});
  }
}

}  // namespace dispersion
