#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/safetensors.h"

namespace dispersion {

// A tensor as the header declares it.
struct DeclaredTensor {
  std::string name;
  DType dtype = DType::kF32;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0;  // bytes from the start of the data
  std::uint64_t end = 0;
};

struct SafetensorsHeader {
  std::map<std::string, std::string> metadata;
  std::vector<DeclaredTensor> tensors;  // in the order of their data
};

std::int64_t element_bytes(DType dtype);

// "[8, 11]".
std::string shape_text(const std::vector<std::int64_t>& shape);

// Parses the JSON and checks that the tensors fill `data_bytes` bytes with neither overlap nor
// hole. Throws FileError that names the file, the tensor and what was expected.
SafetensorsHeader parse_safetensors_header(const std::filesystem::path& file, std::string_view json,
                                           std::uint64_t data_bytes);

}  // namespace dispersion
