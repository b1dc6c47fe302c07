#include "kernel_names.h"

#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string_view>

namespace emulation {
namespace {

struct Row {
  const char* kernel;
  int capability;  // 90: compute capability 9.0
  int registers;
  int shared_bytes;
  unsigned most_threads;
};

constexpr Row kRows[] = {
#include "kernel_registers.inc"
};

// Where the program lies in memory, as its symbols count from there.
std::uintptr_t load_address() {
  std::uintptr_t address = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        *static_cast<std::uintptr_t*>(to) = info->dlpi_addr;
        return 1;  // the program itself comes first
      },
      &address);
  return address;
}

// The file of this program, of which only what is looked at is read: it is large, and tests have
// processes of their own.
class ProgramFile {
 public:
  ProgramFile() {
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat status = {};
    if (file >= 0 && fstat(file, &status) == 0) {
      bytes_ = static_cast<std::size_t>(status.st_size);
      memory_ = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file, 0);
    }
    if (file >= 0) close(file);
    if (memory_ == MAP_FAILED) throw std::runtime_error("the program cannot read its own file");
  }
  ProgramFile(const ProgramFile&) = delete;
  ProgramFile& operator=(const ProgramFile&) = delete;
  ~ProgramFile() { munmap(memory_, bytes_); }

  template <class T>
  const T* at(std::size_t offset) const {
    return reinterpret_cast<const T*>(static_cast<const char*>(memory_) + offset);
  }

 private:
  void* memory_ = MAP_FAILED;
  std::size_t bytes_ = 0;
};

// The name in the program's table of symbols; kernels of anonymous namespaces stand in no other.
std::string symbol_at(std::uintptr_t address) {
  const ProgramFile file;
  const auto* header = file.at<Elf64_Ehdr>(0);
  const auto* sections = file.at<Elf64_Shdr>(header->e_shoff);
  for (int i = 0; i < header->e_shnum; ++i) {
    const Elf64_Shdr& section = sections[i];
    if (section.sh_type != SHT_SYMTAB) continue;
    const char* const names = file.at<char>(sections[section.sh_link].sh_offset);
    const auto* symbols = file.at<Elf64_Sym>(section.sh_offset);
    for (std::size_t s = 0; s < section.sh_size / sizeof(Elf64_Sym); ++s) {
      if (ELF64_ST_TYPE(symbols[s].st_info) == STT_FUNC && symbols[s].st_value == address)
        return names + symbols[s].st_name;
    }
  }
  return "";
}

std::string demangled(std::string mangled) {
  mangled = mangled.substr(0, mangled.find('.'));  // ".lto_priv.0"
  int status = 0;
  char* const text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  if (text == nullptr) return mangled;
  std::string result = text;
  std::free(text);
  return result;
}

void remove_all(std::string& text, std::string_view part) {
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part))
    text.erase(at, part.size());
}

// As tests/gpu/machine_code.py shortens what ptxas says.
std::string shortened(std::string text) {
  for (const std::string_view part : {"(anonymous namespace)::", "dispersion::"})
    remove_all(text, part);
  int depth = 0;
  std::size_t end = 0;
  for (; end < text.size() && (text[end] != '(' || depth > 0); ++end)
    depth += text[end] == '<' ? 1 : text[end] == '>' ? -1 : 0;
  text.resize(end);
  return text.starts_with("void ") ? text.substr(5) : text;
}

}  // namespace

const std::string& kernel_name(const void* kernel) {
  static std::map<const void*, std::string> known;
  const auto [name, is_new] = known.try_emplace(kernel);
  if (is_new) {
    const auto address = reinterpret_cast<std::uintptr_t>(kernel) - load_address();
    name->second = shortened(demangled(symbol_at(address)));
  }
  return name->second;
}

KernelResources kernel_resources(const std::string& name, int capability) {
  for (const Row& row : kRows) {
    if (row.kernel == name && row.capability == capability)
      return {row.registers, row.shared_bytes, row.most_threads};
  }
  return {};
}

}  // namespace emulation
