#include "app/commands/command_inputs.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "app/commands/output.h"
#include "app/embedded/embedded.h"
#include "core/io/file.h"
#include "core/io/history_file.h"
#include "core/io/stored_results.h"
#include "core/io/text.h"

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

// Adds the stored table if it was computed from the heads with these run hashes.
void add_table(const std::vector<std::string>& run_hashes, StoredResults& results) {
  StoredTable stored = parse_stored_table("shipped table", embedded_table());
  if (stored.run_hashes != run_hashes) return;
  results.table = std::move(stored.run);
  results.table_provenance = stored_text(stored.commit, stored.backend);
}

}  // namespace

HeadSource load_head(const std::filesystem::path& file) {
  if (file.empty()) return from_bytes(embedded_heads().front());
  HeadSource head = {load_checkpoint(file), file.string()};
  if (!head.checkpoint.remark.empty()) print_error(path_text(file) + ": " + head.checkpoint.remark);
  return head;
}

EarlierHistory head_history(const std::filesystem::path& file, const Checkpoint& head) {
  if (!file.empty()) return history_beside(file, head);
  const EmbeddedText first = embedded_histories().front();  // of the first head
  return {std::make_shared<const History>(parse_history("shipped " + first.name, first.text)), ""};
}

ExperimentHead experiment_head(HeadSource head) {
  const std::int64_t steps_before = steps_before_in(head.checkpoint);
  return {std::move(head.name), head.checkpoint.recipe,
          std::make_shared<const TrainingState>(std::move(head.checkpoint.state)),
          head.checkpoint.has_run, steps_before};
}

std::string head_line(const ExperimentHead& head) {
  const TrainingState& state = *head.state;
  const std::string run = head.has_run ? "seed " + std::to_string(state.seed) + ", step " +
                                             std::to_string(head.steps_before + state.step)
                                       : std::string(kWeightsOnly);
  return "head: " + path_text(head.name) + ", " + run + ", run " + run_hash(head.recipe, state) +
         "\n";
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
        HeadSource head = {load_checkpoint(file), file.string()};
        if (is_head(head, run_hash)) return head;
      } catch (const FileError&) {
        continue;  // a file of another program
      }
    }
  }
  return std::nullopt;
}

std::vector<fs::path> files_named(const fs::path& name, std::span<const fs::path> folders) {
  // A file that names another names it in visible text.
  const std::string visible_name = visible_text(name.native());
  std::vector<fs::path> found;
  for (const fs::path& folder : folders) {
    for (const fs::path& file : files_below(folder)) {
      if (visible_text(file.filename().native()) == visible_name) found.push_back(file);
    }
  }
  return found;
}

ShippedData shipped_data() {
  ShippedData shipped;
  for (HeadSource& head : shipped_heads())
    shipped.heads.push_back(experiment_head(std::move(head)));
  add_table(shipped_run_hashes(), shipped.stored);
  shipped.stored.precisions = parse_stored_precision("shipped precisions", embedded_precision());
  for (const EmbeddedText& history : embedded_histories())
    shipped.histories.push_back(parse_history("shipped " + history.name, history.text));
  return shipped;
}

}  // namespace dispersion
