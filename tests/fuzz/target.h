#pragma once

#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/random.h"

namespace dispersion::fuzz {

// What a reader made of an input. It either gives a value or throws the error that it documents;
// everything else is a fault.
enum class Verdict { kAccepted, kRefused };

// A fault that a check has found, such as a value that is not the same once written and read again.
class Fault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void require(bool holds, const char* what) {
  if (!holds) throw Fault(what);
}

// A reader to be tried with inputs. A new one needs a row in targets.cpp.
struct Target {
  std::string_view name;
  // Inputs that the program itself would write, which the reader has to accept. Small. `folder` is
  // for files that are needed to make them.
  std::vector<std::string> (*seeds)(const std::filesystem::path& folder);
  // An input that differs from `input` somewhere, but mostly not where the reader would refuse it
  // at once: lengths, checksums and packing are made anew around what was changed.
  std::string (*mutated)(const std::string& input, Random& random);
  // Reads the input, writes what was read and reads that again. Throws anything for a fault.
  // `folder` is for files of the check; what an earlier check has left in it is its own.
  Verdict (*check)(const std::string& input, const std::filesystem::path& folder);
};

std::span<const Target> targets();

// Calls `read`; throwing one of the errors is refusing the input.
template <class... Errors, class Read>
Verdict verdict_of(Read read) {
  try {
    read();
    return Verdict::kAccepted;
  } catch (const Fault&) {
    throw;
  } catch (const std::exception& error) {
    if ((... || (dynamic_cast<const Errors*>(&error) != nullptr))) return Verdict::kRefused;
    throw;
  }
}

}  // namespace dispersion::fuzz
