#pragma once

#include <string>
#include <vector>

#include "app/export/figure_painter.h"

namespace dispersion {

// What is written around a figure, in lines that fit a width; empty what the style leaves out.
struct FigureWords {
  std::vector<std::string> title;
  std::vector<std::string> sentence;
  std::vector<std::string> provenance;

  double above() const;  // height of title and sentence
  double below() const;  // height of the provenance
};

FigureWords figure_words(const Canvas& canvas, const Figure& figure, double width,
                         const DrawOptions& options);

// Above and below inside `body`; returns what is left between.
Rect paint_words(Canvas& canvas, const FigureWords& words, Rect body, const DrawOptions& options);

}  // namespace dispersion
