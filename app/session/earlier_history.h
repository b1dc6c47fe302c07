#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/experiment/training_history.h"
#include "core/io/checkpoint.h"

namespace dispersion {

// What was measured of a head while it was trained, before it was opened.
struct EarlierHistory {
  std::shared_ptr<const History> rows;  // null: there is none
  std::string trouble;                  // why a file that is there was not taken; else empty
};

// The history in the file beside this checkpoint, up to the checkpoint's step. Never throws: the
// head can be used without it. Of a head whose run is not known none is taken.
EarlierHistory history_beside(const std::filesystem::path& file, const Checkpoint& checkpoint);

}  // namespace dispersion
