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

FigureOpener::FigureOpener(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this](const std::stop_token& stop) { run(stop); }) {}

void FigureOpener::read(std::filesystem::path file) {
  questions_.put({std::move(file), ++asked_});
  wake_signal_.notify();
}

std::optional<FigureState> FigureOpener::take() {
  std::optional<Answer> answer = answers_.take();
  if (!answer) return std::nullopt;
  answered_ = answer->number;
  return std::move(answer->state);
}

void FigureOpener::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    if (const std::optional<Question> question = questions_.take()) {
      answers_.put({read_figure_state(question->file), question->number});
      wake_();
    } else {
      wake_signal_.wait(stop);
    }
  }
}

}  // namespace dispersion
