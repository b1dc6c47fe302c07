#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dispersion {

// A word of a command as a shell takes it: in quotes when it has spaces or signs in it.
std::string quoted_word(std::string_view word);

// The words of a command, as quoted_word writes them. Throws std::invalid_argument for a quote that
// does not end.
std::vector<std::string> split_words(std::string_view command);

}  // namespace dispersion
