// The command of an installed Dispersion Lab: runs the build for the best instruction set that this
// processor has, of those installed in lib/dispersion-lab beside the bin folder it lies in.
// DISPERSION_INSTRUCTION_SET=avx2 or avx512 asks for one of them. Compiled for the baseline of
// x86-64.
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "cmake/instruction_sets.h"

namespace {

struct Build {
  const char* folder;
  InstructionSet needs;
};
constexpr Build kBuilds[] = {{"avx512", InstructionSet::kAvx512}, {"avx2", InstructionSet::kAvx2}};

// The folder above the one of this program, wherever a link to it lies; empty: unknown.
std::string prefix() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  std::string folder(path, length > 0 ? static_cast<std::size_t>(length) : 0);
  for (int up = 0; up < 2; ++up)
    folder.resize(folder.find_last_of('/') == std::string::npos ? 0 : folder.find_last_of('/'));
  return folder;
}

bool wanted(const Build& build, const char* asked) {
  return asked == nullptr || *asked == '\0' || std::strcmp(asked, build.folder) == 0;
}

}  // namespace

int main(int, char** arguments) {
  const char* asked = std::getenv("DISPERSION_INSTRUCTION_SET");
  const InstructionSet offered = offered_instruction_set();
  const std::string builds = prefix() + "/lib/dispersion-lab/";
  bool any = false;
  for (const Build& build : kBuilds) {
    const std::string program = builds + build.folder + "/dispersion_lab";
    if (!wanted(build, asked) || access(program.c_str(), X_OK) != 0) continue;
    any = true;
    if (offered < build.needs && build.needs == InstructionSet::kAvx512) continue;
    execv(program.c_str(), arguments);  // says itself what the processor lacks
  }
  if (any) {
    std::fprintf(stderr,
                 "dispersion_lab: this processor has no AVX-512, and in %s is no build "
                 "without it\n",
                 builds.c_str());
  } else {
    std::fprintf(stderr, "dispersion_lab: no build%s%s in %s\n", asked != nullptr ? " " : "",
                 asked != nullptr ? asked : "", builds.c_str());
  }
  return 1;
}
