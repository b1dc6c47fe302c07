#pragma once

#include "app/panels/painter.h"
#include "core/figure/figure.h"
#include "core/figure/figure_layout.h"

namespace dispersion {

// A table in a panel of its own, which scrolls where it is too small. A click on a row copies it.
void draw_table_panel(Painter& painter, const char* id, const Table& table, float alpha,
                      ImVec2 size);

// What the panel takes if it can, in window units.
TableSize table_panel_size(const Painter& painter, const Table& table);

}  // namespace dispersion
