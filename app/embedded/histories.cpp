#include "app/embedded/histories.h"

#include <cstddef>

// Made by the assembler (CMakeLists.txt): name, 0, text, 0 of one file after the other.
extern "C" {
extern const char dispersion_histories_begin[];
extern const char dispersion_histories_end[];
}

namespace dispersion {

std::vector<EmbeddedHistory> embedded_histories() {
  std::string_view rest(
      dispersion_histories_begin,
      static_cast<std::size_t>(dispersion_histories_end - dispersion_histories_begin));
  const auto take = [&rest] {
    const std::string_view text = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(text.size() + 1);
    return text;
  };
  std::vector<EmbeddedHistory> histories;
  while (!rest.empty()) {
    const std::string_view name = take();
    histories.push_back({std::string(name), take()});
  }
  return histories;
}

}  // namespace dispersion
