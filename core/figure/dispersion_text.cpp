#include "core/figure/dispersion_text.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/attention/transforms.h"
#include "core/figure/counted.h"
#include "core/figure/number_text.h"
#include "core/statistics/intervals_and_tests.h"

namespace dispersion {
namespace {

bool is_computed(const AttentionFrame& frame) {
  return frame.items > 0;
}

// The frames that are computed, in their order.
std::vector<const AttentionFrame*> computed_frames(std::span<const AttentionFrame> frames) {
  std::vector<const AttentionFrame*> computed;
  for (const AttentionFrame& frame : frames) {
    if (is_computed(frame)) computed.push_back(&frame);
  }
  return computed;
}

Statement at_size(const AttentionFrame& frame) {
  return mean_weight(frame) + Statement::naming(" at n = " + grouped_text(frame.items));
}

// "goes from 0.95 at n = 16 to 0.24 at n = 16 384", or "is 0.95 at n = 16" where that is all.
Statement weights_text(const std::vector<const AttentionFrame*>& frames) {
  if (frames.size() == 1) return "is " + at_size(*frames.front());
  return "goes from " + at_size(*frames.front()) + " to " + at_size(*frames.back());
}

// Whether attention begins on the maximum and leaves it: more than half of the weight at the
// smallest n, less than half of that at the largest, and more entropy.
bool disperses(const std::vector<const AttentionFrame*>& frames) {
  if (frames.size() < 2) return false;
  const AttentionFrame& first = *frames.front();
  const AttentionFrame& last = *frames.back();
  return first.mean_weight_on_max > 0.5 && last.mean_weight_on_max < first.mean_weight_on_max / 2 &&
         last.mean_entropy > first.mean_entropy;
}

// Where entropy falls by less, pictures look the same.
constexpr double kVisible = 0.005;  // nats

// At how many of the sizes that both have attention is sharper under `other`.
Statement sharpening_title(const TransformFrames& plain, const TransformFrames& other) {
  int sizes = 0;
  int sharper = 0;
  for (std::size_t i = 0; i < std::min(plain.frames.size(), other.frames.size()); ++i) {
    if (!is_computed(plain.frames[i]) || !is_computed(other.frames[i])) continue;
    ++sizes;
    sharper += plain.frames[i].mean_entropy - other.frames[i].mean_entropy > kVisible;
  }
  if (sharper == 0) return "Attention with and without adaptive temperature";
  constexpr std::string_view kWhat = "sizes at which adaptive attention is sharper";
  if (sharper == sizes) {
    return Statement::fact(
        "Adaptive temperature sharpens attention",
        {{.what = kWhat, .relation = Relation::kHolds, .value = static_cast<double>(sharper)}});
  }
  return "Adaptive temperature sharpens attention at " + count_of(kWhat, sharper) + " of " +
         count_of("sizes compared", sizes) + " sizes";
}

// Whether the means of a curve grow from every n to the next.
bool entropy_grows(std::vector<const SizeRow*> rows) {
  std::ranges::sort(rows, {}, &SizeRow::items);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i]->items > rows[i - 1]->items &&
        !(rows[i]->mean_entropy() > rows[i - 1]->mean_entropy()))
      return false;
  }
  return rows.size() > 1 && rows.back()->items > rows.front()->items;
}

// Whether accuracy is lower at the largest n than at the smallest, beyond their intervals.
bool accuracy_falls(const std::vector<const SizeRow*>& rows) {
  const auto [first, last] = std::ranges::minmax(rows, {}, &SizeRow::items);
  return wilson_interval(last->correct, last->sets).high <
         wilson_interval(first->correct, first->sets).low;
}

}  // namespace

Statement mean_weight(const AttentionFrame& frame) {
  return Statement::number({.what = "mean weight on the maximum",
                            .of = std::string(transform_name(frame.transform.id)),
                            .at = {static_cast<double>(frame.items)},
                            .value = frame.mean_weight_on_max,
                            .shown = weight_text(frame.mean_weight_on_max)});
}

Statement dispersion_sentence(std::span<const TransformFrames> transforms) {
  Statement text;
  for (const TransformFrames& each : transforms) {
    const auto frames = computed_frames(each.frames);
    if (frames.empty() && text.empty()) return "";  // softmax is computed first
    if (frames.empty()) continue;
    if (text.empty()) {
      text = "The mean weight on the maximum " + weights_text(frames);
      continue;
    }
    text +=
        Statement::naming("; with " + std::string(transform_definition(each.transform.id).words)) +
        " it " + weights_text(frames);
  }
  return text.empty() ? text : text + ".";
}

Statement dispersion_title(std::span<const TransformFrames> transforms) {
  const bool adaptive =
      transforms.size() == 2 && transforms[1].transform.id == TransformId::kAdaptive;
  if (adaptive) return sharpening_title(transforms[0], transforms[1]);
  if (transforms.size() > 1) return "Attention under several transforms";
  if (transforms.empty() || !disperses(computed_frames(transforms.front().frames)))
    return "Attention on ever more items";
  return Statement::fact("Sharp attention disperses", "sharp attention disperses");
}

Statement size_title(std::span<const SizeRow> rows) {
  bool grows = true;
  bool falls = true;
  Claim claim = {.what = "entropy grows with n", .relation = Relation::kHolds};
  for (const TransformDefinition* definition : transform_definitions()) {
    std::vector<const SizeRow*> curve;
    for (const SizeRow& row : rows) {
      if (row.transform.id == definition->id && row.sets > 0) curve.push_back(&row);
    }
    if (curve.empty()) continue;
    claim.at.push_back(static_cast<double>(definition->id));
    grows = grows && entropy_grows(curve);
    falls = falls && accuracy_falls(curve);
  }
  if (claim.at.empty() || !grows) return "Entropy and accuracy against n";
  if (!falls) return Statement::fact("Entropy grows with n", {claim});
  Claim accuracy = claim;
  accuracy.what = "accuracy falls with n";
  return Statement::fact("Entropy grows with n, and accuracy falls", {claim, accuracy});
}

Statement animation_sentence(std::span<const TransformFrames> transforms, std::size_t index) {
  const AttentionFrame& plain = transforms.front().frames[index];
  Statement text = "Of " + Statement::naming(grouped_text(plain.items)) +
                   " items the largest gets " + mean_weight(plain) +
                   " of the attention on the mean";
  for (const auto& [transform, frames] : transforms.subspan(1)) {
    text +=
        Statement::naming("; with " + std::string(transform_definition(transform.id).words) + " ") +
        mean_weight(frames[index]);
  }
  return text + ".";
}

}  // namespace dispersion
