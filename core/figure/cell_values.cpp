#include "core/figure/cell_values.h"

#include <cmath>
#include <cstddef>
#include <string>

#include "core/attention/transforms.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

std::size_t cell_index(FrameCell cell, int columns) {
  return static_cast<std::size_t>(cell.set) * static_cast<std::size_t>(columns) +
         static_cast<std::size_t>(cell.column);
}

// Where a number of a cell is said at.
std::vector<double> place(int items, FrameCell cell) {
  return {double(items), double(cell.set), double(cell.column)};
}

}  // namespace

std::vector<NamedValue> item_values(const FrameLogits& logits, FrameCell cell) {
  const std::size_t at = cell_index(cell, logits.columns);
  const auto items = static_cast<std::size_t>(logits.items);
  const float logit = logits.logits[static_cast<std::size_t>(cell.set) * items +
                                    static_cast<std::size_t>(logits.shown[at])];
  const float priority = logits.shown_priority[at];
  const int item_class = logits.shown_class[at];
  const std::vector<double> where = place(logits.items, cell);
  const bool plain = std::fabs(logit) >= 0.01F && std::fabs(logit) < 1e6F;
  return {
      {"priority ρ",
       Statement::number({.what = "priority of an item",
                          .at = where,
                          .value = priority,
                          .shown = fixed_text(priority, 6)}),
       plain_number(priority), "The number whose maximum the head has to find."},
      {"class",
       Statement::number({.what = "class of an item",
                          .at = where,
                          .value = double(item_class),
                          .shown = std::to_string(item_class)}),
       std::to_string(item_class), "One of ten. The answer of a set is the class of its maximum."},
      {"logit e",
       Statement::number({.what = "logit of an item",
                          .at = where,
                          .value = logit,
                          .shown = plain ? fixed_text(logit, 2) : significant_text(logit, 3)}),
       plain_number(logit), "The attention logit, scaled by 1/√width, before the temperature."}};
}

std::vector<NamedValue> weight_values(const AttentionFrame& frame, FrameCell cell) {
  const TransformDefinition& definition = transform_definition(frame.transform.id);
  const std::string name(definition.name);
  const std::vector<double> where = place(frame.items, cell);
  const float weight = frame.weights[cell_index(cell, frame.columns)];
  const auto set = static_cast<std::size_t>(cell.set);
  std::vector<NamedValue> values = {
      {kWeightLabel,
       Statement::number(
           {.what = "weight of an item",
            .of = name,
            .at = where,
            .value = weight,
            .shown = weight >= 1e-3F ? fixed_text(weight, 4) : significant_text(weight, 3)}),
       plain_number(weight)},
      {kSetEntropyLabel,
       Statement::number({.what = "entropy of a set",
                          .of = name,
                          .at = where,
                          .value = frame.entropy[set],
                          .shown = fixed_text(frame.entropy[set], 3)}) +
           " nats",
       plain_number(frame.entropy[set]), "", "nats"}};
  if (definition.beta == nullptr || !std::isfinite(frame.theta[set])) return values;
  values.push_back({"effective θ",
                    Statement::number({.what = "effective temperature of a set",
                                       .of = name,
                                       .at = where,
                                       .value = frame.theta[set],
                                       .shown = significant_text(frame.theta[set], 3)}),
                    plain_number(frame.theta[set]),
                    "The weights are those of a softmax at this temperature."});
  return values;
}

}  // namespace dispersion
