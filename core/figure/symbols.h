#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dispersion {

// The symbols in labels of controls, columns and axes, explained.

struct Symbol {
  std::string_view sign;     // "θ"
  std::string_view name;     // "temperature"
  std::string_view meaning;  // a plain sentence
  std::string_view place;    // in the paper: "equation 1"
};

std::span<const Symbol> symbols();

// The symbols in a label, in the order of the table: a Latin letter counts only where it stands
// alone, as H does in "β(H)" and not in "Heads".
std::vector<Symbol> symbols_in(std::string_view label);

// The letters in a label that look like a symbol and that the table does not have: single Latin
// letters other than the words "a" and "A", and Greek letters.
std::vector<std::string> unexplained_in(std::string_view label);

// A line for every symbol in the label; empty where there is none.
std::string symbols_text(std::string_view label);

// The explanation of a control or a number, followed by those of the symbols in its label that it
// does not already give the place in the paper of.
std::string with_symbols(std::string_view help, std::string_view label);

}  // namespace dispersion
