#include <algorithm>
#include <cmath>

#include "app/panels/field_frame.h"
#include "app/panels/field_painter.h"
#include "app/panels/panel_frame.h"
#include "app/window/theme.h"

namespace dispersion {
namespace {

constexpr double kRadiansPerPixel = 0.008;
constexpr int kMostSamples = 45;  // along an axis: what is turned should follow the mouse

void turn(const Painter& painter, SurfaceView& view, ImVec2 size) {
  ImGui::InvisibleButton("turn", size);
  if (ImGui::IsItemActive()) {
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    const double step = kRadiansPerPixel / painter.scale;
    view.azimuth += step * moved.x;
    view.elevation = std::clamp(view.elevation + step * moved.y, 0.0, 1.5);
  }
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
    view = SurfaceView();
}

struct Frame {
  ImVec2 middle;
  float unit = 1;
  ImVec2 operator()(SurfacePoint p) const {
    return {middle.x + unit * static_cast<float>(p.x), middle.y + unit * static_cast<float>(p.y)};
  }
};

void draw_box(const Painter& painter, const Surface& surface, const Frame& at) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (const auto& wall : surface.walls) {
    list->AddQuadFilled(at(wall[0]), at(wall[1]), at(wall[2]), at(wall[3]),
                        packed(painter.palette->raised, 0.6F));
  }
  for (const SurfaceLine& line : surface.grid)
    list->AddLine(at(line.from), at(line.to), packed(painter.palette->line), painter.scale);
}

void draw_faces(const FieldPlot& plot, const Surface& surface, const Frame& at, float thickness,
                float alpha) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  // Soft edges would show as a net of seams.
  const auto flags = list->Flags;
  list->Flags &= ~ImDrawFlags_AAFill;
  for (const SurfaceFace& face : surface.faces) {
    const Colour value =
        mix({0, 0, 0}, map_colour(plot.map, face.position), static_cast<float>(face.light));
    const ImU32 ink = packed(value, alpha);
    const ImVec2 corners[4] = {at(face.corner[0]), at(face.corner[1]), at(face.corner[2]),
                               at(face.corner[3])};
    list->AddQuadFilled(corners[0], corners[1], corners[2], corners[3], ink);
    // Their own lines make the edges of the whole smooth.
    list->AddQuad(corners[0], corners[1], corners[2], corners[3], ink, thickness);
  }
  list->Flags = flags;
}

void write_beside(const Painter& painter, const SurfaceText& text, const Frame& at,
                  float distance) {
  const ImVec2 size = measure(painter, TextStyle::kSmall, text.text);
  const ImVec2 point = at(text.at);
  const float x = static_cast<float>(text.away.x);
  const float y = static_cast<float>(text.away.y);
  const float left = x < -0.4F ? size.x : x > 0.4F ? 0 : size.x / 2;
  draw_text(painter, ImGui::GetWindowDrawList(),
            {point.x + distance * x - left, point.y + distance * y - size.y / 2}, TextStyle::kSmall,
            painter.palette->muted, text.text);
}

}  // namespace

void draw_surface_panel(Painter& painter, const char* id, const FieldPlot& plot, SurfaceView& view,
                        float alpha, ImVec2 size) {
  begin_field_panel(painter, id, plot, size);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const Surface surface = project_surface(plot, view, kMostSamples);
  if (surface.faces.empty() || room.x < painter.px(80) || room.y < painter.px(60)) {
    draw_no_field(painter);
    end_panel();
    return;
  }
  turn(painter, view, room);
  const float unit = std::min((room.x - painter.px(96)) / 1.85F, (room.y - painter.px(52)) / 1.58F);
  const Frame at = {{low.x + room.x / 2, low.y + room.y / 2}, std::max(unit, 10.0F)};
  draw_box(painter, surface, at);
  draw_faces(plot, surface, at, painter.scale, alpha);
  for (const SurfaceText& tick : surface.ticks)
    write_beside(painter, tick, at, painter.px(std::abs(tick.away.x) > 0.99 ? 8 : 14));
  for (const SurfaceText& name : surface.names)
    if (name.away.y > -0.9) write_beside(painter, name, at, painter.px(38));
  end_panel();
}

}  // namespace dispersion
