#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dispersion {

// Numbers as text for people: the same under every locale, digits in threes with thin spaces
// (U+2009), a true minus sign (U+2212), "–" where there is no number.

// 16384 -> "16 384"
std::string grouped_text(std::int64_t value);

// "16 384 items" with plain spaces in the place of thin ones, where programs read the text.
std::string with_plain_spaces(std::string_view text);

// 0.2449, 2 -> "0.24"; digits after the point are not grouped.
std::string fixed_text(double value, int decimals);

// So many figures that count, at most five digits on either side of the point, with a power of ten
// beyond: 164.27, 4 -> "164.3"; 0.00002, 2 -> "2.0·10⁻⁵".
std::string significant_text(double value, int figures);

// A p-value with two figures that count: "0.40", "0.012", "0.00021", "2.0·10⁻⁵". Below 10⁻¹² it is
// only said that it is ("<10⁻¹²"): how small exactly says nothing.
std::string probability_text(double p);
// One that somebody else printed with one figure: "0.4", "0.002", "2·10⁻⁵".
std::string printed_probability_text(double p);

// A weight in a narrow place: two figures that count, "0.24", "0.056", "0.0056", "<0.001".
std::string weight_text(double weight);

// A number of any size in a few characters: "0", "0.024", "17", "40 960", "3.1 × 10⁻¹⁴",
// "1.2 × 10²⁵"; "–" where there is no number.
std::string magnitude_text(double value);

}  // namespace dispersion
