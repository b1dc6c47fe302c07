#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace dispersion {

// Memory that only grows, aligned to a cache line: work space whose size changes from batch to
// batch. Growing loses the contents.
template <class Scalar>
class AlignedBuffer {
 public:
  // At least `size` elements, values unspecified.
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
