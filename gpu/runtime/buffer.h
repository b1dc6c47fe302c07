#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "gpu/runtime/cuda_error.h"

namespace dispersion {

// Memory of the device, or of the host where the device can reach it.
enum class MemoryKind { kDevice, kPinned };

// Owns `size` numbers; uninitialised.
template <class T, MemoryKind kKind>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : size_(size) {
    if (size == 0) return;
    void* memory = nullptr;
    if constexpr (kKind == MemoryKind::kDevice) {
      check(cudaMalloc(&memory, size * sizeof(T)), "cudaMalloc");
    } else {
      check(cudaMallocHost(&memory, size * sizeof(T)), "cudaMallocHost");
    }
    data_ = static_cast<T*>(memory);
  }
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  // Freeing can fail only when the device is lost, and then all of it is gone.
  ~Buffer() {
    if constexpr (kKind == MemoryKind::kDevice) {
      cudaFree(data_);
    } else {
      cudaFreeHost(data_);
    }
  }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

template <class T>
using DeviceBuffer = Buffer<T, MemoryKind::kDevice>;
template <class T>
using PinnedBuffer = Buffer<T, MemoryKind::kPinned>;

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
