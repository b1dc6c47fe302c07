#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/head/parameters.h"
#include "core/io/safetensors.h"

namespace dispersion {

// How a file of another program names and stores the tensors of a head.

// The names of Adam's moments in a checkpoint begin so.
inline constexpr std::string_view kFirstMoment = "adam.m.";
inline constexpr std::string_view kSecondMoment = "adam.v.";

// What stands before the names of all 20 tensors of the head, such as "model." or "params/"; empty
// if they have their own names, or if no head is found. Throws FileError where only names with
// different texts before them make whole heads, so that it is unclear which head is meant.
std::string head_prefix(const TensorFile& file);

// Which formats the tensors of the head have beside F32, such as "BF16"; empty if none. Reading
// widens them exactly.
std::string widened_formats(const TensorFile& file, std::string_view prefix, HeadShape shape);

// The names of the tensors that are no part of the head and none of its moments.
std::vector<std::string> other_tensors(const TensorFile& file, std::string_view prefix,
                                       HeadShape shape);

}  // namespace dispersion
