#include "app/commands/shipped_material.h"

#include <string>
#include <utility>
#include <vector>

#include "app/commands/head_source.h"
#include "app/embedded/histories.h"
#include "app/embedded/stored_results.h"
#include "app/session/studies.h"
#include "core/io/history_file.h"
#include "core/io/stored_table.h"

namespace dispersion {

namespace {

void add_table(const std::vector<std::string>& run_hashes, StudyMaterial& material) {
  StoredTable stored = parse_stored_table("shipped table", embedded_table());
  if (stored.run_hashes != run_hashes) return;
  material.table = std::move(stored.run);
  material.table_source = stored_text(stored.commit, stored.backend);
}

}  // namespace

StudyMaterial study_material() {
  StudyMaterial material;
  std::vector<std::string> run_hashes;
  for (const HeadSource& head : shipped_heads()) {
    const TrainingState& state = head.checkpoint.state;
    material.heads.push_back({state.seed, state.parameters});
    run_hashes.push_back(run_hash(head.checkpoint.recipe, state));
  }
  add_table(run_hashes, material);
  material.precisions = parse_stored_precision("shipped precisions", embedded_precision());
  for (const EmbeddedHistory& shipped : embedded_histories())
    material.histories.push_back(parse_history("shipped " + shipped.name, shipped.csv));
  return material;
}

}  // namespace dispersion
