#pragma once

namespace dispersion {

inline constexpr float kSmallestZoom = 0.5F;
inline constexpr float kLargestZoom = 3.0F;
// Large type for the last row of a classroom.
inline constexpr float kProjectorZoom = 1.75F;

// The one place where scale is computed: how many window units a logical pixel takes. content: the
// display's own (Window::content_scale), zoom: the user's. Between 0.5 and 4.
float ui_scale(float content, float zoom, bool projector);

// The next zoom up (direction > 0) or down.
float next_zoom(float zoom, int direction);

}  // namespace dispersion
