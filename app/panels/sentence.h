#pragma once

#include <string>

namespace dispersion {

// Errors begin small, because they also stand after "name:" on the command line; here they are
// sentences.
inline std::string as_sentence(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

}  // namespace dispersion
