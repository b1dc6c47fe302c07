// Prints the instruction sets that processor and operating system offer, best last.
#include <cstdio>

int main() {
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi2");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  std::printf("%s%s", avx2 ? "avx2" : "", avx512 ? ";avx512" : "");
  return 0;
}
