#include "tests/fuzz/campaign.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "core/io/file.h"
#include "tests/fuzz/memory.h"

namespace dispersion::fuzz {
namespace {

// Nothing here takes longer on one input, even under the sanitizers on a busy machine.
constexpr unsigned kPatienceSeconds = 120;

constexpr int kFoundFault = 99;  // exit status of the process that tries inputs

void set_fault(Progress& progress, std::string_view text) {
  const std::size_t length = std::min(text.size(), progress.fault.size() - 1);
  std::memcpy(progress.fault.data(), text.data(), length);
  progress.fault[length] = '\0';
}

struct Unmap {
  void operator()(Progress* progress) const { ::munmap(progress, sizeof(Progress)); }
};
using SharedProgress = std::unique_ptr<Progress, Unmap>;

SharedProgress shared_progress() {
  void* const place =
      ::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  return SharedProgress(new (place) Progress());
}

std::vector<std::string> corpus_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<std::string> inputs;
  for (const std::filesystem::path& file : files)
    inputs.push_back(read_whole_file(file, kMostInput));
  return inputs;
}

// The seeds, which have to be accepted, and the corpus, which need not.
std::vector<std::string> begin(const Target& target, const CampaignSettings& settings,
                               Progress& progress) {
  std::vector<std::string> inputs = target.seeds(settings.folder);
  for (const std::string& seed : inputs) {
    if (try_input(target, settings, seed, progress) == Verdict::kRefused)
      throw Fault("refused what the program itself would write");
  }
  for (std::string& input : corpus_of(settings.corpus)) {
    try_input(target, settings, input, progress);
    inputs.push_back(std::move(input));
  }
  progress.accepted = 0;
  progress.refused = 0;
  return inputs;
}

[[noreturn]] void run_child(const Target& target, const CampaignSettings& settings,
                            Progress& progress) {
  try {
    if (settings.only.empty()) {
      run_loop(target, settings, begin(target, settings, progress), progress);
    } else {
      try_input(target, settings, read_whole_file(settings.only, kMostInput), progress);
    }
  } catch (const std::exception& error) {
    set_fault(progress, error.what());
    ::_exit(kFoundFault);
  }
  ::_exit(0);
}

std::string failure_of(int status, const Progress& progress) {
  if (progress.fault[0] != '\0') return progress.fault.data();
  if (WIFSIGNALED(status)) {
    return std::string("ended by the signal ") + ::strsignal(WTERMSIG(status)) +
           (WTERMSIG(status) == SIGALRM
                ? ", after " + std::to_string(kPatienceSeconds) + " s with one input"
                : "");
  }
  const int code = WEXITSTATUS(status);
  return code == 0 ? "" : "ended with exit code " + std::to_string(code);
}

}  // namespace

Verdict try_input(const Target& target, const CampaignSettings& settings, std::string_view input,
                  Progress& progress) {
  progress.input_bytes = std::min(input.size(), kMostInput);
  std::memcpy(progress.input.data(), input.data(), progress.input_bytes);
  ++progress.tried;
  const std::string text(input.substr(0, kMostInput));
  ::alarm(kPatienceSeconds);
  memory::begin();
  Verdict verdict = Verdict::kRefused;
  try {
    verdict = target.check(text, settings.folder);
  } catch (const Fault&) {
    throw;
  } catch (const std::exception& error) {
    if (!memory::was_refused())
      throw Fault(std::string("threw an error that it does not document: ") + error.what());
  }
  progress.most_memory = std::max<std::uint64_t>(progress.most_memory, memory::most_used());
  if (memory::was_refused()) {
    throw Fault("asked for more than " + std::to_string(kMostMemory >> 20) + " MiB of memory for " +
                std::to_string(text.size()) + " bytes");
  }
  ++(verdict == Verdict::kAccepted ? progress.accepted : progress.refused);
  return verdict;
}

CampaignResult run_campaign(const Target& target, const CampaignSettings& settings) {
  const SharedProgress progress = shared_progress();
  const pid_t child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) run_child(target, settings, *progress);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return {*progress, failure_of(status, *progress)};
}

}  // namespace dispersion::fuzz
