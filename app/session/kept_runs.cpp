#include "app/session/kept_runs.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "app/session/user_files.h"
#include "core/io/file.h"
#include "core/io/history_file.h"

namespace dispersion {

namespace fs = std::filesystem;

fs::path kept_runs_folder() {
  const fs::path folder = user_state_folder();
  return folder.empty() ? folder : folder / "runs";
}

fs::path keep_run(const fs::path& folder, const Checkpoint& run) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw FileError(folder, "cannot be made: " + error.message());
  const std::string name = "seed" + std::to_string(run.state.seed) + "-step" +
                           std::to_string(steps_before_in(run) + run.state.step) + ".safetensors";
  return save_under_free_name(folder / name, run);
}

std::vector<fs::path> kept_runs(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() != ".safetensors") continue;
    std::error_code ignored;
    found.emplace_back(entry->last_write_time(ignored), entry->path());
  }
  std::ranges::sort(found, std::greater());
  std::vector<fs::path> paths;
  for (auto& [time, path] : found)
    paths.push_back(std::move(path));
  return paths;
}

void discard_kept_run(const fs::path& run) {
  std::error_code error;
  fs::remove(run, error);
  if (error) throw FileError(run, "cannot be removed: " + error.message());
  fs::remove(history_path(run), error);
}

}  // namespace dispersion
