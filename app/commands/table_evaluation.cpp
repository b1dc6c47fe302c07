#include "app/commands/table_evaluation.h"

#include <cmath>
#include <stdexcept>
#include <vector>

#include "app/commands/progress_bar.h"

namespace dispersion {
namespace {

// Weights can be finite and yet so large that what they give is not.
void require_finite(const TableOne& table) {
  for (const TableOneCell& cell : table.cells) {
    if (std::isfinite(cell.entropy + cell.weight_on_max + cell.logit_spread)) continue;
    throw std::runtime_error("a head gives attention that is not finite at n = " +
                             std::to_string(cell.items));
  }
}

}  // namespace

TableRun evaluate_table_run(const TableInputs& inputs, Backend& backend, InterruptGuard& interrupt,
                            const std::string& what) {
  std::vector<TableHead> heads;
  for (const HeadSource& head : inputs.heads) {
    heads.push_back({head.checkpoint.state.seed, head.checkpoint.state.parameters});
  }
  ProgressBar bar;
  TableRun run = start_table(heads, inputs.settings);
  while (!interrupt.interrupted() && advance_table(run, heads, backend)) {
    if (bar.due()) bar.update(share_done(run), what);
  }
  require_finite(summarise_table(run));
  return run;
}

}  // namespace dispersion
