// Looks at the processor before anything else in a program runs, constructors of static objects
// and of shared libraries included, and says in a sentence why the program cannot run here instead
// of dying at the first instruction that the processor does not know. Compiled for the baseline of
// x86-64; DISPERSION_BUILT_FOR is the instruction set of all other code.
#include <sys/uio.h>
#include <unistd.h>

#include <cstring>

#include "instruction_sets.h"

namespace {

iovec part(const char* text) {
  return {const_cast<char*>(text), std::strlen(text)};
}

const char* file_name(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

// Nothing of the C++ library is ready yet; this needs no more than the kernel.
void require_instruction_set(int count, char** arguments, char**) {
  constexpr InstructionSet kBuiltFor = InstructionSet::DISPERSION_BUILT_FOR;
  const InstructionSet offered = offered_instruction_set();
  if (offered >= kBuiltFor) return;
  const bool can_be_built = offered == InstructionSet::kAvx2;
  const iovec sentence[] = {
      part(count > 0 ? file_name(arguments[0]) : "dispersion_lab"), part(": built for "),
      part(name_of(kBuiltFor)),
      part(can_be_built
               ? ", but this processor has AVX2 and no AVX-512; build it here with ./lab, or with "
                 "-D DISPERSION_INSTRUCTION_SET=avx2.\n"
               : ", but this processor has not got AVX2 and FMA, which every build needs; in a "
                 "virtual machine, set its processor to that of the host.\n")};
  [[maybe_unused]] const ssize_t written =
      writev(STDERR_FILENO, sentence, sizeof sentence / sizeof *sentence);
  _exit(1);
}

// The dynamic linker calls these before any other initialisation.
[[gnu::section(".preinit_array"), gnu::used]] void (*before_all)(int, char**,
                                                                 char**) = require_instruction_set;

}  // namespace
