#include "core/verify/case_slices.h"

#include <algorithm>

#include "core/io/file.h"

namespace dispersion {
namespace {

void check_offsets(const GoldenFile& file, const std::vector<std::int32_t>& offsets,
                   std::size_t total) {
  const bool filled = offsets.size() >= 2 && offsets.front() == 0 && offsets.back() >= 0 &&
                      static_cast<std::size_t>(offsets.back()) == total;
  if (filled &&
      std::adjacent_find(offsets.begin(), offsets.end(), std::greater_equal<>()) == offsets.end()) {
    return;
  }
  throw FileError(file.path(), "tensor 'offsets' should rise from 0 to the length of 'logits', " +
                                   std::to_string(total));
}

}  // namespace

CaseSlices::CaseSlices(Section& section, const CaseValue& cases, std::size_t total)
    : offsets_(section.tensors().integers("offsets", {-1})) {
  check_offsets(section.tensors(), offsets_, total);
  if (cases.size() != count()) {
    throw FileError(section.tensors().path(), "has " + std::to_string(count()) +
                                                  " cases, but cases.json has " +
                                                  std::to_string(cases.size()));
  }
  for (std::size_t row = 0; row < count(); ++row) {
    const CaseValue item = cases.at(row);
    section.integer(item, "n", offsets_[row + 1] - offsets_[row]);
    section.integer(item, "offset", offsets_[row]);
    names_.push_back(item.contains("name") ? item.at("name").text() : item.place());
  }
}

std::string CaseSlices::place(std::size_t position) const {
  const auto after =
      std::upper_bound(offsets_.begin(), offsets_.end(), static_cast<std::int64_t>(position));
  const auto row = static_cast<std::size_t>(after - offsets_.begin()) - 1;
  return names_[row] + "[" + std::to_string(position - begin(row)) + "]";
}

}  // namespace dispersion
