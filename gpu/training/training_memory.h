#pragma once

#include <cstddef>
#include <span>

#include "core/head/recipe.h"
#include "gpu/kernels/group_memory.h"
#include "gpu/runtime/buffer.h"

namespace dispersion {

// Device memory for a group in training, in one piece.
class TrainingMemory {
 public:
  // Steps whose reports are kept until the host has read them, and whose corrections are there
  // beforehand.
  static constexpr int kRing = 512;
  static_assert((kRing & (kRing - 1)) == 0);

  TrainingMemory(const Recipe& recipe, int heads);

  // What it takes on the device, in bytes.
  static std::size_t bytes(const Recipe& recipe, int heads);

  const GroupMemory& group() const { return group_; }
  // What the device's copy in the group is uploaded from, [heads, kRing].
  std::span<AdamCorrections> corrections() const {
    return {corrections_.data(), corrections_.size()};
  }
  // For the device's parameters, [heads, kParameterStride].
  std::span<float> parameters() const { return {parameters_.data(), parameters_.size()}; }
  std::uint32_t* seeds() const { return const_cast<std::uint32_t*>(group_.seed); }

 private:
  DeviceBuffer<std::byte> memory_;
  PinnedBuffer<StepReport> reports_;
  PinnedBuffer<AdamCorrections> corrections_;
  PinnedBuffer<float> parameters_;
  GroupMemory group_;
};

}  // namespace dispersion
