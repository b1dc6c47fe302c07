#include "app/session/study_tools.h"

#include <stdexcept>

#include "core/cpu/cpu_backend.h"

namespace dispersion {
namespace {

constexpr BackendChoice kCpu = {BackendChoice::Kind::kCpu, 0};

}  // namespace

StudySource cpu_studies(int threads) {
  return {[threads](const BackendChoice&) { return make_cpu_backend(threads); },
          [threads](const BackendChoice&) { return make_cpu_sequence_backend(threads); }};
}

void StudyTools::use_cpu(const std::string& why) {
  backend_.reset();
  sequence_backend_.reset();
  choice_ = kCpu;
  why_cpu_ = why;
}

template <class Tool>
Tool& StudyTools::make(const std::function<std::unique_ptr<Tool>(const BackendChoice&)>& factory,
                       std::unique_ptr<Tool>& tool) {
  if (!tool && !on_cpu()) {
    try {
      tool = factory(choice_);
    } catch (const std::runtime_error& error) {
      use_cpu(error.what());
    }
  }
  if (!tool) tool = factory(choice_);
  if (!tool) throw std::runtime_error("nothing can be computed: there is no backend");
  used_ = tool->description();
  return *tool;
}

Backend& StudyTools::backend() {
  return make(source_.backend, backend_);
}

SequenceBackend& StudyTools::sequence_backend() {
  return make(source_.sequence_backend, sequence_backend_);
}

std::string StudyTools::used() const {
  return used_.empty() || why_cpu_.empty() ? used_ : used_ + ": " + why_cpu_;
}

}  // namespace dispersion
