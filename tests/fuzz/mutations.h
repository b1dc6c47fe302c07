#pragma once

#include <string>
#include <string_view>

#include "tests/fuzz/random.h"

namespace dispersion::fuzz {

// Each returns the input with a few random changes.

// Bits, bytes, runs of bytes, and numbers that stand there as text.
std::string mutated_bytes(std::string bytes, Random& random);

// Values, keys and the shape of a JSON text, which stays JSON most of the time. What is no JSON is
// changed as bytes.
std::string mutated_json(const std::string& json, Random& random);

// The same for every line for itself.
std::string mutated_json_lines(const std::string& lines, Random& random);

// Fields and lines of CSV.
std::string mutated_lines(const std::string& text, Random& random);

// A safetensors file: the JSON of its header, whose length is written anew, its texts, its numbers,
// and tensors in a way that fits together.
std::string mutated_safetensors(const std::string& file, Random& random);

}  // namespace dispersion::fuzz
