#include "app/commands/run_files.h"

#include <algorithm>
#include <set>
#include <string>
#include <system_error>

#include "app/export/provenance.h"
#include "app/session/kept_runs.h"
#include "core/io/checkpoint.h"
#include "core/io/file.h"
#include "core/io/history_file.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (status.type() == fs::file_type::not_found) return false;
  if (error) throw FileError(path, error.message());
  return true;
}

constexpr const char* kAdvice = "; it is kept: choose another folder with --out";

// What a file says that should hold a run, or nothing.
struct Found {
  std::int64_t step = -1;  // of the run; -1: there is no file
  std::string other;       // what it holds that is not the run; empty: it is the run
};

Found find_run(const fs::path& path, const Recipe& recipe, std::uint32_t seed) {
  if (!is_there(path)) return {};
  Checkpoint found;
  try {
    found = load_checkpoint(path);
  } catch (const FileError&) {
    return {.other = "is there already and is no checkpoint of this program"};
  }
  if (!found.has_run) return {.other = "holds " + std::string(kWeightsOnly)};
  if (found.recipe == recipe && found.state.seed == seed && found.has_moments)
    return {.step = found.state.step, .other = {}};
  return {.other = "holds another run (seed " + std::to_string(found.state.seed) + ", step " +
                   std::to_string(found.state.step) + ")"};
}

// The step of the checkpoint at `path`; -1 if there is no such file. Throws FileError unless it is
// a checkpoint of the same run that is not past `target_step`.
std::int64_t step_on_disk(const fs::path& path, const Recipe& recipe, std::uint32_t seed,
                          std::int64_t target_step) {
  const Found found = find_run(path, recipe, seed);
  if (!found.other.empty()) throw FileError(path, found.other + kAdvice);
  if (found.step > target_step) {
    throw FileError(path, "holds this run at step " + std::to_string(found.step) +
                              ", past --steps " + std::to_string(target_step) + kAdvice +
                              ", or go on from it with --resume");
  }
  return found.step;
}

Checkpoint checkpoint_of(const Recipe& recipe, const Run& run) {
  return {recipe, run.state, true, checkpoint_metadata(run.backend)};
}

void write_history(const Run& run) {
  if (run.history.empty()) return;
  write_file_atomically(history_path(run.file), history_csv(run.history));
}

// Says what has come under the names of a run since it was last saved and is not to be replaced;
// empty if there is nothing of the kind. Takes note of a later step of the same run.
std::string look_again(const Recipe& recipe, Run& run) {
  if (file_mark(run.file) != run.file_seen) {
    const Found found = find_run(run.file, recipe, run.state.seed);
    if (!found.other.empty()) return path_text(run.file) + " " + found.other;
    run.step_on_disk = found.step;
    run.file_seen = file_mark(run.file);
  }
  const fs::path history = history_path(run.file);
  const std::optional<FileMark> mark = file_mark(history);
  if (run.history.empty() || !mark || mark == run.history_seen) return "";
  // Somebody else is about to save a head beside it.
  if (!run.file_seen) return path_text(history) + " has come there meanwhile";
  try {
    history_up_to(run.file, run.state.seed, 0);
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

// Writes history and checkpoint under names that the run has not had so far. Returns false, with
// what others have under these names left as it is, where one of the two is taken. The history
// comes first, as in every save: a killed process may leave rows that the next one makes again, but
// no head without the rows before it.
bool create_files(Run& run, const Checkpoint& checkpoint) {
  const fs::path history = history_path(run.file);
  std::optional<FileMark> created;
  if (run.history_seen && file_mark(history) == run.history_seen) {
    write_history(run);
  } else if (!run.history.empty()) {
    if (!create_file_atomically(history, history_csv(run.history))) return false;
    created = file_mark(history);
  }
  if (create_checkpoint(run.file, checkpoint)) return true;
  std::error_code ignored;
  if (created && file_mark(history) == created) fs::remove(history, ignored);
  return false;
}

// Saves the run under another name, because `other` has come under its own.
void move_away(Run& run, const Checkpoint& checkpoint, const std::string& other) {
  const fs::path planned = run.file;
  run.history_seen = {};
  int number = 2;
  do {
    run.file = numbered_name(planned, number++);
    run.moved = other + "; it is kept, and this run is saved in " + path_text(run.file);
  } while (is_there(history_path(run.file)) || !create_files(run, checkpoint));
}

std::string seed_file_name(std::uint32_t seed) {
  return "seed" + std::to_string(seed) + ".safetensors";
}

std::vector<fs::path> checkpoints_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".safetensors") files.push_back(entry->path());
  }
  if (error) throw FileError(folder, error.message());
  if (files.empty()) throw FileError(folder, "holds no *.safetensors to resume");
  // Sorts by length first, so that seed2 comes before seed10.
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    const auto key = [](const fs::path& p) { return std::pair(p.native().size(), p.native()); };
    return key(a) < key(b);
  });
  return files;
}

}  // namespace

fs::path default_run_folder(const Recipe& recipe) {
  if (recipe == Recipe()) return fs::path("runs") / "default";
  return fs::path("runs") /
         (std::string("recipe-") + hex_digits(text_hash(recipe_to_json(recipe)) >> 32, 8));
}

std::vector<Run> start_runs(const Recipe& recipe, std::uint32_t first_seed, int count,
                            std::int64_t target_step, const fs::path& folder) {
  std::vector<Run> runs;
  for (int i = 0; i < count; ++i) {
    const std::uint32_t seed = first_seed + static_cast<std::uint32_t>(i);
    const fs::path file = folder / seed_file_name(seed);
    const std::int64_t on_disk = step_on_disk(file, recipe, seed, target_step);
    // A new run replaces a history only if that is of the same seed; this throws for another one.
    history_up_to(file, seed, 0);
    runs.push_back({file, start_training(HeadShape(), seed), on_disk});
    take_names(runs.back());
  }
  return runs;
}

ResumedRuns resume_runs(const fs::path& source, std::int64_t target_step, const fs::path& out) {
  std::error_code ignored;
  const bool folder = fs::is_directory(source, ignored);
  const std::vector<fs::path> files = folder ? checkpoints_in(source) : std::vector{source};
  ResumedRuns resumed;
  for (const fs::path& file : files) {
    Checkpoint checkpoint = load_checkpoint(file);
    if (!checkpoint.has_run) {
      throw FileError(file, "holds " + std::string(kWeightsOnly) + "; a run cannot go on from it");
    }
    if (!checkpoint.has_moments) {
      throw FileError(file, "holds weights without Adam's moments; a run cannot go on from it");
    }
    if (checkpoint.state.step > target_step) {
      throw FileError(file, "is at step " + std::to_string(checkpoint.state.step) +
                                " already, past --steps " + std::to_string(target_step));
    }
    if (!resumed.runs.empty() && checkpoint.recipe != resumed.recipe) {
      throw FileError(file, "has another recipe than " + files.front().filename().string() +
                                "; resume them one by one");
    }
    resumed.recipe = checkpoint.recipe;
    const fs::path target = out.empty() ? file : out / file.filename();
    const std::int64_t on_disk =
        out.empty() ? checkpoint.state.step
                    : step_on_disk(target, checkpoint.recipe, checkpoint.state.seed, target_step);
    const std::uint32_t seed = checkpoint.state.seed;
    if (target != file) history_up_to(target, seed, 0);
    History history = history_up_to(file, seed, checkpoint.state.step);
    resumed.runs.push_back({target, std::move(checkpoint.state), on_disk, std::move(history),
                            backend_in_metadata(checkpoint.metadata)});
    take_names(resumed.runs.back());
  }
  return resumed;
}

void prepare_folders(const std::vector<Run>& runs) {
  std::set<fs::path> folders;
  for (const Run& run : runs) {
    const fs::path parent = run.file.parent_path();
    folders.insert(parent.empty() ? fs::path(".") : parent);
  }
  for (const fs::path& folder : folders) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw FileError(folder, "cannot be made: " + error.message());
    const std::size_t checkpoint_bytes = 3 * sizeof(float) * parameter_count(HeadShape()) + 16384;
    try {
      require_room(folder, checkpoint_bytes);
    } catch (const FileError& failure) {
      throw FileError(folder, "cannot take a checkpoint: " + std::string(failure.reason()));
    }
  }
}

fs::path common_place(const std::vector<Run>& runs) {
  if (runs.size() == 1) return runs.front().file;
  const fs::path folder = runs.front().file.parent_path();
  const bool common =
      std::ranges::all_of(runs, [&](const Run& run) { return run.file.parent_path() == folder; });
  return common ? folder : fs::path();
}

void take_names(Run& run) {
  run.file_seen = file_mark(run.file);
  run.history_seen = file_mark(history_path(run.file));
}

void save_run(const Recipe& recipe, Run& run) {
  const std::string other = look_again(recipe, run);
  if (other.empty() && run.state.step < run.step_on_disk) return;
  const Checkpoint checkpoint = checkpoint_of(recipe, run);
  if (!other.empty()) {
    move_away(run, checkpoint, other);
  } else if (run.file_seen) {
    // The history is written first: if the checkpoint then fails, resuming makes the last rows of
    // the history again.
    write_history(run);
    save_checkpoint(run.file, checkpoint);
  } else if (!create_files(run, checkpoint)) {
    return save_run(recipe, run);  // somebody was faster: looks at what that is
  }
  take_names(run);
  run.step_on_disk = run.state.step;
}

void save_elsewhere(const Recipe& recipe, Run& run, const fs::path& folder) {
  if (folder.empty())
    throw FileError(run.file, "nowhere else to keep it: neither XDG_STATE_HOME nor HOME is set");
  run.file = keep_run(folder, checkpoint_of(recipe, run));
  run.step_on_disk = run.state.step;
  try {
    write_history(run);
  } catch (const FileError& error) {
    run.failure += "; its history is not kept: " + std::string(error.what());
  }
}

}  // namespace dispersion
