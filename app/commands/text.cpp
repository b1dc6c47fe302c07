#include "app/commands/text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr double kLongest = 3.2e7;  // a year; longer times are shown as a year

std::string padding(std::string_view text, int width) {
  // Counts the first byte of every character; bytes of the form 10xxxxxx are its further ones.
  const auto characters = std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
  });
  return std::string(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, width - characters)),
                     ' ');
}

constexpr std::size_t kMostEdits = 2;

// How many steps turn one text into the other. A step inserts, removes or replaces a letter, or
// exchanges two neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> above(b.size() + 1);  // the row before `row`
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::vector<std::size_t> next = {i + 1};
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = row[j] + (a[i] == b[j] ? 0 : 1);
      next.push_back(std::min({replaced, row[j + 1] + 1, next[j] + 1}));
      const bool exchanged = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (exchanged) next.back() = std::min(next.back(), above[j - 1] + 1);
    }
    above = std::exchange(row, std::move(next));
  }
  return row.back();
}

// Whether a shell takes the character as it is.
bool is_plain(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || static_cast<unsigned char>(c) >= 0x80 ||
         std::string_view("-_./=:+,@%").find(c) != std::string_view::npos;
}

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 10) return fixed_text(std::max(seconds, 0.0), 1) + " s";
  const auto whole = static_cast<std::int64_t>(std::ceil(std::min(seconds, kLongest)));
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

std::string align_right(std::string_view text, int width) {
  return padding(text, width) + std::string(text);
}

std::string align_left(std::string_view text, int width) {
  return std::string(text) + padding(text, width);
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += between;
    text += words[i];
  }
  return text;
}

std::string alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return small;
}

std::string did_you_mean(std::string_view unknown, const std::vector<std::string>& names) {
  std::string nearest;
  std::size_t fewest = kMostEdits + 1;
  for (const std::string& name : names) {
    const std::size_t edits = edit_distance(in_small_letters(unknown), name);
    if (edits < fewest && edits < name.size() / 2) {
      fewest = edits;
      nearest = name;
    }
  }
  return nearest.empty() ? "" : ", did you mean " + nearest + "?";
}

std::string quoted_word(std::string_view word) {
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";  // ends the quotes, adds a quote, begins quotes again
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::vector<std::string> split_words(std::string_view command) {
  std::vector<std::string> words;
  bool in_word = false;
  bool in_quote = false;
  for (std::size_t i = 0; i < command.size(); ++i) {
    char c = command[i];
    if (c == ' ' && !in_quote) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == '\'') {
      in_quote = !in_quote;
      continue;
    }
    if (c == '\\' && !in_quote && i + 1 < command.size()) c = command[++i];
    words.back() += c;
  }
  if (in_quote) throw std::invalid_argument("a quote does not end");
  return words;
}

}  // namespace dispersion
