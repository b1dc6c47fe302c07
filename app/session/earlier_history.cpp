#include "app/session/earlier_history.h"

#include <exception>
#include <utility>

#include "core/io/history_file.h"

namespace dispersion {

EarlierHistory history_beside(const std::filesystem::path& file, const Checkpoint& checkpoint) {
  if (!checkpoint.has_run) return {};
  try {
    History rows = history_up_to(file, checkpoint.state.seed, checkpoint.state.step);
    if (rows.empty()) return {};
    return {std::make_shared<const History>(std::move(rows)), ""};
  } catch (const std::exception& error) {
    return {nullptr, error.what()};
  }
}

}  // namespace dispersion
