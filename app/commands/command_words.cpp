#include "app/commands/command_words.h"

#include <algorithm>
#include <stdexcept>

namespace dispersion {
namespace {

bool is_plain(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || static_cast<unsigned char>(c) >= 0x80 ||
         std::string_view("-_./=:+,@%").find(c) != std::string_view::npos;
}

}  // namespace

std::string quoted_word(std::string_view word) {
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";  // out of the quotes and in again
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
