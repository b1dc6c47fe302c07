#include "app/commands/backend_choice.h"

#include <optional>
#include <stdexcept>
#include <utility>

#include "app/commands/chosen_backend.h"

namespace dispersion {
namespace {

// The choice that the value of --backend names.
BackendChoice parse_choice(const std::string& name) {
  if (const std::optional<BackendChoice> choice = parse_backend_name(name)) return *choice;
  throw UsageError("--backend: \"" + name +
                   "\" is none of auto, cpu, cuda, cuda:K with K from 0 to " +
                   std::to_string(kLargestDevice));
}

// What `make` makes of the choice; errors name the option.
template <class Make>
auto named(const std::string& name, Make make) {
  const BackendChoice choice = parse_choice(name);
  try {
    return make(choice);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("--backend " + name + ": " + error.what());
  }
}

}  // namespace

void add_backend_option(Subcommand& command, std::string& name) {
  command.add_text(
      "--backend", "NAME", name,
      "Backend that computes: cpu, cuda, cuda:K for device K, or auto: a CUDA device where one "
      "can be used");
  command.suggest("--backend", {"auto", "cpu", "cuda"});
}

void add_threads_option(Subcommand& command, int& threads) {
  command.add_whole("--threads", threads, kThreadRange,
                    "Threads; 0: as many as the machine has. The result does not depend on it");
}

std::unique_ptr<Backend> make_backend(const std::string& name, int threads, std::stop_token stop) {
  return named(name, [&](const BackendChoice& choice) {
    return make_chosen(choice, threads, std::move(stop)).backend;
  });
}

std::unique_ptr<SequenceBackend> make_sequence_backend(const std::string& name, int threads) {
  return named(name,
               [&](const BackendChoice& choice) { return make_chosen_sequences(choice, threads); });
}

}  // namespace dispersion
