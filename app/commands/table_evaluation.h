#pragma once

#include <string>

#include "app/commands/interrupt.h"
#include "app/commands/table_output.h"

namespace dispersion {

// Evaluates the heads of a table with a progress bar that says `what`; after an interruption, what
// there is so far. Throws std::runtime_error when a head gives attention that is not finite.
TableRun evaluate_table_run(const TableInputs& inputs, Backend& backend, InterruptGuard& interrupt,
                            const std::string& what);

}  // namespace dispersion
