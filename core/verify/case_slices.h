#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/verify/section.h"

namespace dispersion {

// Rows of different length stored end to end: row i is [offsets[i], offsets[i+1]).
class CaseSlices {
 public:
  // Reads and checks `offsets` of the section's file, and that the entries of `cases` say the same
  // ("n" and "offset"). Throws FileError when the rows do not fill `total` numbers.
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
  // "shift_1e4_n10[3]" for a position in the whole.
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
