#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dispersion {

// "0.3 s", "25 s", "2 min 5 s", "3 h 10 min".
std::string duration_text(double seconds);

// Padded with spaces to a width in characters of UTF-8.
std::string align_right(std::string_view text, int width);
std::string align_left(std::string_view text, int width);

// "Paper" -> "paper"; letters beyond ASCII stay.
std::string in_small_letters(std::string_view text);

// ", did you mean paper?" where one of the names is near, else nothing.
std::string did_you_mean(std::string_view unknown, const std::vector<std::string>& names);

// A word of a command as a shell takes it: in quotes when it has spaces or signs in it.
std::string quoted_word(std::string_view word);

// The words of a command, as quoted_word writes them. Throws std::invalid_argument for a quote that
// does not end.
std::vector<std::string> split_words(std::string_view command);

}  // namespace dispersion
