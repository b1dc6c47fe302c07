#include "tests/fuzz/memory.h"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace dispersion::fuzz::memory {
namespace {

std::atomic<std::size_t> in_use = 0;
std::atomic<std::size_t> at_begin = 0;
std::atomic<std::size_t> most = 0;
std::atomic<bool> refused = false;

void count(std::size_t bytes) {
  const std::size_t now = in_use.fetch_add(bytes) + bytes;
  for (std::size_t before = most; now > before && !most.compare_exchange_weak(before, now);) {
  }
}

}  // namespace

void begin() {
  at_begin = in_use.load();
  most = in_use.load();
  refused = false;
}

std::size_t most_used() {
  return most - std::min(most.load(), at_begin.load());
}

bool was_refused() {
  return refused;
}

namespace {

void* allocated(std::size_t bytes) {
  void* const block = bytes <= kMostMemory && in_use + bytes <= at_begin + kMostMemory
                          ? std::malloc(std::max<std::size_t>(bytes, 1))
                          : nullptr;
  if (block == nullptr) {
    refused = true;
    throw std::bad_alloc();
  }
  count(malloc_usable_size(block));
  return block;
}

void freed(void* block) {
  if (block == nullptr) return;
  in_use -= malloc_usable_size(block);
  std::free(block);
}

}  // namespace
}  // namespace dispersion::fuzz::memory

// All of those without alignment, so that none is paired with one of the standard library's or of a
// sanitizer's.

void* operator new(std::size_t bytes) {
  return dispersion::fuzz::memory::allocated(bytes);
}

void* operator new[](std::size_t bytes) {
  return dispersion::fuzz::memory::allocated(bytes);
}

void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return dispersion::fuzz::memory::allocated(bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void* operator new[](std::size_t bytes, const std::nothrow_t& tag) noexcept {
  return operator new(bytes, tag);
}

void operator delete(void* block) noexcept {
  dispersion::fuzz::memory::freed(block);
}

void operator delete[](void* block) noexcept {
  dispersion::fuzz::memory::freed(block);
}

void operator delete(void* block, std::size_t) noexcept {
  dispersion::fuzz::memory::freed(block);
}

void operator delete[](void* block, std::size_t) noexcept {
  dispersion::fuzz::memory::freed(block);
}

void operator delete(void* block, const std::nothrow_t&) noexcept {
  dispersion::fuzz::memory::freed(block);
}

void operator delete[](void* block, const std::nothrow_t&) noexcept {
  dispersion::fuzz::memory::freed(block);
}
