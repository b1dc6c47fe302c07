#include "app/commands/shipped_data.h"

#include <string>
#include <utility>
#include <vector>

#include "app/commands/head_source.h"
#include "app/embedded/embedded.h"
#include "core/io/history_file.h"
#include "core/io/stored_results.h"

namespace dispersion {
namespace {

void add_table(const std::vector<std::string>& run_hashes, StoredResults& results) {
  StoredTable stored = parse_stored_table("shipped table", embedded_table());
  if (stored.run_hashes != run_hashes) return;
  results.table = std::move(stored.run);
  results.table_provenance = stored_text(stored.commit, stored.backend);
}

}  // namespace

ShippedData shipped_data() {
  ShippedData shipped;
  for (HeadSource& head : shipped_heads())
    shipped.heads.push_back(experiment_head(std::move(head)));
  add_table(shipped_run_hashes(), shipped.stored);
  shipped.stored.precisions = parse_stored_precision("shipped precisions", embedded_precision());
  for (const EmbeddedHistory& history : embedded_histories())
    shipped.histories.push_back(parse_history("shipped " + history.name, history.csv));
  return shipped;
}

}  // namespace dispersion
