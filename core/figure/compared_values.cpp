#include "core/figure/compared_values.h"

#include <algorithm>
#include <cmath>

#include "core/attention/transforms.h"
#include "core/figure/number_text.h"
#include "core/figure/sentences.h"
#include "core/figure/signed_values.h"

namespace dispersion {
namespace {

ComparedValue dashes(const NamedValue& like) {
  return {like.label, "–", "–", {}, "", "", "", like.help, like.unit};
}

// A difference of numbers that are shown with so many decimals, with more digits where it is small.
std::string small_difference(double value, int decimals) {
  const double least = std::pow(10, -decimals);
  if (value == 0 || std::abs(value) >= least) return signed_text(value, decimals);
  return (value > 0 ? "+" : "−") + significant_text(std::abs(value), 2);
}

void add_difference(ComparedValue& value, std::string_view what, const AttentionFrame& frame,
                    std::vector<double> at, double difference, int decimals) {
  value.difference = Statement::number({.what = what,
                                        .of = std::string(transform_name(frame.transform.id)),
                                        .at = std::move(at),
                                        .value = difference,
                                        .shown = small_difference(difference, decimals)});
  value.exact_difference = computed_number(difference);
}

}  // namespace

std::vector<ComparedValue> side_by_side(const std::vector<NamedValue>& a,
                                        const std::vector<NamedValue>& b) {
  std::vector<ComparedValue> all;
  for (const NamedValue& value : b) {
    all.push_back(dashes(value));
    all.back().b = value.value;
    all.back().exact_b = value.exact;
  }
  for (const NamedValue& value : a) {
    auto place = std::ranges::find(all, value.label, &ComparedValue::label);
    if (place == all.end()) place = all.insert(all.end(), dashes(value));
    place->a = value.value;
    place->exact_a = value.exact;
  }
  return all;
}

ComparedText compared_text(std::span<const Statement> a, std::span<const Statement> b) {
  const auto is_in = [](std::span<const Statement> all, const Statement& sentence) {
    return std::ranges::find(all, sentence.text(), &Statement::text) != all.end();
  };
  std::vector<Statement> both;
  std::vector<Statement> only_a;
  std::vector<Statement> only_b;
  for (const Statement& sentence : b)
    (is_in(a, sentence) ? both : only_b).push_back(sentence);
  for (const Statement& sentence : a) {
    if (!is_in(b, sentence)) only_a.push_back(sentence);
  }
  return {joined(both), joined(only_a), joined(only_b)};
}

std::vector<ComparedValue> compared_weight_values(const AttentionFrame* a, const AttentionFrame* b,
                                                  FrameCell cell) {
  const auto values = [&](const AttentionFrame* frame) {
    return frame == nullptr ? std::vector<NamedValue>() : weight_values(*frame, cell);
  };
  std::vector<ComparedValue> all = side_by_side(values(a), values(b));
  const auto entropy = std::ranges::find(all, kSetEntropyLabel, &ComparedValue::label);
  if (entropy != all.end()) entropy->label = "entropy H";  // three columns leave little room
  if (a == nullptr || b == nullptr || a->columns != b->columns) return all;
  const auto index = static_cast<std::size_t>(cell.set * b->columns + cell.column);
  const auto set = static_cast<std::size_t>(cell.set);
  const double items = b->items;
  for (ComparedValue& value : all) {
    if (value.label == kWeightLabel) {
      add_difference(
          value, "weight of an item, B minus A", *b, {items, double(cell.set), double(cell.column)},
          static_cast<double>(b->weights[index]) - static_cast<double>(a->weights[index]), 4);
    } else if (value.label == "entropy H") {
      add_difference(value, "entropy of a set, B minus A", *b, {items, double(cell.set)},
                     static_cast<double>(b->entropy[set]) - static_cast<double>(a->entropy[set]),
                     3);
    }
  }
  return all;
}

}  // namespace dispersion
