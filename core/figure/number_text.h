#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dispersion {

// Numbers as text for readers: the same under every locale, digits in groups of three with thin
// spaces (U+2009), a true minus sign (U+2212), and "–" for a value that is not finite.

// 16384 -> "16 384"
std::string grouped_text(std::int64_t value);

// So many of something, with the plural that only adds an s: "1 set", "16 384 sets"
std::string counted_text(std::int64_t count, std::string_view one);

// Replaces thin spaces by plain ones, for text that programs read.
std::string with_plain_spaces(std::string_view text);

// The text with spaces that no line breaks at between a number and its unit, and around signs such
// as "=", so that "n = 16" and "2.4 nats" stay whole.
std::string kept_together(std::string_view text);

// 0.2449, 2 -> "0.24"; digits after the point are not grouped.
std::string fixed_text(double value, int decimals);

// The same of the smallest number with so many decimals that is not below `value`, or of the
// largest that is not above it: for "at most" and "at least", which stay true.
std::string at_most_text(double value, int decimals);
std::string at_least_text(double value, int decimals);

// Rounded to so many significant figures. Below 10^-4 and from 10^6 on it has a power of ten:
// 164.27, 4 -> "164.3"; 0.00002, 2 -> "2.0·10⁻⁵".
std::string significant_text(double value, int figures);

// A p-value with two significant figures: "0.40", "0.012", "0.00021", "2.0·10⁻⁵". Values below
// 10⁻¹² are written "<10⁻¹²", since their exact size says nothing.
std::string probability_text(double p);
// A p-value that was published with one significant figure: "0.4", "0.002", "2·10⁻⁵".
std::string printed_probability_text(double p);

// An attention weight in at most six characters: "0.24", "0.056", "0.0056", "<0.001".
std::string weight_text(double weight);

// A weight that is at most the one shown: rounded up, at most 1.
std::string weight_at_most_text(double weight);

// A share of 1 in percent, without its sign. It has more decimals where these would show one that
// is not 0 or 1 as 0 or 100.
std::string percent_text(double share, int decimals);

// The shortest text that reads back as the same number, with a decimal point under any locale, and
// without an exponent unless the number is very large or very small.
std::string plain_number(double value);
std::string plain_number(float value);

// A number that was computed of a head, with as many digits as mean something: the shortest text
// that reads back as the same number in single precision, in which heads are computed. In full
// where the number is whole or beyond what single precision holds.
// 0.2497421088446572 -> "0.2497421"
std::string computed_number(double value);

// A number of any size in a few characters: "0", "0.024", "17", "40 960", "3.1·10⁻¹⁴",
// "1.2·10²⁵".
std::string magnitude_text(double value);

// The same rounded up, value >= 0: for "at most", which stays true.
std::string magnitude_text_up(double value);

// Two digits and a power of ten in letters that every terminal has, "1.2e-05": the smallest such
// number that is not below `value`, or the largest that is not above it (or some less where `value`
// is hardly below a power of ten). value > 0.
std::string scientific_text_up(double value);
std::string scientific_text_down(double value);

// A whole number of any size: in full below a million, else as magnitude_text().
std::string count_text(double count);

// The exponent of a number that no double holds, without groups: 302.62 -> "302.6" for "10^302.6".
std::string log10_text(double log10);

// A power of ten: "0.001" to "10 000", beyond that "10⁻⁹" and "10¹²".
std::string power_of_ten_text(int exponent);

// "10³", "10⁻⁹", "10⁰".
std::string exponent_text(int exponent);

}  // namespace dispersion
