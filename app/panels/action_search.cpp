#include "app/panels/action_search.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "app/panels/number_entry.h"

namespace dispersion {
namespace {

// What is typed for a sign that keyboards lack.
struct Spelling {
  std::string_view sign;
  std::string_view letters;
};
constexpr std::array<Spelling, 8> kSpellings = {{{"θ", "theta"},
                                                 {"λ", "lambda"},
                                                 {"β", "beta"},
                                                 {"α", "alpha"},
                                                 {"ε", "epsilon"},
                                                 {"√", "root"},
                                                 {"×", "x"},
                                                 {"\u2009", ""}}};

// Text in small letters, with the byte of the original that each of them comes from.
struct Folded {
  std::string letters;
  std::vector<std::size_t> from;

  void add(char letter, std::size_t at) {
    letters += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    from.push_back(at);
  }
};

Folded folded(std::string_view text) {
  Folded result;
  for (std::size_t i = 0; i < text.size();) {
    const auto spelling = std::ranges::find_if(
        kSpellings, [&](const Spelling& each) { return text.substr(i).starts_with(each.sign); });
    if (spelling == kSpellings.end()) {
      result.add(text[i], i);
      ++i;
      continue;
    }
    for (const char letter : spelling->letters)
      result.add(letter, i);
    i += spelling->sign.size();
  }
  return result;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

constexpr double kWordStart = 8;
constexpr double kInside = 5;
constexpr double kScattered = 2;
constexpr double kElsewhere = 1;  // in the group or the help

bool begins_word(const std::string& text, std::size_t at) {
  return at == 0 || text[at - 1] == ' ' || text[at - 1] == '(' || text[at - 1] == '-';
}

// The best place of the word as it is; npos: there is none.
std::size_t place_of(const std::string& text, const std::string& word) {
  std::size_t first = std::string::npos;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    if (begins_word(text, at)) return at;
    first = std::min(first, at);
  }
  return first;
}

// The places of the word's letters in this order, beginning where a word begins; empty: no such.
std::vector<std::size_t> scattered(const std::string& text, const std::string& word) {
  for (std::size_t start = 0; start < text.size(); ++start) {
    if (!begins_word(text, start) || text[start] != word.front()) continue;
    std::vector<std::size_t> places;
    for (std::size_t at = start; at < text.size() && places.size() < word.size(); ++at) {
      if (text[at] == word[places.size()]) places.push_back(at);
    }
    if (places.size() == word.size()) return places;
  }
  return {};
}

// Adds the word's score and letters; false: it is not found.
bool add_word(const std::string& word, const Folded& name, const std::string& elsewhere,
              FoundAction& found) {
  const std::size_t at = place_of(name.letters, word);
  if (at != std::string::npos) {
    for (std::size_t i = 0; i < word.size(); ++i)
      found.matched.push_back(name.from[at + i]);
    found.score += begins_word(name.letters, at) ? kWordStart : kInside;
    return true;
  }
  if (place_of(elsewhere, word) != std::string::npos) {
    found.score += kElsewhere;
    return true;
  }
  const std::vector<std::size_t> places = scattered(name.letters, word);
  for (const std::size_t place : places)
    found.matched.push_back(name.from[place]);
  found.score += kScattered;
  return !places.empty();
}

std::optional<FoundAction> fit(const Action& action, const std::vector<std::string>& words) {
  const Folded name = folded(action.name);
  const std::string elsewhere = folded(action.group + " " + action.help).letters;
  FoundAction found;
  found.action = &action;
  for (const std::string& word : words) {
    if (!add_word(word, name, elsewhere, found)) return std::nullopt;
  }
  // Of names that fit as well, the shorter one is meant.
  found.score -= static_cast<double>(name.letters.size()) / 50;
  std::ranges::sort(found.matched);
  found.matched.erase(std::unique(found.matched.begin(), found.matched.end()), found.matched.end());
  return found;
}

constexpr double kTakesNumber = 6;     // less than a name that has the number in it
constexpr double kFartherDown = 0.01;  // what matters most stands first in the table

}  // namespace

std::vector<FoundAction> find_actions(std::span<const Action> all, std::string_view typed) {
  const std::vector<std::string> words = words_of(folded(typed).letters);
  std::vector<std::string> but_last = words;
  std::optional<double> number;
  if (words.size() > 1) {
    number = read_number(words.back(), false).value;
    but_last.pop_back();
  }
  std::vector<FoundAction> result;
  for (const Action& action : all) {
    if (!action.available) continue;
    std::optional<FoundAction> found = fit(action, words);
    if (number && action.number) {
      if (std::optional<FoundAction> setting = fit(action, but_last)) {
        found = std::move(setting);
        found->number = number;
        found->score += kTakesNumber;
      }
    }
    if (!found) continue;
    found->score -= kFartherDown * static_cast<double>(&action - all.data());
    result.push_back(*std::move(found));
  }
  std::ranges::stable_sort(result, std::ranges::greater(), &FoundAction::score);
  if (words.empty()) {
    std::ranges::stable_sort(result, std::ranges::less(), &FoundAction::action);
  }
  return result;
}

}  // namespace dispersion
