#include "app/commands/head_source.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "app/embedded/embedded.h"
#include "core/io/file.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

HeadSource from_bytes(std::string_view bytes) {
  return {checkpoint_from(TensorFile::from_bytes("shipped head", std::string(bytes))), "shipped"};
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                         error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_regular_file(ignored)) files.push_back(entry->path());
  }
  if (error) throw FileError(folder, "cannot be searched: " + error.message());
  std::ranges::sort(files);
  return files;
}

bool is_head(const HeadSource& head, std::string_view hash) {
  return run_hash(head.checkpoint.recipe, head.checkpoint.state) == hash;
}

}  // namespace

HeadSource load_head(const std::filesystem::path& file) {
  if (!file.empty()) return {load_checkpoint(file), file.string()};
  return from_bytes(embedded_heads().front());
}

ExperimentHead experiment_head(HeadSource head) {
  return {std::move(head.name), head.checkpoint.recipe,
          std::make_shared<const TrainingState>(std::move(head.checkpoint.state))};
}

std::vector<HeadSource> shipped_heads() {
  std::vector<HeadSource> heads;
  for (const std::string_view bytes : embedded_heads())
    heads.push_back(from_bytes(bytes));
  return heads;
}

std::vector<std::string> shipped_run_hashes() {
  std::vector<std::string> hashes;
  for (const HeadSource& head : shipped_heads())
    hashes.push_back(run_hash(head.checkpoint.recipe, head.checkpoint.state));
  return hashes;
}

HeadSource shipped_head(std::uint32_t seed) {
  std::string seeds;
  for (HeadSource& head : shipped_heads()) {
    if (head.checkpoint.state.seed == seed) return std::move(head);
    seeds += (seeds.empty() ? "" : ", ") + std::to_string(head.checkpoint.state.seed);
  }
  throw std::invalid_argument("no head of seed " + std::to_string(seed) +
                              " is inside the program, which has the seeds " + seeds);
}

std::optional<HeadSource> find_head(std::string_view run_hash, std::span<const fs::path> folders) {
  for (HeadSource& head : shipped_heads()) {
    if (is_head(head, run_hash)) return std::move(head);
  }
  for (const fs::path& folder : folders) {
    for (const fs::path& file : files_below(folder)) {
      if (file.extension() != ".safetensors") continue;
      try {
        HeadSource head = load_head(file);
        if (is_head(head, run_hash)) return head;
      } catch (const FileError&) {
        continue;  // another program's
      }
    }
  }
  return std::nullopt;
}

std::vector<fs::path> files_named(const fs::path& name, std::span<const fs::path> folders) {
  std::vector<fs::path> found;
  for (const fs::path& folder : folders) {
    for (const fs::path& file : files_below(folder)) {
      if (file.filename() == name) found.push_back(file);
    }
  }
  return found;
}

}  // namespace dispersion
