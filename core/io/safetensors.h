#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/file.h"

namespace dispersion {

struct SafetensorsHeader;  // core/io/safetensors_header.h

// The formats of numbers in safetensors. Only some can be read; of the others the size is known, so
// that a file with a tensor of them can be checked and its other tensors read.
enum class DType {
  kF32,
  kF16,
  kBf16,
  kI32,
  kU8,
  kBool,
  kI8,
  kF8E5M2,
  kF8E4M3,
  kI16,
  kU16,
  kU32,
  kF64,
  kI64,
  kU64
};

std::string_view dtype_name(DType dtype);  // "F32", "BF16"

// One tensor inside a file's bytes.
struct TensorView {
  DType dtype = DType::kF32;
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes;  // little-endian, row-major

  std::int64_t size() const;  // number of elements
};

// A safetensors file held in memory.
class TensorFile {
 public:
  TensorFile() = default;
  // Checks everything before anything is trusted: header length, JSON, known dtypes, shapes whose
  // byte count matches the offsets, offsets inside the file that neither overlap nor leave holes.
  // At most 4 GiB, with a header of at most 16 MiB, which is checked before the data is read.
  // Throws FileError.
  static TensorFile read(const std::filesystem::path& path);
  // The same for bytes that are in memory already; `path` is what errors call them.
  static TensorFile from_bytes(const std::filesystem::path& path, std::string contents);

  const std::filesystem::path& path() const { return path_; }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const std::map<std::string, TensorView, std::less<>>& tensors() const { return tensors_; }

  bool contains(std::string_view name) const;
  // The following throw FileError naming the tensor when it is missing, has another dtype, or
  // another shape (-1 in `shape` accepts any length of that axis; an empty `shape` accepts all).
  const TensorView& tensor(std::string_view name) const;
  // F32; or F16 or BF16, which are widened exactly.
  std::vector<float> floats(std::string_view name, std::span<const std::int64_t> shape = {}) const;
  // I32 or U8.
  std::vector<std::int32_t> integers(std::string_view name,
                                     std::span<const std::int64_t> shape = {}) const;

 private:
  // `contents`: the whole file, whose data begins at `data_begin`.
  TensorFile(std::filesystem::path path, SafetensorsHeader header, std::string contents,
             std::uint64_t data_begin);

  std::filesystem::path path_;
  std::shared_ptr<const std::string> bytes_;  // shared, so that the views outlive copies and moves
  std::map<std::string, std::string> metadata_;
  std::map<std::string, TensorView, std::less<>> tensors_;
};

struct FloatTensor {
  std::string name;
  std::vector<std::int64_t> shape;
  std::span<const float> values;
};

// The bytes of a safetensors file (F32 tensors in the order given, data aligned to 8 bytes).
std::string safetensors_bytes(std::span<const FloatTensor> tensors,
                              const std::map<std::string, std::string>& metadata);

}  // namespace dispersion
