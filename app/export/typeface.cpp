#include "app/export/typeface.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <stdexcept>
#include <string>

#include "app/embedded/embedded.h"

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

// The first character of valid UTF-8 text, which is taken off; U+FFFD for bytes that are none.
char32_t take_character(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  const int length = first < 0x80    ? 1
                     : first >= 0xF0 ? 4
                     : first >= 0xE0 ? 3
                     : first >= 0xC0 ? 2
                                     : 0;
  if (length == 0 || text.size() < static_cast<std::size_t>(length)) {
    text.remove_prefix(1);
    return 0xFFFD;
  }
  char32_t character = length == 1 ? first : first & (0x7Fu >> length);
  for (int i = 1; i < length; ++i) {
    character =
        character << 6 | (static_cast<unsigned char>(text[static_cast<std::size_t>(i)]) & 0x3Fu);
  }
  text.remove_prefix(static_cast<std::size_t>(length));
  return character;
}

// Where an outline goes: from font units, y up, to the context, y down.
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

// A quadratic curve is a cubic one whose controls lie two thirds of the way to its own.
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
  Face regular = open_face(library.get(), EmbeddedFile::kRobotoRegular);
  Face medium = open_face(library.get(), EmbeddedFile::kRobotoMedium);
  Face fallback = open_face(library.get(), EmbeddedFile::kDejaVuSans);

  // Loads the character's glyph in font units and returns the face that has it.
  FT_Face load(char32_t character, Weight weight) const {
    FT_Face face = weight == Weight::kMedium ? medium.get() : regular.get();
    FT_UInt glyph = FT_Get_Char_Index(face, character);
    if (glyph == 0) {
      face = fallback.get();
      glyph = FT_Get_Char_Index(face, character);
    }
    require(FT_Load_Glyph(face, glyph, FT_LOAD_NO_SCALE), "load a letter");
    return face;
  }
};

Typeface::Typeface() : faces_(std::make_unique<Faces>()) {}
Typeface::~Typeface() = default;

double Typeface::width(std::string_view text, double size, Weight weight) const {
  double width = 0;
  while (!text.empty()) {
    const FT_Face face = faces_->load(take_character(text), weight);
    width += static_cast<double>(face->glyph->metrics.horiAdvance) * size / face->units_per_EM;
  }
  return width;
}

void Typeface::append_path(cairo_t* context, std::string_view text, double x, double y, double size,
                           Weight weight) const {
  FT_Outline_Funcs into_path = {};
  into_path.move_to = move_to;
  into_path.line_to = line_to;
  into_path.conic_to = conic_to;
  into_path.cubic_to = cubic_to;
  while (!text.empty()) {
    const FT_Face face = faces_->load(take_character(text), weight);
    const double scale = size / face->units_per_EM;
    Pen pen = {context, x, y, scale};
    require(FT_Outline_Decompose(&face->glyph->outline, &into_path, &pen), "draw a letter");
    cairo_close_path(context);
    x += static_cast<double>(face->glyph->metrics.horiAdvance) * scale;
  }
}

}  // namespace dispersion
