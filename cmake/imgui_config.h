#pragma once

// Settings of Dear ImGui, for its own sources and for everything that includes imgui.h.

// Plots of long runs have more than 2^16 vertices.
#define ImDrawIdx unsigned int

// Names of files have characters beyond the first 2^16, and keep them when they are typed.
#define IMGUI_USE_WCHAR32

#define IMGUI_DISABLE_OBSOLETE_FUNCTIONS
#define IMGUI_DISABLE_DEMO_WINDOWS
