#pragma once

// What this processor offers, as far as the operating system saves its registers. For code that is
// compiled for the baseline of x86-64, so that it runs anywhere.

#include <cpuid.h>

// The levels x86-64-v3 and -v4 of the System V ABI, for which the project is built.
enum class InstructionSet { kLess, kAvx2, kAvx512 };

inline const char* name_of(InstructionSet set) {
  return set == InstructionSet::kAvx512 ? "AVX-512" : set == InstructionSet::kAvx2 ? "AVX2" : "";
}

// What belongs to the level and has a flag of its own, which virtual machines can switch off.
inline bool has_small_ones_of_avx2() {
  unsigned a = 0, b = 0, basic = 0, extended = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &basic, &d) == 0) return false;
  if (__get_cpuid(0x80000001, &a, &b, &extended, &d) == 0) return false;
  return (basic & bit_MOVBE) != 0 && (basic & bit_F16C) != 0 && (extended & bit_LZCNT) != 0;
}

inline InstructionSet offered_instruction_set() {
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                    has_small_ones_of_avx2();
  if (!avx2) return InstructionSet::kLess;
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  return avx512 ? InstructionSet::kAvx512 : InstructionSet::kAvx2;
}
