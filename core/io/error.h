#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace dispersion {

// Something read or written outside the program was not as it should be. The text is one line that
// names the file, the place in it and what was expected. Whatever was there before is untouched.
class FileError : public std::runtime_error {
 public:
  FileError(const std::filesystem::path& file, const std::string& what)
      : std::runtime_error(file.string() + ": " + what) {}
};

}  // namespace dispersion
