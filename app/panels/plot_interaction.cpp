#include "app/panels/plot_interaction.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "app/export/plot_frame.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/window_canvas.h"
#include "app/window/theme.h"
#include "core/figure/axis.h"
#include "core/figure/number_text.h"
#include "core/figure/zoom.h"

namespace dispersion {
namespace {

constexpr double kWheelStep = 1.2;  // magnification of one notch
constexpr double kLeastBox = 4;     // logical pixels; a smaller box is taken for an accident
constexpr int kDigits = 4;          // significant ones of values at the pointer
constexpr double kMostGrouped = 1e15;
// Around the values at the pointer, in logical pixels.
constexpr double kValueMargin = 5;  // to the axes
constexpr double kValueGap = 8;     // to the line of the value
constexpr double kValueHeight = 20;

using Part = PlotDrag::Part;

// The part of the plot that the point lies on: the axes' rectangle or the labels of one axis.
Part part_at(const Rect& inside, Point at) {
  const bool across = at.x >= inside.x && at.x <= inside.right();
  const bool along = at.y >= inside.y && at.y <= inside.bottom();
  if (across && along) return Part::kBoth;
  if (across && at.y > inside.bottom()) return Part::kX;
  if (along && at.x < inside.x) return Part::kY;
  return Part::kNone;
}

bool of_x(Part part) {
  return part == Part::kBoth || part == Part::kX;
}

bool of_y(Part part) {
  return part == Part::kBoth || part == Part::kY;
}

// The position of a point within the rectangle, in [0, 1] from left to right and from bottom to
// top.
Point share_of(const Rect& inside, Point at) {
  return {(at.x - inside.x) / inside.width, (inside.bottom() - at.y) / inside.height};
}

// New limits; the axis without a value stays as it is.
struct Change {
  std::optional<AxisLimits> x;
  std::optional<AxisLimits> y;
};

// Sets the changed limits in the zoom.
void apply(FigureZoom& zoom, const ShownAxes& axes, const Change& change) {
  if (change.x) set_limits(zoom, axes.title, AxisSide::kX, axes.own_x, change.x);
  if (change.y) set_limits(zoom, axes.title, AxisSide::kY, axes.own_y, change.y);
}

void turn_wheel(FigureZoom& zoom, const ShownAxes& axes, Part part, Point at, double notches) {
  const Point share = share_of(axes.frame.inside, at);
  const double factor = std::pow(kWheelStep, notches);
  Change change;
  if (of_x(part)) change.x = magnified(axes.x, share.x, factor);
  if (of_y(part)) change.y = magnified(axes.y, share.y, factor);
  apply(zoom, axes, change);
}

void drag(FigureZoom& zoom, const ShownAxes& axes, Part part, Point by) {
  const Rect& inside = axes.frame.inside;
  Change change;
  if (of_x(part)) change.x = moved(axes.x, by.x / inside.width);
  if (of_y(part)) change.y = moved(axes.y, -by.y / inside.height);
  apply(zoom, axes, change);
}

// Restores the unzoomed limits.
void reset(FigureZoom& zoom, const ShownAxes& axes, Part part) {
  if (of_x(part)) set_limits(zoom, axes.title, AxisSide::kX, axes.own_x, std::nullopt);
  if (of_y(part)) set_limits(zoom, axes.title, AxisSide::kY, axes.own_y, std::nullopt);
}

Point nearest_inside(const Rect& inside, Point point) {
  return {std::clamp(point.x, inside.x, inside.right()),
          std::clamp(point.y, inside.y, inside.bottom())};
}

// The rectangle between two points, stretched over the whole of an axis that the drag does not
// concern.
Rect box_between(const Rect& inside, Part part, Point from, Point to) {
  from = nearest_inside(inside, from);
  to = nearest_inside(inside, to);
  const auto [left, right] = std::minmax(from.x, to.x);
  const auto [top, bottom] = std::minmax(from.y, to.y);
  Rect box = inside;
  if (of_x(part)) box.x = left, box.width = right - left;
  if (of_y(part)) box.y = top, box.height = bottom - top;
  return box;
}

void magnify_box(FigureZoom& zoom, const ShownAxes& axes, Part part, const Rect& box) {
  if (box.width < kLeastBox || box.height < kLeastBox) return;
  const Point low = share_of(axes.frame.inside, {box.x, box.bottom()});
  const Point high = share_of(axes.frame.inside, {box.right(), box.y});
  Change change;
  if (of_x(part)) change.x = limits_between(axes.x, low.x, high.x);
  if (of_y(part)) change.y = limits_between(axes.y, low.y, high.y);
  apply(zoom, axes, change);
}

// The value of the axis at this position in [0, 1].
std::string value_text(const Axis& axis, double share) {
  // limits_between() computes the value as it does for a zoom, so that both agree.
  const auto limits = limits_between(axis, share, share + 1);
  if (!limits) return "";
  if (counts_items(axis) && std::abs(limits->low) < kMostGrouped && limits->low >= 100)
    return grouped_text(std::llround(limits->low));
  return significant_text(limits->low, kDigits);
}

// Text on a rectangle within the axes, where it hides no tick label. Its left end is at `x`, moved
// as far as it would leave them; its baseline at `y`.
void paint_value(Canvas& canvas, const Rect& inside, double x, double y, const std::string& text,
                 const DrawOptions& draw_options) {
  const Lettering style = draw_options.small(draw_options.palette.text, Align::kLeft);
  const double width = canvas.text_width(text, style);
  const double left =
      std::max(inside.x + kValueMargin, std::min(x, inside.right() - width - kValueMargin));
  canvas.fill({left - 4, y - 14, width + 8, 19}, draw_options.palette.raised);
  canvas.text({left, y}, text, style);
}

}  // namespace

PlotFrame steady_frame(const PanelState& state, const char* id, const PlotFrame& fitted) {
  const PlotDrag& held = state.plot_drag;
  return held.item != 0 && held.item == ImGui::GetID(id) ? held.frame : fitted;
}

PlotPointer move_axes(PanelState& state, FigureZoom& zoom, const ShownAxes& axes, const Rect& area,
                      const char* id, bool scrolls) {
  const Painter& painter = state.painter;
  const Rect& inside = axes.frame.inside;
  if (!(inside.width > 0) || !(inside.height > 0)) return {};
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  const ImVec2 low = window_place(painter, {area.x, area.y});
  const ImVec2 high = window_place(painter, {area.right(), area.bottom()});
  ImGui::SetCursorScreenPos(low);
  ImGui::InvisibleButton(
      id, {high.x - low.x, high.y - low.y},
      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | kFocusable);
  leave_arrows(state.painter);
  const ImGuiIO& io = ImGui::GetIO();
  const bool over = ImGui::IsItemHovered();
  const bool wheel = !scrolls || io.KeyCtrl;
  if (wheel) ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
  PlotDrag& held = state.plot_drag;
  const ImGuiID item = ImGui::GetItemID();
  const auto point = [&](ImVec2 at) {
    const auto scale = static_cast<double>(painter.scale);
    return Point{at.x / scale, at.y / scale};
  };
  const Part part = part_at(inside, point(io.MousePos));
  PlotPointer pointer;
  pointer.at = point(io.MousePos);
  pointer.hovered = over && part == Part::kBoth && !ImGui::IsItemActive();
  pointer.on_x_labels = over && part == Part::kX && !ImGui::IsItemActive();
  pointer.on_y_labels = over && part == Part::kY && !ImGui::IsItemActive();
  if (over && wheel && io.MouseWheel != 0)
    turn_wheel(zoom, axes, part, pointer.at, static_cast<double>(io.MouseWheel));
  if (ImGui::IsItemActivated()) {
    const bool right = ImGui::IsMouseClicked(ImGuiMouseButton_Right);
    held = {item, part, right || io.KeyShift, right ? 1 : 0, axes.frame, false};
  }
  if (held.item == item && ImGui::IsItemActive()) {
    held.moving = held.moving || ImGui::IsMouseDragging(held.button);
    if (held.moving && held.box) {
      pointer.box =
          box_between(inside, held.part, point(io.MouseClickedPos[held.button]), pointer.at);
    } else if (held.moving) {
      drag(zoom, axes, held.part, point(io.MouseDelta));
    }
  } else if (held.item == item) {
    if (held.moving && held.box) {
      magnify_box(
          zoom, axes, held.part,
          box_between(inside, held.part, point(io.MouseClickedPos[held.button]), pointer.at));
    }
    pointer.clicked = !held.moving && held.button == 0 && !held.box && held.part == Part::kBoth;
    held = {};
  }
  if (over && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) reset(zoom, axes, part);
  ImGui::SetCursorScreenPos(cursor);
  return pointer;
}

void paint_pointer(Canvas& canvas, const ShownAxes& axes, const PlotPointer& pointer,
                   const DrawOptions& draw_options) {
  const Rect& inside = axes.frame.inside;
  const Colour muted = draw_options.palette.muted;
  if (pointer.box) {
    const Rect& box = *pointer.box;
    const Point corners[] = {{box.x, box.y},
                             {box.right(), box.y},
                             {box.right(), box.bottom()},
                             {box.x, box.bottom()},
                             {box.x, box.y}};
    canvas.polygon(std::span(corners).first(4), muted, 0.15);
    canvas.polyline(corners, muted, 1);
  }
  if (!pointer.hovered) return;
  const Point share = share_of(inside, pointer.at);
  canvas.hairline({pointer.at.x, inside.y}, {pointer.at.x, inside.bottom()},
                  draw_options.palette.line);
  canvas.hairline({inside.x, pointer.at.y}, {inside.right(), pointer.at.y},
                  draw_options.palette.line);
  // The value of x stands at the lower end of its line, that of y at the left end of its own. Where
  // there is room they are to the left of the pointer and above it, since the tooltip is on the
  // other side.
  const std::string x = value_text(axes.x, share.x);
  const double before = pointer.at.x - kValueGap - canvas.text_width(x, draw_options.muted());
  paint_value(canvas, inside, before >= inside.x + kValueMargin ? before : pointer.at.x + kValueGap,
              inside.bottom() - 6, x, draw_options);
  const bool above = pointer.at.y - kValueHeight >= inside.y;
  paint_value(canvas, inside, inside.x + kValueMargin,
              above ? pointer.at.y - 6 : pointer.at.y + kValueHeight - 6,
              value_text(axes.y, share.y), draw_options);
}

}  // namespace dispersion
