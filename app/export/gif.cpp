#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

#include "app/export/animation.h"
#include "app/export/provenance.h"

namespace dispersion {
namespace {

constexpr std::size_t kColours = 256;
constexpr int kLargestSide = 65535;
constexpr int kMostBlock = 255;  // most bytes in a block of an extension

int append_to_string(GifFileType* file, const GifByteType* data, int length) {
  static_cast<std::string*>(file->UserData)
      ->append(reinterpret_cast<const char*>(data), static_cast<std::size_t>(length));
  return length;
}

void require(int status, const GifFileType& file) {
  if (status == GIF_OK) return;
  const char* reason = GifErrorString(file.Error);
  throw std::runtime_error(std::string("making a GIF failed: ") +
                           (reason == nullptr ? "unknown" : reason));
}

struct GifCloser {
  void operator()(GifFileType* file) const { EGifCloseFile(file, nullptr); }
};
struct ColourMapFree {
  void operator()(ColorMapObject* map) const { GifFreeMapObject(map); }
};

// Finds the nearest of a few colours.
class Nearest {
 public:
  explicit Nearest(std::span<const Colour> colours) : colours_(colours) {}

  GifByteType operator()(Colour colour) {
    const std::uint32_t key = colour.red << 16 | colour.green << 8 | colour.blue;
    const auto [place, is_new] = known_.try_emplace(key);
    if (is_new) place->second = search(colour);
    return place->second;
  }

 private:
  // The sum of the squared differences, weighted roughly by how well the eye sees each channel.
  static int distance(Colour a, Colour b) {
    const int red = a.red - b.red, green = a.green - b.green, blue = a.blue - b.blue;
    return 3 * red * red + 6 * green * green + blue * blue;
  }

  GifByteType search(Colour colour) const {
    const auto found = std::ranges::min_element(
        colours_, {}, [colour](Colour other) { return distance(colour, other); });
    return static_cast<GifByteType>(found - colours_.begin());
  }

  std::span<const Colour> colours_;
  std::unordered_map<std::uint32_t, GifByteType> known_;
};

void put_comment(GifFileType& file, std::string_view text) {
  require(EGifPutExtensionLeader(&file, COMMENT_EXT_FUNC_CODE), file);
  for (; !text.empty(); text.remove_prefix(std::min<std::size_t>(kMostBlock, text.size()))) {
    const auto length = static_cast<int>(std::min<std::size_t>(kMostBlock, text.size()));
    require(EGifPutExtensionBlock(&file, length, text.data()), file);
  }
  require(EGifPutExtensionTrailer(&file), file);
}

// Writes the extension of Netscape, which says how often the animation is repeated. Without it, the
// animation runs once.
void put_rounds(GifFileType& file, int rounds) {
  if (rounds == 1) return;
  const int again = std::max(0, rounds - 1);
  const std::array<GifByteType, 3> block = {1, static_cast<GifByteType>(again & 255),
                                            static_cast<GifByteType>(again >> 8)};
  require(EGifPutExtensionLeader(&file, APPLICATION_EXT_FUNC_CODE), file);
  require(EGifPutExtensionBlock(&file, 11, "NETSCAPE2.0"), file);
  require(EGifPutExtensionBlock(&file, 3, block.data()), file);
  require(EGifPutExtensionTrailer(&file), file);
}

void put_frame(GifFileType& file, const AnimationFrame& frame, Nearest& nearest) {
  const Pixels& pixels = frame.pixels;
  const GraphicsControlBlock control = {DISPOSE_DO_NOT, false, (frame.milliseconds + 5) / 10,
                                        NO_TRANSPARENT_COLOR};
  std::array<GifByteType, 4> bytes = {};
  const auto length = static_cast<int>(EGifGCBToExtension(&control, bytes.data()));
  require(EGifPutExtension(&file, GRAPHICS_EXT_FUNC_CODE, length, bytes.data()), file);
  require(EGifPutImageDesc(&file, 0, 0, pixels.width, pixels.height, false, nullptr), file);
  std::vector<GifByteType> line(static_cast<std::size_t>(pixels.width));
  for (auto row = pixels.rgba.begin(); row != pixels.rgba.end(); row += pixels.width) {
    std::transform(row, row + pixels.width, line.begin(),
                   [&](std::uint32_t pixel) { return nearest(colour_of_pixel(pixel)); });
    require(EGifPutLine(&file, line.data(), pixels.width), file);
  }
}

// A table of 256 colours, since the size must be a power of two: the last colour fills it up.
std::unique_ptr<ColorMapObject, ColourMapFree> colour_map(std::span<const Colour> colours) {
  std::array<GifColorType, kColours> entries;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Colour colour = colours[std::min(i, colours.size() - 1)];
    entries[i] = {colour.red, colour.green, colour.blue};
  }
  std::unique_ptr<ColorMapObject, ColourMapFree> map(
      GifMakeMapObject(static_cast<int>(kColours), entries.data()));
  if (!map) throw std::bad_alloc();
  return map;
}

// Adds steps from the background, which is not added itself, to `colour`, which is the last step.
void add_steps(std::vector<Colour>& colours, Colour background, Colour colour, int steps) {
  for (int step = 1; step <= steps; ++step)
    colours.push_back(
        mix(background, colour, static_cast<float>(step) / static_cast<float>(steps)));
}

// Removes the blocks of an extension from the bytes and returns their contents. Each block begins
// with its length, and an empty one ends the extension. Nothing if the bytes end before that.
// Throws LimitError for more contents than a provenance has.
std::optional<std::string> take_blocks(std::string_view& bytes) {
  std::string text;
  while (!bytes.empty()) {
    const std::size_t length = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    if (length == 0) return text;
    if (length > bytes.size()) return std::nullopt;
    if (text.size() + length > kLargestProvenance) refuse_longer_than(kLargestProvenance);
    text += bytes.substr(0, length);
    bytes.remove_prefix(length);
  }
  return std::nullopt;
}

// The text of the first comment before the frames.
std::optional<std::string> comment(std::string_view bytes) {
  constexpr std::size_t kHeader = 13;
  if (bytes.size() < kHeader) return std::nullopt;
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

}  // namespace

std::vector<Colour> gif_colours(const Palette& palette, std::span<const ColourRole> further) {
  std::vector<Colour> colours;
  // The colours of further curves replace half of those of the heat maps.
  const std::size_t step = further.empty() ? 2 : 4;
  for (std::size_t i = 0; i < kViridis.size(); i += step)
    colours.push_back(kViridis[i]);
  colours.back() = kViridis.back();
  colours.push_back(palette.panel);
  add_steps(colours, palette.panel, palette.text, 30);
  add_steps(colours, palette.panel, palette.muted, 22);
  add_steps(colours, palette.panel, palette.baseline, 26);
  add_steps(colours, palette.panel, palette.adaptive, 26);
  add_steps(colours, palette.baseline, palette.adaptive, 8);  // for pixels where both lines cross
  add_steps(colours, palette.panel, palette.line, 8);
  add_steps(colours, palette.panel, palette.raised, 7);
  for (const ColourRole role : further)
    add_steps(colours, palette.panel, role_colour(palette, role),
              64 / static_cast<int>(further.size()));
  return colours;  // 128 + 1 + 127, or 64 + 1 + 127 + at most 64
}

std::string gif_bytes(const Animation& animation) {
  const std::vector<Colour>& colours = animation.colours;
  require_animation(animation);
  const Pixels& first = animation.frames.front().pixels;
  if (colours.empty() || colours.size() > kColours)
    throw std::invalid_argument("a GIF needs 1 to 256 colours");
  if (first.width > kLargestSide || first.height > kLargestSide)
    throw std::invalid_argument("a GIF has at most 65535 pixels in width and in height");
  std::string bytes;
  {
    int error = 0;
    const auto map = colour_map(colours);
    const std::unique_ptr<GifFileType, GifCloser> file(EGifOpen(&bytes, append_to_string, &error));
    if (!file) throw std::bad_alloc();
    EGifSetGifVersion(file.get(), true);  // 89a, which has extensions
    require(EGifPutScreenDesc(file.get(), first.width, first.height, 8, 0, map.get()), *file);
    put_rounds(*file, animation.rounds);
    put_comment(*file, provenance_json(animation.provenance));
    Nearest nearest(colours);
    for (const AnimationFrame& frame : animation.frames)
      put_frame(*file, frame, nearest);
  }  // closing the file writes its end
  return bytes;
}

bool is_gif(std::string_view bytes) {
  return bytes.starts_with("GIF87a") || bytes.starts_with("GIF89a");
}

std::optional<Provenance> gif_provenance(std::string_view bytes) {
  return provenance_from_json(comment(bytes));
}

}  // namespace dispersion
