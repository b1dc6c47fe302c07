#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "tests/fuzz/mutations.h"

namespace dispersion::fuzz {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLengthBytes = 8;

// A file in its two parts.
struct Parts {
  std::string header;
  std::string data;
};

std::optional<Parts> parts_of(const std::string& file) {
  std::uint64_t length = 0;
  if (file.size() < kLengthBytes) return std::nullopt;
  std::memcpy(&length, file.data(), kLengthBytes);
  if (length > file.size() - kLengthBytes) return std::nullopt;
  return Parts{file.substr(kLengthBytes, length), file.substr(kLengthBytes + length)};
}

std::string file_of(const Parts& parts) {
  const std::uint64_t length = parts.header.size();
  return std::string(reinterpret_cast<const char*>(&length), kLengthBytes) + parts.header +
         parts.data;
}

void change_floats(std::string& data, Random& random) {
  constexpr std::array<std::uint32_t, 8> kBits = {0x7fc00000, 0x7f800000, 0xff800000, 0x7f7fffff,
                                                  0x00000001, 0x80000000, 0x3f800000, 0};
  for (std::size_t changes = 1 + random.below(3); changes > 0 && data.size() >= 4; --changes) {
    const std::uint32_t bits =
        random.one_in(2) ? random.pick(kBits) : static_cast<std::uint32_t>(random.next());
    std::memcpy(data.data() + random.below(data.size() / 4) * 4, &bits, sizeof bits);
  }
}

struct Type {
  const char* name;
  std::size_t bytes;
};
constexpr std::array<Type, 7> kTypes = {
    {{"F32", 4}, {"I32", 4}, {"U8", 1}, {"BF16", 2}, {"F16", 2}, {"I64", 8}, {"F64", 8}}};

std::size_t bytes_of(const Json& tensor) {
  const auto type = std::ranges::find(kTypes, tensor.at("dtype").get<std::string>(), &Type::name);
  std::size_t bytes = type == kTypes.end() ? 1 : type->bytes;
  for (const Json& axis : tensor.at("shape"))
    bytes *= axis.get<std::size_t>();
  return bytes;
}

void change_tensor(Json& tensor, Random& random) {
  Json& shape = tensor.at("shape");
  if (random.one_in(2)) {
    tensor["dtype"] = random.pick(kTypes).name;
  } else if (shape.empty() || random.one_in(4)) {
    shape.push_back(random.below(3));
  } else if (random.one_in(4)) {
    shape.erase(random.below(shape.size()));
  } else {
    shape[random.below(shape.size())] = random.below(24);
  }
}

// Changes, renames or removes one tensor and lays all of them out anew. Throws if the header is
// already too strange for that.
void change_layout(Parts& parts, Random& random) {
  Json header = Json::parse(parts.header);
  const std::size_t chosen = random.below(header.size());
  Json changed = Json::object();
  std::string data;
  std::size_t index = 0;
  for (const auto& [name, value] : header.items()) {
    Json tensor = value;
    const bool is_chosen = index++ == chosen;
    if (name != "__metadata__") {
      if (is_chosen && random.one_in(4)) continue;
      const std::size_t begin = tensor.at("data_offsets").at(0).get<std::size_t>();
      if (is_chosen) change_tensor(tensor, random);
      std::string bytes = parts.data.substr(std::min(begin, parts.data.size()));
      bytes.resize(std::min<std::size_t>(bytes_of(tensor), std::size_t{1} << 16));
      tensor["data_offsets"] = {data.size(), data.size() + bytes.size()};
      data += bytes;
    }
    changed[is_chosen && random.one_in(4) ? name + "x" : name] = tensor;
  }
  parts = {changed.dump(), data};
}

// Changes one of the texts of the metadata, which may be JSON itself.
void change_metadata(Parts& parts, Random& random) {
  Json header = Json::parse(parts.header);
  Json& metadata = header.at("__metadata__");
  if (!metadata.is_object() || metadata.empty()) return;
  auto at = metadata.begin();
  std::advance(at, static_cast<std::ptrdiff_t>(random.below(metadata.size())));
  at.value() = mutated_json(at.value().get<std::string>(), random);
  parts.header = header.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void change_part(Parts& parts, Random& random) {
  switch (random.below(5)) {
    case 0:
      parts.header = mutated_json(parts.header, random);
      return;
    case 1:
      parts.data = mutated_bytes(parts.data, random);
      return;
    case 2:
      change_layout(parts, random);
      return;
    case 3:
      change_metadata(parts, random);
      return;
    default:
      change_floats(parts.data, random);
  }
}

}  // namespace

std::string mutated_safetensors(const std::string& file, Random& random) {
  std::optional<Parts> parts = parts_of(file);
  if (!parts || random.one_in(10)) return mutated_bytes(file, random);
  try {
    change_part(*parts, random);
  } catch (const Json::exception&) {
    return mutated_bytes(file, random);
  }
  return file_of(*parts);
}

}  // namespace dispersion::fuzz
