#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/experiment/experiment.h"
#include "core/figure/figure.h"
#include "core/figure/statement.h"

namespace dispersion {

// All that a figure, a table of a command or a result says in words.
std::vector<Statement> statements_of(const Figure& figure);
std::vector<Statement> statements_of(const ExperimentResult& result);

// A number as it is written for people, and half a unit of its last digit. Throws
// std::invalid_argument for a text that is no number.
struct ShownNumber {
  double value = 0;
  double half_unit = 0;
  bool below = false;  // "<0.001": the number is smaller than that
};
ShownNumber read_shown(std::string text);

// What is true of a claim, recomputed: the quantity (or 1 and 0 for a fact that holds and one that
// does not), and how far the lab's arithmetic in float may be from it.
struct Truth {
  double value = 0;
  double tolerance = 0;
};

// Who knows what is true, by Claim::what. Counts which claims were met, so that a test can ask that
// every one it knows was made at least once.
class Claims {
 public:
  using Recompute = std::function<Truth(const Claim&)>;
  explicit Claims(std::map<std::string, Recompute> known) : known_(std::move(known)) {}

  // Fails for a claim that nobody recomputes, for one that is not true, and for a number that the
  // text does not show.
  void check(const Statement& statement);
  void check(const std::vector<Statement>& statements);

  // The claims that were known and never made.
  std::vector<std::string> never_made() const;

 private:
  std::map<std::string, Recompute> known_;
  std::map<std::string, int> made_;
};

}  // namespace dispersion
