#pragma once

#include <span>

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

}  // namespace dispersion
