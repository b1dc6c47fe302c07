#include "app/lesson/quantities.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "app/session/app_state.h"
#include "app/session/frame_at.h"
#include "app/session/run_status.h"
#include "core/attention/transforms.h"
#include "core/experiment/size_table.h"
#include "core/figure/number_text.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

// A number of the row that is shown for this place.
template <double (*number)(const SizeRow&)>
std::optional<double> of_row(const AppState& app, const QuantityPlace& place) {
  const FrameAt at = frame_at(app, place.items);
  const SizeRow* row = at.row_under(place.transform);
  if (row == nullptr || row->sets == 0 || !at.row_current) return std::nullopt;
  return number(*row);
}

double percent_right(const SizeRow& row) {
  return 100 * row.accuracy();
}
double percent_largest_logit_right(const SizeRow& row) {
  return 100 * row.argmax_accuracy();
}
double weight_on_max(const SizeRow& row) {
  return row.mean_weight_on_max();
}
double entropy(const SizeRow& row) {
  return row.mean_entropy();
}
double equal_weights(const SizeRow& row) {
  return std::exp(row.mean_entropy());
}
double used_theta(const SizeRow& row) {
  return row.mean_theta();
}
double logit_spread(const SizeRow& row) {
  return row.mean_logit_spread();
}
double sets(const SizeRow& row) {
  return static_cast<double>(row.sets);
}

std::optional<double> theta(const AppState& app, const QuantityPlace&) {
  return app.view.theta;
}
std::optional<double> step(const AppState& app, const QuantityPlace&) {
  if (!app.status.has_run) return std::nullopt;
  return static_cast<double>(counted_step(app.status, app.status.step));
}
std::optional<double> seed(const AppState& app, const QuantityPlace&) {
  if (!app.status.has_run) return std::nullopt;
  return app.status.seed;
}

constexpr std::array kQuantities = {
    LessonQuantity{"accuracy", "the share of sets that are classified right, in percent", true, 1,
                   "%", of_row<percent_right>},
    LessonQuantity{"weight_on_max", "the mean weight on the largest priority, from 0 to 1", true, 2,
                   "", of_row<weight_on_max>},
    LessonQuantity{"entropy", "the mean entropy H of the weights, in nats", true, 2, "nats",
                   of_row<entropy>},
    LessonQuantity{"equal_weights", "as many equal weights as have that mean entropy, e^H", true, 1,
                   "", of_row<equal_weights>},
    LessonQuantity{"used_theta", "the mean temperature that the transform uses", true, 2, "",
                   of_row<used_theta>},
    LessonQuantity{"logit_spread", "the mean of the largest logit minus the smallest one", true, 0,
                   "", of_row<logit_spread>},
    LessonQuantity{"largest_logit_right",
                   "the share of sets whose largest logit is that of the largest priority, in "
                   "percent",
                   true, 1, "%", of_row<percent_largest_logit_right>},
    LessonQuantity{"sets", "the number of sets that the others are means of", true, 0, "",
                   of_row<sets>},
    LessonQuantity{"theta", "the temperature θ that is set", false, 2, "", theta},
    LessonQuantity{"step", "the training steps of the head", false, 0, "", step},
    LessonQuantity{"seed", "the seed of the head", false, 0, "", seed}};

std::string names_of_quantities() {
  std::string names;
  for (const LessonQuantity& each : kQuantities)
    names.append(names.empty() ? "" : ", ").append(each.name);
  return names;
}

[[noreturn]] void refuse(std::string_view text, const std::string& expected) {
  throw std::invalid_argument(in_quotes(text) + "; expected " + expected);
}

TransformId read_transform(std::string_view name) {
  std::string names;
  for (const TransformDefinition* each : transform_definitions()) {
    if (each->name == name) return each->id;
    names.append(names.empty() ? "" : ", ").append(each->name);
  }
  refuse(name, "an attention transform: " + names);
}

}  // namespace

std::span<const LessonQuantity> lesson_quantities() {
  return kQuantities;
}

const LessonQuantity* lesson_quantity(std::string_view name) {
  const auto found = std::ranges::find(kQuantities, name, &LessonQuantity::name);
  return found == kQuantities.end() ? nullptr : &*found;
}

int read_shown_items(std::string_view text) {
  int items = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, items);
  const std::vector<int> sizes = doubling_sizes();
  if (error != std::errc() || stop != end || !std::ranges::binary_search(sizes, items))
    refuse(text, "a number of items that the window shows: 16, 32, 64 and so on to " +
                     std::to_string(sizes.back()));
  return items;
}

LessonNumber read_lesson_number(std::string_view text) {
  const std::size_t space = text.find(' ');
  const std::string_view first = text.substr(0, space);
  const std::size_t at = first.find('@');
  LessonNumber number = {lesson_quantity(first.substr(0, at)), {}};
  if (number.quantity == nullptr) refuse(first.substr(0, at), "one of " + names_of_quantities());
  if (!number.quantity->of_size) {
    if (first != text || at != std::string_view::npos)
      refuse(text, std::string(number.quantity->name) + " alone, which has no n");
    return number;
  }
  if (at == std::string_view::npos)
    refuse(text, "an n behind it, as in " + std::string(number.quantity->name) + "@1024");
  number.place.items = read_shown_items(first.substr(at + 1));
  if (space != std::string_view::npos)
    number.place.transform = read_transform(text.substr(space + 1));
  return number;
}

std::optional<double> value_of(const LessonNumber& number, const AppState& app) {
  return number.quantity->value(app, number.place);
}

std::string shown_value(const LessonNumber& number, const AppState& app) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const double value = value_of(number, app).value_or(kNone);
  const int decimals = number.quantity->decimals;
  if (decimals == 0 && std::abs(value) < 1e15) return grouped_text(std::llround(value));
  return fixed_text(value, decimals);
}

}  // namespace dispersion
