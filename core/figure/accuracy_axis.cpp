#include "core/figure/accuracy_axis.h"

#include "core/figure/axis.h"
#include "core/figure/number_text.h"
#include "core/task/item_sets.h"

namespace dispersion {

void use_accuracy_axis(LinePlot& plot, int most_ticks) {
  plot.y = {
      .label = "accuracy (%)", .low = 0, .high = 104, .ticks = round_ticks(0, 100, most_ticks)};
  plot.lines.push_back(chance_line());
}

ReferenceLine chance_line() {
  const double chance = 100.0 / kClasses;
  return {.value = chance, .label = "chance " + plain_number(chance) + " %", .vertical = false};
}

}  // namespace dispersion
