#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dispersion {

// A number as a person types it.
struct NumberRead {
  std::optional<double> value;
  std::string hint;  // what to type instead; empty: the text is no number at all
};

// Reads a finite number with a point or a comma before its decimals: "0.5", "0,5", "1e-3". Groups
// of three digits may be set apart by spaces, or where that is no question by commas or points:
// "16 384", "1,000,000", "1,234.5". "1,000", which is one or a thousand, is refused with a hint.
// Spaces around it do not count. `whole`: the number is to be a whole one, so that a point or a
// comma in it needs a hint.
NumberRead read_number(std::string_view text, bool whole);

// A number as it stands where it can be set: a count in groups of three digits, "100 000", any
// other with all its digits.
std::string entry_text(double value, bool is_count);

}  // namespace dispersion
