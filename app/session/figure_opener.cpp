#include "app/session/figure_opener.h"

#include <exception>
#include <utility>

#include "app/export/figure_file.h"
#include "app/export/provenance.h"
#include "core/io/file.h"

namespace dispersion {

FigureState read_figure_state(const std::filesystem::path& file) {
  try {
    const Provenance provenance = stored_provenance(file, read_exported_file(file));
    const std::string_view state = provenance_value(provenance, "state");
    if (!state.empty()) return {std::string(state), ""};
    return {"", FileError(file, "does not say of which state of the window it is").what()};
  } catch (const std::exception& error) {
    return {"", error.what()};
  }
}

void FigureOpener::read(std::filesystem::path file) {
  thread_ = std::jthread([this, file = std::move(file)] {
    state_.put(read_figure_state(file));
    wake_();
  });
}

}  // namespace dispersion
