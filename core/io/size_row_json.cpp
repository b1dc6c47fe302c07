#include "core/io/size_row_json.h"

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace dispersion {
namespace {

struct Count {
  const char* name;
  std::int64_t SizeRow::*value;
};
constexpr std::array<Count, 3> kCounts = {{{"correct", &SizeRow::correct},
                                           {"argmax_correct", &SizeRow::argmax_correct},
                                           {"tied", &SizeRow::tied}}};

struct Sum {
  const char* name;
  double SizeRow::*value;
};
constexpr std::array<Sum, 4> kSums = {{{"entropy_sum", &SizeRow::entropy_sum},
                                       {"weight_on_max_sum", &SizeRow::weight_on_max_sum},
                                       {"logit_spread_sum", &SizeRow::logit_spread_sum},
                                       {"theta_sum", &SizeRow::theta_sum}}};

}  // namespace

void add_row(nlohmann::ordered_json& object, const SizeRow& row) {
  for (const Count& count : kCounts)
    object[count.name] = row.*count.value;
  for (const Sum& sum : kSums)
    object[sum.name] = row.*sum.value;
}

void read_row(const JsonValue& object, SizeRow& row) {
  for (const Count& count : kCounts)
    row.*count.value = object.at(count.name).integer<std::int64_t>();
  for (const Sum& sum : kSums)
    row.*sum.value = object.at(sum.name).number();
}

}  // namespace dispersion
