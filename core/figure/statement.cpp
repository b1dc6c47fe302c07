#include "core/figure/statement.h"

#include <utility>

namespace dispersion {

Statement Statement::naming(std::string text) {
  Statement statement;
  statement.text_ = std::move(text);
  return statement;
}

Statement Statement::number(Claim claim) {
  Statement statement;
  statement.text_ = claim.shown;
  statement.claims_.push_back(std::move(claim));
  return statement;
}

Statement Statement::fact(std::string words, std::vector<Claim> claims) {
  Statement statement;
  statement.text_ = std::move(words);
  statement.claims_ = std::move(claims);
  return statement;
}

Statement Statement::fact(std::string words, std::string_view what, std::vector<double> at) {
  return fact(std::move(words),
              {{.what = what, .at = std::move(at), .relation = Relation::kHolds}});
}

Statement& Statement::operator+=(const Statement& more) {
  text_ += more.text_;
  claims_.insert(claims_.end(), more.claims_.begin(), more.claims_.end());
  return *this;
}

}  // namespace dispersion
