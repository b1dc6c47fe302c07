#include "app/export/typeface.h"

#include <cairo-ft.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/embedded/embedded.h"
#include "app/export/encodings.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

void require(FT_Error error, const char* what) {
  if (error != 0) throw std::runtime_error(std::string("FreeType cannot ") + what);
}

struct LibraryDeleter {
  void operator()(FT_Library library) const { FT_Done_FreeType(library); }
};
struct FaceDeleter {
  void operator()(FT_Face face) const { FT_Done_Face(face); }
};
struct FontOptionsDeleter {
  void operator()(cairo_font_options_t* options) const { cairo_font_options_destroy(options); }
};
using Library = std::unique_ptr<FT_LibraryRec_, LibraryDeleter>;
using Face = std::unique_ptr<FT_FaceRec_, FaceDeleter>;

Library open_library() {
  FT_Library library = nullptr;
  require(FT_Init_FreeType(&library), "be started");
  return Library(library);
}

Face open_face(FT_Library library, EmbeddedFile file) {
  const std::string_view bytes = embedded_bytes(file);
  FT_Face face = nullptr;
  require(FT_New_Memory_Face(library, reinterpret_cast<const FT_Byte*>(bytes.data()),
                             static_cast<FT_Long>(bytes.size()), 0, &face),
          "read an embedded font");
  return Face(face);
}

// The code point of the bold form of a Greek letter in Latin Modern Math; other characters stay.
char32_t bold_greek(char32_t character) {
  constexpr char32_t kCapitals = 0x1D6A8, kSmall = 0x1D6C2;  // bold Alpha and bold alpha
  if (character >= 0x391 && character <= 0x3A9) return kCapitals + (character - 0x391);
  if (character >= 0x3B1 && character <= 0x3C9) return kSmall + (character - 0x3B1);
  return character;
}

// Maps the points of an outline, in font units with y up, to the context, with y down.
struct Pen {
  cairo_t* context;
  double x;
  double y;
  double scale;
  FT_Vector at = {0, 0};  // the last point, in font units

  double to_x(const FT_Vector& point) const { return x + scale * static_cast<double>(point.x); }
  double to_y(const FT_Vector& point) const { return y - scale * static_cast<double>(point.y); }
};

int move_to(const FT_Vector* to, void* data) {
  Pen& pen = *static_cast<Pen*>(data);
  cairo_close_path(pen.context);
  cairo_move_to(pen.context, pen.to_x(*to), pen.to_y(*to));
  pen.at = *to;
  return 0;
}

int line_to(const FT_Vector* to, void* data) {
  Pen& pen = *static_cast<Pen*>(data);
  cairo_line_to(pen.context, pen.to_x(*to), pen.to_y(*to));
  pen.at = *to;
  return 0;
}

int cubic_to(const FT_Vector* control1, const FT_Vector* control2, const FT_Vector* to,
             void* data) {
  Pen& pen = *static_cast<Pen*>(data);
  cairo_curve_to(pen.context, pen.to_x(*control1), pen.to_y(*control1), pen.to_x(*control2),
                 pen.to_y(*control2), pen.to_x(*to), pen.to_y(*to));
  pen.at = *to;
  return 0;
}

// A quadratic curve is a cubic one whose control points lie two thirds of the way from its ends to
// the quadratic control point.
int conic_to(const FT_Vector* control, const FT_Vector* to, void* data) {
  Pen& pen = *static_cast<Pen*>(data);
  const double control_x = pen.to_x(*control), control_y = pen.to_y(*control);
  const double from_x = pen.to_x(pen.at), from_y = pen.to_y(pen.at);
  const double end_x = pen.to_x(*to), end_y = pen.to_y(*to);
  cairo_curve_to(pen.context, from_x + 2 * (control_x - from_x) / 3,
                 from_y + 2 * (control_y - from_y) / 3, end_x + 2 * (control_x - end_x) / 3,
                 end_y + 2 * (control_y - end_y) / 3, end_x, end_y);
  pen.at = *to;
  return 0;
}

}  // namespace

struct Typeface::Faces {
  Library library = open_library();
  Face regular;
  Face medium;
  std::vector<Face> fallbacks;  // tried in this order for characters that those lack
  FontFamily family;
  // The fonts of cairo for these faces, made when they are first needed, and twins of them.
  std::map<std::pair<FT_Face, bool>, cairo_font_face_t*> for_cairo;
  // The character that each glyph was first shown for.
  std::map<std::pair<FT_Face, FT_UInt>, char32_t> first_shown;

  explicit Faces(FontFamily of_family) : family(of_family) {
    const auto open = [this](EmbeddedFile file) { return open_face(library.get(), file); };
    if (family == FontFamily::kSerif) {
      regular = open(EmbeddedFile::kLatinModernRegular);
      medium = open(EmbeddedFile::kLatinModernBold);
      fallbacks.push_back(open(EmbeddedFile::kLatinModernMath));
      fallbacks.push_back(open(EmbeddedFile::kDejaVuSerif));
    } else {
      regular = open(EmbeddedFile::kRobotoRegular);
      medium = open(EmbeddedFile::kRobotoMedium);
      fallbacks.push_back(open(EmbeddedFile::kDejaVuSans));
    }
  }

  struct Place {
    FT_Face face;
    FT_UInt glyph;  // 0: no font has the character
  };
  Place find(char32_t character, Weight weight) const {
    FT_Face face = weight == Weight::kMedium ? medium.get() : regular.get();
    FT_UInt glyph = FT_Get_Char_Index(face, character);
    if (glyph == 0 && weight == Weight::kMedium && family == FontFamily::kSerif) {
      face = fallbacks.front().get();
      glyph = FT_Get_Char_Index(face, bold_greek(character));
    }
    for (std::size_t i = 0; glyph == 0 && i < fallbacks.size(); ++i) {
      face = fallbacks[i].get();
      glyph = FT_Get_Char_Index(face, character);
    }
    return {face, glyph};
  }

  // The glyph of a character, loaded in font units.
  struct Glyph {
    FT_Face face;
    FT_UInt index;
    double advance;  // for a size of 1
  };
  Glyph load(char32_t character, Weight weight) const {
    const auto [face, glyph] = find(character, weight);
    require(FT_Load_Glyph(face, glyph, FT_LOAD_NO_SCALE), "load a letter");
    return {face, glyph,
            static_cast<double>(face->glyph->metrics.horiAdvance) / face->units_per_EM};
  }
};

Typeface::Typeface(FontFamily family) : family_(family), faces_(std::make_shared<Faces>(family)) {}

Typeface::~Typeface() {
  for (const auto& [face, font] : std::exchange(faces_->for_cairo, {}))
    cairo_font_face_destroy(font);
}

std::span<const LetterRange> scripts_not_set() {
  static constexpr std::array<LetterRange, 6> kScripts = {{
      {0x590, 0x8ff},      // Hebrew, Arabic, Syriac, Thaana, N'Ko and others
      {0x900, 0x109f},     // India, Sri Lanka, Thailand, Laos, Tibet, Myanmar
      {0x1780, 0x18af},    // Khmer, Mongolian
      {0xfb1d, 0xfdff},    // forms of Hebrew and Arabic letters
      {0xfe70, 0xfeff},    // further forms of Arabic letters
      {0x10800, 0x11fff},  // old scripts of the Near East and of India
  }};
  return kScripts;
}

std::string Typeface::shown(std::string_view text, Weight weight) const {
  const auto plain = [](char c) { return c >= ' ' && c <= '~'; };
  if (std::ranges::all_of(text, plain)) return std::string(text);  // nearly always
  return drawn_text(text, [&](char32_t character) {
    const bool set = std::ranges::none_of(scripts_not_set(), [character](LetterRange range) {
      return character >= range.first && character <= range.last;
    });
    return set && faces_->find(character, weight).glyph != 0;
  });
}

double Typeface::width(std::string_view text, double size, Weight weight) const {
  const std::string letters = shown(text, weight);
  text = letters;
  double width = 0;
  while (!text.empty())
    width += faces_->load(take_character(text), weight).advance * size;
  return width;
}

void Typeface::append_path(cairo_t* context, std::string_view text, double x, double y, double size,
                           Weight weight) const {
  const std::string letters = shown(text, weight);
  text = letters;
  FT_Outline_Funcs into_path = {};
  into_path.move_to = move_to;
  into_path.line_to = line_to;
  into_path.conic_to = conic_to;
  into_path.cubic_to = cubic_to;
  while (!text.empty()) {
    const Faces::Glyph glyph = faces_->load(take_character(text), weight);
    Pen pen = {context, x, y, size / glyph.face->units_per_EM};
    require(FT_Outline_Decompose(&glyph.face->glyph->outline, &into_path, &pen), "draw a letter");
    cairo_close_path(context);
    x += glyph.advance * size;
  }
}

// cairo may keep a font longer than this typeface lives, so each font keeps the faces alive. A twin
// differs in a flag that does nothing, so that cairo takes it for another font.
cairo_font_face_t* Typeface::cairo_font(FT_FaceRec_* face, bool twin) const {
  static const cairo_user_data_key_t kFaces = {};
  cairo_font_face_t*& font = faces_->for_cairo[{face, twin}];
  if (font != nullptr) return font;
  font = cairo_ft_font_face_create_for_ft_face(
      face, twin ? FT_LOAD_NO_HINTING | FT_LOAD_NO_AUTOHINT : FT_LOAD_NO_HINTING);
  auto* faces = new std::shared_ptr<Faces>(faces_);
  const auto release = [](void* data) { delete static_cast<std::shared_ptr<Faces>*>(data); };
  if (cairo_font_face_set_user_data(font, &kFaces, faces, release) != CAIRO_STATUS_SUCCESS)
    delete faces;
  return font;
}

void Typeface::show(cairo_t* context, std::string_view text, double x, double y, double size,
                    Weight weight) const {
  const std::string letters = shown(text, weight);
  text = letters;
  const std::unique_ptr<cairo_font_options_t, FontOptionsDeleter> options(
      cairo_font_options_create());
  cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(context, options.get());
  // Consecutive letters of the same face are drawn together. In a PDF cairo keeps one character for
  // each glyph of a font, the first; another character with the same glyph (Ohm, capital Omega) is
  // taken from the twin, so that it can be copied too.
  FT_Face face = nullptr;
  bool twin = false;
  std::string run;
  std::vector<cairo_glyph_t> glyphs;
  std::vector<cairo_text_cluster_t> clusters;
  const auto finish_run = [&] {
    if (glyphs.empty()) return;
    cairo_set_font_face(context, cairo_font(face, twin));
    cairo_set_font_size(context, size);
    cairo_show_text_glyphs(context, run.data(), static_cast<int>(run.size()), glyphs.data(),
                           static_cast<int>(glyphs.size()), clusters.data(),
                           static_cast<int>(clusters.size()), {});
    run.clear();
    glyphs.clear();
    clusters.clear();
  };
  while (!text.empty()) {
    const char32_t character = cairo_character(take_character(text));
    const Faces::Glyph glyph = faces_->load(character, weight);
    const char32_t first =
        faces_->first_shown.try_emplace({glyph.face, glyph.index}, character).first->second;
    const bool needs_twin = character != first;
    if (glyph.face != face || needs_twin != twin) finish_run();
    face = glyph.face;
    twin = needs_twin;
    const std::size_t before = run.size();
    append_character(run, character);
    glyphs.push_back({glyph.index, x, y});
    clusters.push_back({static_cast<int>(run.size() - before), 1});
    x += glyph.advance * size;
  }
  finish_run();
}

}  // namespace dispersion
