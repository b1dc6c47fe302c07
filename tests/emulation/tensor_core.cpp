#include "tensor_core.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "core/precision/rounding.h"

namespace emulation {
namespace {

constexpr unsigned kAllLanes = 0xffffffffu;

float lower(unsigned pair) {
  return std::bit_cast<float>(pair << 16);
}
float upper(unsigned pair) {
  return std::bit_cast<float>(pair & 0xffff0000u);
}

template <class T>
T from_lane(int lane) {
  T value;
  std::memcpy(&value, exchanged(kAllLanes, lane), sizeof(T));
  return value;
}

struct Factors {
  uint4 a;
  uint2 b;
};

struct Copy {
  const uint4* from;
  uint4* to;
};

// Of every thread of the block that runs: batches of copies, the last one still open.
thread_local std::vector<std::vector<std::vector<Copy>>> batches;

std::vector<std::vector<Copy>>& own_batches() {
  const std::size_t thread = threadIdx.x;
  if (batches.size() <= thread) batches.resize(thread + 1);
  if (batches[thread].empty()) batches[thread].emplace_back();
  return batches[thread];
}

// A device would read such a matrix in several steps; no kernel here is meant to.
void require_different_banks(int matrix) {
  unsigned met = 0;
  for (int r = 0; r < 8; ++r)
    met |= 1U << reinterpret_cast<std::uintptr_t>(from_lane<const uint4*>(8 * matrix + r)) / 16 % 8;
  if (met != 0xff) throw std::logic_error("rows of a matrix lie in the same banks");
}

}  // namespace

void multiply_add(const uint4& a, const uint2& b, float& d0, float& d1, float& d2, float& d3) {
  const int g = lane() / 4;
  const int t = lane() % 4;
  float rows[2][16];
  const Factors own{a, b};
  exchange(kAllLanes, &own, sizeof(own));
  for (int i = 0; i < 4; ++i) {
    const uint4 part = from_lane<Factors>(4 * g + i).a;
    const unsigned low[2] = {part.x, part.y};
    const unsigned high[2] = {part.z, part.w};
    for (int r = 0; r < 2; ++r) {
      rows[r][2 * i] = lower(low[r]);
      rows[r][2 * i + 1] = upper(low[r]);
      rows[r][2 * i + 8] = lower(high[r]);
      rows[r][2 * i + 9] = upper(high[r]);
    }
  }
  float columns[2][16];
  for (int c = 0; c < 2; ++c) {
    for (int i = 0; i < 4; ++i) {
      const uint2 part = from_lane<Factors>(4 * (2 * t + c) + i).b;
      columns[c][2 * i] = lower(part.x);
      columns[c][2 * i + 1] = upper(part.x);
      columns[c][2 * i + 8] = lower(part.y);
      columns[c][2 * i + 9] = upper(part.y);
    }
  }
  float* to[2][2] = {{&d0, &d1}, {&d2, &d3}};
  for (int r = 0; r < 2; ++r) {
    for (int c = 0; c < 2; ++c) {
      for (int k = 0; k < 16; ++k)
        *to[r][c] += rows[r][k] * columns[c][k];
    }
  }
}

uint4 load_matrices(const uint4* row, bool transposed) {
  exchange(kAllLanes, &row, sizeof(row));
  const int g = lane() / 4;
  const int t = lane() % 4;
  unsigned to[4];
  for (int m = 0; m < 4; ++m) {
    require_different_banks(m);
    const auto number = [&](int r, int c) {
      std::uint16_t bits;
      std::memcpy(&bits, reinterpret_cast<const char*>(from_lane<const uint4*>(8 * m + r)) + 2 * c,
                  sizeof(bits));
      return static_cast<unsigned>(bits);
    };
    to[m] = transposed ? number(2 * t, g) | number(2 * t + 1, g) << 16
                       : number(g, 2 * t) | number(g, 2 * t + 1) << 16;
  }
  return {to[0], to[1], to[2], to[3]};
}

void begin_copy(const uint4* from, bool there, uint4* to) {
  // Whoever still reads what lay there, or reads before the copy was waited for, gets NaN.
  *to = {~0u, ~0u, ~0u, ~0u};
  own_batches().back().push_back({there ? from : nullptr, to});
}

void end_batch() {
  own_batches().emplace_back();
}

void wait_for_batches(int allowed) {
  auto& own = own_batches();
  while (static_cast<int>(own.size()) - 1 > allowed) {
    for (const Copy& copy : own.front())
      *copy.to = copy.from == nullptr ? uint4{0, 0, 0, 0} : *copy.from;
    own.erase(own.begin());
  }
}

unsigned pack_bf16(float low, float high) {
  const dispersion::RoundToBf16 round;
  return std::bit_cast<unsigned>(round(low)) >> 16 |
         (std::bit_cast<unsigned>(round(high)) & 0xffff0000u);
}

}  // namespace emulation
