#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dispersion {

// Text about a result, together with what it claims. Titles, subtitles, captions, notes and
// sentences of figures and commands are Statements: they consist of words of the source code, of
// names of settings, and of claims. A test lists the claims of every statement over many heads and
// recomputes them (tests/statements), so that a sentence cannot say what is not so.

enum class Relation {
  kIs,       // the quantity is `value`, rounded to the digits shown
  kAtMost,   // it is at most the number shown
  kAtLeast,  // it is at least the number shown
  kHolds,    // a fact without a number, which the words state
};

struct Claim {
  std::string_view what;        // of the source code: "mean largest weight"
  std::string of = {};          // of which of several it is said, e.g. "bf16"; may be empty
  std::vector<double> at = {};  // the numbers that it is said at, e.g. the number of items
  Relation relation = Relation::kIs;
  double value = 1;        // unrounded
  std::string shown = {};  // the number in the text

  bool operator==(const Claim&) const = default;
};

class Statement {
 public:
  Statement() = default;

  // Words of the source code, which claim nothing about a result. (Implicit, so that a constant
  // title is written as one.)
  template <std::size_t N>
  Statement(const char (&words)[N]) : text_(words) {}

  template <std::size_t N>
  Statement(char (&made_at_run_time)[N]) = delete;

  // Text that names settings, inputs or files and claims nothing about a result.
  static Statement naming(std::string text);

  // The number shown, as a quantity of the result: claim.shown becomes the text.
  static Statement number(Claim claim);

  // Words that hold of the result: the text claims all of `claims`.
  static Statement fact(std::string words, std::vector<Claim> claims);

  // The same for a single fact without a number.
  static Statement fact(std::string words, std::string_view what, std::vector<double> at = {});

  Statement& operator+=(const Statement& more);
  friend Statement operator+(Statement first, const Statement& second) { return first += second; }

  const std::string& text() const { return text_; }
  // What reads it sees a text.
  operator const std::string&() const { return text_; }
  operator std::string_view() const { return text_; }
  const std::vector<Claim>& claims() const { return claims_; }
  bool empty() const { return text_.empty(); }

  bool operator==(const Statement& other) const = default;

 private:
  std::string text_;
  std::vector<Claim> claims_;
};

}  // namespace dispersion
