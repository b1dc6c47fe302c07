// Prints the instruction sets that processor and operating system offer, best last.
#include <cstdio>

#include "instruction_sets.h"

int main() {
  const InstructionSet offered = offered_instruction_set();
  std::printf("%s%s", offered >= InstructionSet::kAvx2 ? "avx2" : "",
              offered >= InstructionSet::kAvx512 ? ";avx512" : "");
  return 0;
}
