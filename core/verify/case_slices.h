#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/verify/sections.h"

namespace dispersion {

// The cases of a section, whose rows have different lengths and are stored one after the other: row
// i of a tensor is [offsets[i], offsets[i + 1]).
class CaseSlices {
 public:
  // Reads the tensor `offsets` of the section and checks that the entries of `cases` have the same
  // rows
  // ("n" and "offset"). Throws FileError when the rows do not add up to `total` numbers.
  CaseSlices(Section& section, const CaseValue& cases, std::size_t total);

  std::size_t count() const { return offsets_.size() - 1; }
  const std::string& name(std::size_t row) const { return names_[row]; }

  template <class T>
  std::span<const T> of(std::size_t row, const std::vector<T>& values) const {
    return std::span(values).subspan(begin(row), length(row));
  }
  template <class T>
  std::span<T> of(std::size_t row, std::vector<T>& values) const {
    return std::span(values).subspan(begin(row), length(row));
  }
  // The name of the element at a position of the whole tensor: "shift_1e4_n10[3]".
  std::string place(std::size_t position) const;

 private:
  std::size_t begin(std::size_t row) const { return static_cast<std::size_t>(offsets_[row]); }
  std::size_t length(std::size_t row) const {
    return static_cast<std::size_t>(offsets_[row + 1] - offsets_[row]);
  }

  std::vector<std::int32_t> offsets_;
  std::vector<std::string> names_;
};

}  // namespace dispersion
