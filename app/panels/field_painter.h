#pragma once

#include "app/panels/painter.h"
#include "app/window/texture.h"
#include "core/figure/field_image.h"
#include "core/figure/surface.h"

namespace dispersion {

// Paints a FieldPlot in a panel of its own as a heat map, with the colour bar at its right. `image`
// and `texture` are its picture.
void draw_field_panel(Painter& painter, const char* id, const FieldPlot& plot,
                      const FieldImage& image, const Texture& texture, float alpha, ImVec2 size);

// The same numbers as a surface, which the mouse turns; a double click turns it back.
void draw_surface_panel(Painter& painter, const char* id, const FieldPlot& plot, SurfaceView& view,
                        float alpha, ImVec2 size);

}  // namespace dispersion
