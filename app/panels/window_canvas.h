#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "app/export/canvas.h"
#include "app/export/figure_painter.h"
#include "app/panels/painter.h"
#include "app/window/gl_images.h"

namespace dispersion {

// A cache of textures, keyed by a hash of their pixels, so that an image that is drawn in every
// frame is uploaded once. Needs a current OpenGL context while it holds any.
class TextureStore {
 public:
  const Texture& of(int rows, int columns, std::span<const Colour> pixels);
  // Frees the textures that were not used since the last call. To be called between two frames.
  void end_frame();

 private:
  struct Entry {
    std::unique_ptr<Texture> texture;
    bool used = false;
  };
  std::map<std::uint64_t, Entry> entries_;  // by a hash of size and pixels
};

// Draws into the current Dear ImGui window, with its fonts, in logical pixels from the corner of
// the screen.
class WindowCanvas : public Canvas {
 public:
  // `alpha` applies to everything that is drawn. Painter and store must outlive the canvas.
  WindowCanvas(const Painter& painter, TextureStore& textures, float alpha = 1);

  double text_width(std::string_view text, const Lettering& style) const override;

 private:
  void draw_rectangle(Rect rect, Colour colour) override;
  void draw_line(std::span<const Point> points, Colour colour, double thickness,
                 bool dashed) override;
  void draw_polygon(std::span<const Point> points, Colour colour, double alpha) override;
  void draw_band(std::span<const Point> lower, std::span<const Point> upper, Colour colour,
                 double alpha) override;
  void draw_facet(std::span<const Point> points, Colour colour) override;
  void draw_disc(Point centre, double radius, Colour colour, double alpha) override;
  void draw_image(Rect rect, int rows, int columns, std::span<const Colour> pixels) override;
  void draw_text(Point at, std::string_view text, const Lettering& style, bool upward) override;
  void begin_clip(Rect rect) override;
  void end_clip() override;

  ImVec2 place(Point point) const;
  std::span<const ImVec2> places(std::span<const Point> points);
  ImU32 ink(Colour colour, double alpha = 1) const;
  ImFont* font(const Lettering& style) const;
  void draw_dashes(std::span<const ImVec2> points, ImU32 ink, float thickness);

  const Painter& painter_;
  TextureStore& textures_;
  float alpha_;
  ImDrawList* list_;
  std::vector<ImVec2> places_;  // result of places(), kept to reuse its memory
};

// The draw options of figures in the window.
DrawOptions window_look(const Painter& painter, bool axis_names);

// Conversions from window units to logical pixels and back.
Rect logical(const Painter& painter, ImVec2 corner, ImVec2 size);
ImVec2 window_place(const Painter& painter, Point point);

}  // namespace dispersion
