#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

// The buffers that are held. All of it under runtime_lock().
namespace emulation {

// What memory holds that nobody has written: NaN in every floating type.
inline constexpr unsigned char kRubbish = 0xff;

// What tells a buffer from a later one at the same place.
using BufferId = std::uint64_t;

// The buffer that the byte at `address` is part of.
std::optional<BufferId> buffer_at(std::uintptr_t address);
bool is_held(BufferId buffer);

// Whether these bytes lie within one buffer of the device.
bool on_device(const void* at, std::size_t bytes);

// Adds to what take_guard_report() says.
void report(const std::string& text);

}  // namespace emulation
