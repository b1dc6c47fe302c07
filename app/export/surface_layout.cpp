#include "app/export/surface_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dispersion {
namespace {

constexpr double kTickDistance = 12;
constexpr double kNameDistance = 44;
constexpr double kNameAbove = 20;  // distance of the name above the upright edge
constexpr double kAscent = 11;
constexpr double kDescent = 4;
constexpr double kHalfHeight = 4.5;  // from the middle of a text to its baseline
constexpr double kGap = 4;           // least space between two labels
constexpr int kHalvings = 40;
// Texts are left out where the surface would be smaller than this share of its size without them.
constexpr double kLeastShare = 0.2;

// Something that must lie within the area: a box of fixed size at a point of the surface.
struct Item {
  SurfacePoint at;
  Rect box;  // relative to the point
};

// A text that is to be written at a point of the surface.
struct PlacedText {
  std::string text;
  Item item;
  Point baseline;  // relative to the point
  Lettering style;
};

bool above(const SurfaceText& text) {
  return text.away.y < -0.9;
}

PlacedText placed_text(const Canvas& canvas, const SurfaceText& text, double distance,
                       const DrawOptions& options) {
  // The name above the upright edge is aligned away from the surface, which begins on its other
  // side.
  const double centred = above(text) ? 0 : 0.4;
  const Align align = text.away.x < -centred  ? Align::kRight
                      : text.away.x > centred ? Align::kLeft
                                              : Align::kCentre;
  const Lettering style = options.muted(align);
  const double width = canvas.text_width(text.text, style);
  const Point baseline = {distance * text.away.x, distance * text.away.y + kHalfHeight};
  const double share = align == Align::kRight ? 1 : align == Align::kCentre ? 0.5 : 0;
  const Rect box = {baseline.x - share * width, baseline.y - kAscent, width, kAscent + kDescent};
  return {text.text, {text.at, box}, baseline, style};
}

// All texts of the surface. Names come first: of two that touch, the first is written.
std::vector<PlacedText> placed_texts(const Canvas& canvas, const Surface& surface,
                                     const DrawOptions& options) {
  std::vector<PlacedText> all;
  for (const SurfaceText& name : surface.names)
    all.push_back(placed_text(canvas, name, above(name) ? kNameAbove : kNameDistance, options));
  for (const SurfaceText& tick : surface.ticks)
    all.push_back(placed_text(canvas, tick, kTickDistance, options));
  return all;
}

// The origins with which everything lies within the area, along one axis of the canvas.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  void restrict_to(double begin, double end, double from, double to) {
    low = std::max(low, begin - from);
    high = std::min(high, end - to);
  }
};

struct Origins {
  Range x;
  Range y;
};

Origins origins(const std::vector<Item>& items, Rect area, double unit) {
  Origins result;
  for (const auto& [at, box] : items) {
    result.x.restrict_to(area.x, area.right(), unit * at.x + box.x, unit * at.x + box.right());
    result.y.restrict_to(area.y, area.bottom(), unit * at.y + box.y, unit * at.y + box.bottom());
  }
  return result;
}

double largest_unit(const std::vector<Item>& items, Rect area) {
  double fits = 0;
  double beyond = std::max(area.width, area.height);
  for (int i = 0; i < kHalvings; ++i) {
    const double unit = (fits + beyond) / 2;
    const auto [x, y] = origins(items, area, unit);
    (x.low <= x.high && y.low <= y.high ? fits : beyond) = unit;
  }
  return fits;
}

bool touch(const Rect& a, const Rect& b) {
  return a.x < b.right() + kGap && b.x < a.right() + kGap && a.y < b.bottom() && b.y < a.bottom();
}

void add_labels(const std::vector<PlacedText>& all, SurfaceLayout& layout) {
  for (const PlacedText& each : all) {
    const Point at = layout.place(each.item.at);
    const Rect& box = each.item.box;
    const SurfaceLabel label = {each.text,
                                {at.x + each.baseline.x, at.y + each.baseline.y},
                                each.style,
                                {at.x + box.x, at.y + box.y, box.width, box.height}};
    const auto touches = [&](const SurfaceLabel& other) { return touch(other.box, label.box); };
    if (std::ranges::none_of(layout.labels, touches)) layout.labels.push_back(label);
  }
}

}  // namespace

SurfaceLayout surface_layout(const Canvas& canvas, const Surface& surface, Rect area,
                             const DrawOptions& options) {
  std::vector<Item> corners;
  for (const auto& wall : surface.walls) {
    for (const SurfacePoint& corner : wall)
      corners.push_back({corner, {}});
  }
  SurfaceLayout layout;
  if (corners.empty()) return layout;
  std::vector<PlacedText> texts = placed_texts(canvas, surface, options);
  const double least = kLeastShare * largest_unit(corners, area);
  // All texts, or the names alone, or none.
  for (const std::size_t count : {texts.size(), surface.names.size(), std::size_t{0}}) {
    texts.resize(std::min(count, texts.size()));
    std::vector<Item> items = corners;
    for (const PlacedText& each : texts)
      items.push_back(each.item);
    layout.unit = largest_unit(items, area);
    const auto [x, y] = origins(items, area, layout.unit);
    layout.origin = {(x.low + x.high) / 2, (y.low + y.high) / 2};
    if (layout.unit >= least) break;
  }
  add_labels(texts, layout);
  return layout;
}

}  // namespace dispersion
