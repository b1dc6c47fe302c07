#include "app/export/stored_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "app/export/compressed.h"
#include "app/export/png_chunk.h"

namespace dispersion {
namespace {

constexpr std::size_t kAroundChunk = 12;  // length, type and checksum
constexpr std::size_t kLargestText = std::size_t{1} << 28;

// What stands before the first `end`, which is taken off too.
std::optional<std::string_view> take_until(std::string_view& text, std::string_view end) {
  const std::size_t length = text.find(end);
  if (length == std::string_view::npos) return std::nullopt;
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(length + end.size());
  return taken;
}

// After the keyword: flag and method of compression, language, translated keyword.
std::optional<std::string> plain_text(std::string_view data) {
  if (data.size() < 2 || (data[0] != '\0' && data[0] != '\1') || data[1] != '\0')
    return std::nullopt;
  const bool packed = data[0] == '\1';
  data.remove_prefix(2);
  for (int part = 0; part < 2; ++part) {
    if (!take_until(data, std::string_view("\0", 1))) return std::nullopt;
  }
  return packed ? uncompressed(data, kLargestText) : std::string(data);
}

constexpr std::array<std::pair<std::string_view, char>, 5> kEntities = {
    {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};

std::string without_entities(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const auto found = std::ranges::find_if(
        kEntities, [text](const auto& entity) { return text.starts_with(entity.first); });
    const bool entity = found != kEntities.end();
    plain += entity ? found->second : text.front();
    text.remove_prefix(entity ? found->first.size() : 1);
  }
  return plain;
}

int hexadecimal(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

// <FEFF0041...>
std::optional<std::string> utf16_text(std::string_view digits) {
  constexpr std::size_t kUnit = 4;  // digits
  if (digits.size() % kUnit != 0 || !digits.starts_with("FEFF")) return std::nullopt;
  std::string text;
  for (digits.remove_prefix(kUnit); !digits.empty(); digits.remove_prefix(kUnit)) {
    const int high = hexadecimal(digits[2]), low = hexadecimal(digits[3]);
    if (!digits.starts_with("00") || high < 0 || high > 7 || low < 0) return std::nullopt;
    text += static_cast<char>(16 * high + low);
  }
  return text;
}

// (a\(b\)c)
std::optional<std::string> literal_text(std::string_view rest) {
  std::string text;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == ')') return text;
    if (rest[i] == '\\' && ++i == rest.size()) break;
    text += rest[i];
  }
  return std::nullopt;
}

// What stands in the first chunk of a PNG whose type and data begin with `wanted`, after that.
std::optional<std::string_view> chunk_after(std::string_view bytes, std::string_view wanted) {
  if (!is_png(bytes)) return std::nullopt;
  bytes.remove_prefix(kPngSignature.size());
  while (bytes.size() >= kAroundChunk) {
    const std::size_t length = from_big_endian(bytes);
    if (length > bytes.size() - kAroundChunk) return std::nullopt;
    const std::string_view body = bytes.substr(4, 4 + length);  // type and data
    if (body.starts_with(wanted)) {
      if (from_big_endian(bytes.substr(8 + length)) != png_checksum(body)) return std::nullopt;
      return body.substr(wanted.size());
    }
    bytes.remove_prefix(kAroundChunk + length);
  }
  return std::nullopt;
}

bool is_gif(std::string_view bytes) {
  return bytes.starts_with("GIF87a") || bytes.starts_with("GIF89a");
}

// The blocks of a GIF's extension, each with its length before it, up to an empty one.
std::optional<std::string> take_blocks(std::string_view& bytes) {
  std::string text;
  while (!bytes.empty()) {
    const std::size_t length = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    if (length == 0) return text;
    if (length > bytes.size()) return std::nullopt;
    text += bytes.substr(0, length);
    bytes.remove_prefix(length);
  }
  return std::nullopt;
}

}  // namespace

bool is_png(std::string_view bytes) {
  return bytes.starts_with(kPngSignature);
}

bool is_animated(std::string_view bytes) {
  return is_gif(bytes) || chunk_after(bytes, "acTL").has_value();
}

std::optional<std::string> png_text(std::string_view bytes, std::string_view keyword) {
  const auto data = chunk_after(bytes, "iTXt" + std::string(keyword) + '\0');
  return data ? plain_text(*data) : std::nullopt;
}

std::optional<std::string> gif_comment(std::string_view bytes) {
  constexpr std::size_t kHeader = 13;
  if (!is_gif(bytes) || bytes.size() < kHeader) return std::nullopt;
  const auto flags = static_cast<unsigned char>(bytes[10]);
  const std::size_t colours = (flags & 128) != 0 ? std::size_t{3} << (1 + (flags & 7)) : 0;
  bytes.remove_prefix(std::min(bytes.size(), kHeader + colours));
  while (bytes.size() > 2 && bytes[0] == '\x21') {
    const bool comment = bytes[1] == '\xfe';
    bytes.remove_prefix(2);
    std::optional<std::string> text = take_blocks(bytes);
    if (comment || !text) return text;
  }
  return std::nullopt;
}

std::optional<std::string> svg_metadata(std::string_view bytes, std::string_view id) {
  std::string begin = "<metadata";
  if (!id.empty()) begin.append(" id=\"").append(id) += '"';
  if (!take_until(bytes, begin += '>')) return std::nullopt;
  const auto text = take_until(bytes, "</metadata>");
  return text ? std::optional(without_entities(*text)) : std::nullopt;
}

std::optional<std::string> pdf_keywords(std::string_view bytes) {
  // In a text, brackets are escaped: one that speaks of /Keywords does not end the search.
  while (take_until(bytes, "/Keywords ")) {
    if (bytes.starts_with('(')) return literal_text(bytes.substr(1));
    if (!bytes.starts_with('<')) continue;
    bytes.remove_prefix(1);
    const auto digits = take_until(bytes, ">");
    return digits ? utf16_text(*digits) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace dispersion
