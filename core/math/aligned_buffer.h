#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace dispersion {

// A buffer for intermediate results whose size changes from batch to batch. It is aligned to a
// cache line and never shrinks; its contents are lost when it grows.
template <class Scalar>
class AlignedBuffer {
 public:
  // Returns room for at least `size` elements with unspecified values.
  Scalar* reserve(std::size_t size) {
    if (size > size_) {
      memory_.reset();
      size_ = 0;
      memory_.reset(static_cast<Scalar*>(::operator new(size * sizeof(Scalar), kAlignment)));
      size_ = size;
    }
    return memory_.get();
  }

  Scalar* data() { return memory_.get(); }
  const Scalar* data() const { return memory_.get(); }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Release {
    void operator()(Scalar* memory) const { ::operator delete(memory, kAlignment); }
  };
  std::unique_ptr<Scalar[], Release> memory_;
  std::size_t size_ = 0;
};

}  // namespace dispersion
