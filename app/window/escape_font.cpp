#include "app/window/escape_font.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <cmath>
#include <string>

#include "app/export/encodings.h"
#include "app/export/text_mask.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

// Dear ImGui measures a font from its ascent to its descent, which of Roboto are 2400 of 2048 units
// of the em.
constexpr double kEmOfHeight = 2048.0 / 2400;
constexpr int kFirst = 0xa0;  // the characters before it are in every font, or control the text

const Typeface& typeface(const ImFontConfig* source) {
  return *static_cast<const Typeface*>(source->FontLoaderData);
}

bool begin(ImFontAtlas*, ImFontConfig* source) {
  source->FontLoaderData = new Typeface;
  return true;
}

void end(ImFontAtlas*, ImFontConfig* source) {
  delete static_cast<Typeface*>(source->FontLoaderData);
  source->FontLoaderData = nullptr;
}

// The index of a glyph is its character.
int index_of(ImFontAtlas*, ImFontConfig*, ImWchar character) {
  return character >= kFirst ? static_cast<int>(character) : 0;
}

bool contains(ImFontAtlas*, ImFontConfig*, int glyph) {
  return glyph >= kFirst;
}

std::string escape(int glyph) {
  std::string text;
  append_character(text, static_cast<char32_t>(glyph));
  return drawn_text(text, [](char32_t) { return false; });
}

// Puts the picture of the text into the atlas.
bool draw(ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, const std::string& text,
          ImFontGlyph& glyph) {
  const float density = source->RasterizerDensity * baked->RasterizerDensity;
  const TextMask mask =
      text_mask(typeface(source), text, kEmOfHeight * static_cast<double>(baked->Size * density),
                static_cast<double>(std::round(baked->Ascent) * density),
                static_cast<int>(std::ceil(baked->Size * density)));
  const ImFontAtlasRectId id = ImFontAtlasPackAddRect(atlas, mask.width, mask.height);
  if (id == ImFontAtlasRectId_Invalid) return false;
  glyph.X1 = static_cast<float>(mask.width) / density;
  glyph.Y1 = static_cast<float>(mask.height) / density;
  glyph.Visible = true;
  glyph.PackId = id;
  ImFontAtlasBakedSetFontGlyphBitmap(atlas, baked, source, &glyph,
                                     ImFontAtlasPackGetRect(atlas, id), mask.coverage.data(),
                                     ImTextureFormat_Alpha8, mask.width);
  return true;
}

// Dear ImGui asks for the glyph, or only for how far it advances.
bool load(ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, void*, int index,
          ImFontGlyph* glyph, float* only_advance) {
  const std::string text = escape(index);
  const auto advance = static_cast<float>(typeface(source).width(
      text, kEmOfHeight * static_cast<double>(baked->Size), Weight::kRegular));
  if (only_advance != nullptr) {
    *only_advance = advance;
    return true;
  }
  glyph->AdvanceX = advance;
  return draw(atlas, source, baked, text, *glyph);
}

}  // namespace

const ImFontLoader* escape_font_loader() {
  static const ImFontLoader loader = [] {
    ImFontLoader made;
    made.Name = "escapes";
    made.FontSrcInit = begin;
    made.FontSrcDestroy = end;
    made.FontSrcGetGlyphIndexFromCodepoint = index_of;
    made.FontSrcContainsGlyph = contains;
    made.FontBakedLoadGlyph = load;
    return made;
  }();
  return &loader;
}

}  // namespace dispersion
