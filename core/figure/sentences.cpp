#include "core/figure/sentences.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <utility>

namespace dispersion {
namespace {

// Where each sentence ends, behind its full stop.
std::vector<std::size_t> ends_of(const std::string& text) {
  const auto goes_on = [](unsigned char letter) {
    return std::islower(letter) != 0 || std::isdigit(letter) != 0;
  };
  std::vector<std::size_t> ends;
  for (std::size_t at = text.find(". "); at != std::string::npos; at = text.find(". ", at + 1)) {
    if (at + 2 < text.size() && !goes_on(static_cast<unsigned char>(text[at + 2])))
      ends.push_back(at + 1);
  }
  ends.push_back(text.size());
  return ends;
}

}  // namespace

std::vector<Statement> sentences_of(const Statement& text) {
  if (text.empty()) return {};
  const std::vector<std::size_t> ends = ends_of(text);
  std::vector<std::vector<Claim>> claims(ends.size());
  std::size_t at = 0;  // of the claim
  for (const Claim& claim : text.claims()) {
    const std::size_t found = text.text().find(claim.shown, at);
    if (found != std::string::npos) at = found + claim.shown.size();
    const auto sentence = std::ranges::lower_bound(ends, at);
    claims[static_cast<std::size_t>(sentence - ends.begin())].push_back(claim);
  }
  std::vector<Statement> all;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    all.push_back(
        Statement::fact(text.text().substr(begin, ends[i] - begin), std::move(claims[i])));
    begin = ends[i] + 1;
  }
  return all;
}

}  // namespace dispersion
