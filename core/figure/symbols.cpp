#include "core/figure/symbols.h"

#include <algorithm>
#include <array>

namespace dispersion {
namespace {

// Numbers of equations, figures and appendices are those of the paper. A sign that contains another
// stands before it.
constexpr std::array<Symbol, 18> kSymbols = {{
    {"dH/dβ", "slope of the entropy",
     "How fast the entropy falls while attention is sharpened: −β times the variance of the "
     "logits.",
     "appendix E"},
    {"Qy·Kx", "dot product", "The product of query and key, from which a logit is made.",
     "appendix D"},
    {"1/θ", "inverse temperature",
     "What logits are multiplied by before the softmax: above 1 sharper, below 1 flatter.",
     "figure 6"},
    {"n", "number of items",
     "How many items attention chooses from. The head was trained on few of them.", "appendix A"},
    {"θ", "temperature",
     "What logits are divided by before the softmax: below 1 sharper, above 1 flatter.",
     "equation 1"},
    {"β", "inverse temperature",
     "1/θ. The adaptive rule computes it from the entropy of the weights.", "figure 4"},
    {"H", "entropy",
     "How spread out the weights are, in nats: 0 where one item has all the weight, log n where "
     "all have the same.",
     "equation 16"},
    {"δ", "logit spread",
     "The largest logit less the smallest. It bounds every weight: between exp(−δ/θ)/n and "
     "exp(δ/θ)/n.",
     "equation 8"},
    {"e", "logit", "The score of an item, which the softmax turns into its weight.", "equation 3"},
    {"α", "attention weight", "The share of the output that an item gets.", "equation 3"},
    {"ρ", "priority", "The number whose maximum the head has to find, drawn evenly from [0, 1].",
     "appendix A"},
    {"λ", "strength of the L2 term, or base of a power series",
     "In a recipe it says how strongly large weights are punished; in the power series the logits "
     "are its powers.",
     "appendix A and figure 5"},
    {"w", "weights of the head", "The numbers that training changes; the L2 term keeps them small.",
     "appendix A"},
    {"ε", "unit roundoff",
     "The smallest share of 1 that a number format still tells from nothing. A weight below it is "
     "lost.",
     "corollary of appendix B"},
    {"σ", "singular value",
     "The factor by which a matrix stretches a vector at most. It bounds the logit spread.",
     "appendix D"},
    {"d", "difference of two logits",
     "That of the two kinds of items in the set {a, b, b, …}, divided by θ.",
     "corollary of appendix B"},
    {"b", "the other kind of item",
     "The set {a, b, b, …} has one a, and all others are b; the head should answer the class of a.",
     "corollary of appendix B"},
    {"k", "number of items kept", "Top-k keeps the k largest logits. It is not in the paper.", ""},
}};

// Length of the UTF-8 character at the beginning; text is not empty.
std::size_t first_length(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80)
    ++length;
  return length;
}

bool is_latin(std::string_view character) {
  if (character.size() != 1) return false;
  const char c = character.front();
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Greek letters lie from U+0391 to U+03C9.
bool is_greek(std::string_view character) {
  if (character.size() != 2) return false;
  const auto first = static_cast<unsigned char>(character[0]);
  const auto second = static_cast<unsigned char>(character[1]);
  const int code = (first & 0x1F) << 6 | (second & 0x3F);
  return code >= 0x391 && code <= 0x3C9;
}

// Whether a part of a label stands alone: no letter and no digit touches it.
bool stands_alone(std::string_view label, std::size_t begin, std::size_t length) {
  const auto word = [](char c) {
    return is_latin(std::string_view(&c, 1)) || (c >= '0' && c <= '9') || c == '\'' || c == '-';
  };
  const std::size_t end = begin + length;
  return (begin == 0 || !word(label[begin - 1])) && (end >= label.size() || !word(label[end]));
}

// Calls `found` for every symbol in the label and `unknown` for what looks like one.
template <class Found, class Unknown>
void scan(std::string_view label, const Found& found, const Unknown& unknown) {
  for (std::size_t at = 0; at < label.size();) {
    const std::size_t length = first_length(label.substr(at));
    const std::string_view character = label.substr(at, length);
    const auto fits = [&](const Symbol& symbol) {
      if (!label.substr(at).starts_with(symbol.sign)) return false;
      // Greek letters need nothing around them: "βH" has both.
      return is_greek(symbol.sign) || stands_alone(label, at, symbol.sign.size());
    };
    const auto symbol = std::ranges::find_if(kSymbols, fits);
    if (symbol != kSymbols.end()) {
      found(*symbol);
      at += symbol->sign.size();
      continue;
    }
    const bool article = character == "a" || character == "A";
    if (is_greek(character) || (is_latin(character) && !article && stands_alone(label, at, 1)))
      unknown(character);
    at += length;
  }
}

}  // namespace

std::span<const Symbol> symbols() {
  return kSymbols;
}

std::vector<Symbol> symbols_in(std::string_view label) {
  std::array<bool, kSymbols.size()> named{};
  scan(
      label,
      [&](const Symbol& symbol) {
        named[static_cast<std::size_t>(&symbol - kSymbols.data())] = true;
      },
      [](std::string_view) {});
  std::vector<Symbol> all;
  for (std::size_t i = 0; i < kSymbols.size(); ++i) {
    if (named[i]) all.push_back(kSymbols[i]);
  }
  return all;
}

std::vector<std::string> unexplained_in(std::string_view label) {
  std::vector<std::string> all;
  scan(
      label, [](const Symbol&) {},
      [&](std::string_view character) { all.emplace_back(character); });
  return all;
}

namespace {

std::string line_of(const Symbol& symbol) {
  std::string text;
  text.append(symbol.sign).append("  ").append(symbol.name).append(": ").append(symbol.meaning);
  if (!symbol.place.empty()) {
    text.pop_back();  // the full stop
    text.append(" (").append(symbol.place).append(" of the paper).");
  }
  return text;
}

}  // namespace

std::string symbols_text(std::string_view label) {
  return with_symbols("", label);
}

std::string with_symbols(std::string_view help, std::string_view label) {
  std::string text(help);
  for (const Symbol& symbol : symbols_in(label)) {
    const bool said = !symbol.place.empty() && help.find(symbol.place) != std::string_view::npos;
    if (said) continue;
    if (!text.empty()) text += "\n";
    text += line_of(symbol);
  }
  return text;
}

}  // namespace dispersion
