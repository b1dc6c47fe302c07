#pragma once

#include <vector>

#include "app/session/frame_at.h"
#include "core/figure/cell_values.h"
#include "core/figure/named_value.h"

namespace dispersion {

// What is said of the heat maps of a state, for the window and its text; empty until they are
// computed.

// Why attention disperses or not at one n (core/figure/why.h): its numbers with those of the rule,
// and in words.
std::vector<NamedValue> told_why_values(const AppState& app, int items);
std::vector<Statement> told_sentences(const AppState& app, int items);
Statement told_explanation(const AppState& app, int items);

// Whether the cell that the pointer was put on last is in this frame.
bool has_cell(const FrameAt& at, const AppState::Pointer& pointer);
// The step of the frame, and the item of the cell.
std::vector<NamedValue> told_item_values(const AppState& app, const FrameAt& at, FrameCell cell);

}  // namespace dispersion
