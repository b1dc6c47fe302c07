#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dispersion {

// A time for the user: "0.3 s", "25 s", "2 min 5 s", "3 h 10 min".
std::string duration_text(double seconds);

// The text padded with spaces to this width, which is counted in characters of UTF-8.
std::string align_right(std::string_view text, int width);
std::string align_left(std::string_view text, int width);

// The words in one text with `between` between them: "a, b, c".
std::string joined(const std::vector<std::string>& words, std::string_view between);

// "a, b or c".
std::string alternatives(const std::vector<std::string>& words);

// "Paper" -> "paper"; letters outside ASCII stay as they are.
std::string in_small_letters(std::string_view text);

// ", did you mean paper?" if one of the names differs in at most two letters, else an empty text.
std::string did_you_mean(std::string_view unknown, const std::vector<std::string>& names);

// A word as a shell reads it: in quotes if it has spaces or special characters.
std::string quoted_word(std::string_view word);

// The words of a command, which quoted_word() wrote. Throws std::invalid_argument for a quote that
// is not closed.
std::vector<std::string> split_words(std::string_view command);

}  // namespace dispersion
