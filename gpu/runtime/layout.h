#pragma once

#include <cstddef>

namespace dispersion {

// Lays arrays one behind the other from `base`, each aligned for whatever reads it; with a null
// base it only counts.
class Layout {
 public:
  explicit Layout(std::byte* base) : base_(base) {}

  template <class T>
  void place(T*& array, std::size_t count) {
    constexpr std::size_t kAlignment = 256;
    if (base_ != nullptr) array = reinterpret_cast<T*>(base_ + bytes_);
    bytes_ += (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::byte* base_;
  std::size_t bytes_ = 0;
};

}  // namespace dispersion
