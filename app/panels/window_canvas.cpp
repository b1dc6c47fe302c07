#include "app/panels/window_canvas.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "app/window/theme.h"

namespace dispersion {
namespace {

constexpr int kMostSamples = 45;  // per side of a surface, so that turning it is smooth

std::uint64_t hash_of(int rows, int columns, std::span<const Colour> pixels) {
  std::uint64_t hash = (static_cast<std::uint64_t>(rows) << 32) + static_cast<unsigned>(columns);
  const std::span<const std::byte> bytes = std::as_bytes(pixels);
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, std::min(sizeof word, bytes.size() - i));
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  return hash;
}

// The part of the line from `from` to `to` that lies in the box, as two positions in [0, 1] along
// the line; the first is larger than the last if no part does.
std::pair<float, float> part_in(ImVec2 from, ImVec2 to, ImVec2 low, ImVec2 high) {
  float first = 0;
  float last = 1;
  const auto cut = [&](float begin, float end, float least, float most) {
    const float length = end - begin;
    if (length == 0) {
      if (begin < least || begin > most) last = -1;
      return;
    }
    const float a = (least - begin) / length;
    const float b = (most - begin) / length;
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
  };
  cut(from.x, to.x, low.x, high.x);
  cut(from.y, to.y, low.y, high.y);
  return {first, last};
}

}  // namespace

const Texture& TextureStore::of(int rows, int columns, std::span<const Colour> pixels) {
  Entry& entry = entries_[hash_of(rows, columns, pixels)];
  entry.used = true;
  if (entry.texture) return *entry.texture;
  entry.texture = std::make_unique<Texture>();
  std::vector<std::uint32_t> packed_pixels;
  packed_pixels.reserve(pixels.size());
  for (const Colour pixel : pixels)
    packed_pixels.push_back(packed(pixel));
  entry.texture->update(columns, rows, packed_pixels);
  return *entry.texture;
}

void TextureStore::end_frame() {
  std::erase_if(entries_, [](const auto& each) { return !each.second.used; });
  for (auto& [hash, entry] : entries_)
    entry.used = false;
}

WindowCanvas::WindowCanvas(const Painter& painter, TextureStore& textures, float alpha)
    : Canvas(painter.scale),
      painter_(painter),
      textures_(textures),
      alpha_(alpha),
      list_(ImGui::GetWindowDrawList()) {}

ImVec2 WindowCanvas::place(Point point) const {
  return window_place(painter_, point);
}

std::span<const ImVec2> WindowCanvas::places(std::span<const Point> points) {
  places_.clear();
  for (const Point& point : points)
    places_.push_back(place(point));
  return places_;
}

ImU32 WindowCanvas::ink(Colour colour, double alpha) const {
  return packed(colour, alpha_ * static_cast<float>(alpha));
}

ImFont* WindowCanvas::font(const Lettering& style) const {
  return style.weight == Weight::kMedium ? painter_.fonts.medium : painter_.fonts.regular;
}

double WindowCanvas::text_width(std::string_view text, const Lettering& style) const {
  const float size = static_cast<float>(style.size) * painter_.scale;
  const ImVec2 box =
      font(style)->CalcTextSizeA(size, 1e9F, 0, text.data(), text.data() + text.size());
  return static_cast<double>(box.x / painter_.scale);
}

void WindowCanvas::draw_rectangle(Rect rect, Colour colour) {
  list_->AddRectFilled(place({rect.x, rect.y}), place({rect.right(), rect.bottom()}), ink(colour));
}

void WindowCanvas::draw_line(std::span<const Point> points, Colour colour, double thickness,
                             bool dashed) {
  const std::span<const ImVec2> line = places(points);
  const float width = static_cast<float>(thickness) * painter_.scale;
  if (dashed) {
    draw_dashes(line, ink(colour), width);
  } else {
    list_->AddPolyline(line.data(), static_cast<int>(line.size()), ink(colour), width);
  }
}

void WindowCanvas::draw_dashes(std::span<const ImVec2> points, ImU32 ink, float thickness) {
  const float dash = static_cast<float>(kDash[0]) * painter_.scale;
  const float period = dash + static_cast<float>(kDash[1]) * painter_.scale;
  const ImVec2 low = list_->GetClipRectMin();
  const ImVec2 high = list_->GetClipRectMax();
  double begun = 0;  // length of the line before this segment
  for (std::size_t i = 1; i < points.size(); ++i) {
    const ImVec2 from = points[i - 1];
    const ImVec2 to = points[i];
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    const auto [first, last] = part_in(from, to, low, high);
    const auto along = [&](float distance) {
      return ImVec2{from.x + (to.x - from.x) * distance / length,
                    from.y + (to.y - from.y) * distance / length};
    };
    const auto phase = static_cast<float>(std::fmod(begun, static_cast<double>(period)));
    // Position in this segment at which a dash begins, starting with the first dash that reaches
    // into the visible part.
    float at = std::floor((first * length + phase) / period) * period - phase;
    for (; last > first && at < last * length; at += period) {
      const float start = std::max(at, first * length);
      const float end = std::min(at + dash, last * length);
      if (start < end) list_->AddLine(along(start), along(end), ink, thickness);
    }
    begun += static_cast<double>(length);
  }
}

void WindowCanvas::draw_polygon(std::span<const Point> points, Colour colour, double alpha) {
  const std::span<const ImVec2> corners = places(points);
  list_->AddConcavePolyFilled(corners.data(), static_cast<int>(corners.size()), ink(colour, alpha));
}

void WindowCanvas::draw_band(std::span<const Point> lower, std::span<const Point> upper,
                             Colour colour, double alpha) {
  // Anti-aliased edges would be visible between neighbouring triangles.
  const auto flags = list_->Flags;
  list_->Flags &= ~ImDrawFlags_AAFill;
  const ImU32 shade = ink(colour, alpha);
  std::size_t i = 0;
  std::size_t j = 0;
  while (i + 1 < lower.size() || j + 1 < upper.size()) {
    const bool below =
        j + 1 >= upper.size() || (i + 1 < lower.size() && lower[i + 1].x <= upper[j + 1].x);
    const Point next = below ? lower[i + 1] : upper[j + 1];
    list_->AddTriangleFilled(place(lower[i]), place(upper[j]), place(next), shade);
    ++(below ? i : j);
  }
  list_->Flags = flags;
}

void WindowCanvas::draw_facet(std::span<const Point> points, Colour colour) {
  // Anti-aliased edges would be visible as seams between facets. Instead the facet is outlined in
  // its own colour, which smooths the edge of the whole surface.
  const auto flags = list_->Flags;
  list_->Flags &= ~ImDrawFlags_AAFill;
  const std::span<const ImVec2> corners = places(points);
  const int count = static_cast<int>(corners.size());
  list_->AddConvexPolyFilled(corners.data(), count, ink(colour));
  list_->AddPolyline(corners.data(), count, ink(colour), painter_.scale, ImDrawFlags_Closed);
  list_->Flags = flags;
}

void WindowCanvas::draw_disc(Point centre, double radius, Colour colour, double alpha) {
  list_->AddCircleFilled(place(centre), static_cast<float>(radius) * painter_.scale,
                         ink(colour, alpha));
}

void WindowCanvas::draw_image(Rect rect, int rows, int columns, std::span<const Colour> pixels) {
  const Texture& texture = textures_.of(rows, columns, pixels);
  const ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  list_->AddCallback(platform.DrawCallback_SetSamplerNearest, nullptr);
  list_->AddImage(static_cast<ImTextureID>(texture.name()), place({rect.x, rect.y}),
                  place({rect.right(), rect.bottom()}), {0, 0}, {1, 1}, ink({255, 255, 255}));
  list_->AddCallback(platform.DrawCallback_SetSamplerLinear, nullptr);
}

void WindowCanvas::draw_text(Point at, std::string_view text, const Lettering& style, bool upward) {
  ImFont* face = font(style);
  const float size = static_cast<float>(style.size) * painter_.scale;
  const double share = style.align == Align::kCentre ? 0.5 : style.align == Align::kRight ? 1 : 0;
  const auto before =
      static_cast<float>(share * text_width(text, style) * static_cast<double>(painter_.scale));
  const ImVec2 point = place(at);
  const float ascent = face->GetFontBaked(size)->Ascent;
  const ImVec2 corner = {std::round(point.x - before), std::round(point.y - ascent)};
  if (!upward) {
    list_->AddText(face, size, corner, ink(style.colour), text.data(), text.data() + text.size());
    return;
  }
  // The text is drawn level without clipping, and then its vertices are rotated into place.
  constexpr float kFar = 1e6F;
  const int first = list_->VtxBuffer.Size;
  face->RenderText(list_, size, corner, ink(style.colour), {-kFar, -kFar, kFar, kFar}, text.data(),
                   text.data() + text.size());
  const ImVec2 middle = {std::round(point.x), std::round(point.y)};
  for (int i = first; i < list_->VtxBuffer.Size; ++i) {
    ImVec2& vertex = list_->VtxBuffer[i].pos;
    vertex = {middle.x + (vertex.y - middle.y), middle.y - (vertex.x - middle.x)};
  }
}

void WindowCanvas::begin_clip(Rect rect) {
  list_->PushClipRect(place({rect.x, rect.y}), place({rect.right(), rect.bottom()}), true);
}

void WindowCanvas::end_clip() {
  list_->PopClipRect();
}

Rect logical(const Painter& painter, ImVec2 corner, ImVec2 size) {
  const auto scale = static_cast<double>(painter.scale);
  return {corner.x / scale, corner.y / scale, size.x / scale, size.y / scale};
}

DrawOptions window_look(const Painter& painter, bool axis_names) {
  DrawOptions draw_options;
  draw_options.palette = *painter.palette;
  draw_options.axis_names = axis_names;
  draw_options.names = 0;  // the legend of the panel names the curves
  draw_options.grid = true;
  draw_options.overlay_names = true;
  draw_options.surface_samples = kMostSamples;
  return draw_options;
}

ImVec2 window_place(const Painter& painter, Point point) {
  const auto scale = static_cast<double>(painter.scale);
  return {static_cast<float>(point.x * scale), static_cast<float>(point.y * scale)};
}

}  // namespace dispersion
