// Animations, read back by other means than those that write them: giflib's decoder, and the chunks
// of the PNG one by one.

#include "app/export/animation.h"

#include <gif_lib.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/export/figure_file.h"
#include "app/export/picture.h"
#include "app/export/png.h"
#include "app/export/provenance.h"
#include "app/palette/palette.h"
#include "core/experiment/dispersion.h"
#include "core/figure/figures.h"
#include "tests/core/temporary_folder.h"
#include "tests/export/tools.h"

namespace dispersion {
namespace {

constexpr int kFrames = 3;
constexpr int kDelay = 250;  // milliseconds
constexpr int kHold = 2000;
// 720 x 400 units at 96 dots per inch.
constexpr SheetSize kSize = {720 * 25.4 / 96, 400 * 25.4 / 96, 9.75, 96};

// Weights that are all different, from 0 to 1.
TransformFrames frames(TransformId id) {
  TransformFrames result = {{.id = id}, {}};
  for (int i = 0; i < kFrames; ++i) {
    AttentionFrame frame;
    frame.items = 16 << i;
    frame.columns = kFrameItems;
    frame.transform.id = id;
    const int count = kFrameSets * kFrameItems;
    for (int cell = 0; cell < count; ++cell)
      frame.weights.push_back(static_cast<float>((cell * 37 + i) % count) / (count - 1));
    frame.mean_weight_on_max = 0.9 - 0.2 * i;
    result.frames.push_back(frame);
  }
  return result;
}

std::vector<Figure> figures() {
  std::vector<Figure> figures = dispersion_animation(
      std::vector{frames(TransformId::kSoftmax), frames(TransformId::kAdaptive)},
      ColourScale::kSquareRoot);
  for (Figure& figure : figures)
    figure.provenance = {{"program", "dispersion_lab"}, {"command", std::string(700, 'x')}};
  return figures;
}

Animation animation(const DrawOptions& options = {}) {
  return animation_of(figures(), kSize, options, {kDelay, kHold});
}

// A GIF as its decoder gives it.
struct Gif {
  int width = 0;
  int height = 0;
  int rounds = -1;  // of Netscape's extension; -1: without it
  std::string comment;
  std::vector<int> delays;  // hundredths of a second
  std::vector<std::vector<Colour>> frames;
};

struct Source {
  std::string_view rest;
};

int read_source(GifFileType* file, GifByteType* data, int length) {
  auto& rest = static_cast<Source*>(file->UserData)->rest;
  const std::size_t count = std::min(rest.size(), static_cast<std::size_t>(length));
  std::copy_n(rest.begin(), count, reinterpret_cast<char*>(data));
  rest.remove_prefix(count);
  return static_cast<int>(count);
}

void read_extension(const ExtensionBlock& block, Gif& gif) {
  const std::string_view bytes(reinterpret_cast<const char*>(block.Bytes),
                               static_cast<std::size_t>(block.ByteCount));
  if (block.Function == COMMENT_EXT_FUNC_CODE) gif.comment += bytes;
  if (block.Function == CONTINUE_EXT_FUNC_CODE) {
    if (bytes.size() == 3 && bytes[0] == 1 && gif.rounds == -2) {
      gif.rounds = block.Bytes[1] + 256 * block.Bytes[2];
    } else {
      gif.comment += bytes;
    }
  }
  if (block.Function == APPLICATION_EXT_FUNC_CODE && bytes == "NETSCAPE2.0") gif.rounds = -2;
}

Gif decoded(const std::string& bytes) {
  Source source = {bytes};
  int error = 0;
  GifFileType* file = DGifOpen(&source, read_source, &error);
  if (file == nullptr || DGifSlurp(file) != GIF_OK) throw std::runtime_error("no GIF");
  Gif gif = {file->SWidth, file->SHeight, -1, {}, {}, {}};
  for (int i = 0; i < file->ImageCount; ++i) {
    const SavedImage& image = file->SavedImages[i];
    GraphicsControlBlock control;
    EXPECT_EQ(DGifSavedExtensionToGCB(file, i, &control), GIF_OK);
    EXPECT_EQ(control.TransparentColor, NO_TRANSPARENT_COLOR);
    gif.delays.push_back(control.DelayTime);
    for (int e = 0; e < image.ExtensionBlockCount; ++e)
      read_extension(image.ExtensionBlocks[e], gif);
    EXPECT_EQ(image.ImageDesc.Width, gif.width);
    EXPECT_EQ(image.ImageDesc.Height, gif.height);
    std::vector<Colour> colours;
    for (int p = 0; p < gif.width * gif.height; ++p) {
      const GifColorType& c = file->SColorMap->Colors[image.RasterBits[p]];
      colours.push_back({c.Red, c.Green, c.Blue});
    }
    gif.frames.push_back(colours);
  }
  DGifCloseFile(file, &error);
  EXPECT_TRUE(source.rest.empty()) << "something stands behind the end";
  return gif;
}

int difference(Colour a, Colour b) {
  return std::max(
      {std::abs(a.red - b.red), std::abs(a.green - b.green), std::abs(a.blue - b.blue)});
}

TEST(GifAnimation, HasItsFramesTimesAndWords) {
  Animation shown = animation();
  const Gif gif = decoded(gif_bytes(shown));
  EXPECT_EQ(gif.width, 720);
  EXPECT_EQ(gif.height, 400);
  EXPECT_EQ(gif.delays, (std::vector<int>{25, 25, 200}));
  EXPECT_EQ(gif.comment, provenance_json(figures().back().provenance));
  EXPECT_EQ(gif.rounds, 0);
  shown.rounds = 1;
  EXPECT_EQ(decoded(gif_bytes(shown)).rounds, -1);
  shown.rounds = 301;
  EXPECT_EQ(decoded(gif_bytes(shown)).rounds, 300);
}

TEST(GifAnimation, TellsItsProvenanceToReadersOfFiles) {
  for (const int rounds : {0, 1}) {  // with and without another extension before
    Animation shown = animation();
    shown.rounds = rounds;
    const std::string bytes = gif_bytes(shown);
    EXPECT_TRUE(is_gif(bytes));
    EXPECT_EQ(stored_provenance("a.gif", bytes), figures().back().provenance);
    const std::size_t end = bytes.find("xxx\"}") + 5;  // of the comment, which is in several blocks
    for (std::size_t length = 0; length < end + 10; ++length) {
      const auto read = gif_provenance(std::string_view(bytes).substr(0, length));
      EXPECT_EQ(read.has_value(), length > end) << length;
      EXPECT_EQ(read.value_or(shown.provenance), shown.provenance);
    }
  }
}

// Its checksum as the PNG specification prints it.
TEST(PngChunk, IsThatOfTheSpecification) {
  EXPECT_EQ(png_chunk("IEND"), std::string_view("\0\0\0\0IEND\xae\x42\x60\x82", 12));
}

TEST(ApngAnimation, IsToldFromAStillPicture) {
  EXPECT_EQ(format_of_bytes(apng_bytes(animation())), &figure_format("apng"));
  EXPECT_EQ(format_of_bytes(png_bytes(figures().front(), kSize, DrawOptions())),
            &figure_format("png"));
  EXPECT_EQ(format_of_bytes(""), nullptr);
}

// Of 255, measured: 3 in the cells, 28 anywhere: where the edges of letters, lines and heat maps
// meet, in a few pixels of ten thousand. A wrong ink is off by more than 80.
TEST(GifAnimation, HasTheColoursOfTheStillFigure) {
  for (const Palette& palette : {kLightPalette, kDarkPalette}) {
    DrawOptions options;
    options.palette = palette;
    const Gif gif = decoded(gif_bytes(animation(options)));
    ASSERT_EQ(gif.frames.size(), std::size_t{kFrames});
    for (std::size_t i = 0; i < gif.frames.size(); ++i) {
      const Pixels still = picture_pixels(figures()[i], kSize, options);
      int largest = 0, largest_in_cells = 0;
      for (std::size_t p = 0; p < still.rgba.size(); ++p) {
        const std::uint32_t pixel = still.rgba[p];
        const Colour wanted =
            rgb((pixel & 255) << 16 | (pixel >> 8 & 255) << 8 | (pixel >> 16 & 255));
        const int off = difference(gif.frames[i][p], wanted);
        largest = std::max(largest, off);
        if (std::ranges::find(kViridis, wanted) != kViridis.end())
          largest_in_cells = std::max(largest_in_cells, off);
      }
      EXPECT_LE(largest_in_cells, 4);
      EXPECT_LE(largest, 40);
    }
  }
}

struct Chunk {
  std::string type;
  std::string data;
};

std::vector<Chunk> chunks_of(std::string_view png) {
  std::vector<Chunk> chunks;
  png.remove_prefix(kPngSignature.size());
  while (!png.empty()) {
    const std::size_t length = from_big_endian(png);
    EXPECT_EQ(png.substr(0, 12 + length), png_chunk(png.substr(4, 4 + length)));
    chunks.push_back({std::string(png.substr(4, 4)), std::string(png.substr(8, length))});
    png.remove_prefix(12 + length);
  }
  return chunks;
}

std::uint32_t number(const Chunk& chunk, std::size_t at) {
  return from_big_endian(std::string_view(chunk.data).substr(at));
}

TEST(ApngAnimation, HasItsFramesTimesAndWords) {
  Animation shown = animation();
  shown.rounds = 7;
  const std::string bytes = apng_bytes(shown);
  EXPECT_EQ(stored_provenance("a.png", bytes), figures().back().provenance);
  std::string order;
  std::uint32_t sequence = 0;
  std::vector<int> delays;
  for (const Chunk& chunk : chunks_of(bytes)) {
    order += chunk.type + " ";
    if (chunk.type == "acTL") {
      EXPECT_EQ(number(chunk, 0), std::uint32_t{kFrames});
      EXPECT_EQ(number(chunk, 4), 7U);
    }
    if (chunk.type == "fcTL" || chunk.type == "fdAT") {
      EXPECT_EQ(number(chunk, 0), sequence++);
    }
    if (chunk.type != "fcTL") continue;
    ASSERT_EQ(chunk.data.size(), 26U);
    EXPECT_EQ(number(chunk, 4), 720U);
    EXPECT_EQ(number(chunk, 8), 400U);
    EXPECT_EQ(number(chunk, 12) | number(chunk, 16), 0U);
    const std::uint32_t fraction = number(chunk, 20);
    EXPECT_EQ(fraction & 0xFFFF, 1000U);
    delays.push_back(static_cast<int>(fraction >> 16));
  }
  EXPECT_EQ(order, "IHDR pHYs iTXt iTXt iTXt acTL fcTL IDAT fcTL fdAT fcTL fdAT IEND ");
  EXPECT_EQ(delays, (std::vector<int>{kDelay, kDelay, kHold}));
}

// Each frame as a PNG of its own, read by cairo, is the still figure.
TEST(ApngAnimation, HasThePixelsOfTheStillFigures) {
  const TemporaryFolder folder;
  const std::string bytes = apng_bytes(animation());
  const std::vector<Chunk> chunks = chunks_of(bytes);
  std::size_t frame = 0;
  for (const Chunk& chunk : chunks) {
    if (chunk.type != "IDAT" && chunk.type != "fdAT") continue;
    const std::string data = chunk.type == "IDAT" ? chunk.data : chunk.data.substr(4);
    write_bytes(folder / "frame.png", std::string(kPngSignature) +
                                          png_chunk("IHDR" + chunks.front().data) +
                                          png_chunk("IDAT" + data) + png_chunk("IEND"));
    write_bytes(folder / "still.png", png_bytes(figures()[frame++], kSize, DrawOptions()));
    const Raster a = read_png(folder / "frame.png"), b = read_png(folder / "still.png");
    EXPECT_TRUE(a.red == b.red && a.green == b.green && a.blue == b.blue);
  }
  EXPECT_EQ(frame, std::size_t{kFrames});
}

// What is written beside the curves of a frame: ticks, names of axes.
std::vector<std::string> axis_texts(const Figure& figure, const DrawOptions& options) {
  constexpr SheetSize kWide = {1200 * 25.4 / 96, 400 * 25.4 / 96, 9.75, 96};
  const std::string svg = svg_bytes(figure, kWide, options);
  std::vector<std::string> texts;
  for (const char* words : {">0.2</text>", ">16</text>", ">64</text>", ">weight</text>"}) {
    const std::size_t end = svg.rfind(words);
    if (end == std::string::npos) continue;
    texts.push_back(svg.substr(svg.rfind("<text", end), end - svg.rfind("<text", end)));
  }
  return texts;
}

TEST(Animation, KeepsItsAxesWhereTheyAre) {
  const DrawOptions options = animation_render_options({&styles().front(), {}, DrawOptions()}).draw;
  TransformFrames sizes = frames(TransformId::kSoftmax);
  sizes.frames.assign(11, sizes.frames.front());
  for (std::size_t i = 0; i < sizes.frames.size(); ++i)
    sizes.frames[i].items = 16 << i;
  const std::vector<Figure> all =
      dispersion_animation(std::vector{sizes}, ColourScale::kSquareRoot);
  EXPECT_EQ(axis_texts(all[0], options).size(), 4U);
  for (const Figure& figure : all)
    EXPECT_EQ(axis_texts(figure, options), axis_texts(all[0], options));
  // As still figures the last has its names at the ends of the curves.
  EXPECT_NE(axis_texts(all.back(), DrawOptions()), axis_texts(all[0], DrawOptions()));
}

TEST(Animation, HasTheSameBytesTwice) {
  EXPECT_TRUE(apng_bytes(animation()) == apng_bytes(animation()));
  EXPECT_TRUE(gif_bytes(animation()) == gif_bytes(animation()));
  EXPECT_EQ(gif_colours(kPrintPalette).size(), 256U);
}

TEST(Animation, RefusesWhatNoFormatCanWrite) {
  const auto refused = [&](const auto& spoil) {
    Animation spoilt = animation();
    spoil(spoilt);
    EXPECT_THROW(gif_bytes(spoilt), std::invalid_argument);
    EXPECT_THROW(apng_bytes(spoilt), std::invalid_argument);
  };
  refused([](Animation& a) { a.frames.clear(); });
  refused([](Animation& a) { a.frames[1].pixels.width -= 1; });
  refused([](Animation& a) { a.frames[1].pixels.rgba.pop_back(); });
  refused([](Animation& a) { a.frames[0].milliseconds = 0; });
  refused([](Animation& a) { a.frames[0].milliseconds = 65'536; });
  refused([](Animation& a) { a.rounds = -1; });
  for (const std::size_t colours : {0, 257}) {
    Animation spoilt = animation();
    spoilt.colours.assign(colours, Colour());
    EXPECT_THROW(gif_bytes(spoilt), std::invalid_argument);
  }
  EXPECT_THROW(animation_of({}, kSize, DrawOptions(), {1, 1}), std::invalid_argument);
}

}  // namespace
}  // namespace dispersion
