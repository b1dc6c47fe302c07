#include "app/export/figure_words.h"

#include <string_view>

namespace dispersion {
namespace {

constexpr double kTitleLine = 28;
constexpr double kTitleGap = 16;
constexpr double kSentenceLine = 20;
constexpr double kSentenceGap = 14;
constexpr double kProvenanceLine = 16;
constexpr double kProvenanceGap = 8;

Lettering sentence_style(const DrawOptions& options) {
  return {15, options.palette.text, Weight::kRegular, Align::kLeft};
}

Lettering provenance_style(const DrawOptions& options) {
  return {12, options.palette.muted, Weight::kRegular, Align::kLeft};
}

// What is too long for a line that is read is in the file.
bool is_read(std::string_view name) {
  return name != "recipe" && name != "command" && name != "look" && name != "run_hashes";
}

std::string provenance_line(const Provenance& provenance) {
  std::string line;
  for (const auto& [name, value] : provenance) {
    if (!is_read(name)) continue;
    if (!line.empty()) line += "  ·  ";
    line.append(name).append(" ").append(value);
  }
  return line;
}

double height(const std::vector<std::string>& lines, double line, double gap) {
  return lines.empty() ? 0 : line * static_cast<double>(lines.size()) + gap;
}

}  // namespace

double FigureWords::above() const {
  return height(title, kTitleLine, kTitleGap) + height(sentence, kSentenceLine, kSentenceGap);
}

double FigureWords::below() const {
  return height(provenance, kProvenanceLine, kProvenanceGap);
}

FigureWords figure_words(const Canvas& canvas, const Figure& figure, double width,
                         const DrawOptions& options) {
  FigureWords words;
  if (options.with_title) words.title = canvas.lines(figure.title, width, options.title());
  if (options.with_sentence) {
    words.sentence = canvas.lines(figure.sentence, width, sentence_style(options));
  }
  if (options.with_provenance) {
    words.provenance =
        canvas.lines(provenance_line(figure.provenance), width, provenance_style(options));
  }
  return words;
}

Rect paint_words(Canvas& canvas, const FigureWords& words, Rect body, const DrawOptions& options) {
  double y = body.y;
  for (const std::string& line : words.title) {
    canvas.text({body.x, y + 16}, line, options.title());
    y += kTitleLine;
  }
  if (!words.title.empty()) y += kTitleGap;
  for (const std::string& line : words.sentence) {
    canvas.text({body.x, y + 8}, line, sentence_style(options));
    y += kSentenceLine;
  }
  y = body.bottom() - words.below() + kProvenanceGap + kProvenanceLine;
  for (const std::string& line : words.provenance) {
    canvas.text({body.x, y}, line, provenance_style(options));
    y += kProvenanceLine;
  }
  return {body.x, body.y + words.above(), body.width, body.height - words.above() - words.below()};
}

}  // namespace dispersion
