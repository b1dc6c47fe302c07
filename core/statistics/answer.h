#pragma once

#include <optional>
#include <string>
#include <utility>

namespace dispersion {

// A result that may not exist, such as an interval from a single value, or the reason why there is
// none, in words that tables show in its place.
template <class T>
struct Answer {
  std::optional<T> value;
  std::string reason;  // empty when there is a value

  explicit operator bool() const { return value.has_value(); }
  const T& operator*() const { return *value; }
  const T* operator->() const { return &*value; }
};

template <class T>
Answer<T> answer(T value) {
  return {std::move(value), {}};
}

template <class T>
Answer<T> no_answer(std::string reason) {
  return {std::nullopt, std::move(reason)};
}

}  // namespace dispersion
