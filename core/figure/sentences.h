#pragma once

#include <span>
#include <vector>

#include "core/figure/statement.h"

namespace dispersion {

// Sentences one after the other.
inline Statement joined(std::span<const Statement> sentences) {
  Statement text;
  for (const Statement& sentence : sentences) {
    if (!text.empty()) text += " ";
    text += sentence;
  }
  return text;
}

// The sentences of a text, each with what it claims: they end with a full stop before a space and
// no small letter or digit. A fact without a number goes with the claim before it.
std::vector<Statement> sentences_of(const Statement& text);

}  // namespace dispersion
