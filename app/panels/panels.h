#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/panel_state.h"
#include "app/session/app_state.h"
#include "core/backend.h"

namespace dispersion {

// The panels of the window. A panel draws at the cursor of the current Dear ImGui window and
// changes the app state or sends commands to the session when the user acts on it. Sizes and
// positions are in window units unless a comment says otherwise.

// --- The bar at the top and the status line at the bottom; see also notices.h ---

// The program's name, the views, the source of the open head and the buttons. `pages`: the window
// is so small that it shows one page at a time, and the pages are chosen here.
void draw_top_bar(AppState& app, Session& session, PanelState& state, bool pages);

// The source of the open head, which names the step at which it was opened, after the present step
// once it has been trained here.
// Further texts are shorter ones, for less room.
std::vector<std::string> open_head_texts(const AppState& app);

// One line: the backend, the run's hash, seed, step and speed, and the device memory in use.
void draw_status_line(const AppState& app, PanelState& state);

// --- The column of controls ---

// Play, pause, step, rewind, new seed; the progress of the run, its newest loss and accuracy; and
// the backend.
void draw_training_panel(AppState& app, Session& session, PanelState& state);

// The choices that the backend field offers: automatic, CPU, one per CUDA device, and the chosen
// one if it is none of these.
std::vector<BackendChoice> backend_choices(const RunStatus& status);
// "automatic", "CPU", "CUDA device 0".
std::string choice_text(const BackendChoice& choice);
// In gigabytes of 10^9 bytes, without the unit: "3.1".
std::string gigabytes(std::size_t bytes);
// BuildInfo::cuda_absence in one short sentence: "This program was built without CUDA: no CUDA
// driver was found. With one installed, ..." becomes "No CUDA driver was found; the CPU computes."
std::string short_cuda_absence(std::string_view absence);

// The temperature, the adaptive rule with its curve of beta(H), and further attention transforms.
void draw_attention_controls(AppState& app, PanelState& state);

// The focused set size n: halve, double, slide.
void draw_size_panel(AppState& app, PanelState& state);

// The settings that decide a run: L2, optimiser, batch, sizes, precision, seed. A change takes
// effect with a new run.
void draw_recipe_panel(AppState& app, Session& session, PanelState& state);

// --- The attention view ---

// Figures 2 and 7 of the paper: attention on the 16 largest of n items, one strip per transform
// that is shown, one frame per n. The pointer selects a cell, a click selects the focused n.
void draw_heatmap_panel(AppState& app, PanelState& state, ImVec2 size);

// The largest height up to `wanted` in which the rows of cells leave no empty space below them.
float heatmap_panel_height(const PanelState& state, float width, float wanted);

// Accuracy and entropy against n, side by side. A click on a point selects its n.
void draw_curves(AppState& app, PanelState& state, ImVec2 size);

// Loss and accuracy of the batches against the training step, side by side.
void draw_history_panel(AppState& app, PanelState& state, ImVec2 size);

// A long series reduced to at most one point per bucket of consecutive records: the mean, and the
// range that a line through all points would cover. Values that are not finite are counted but not
// used; a bucket without a finite value is left out.
struct Decimated {
  std::vector<double> x;  // step in the middle of the bucket
  std::vector<double> low;
  std::vector<double> high;
  std::vector<double> mean;
  std::size_t not_finite = 0;
};
// `value` computes the value of a record. buckets >= 1.
Decimated decimate(std::span<const StepRecord> records, std::size_t buckets,
                   double (*value)(const StepRecord&));
// Of so many buckets along the axis, those that the records take: at least one.
std::size_t taken_buckets(std::span<const StepRecord> records, const Axis& axis,
                          std::size_t buckets);

// --- The column of details about the focused n ---

// The measurements at the focused n for every transform that is shown, and the differences from
// plain softmax.
void draw_focused_size_panel(const AppState& app, PanelState& state);

// Why attention disperses or not at the focused n (core/figure/why.h).
void draw_why_panel(const AppState& app, PanelState& state);

// The exact values of the heat map cell under the pointer.
void draw_pointer_panel(const AppState& app, PanelState& state);
// Its weights, at the pointer: they are what one points for.
void draw_pointer_tooltip(const AppState& app, const Painter& painter);

// --- The views of the experiments ---

// The settings of the experiment in front, and the progress of its computation.
void draw_experiment_controls(AppState& app, PanelState& state);

// "34 %, about 12 s left", "done, 2.3 s", "stopped at 34 %".
std::string experiment_progress_text(const ExperimentState& experiment);
// What stands beside the title of its figure: "of the head before; 34 %, about 12 s left"; "" when
// there is nothing to be said.
std::string experiment_note(const ExperimentState& experiment);

// The figure of an experiment, or the reason why there is none; `headed`: with its title and the
// sentence that describes it.
void draw_experiment_view(AppState& app, PanelState& state, View view, bool headed, ImVec2 corner,
                          ImVec2 size);

// --- The export dialog ---

// Format, size and style of a figure's file, its preview, and its path; drawn over everything while
// app.exporting.open.
void draw_export_dialog(AppState& app, PanelState& state);

// The message in the foot of the dialog; empty where the preview says the same already.
std::string export_notice_text(const ExportState& exporting);

// What the dialog waits for: "Every n at step 114 232: 34 %, about 12 s left".
std::string export_wait_text(const AppState& app);

// The settings of the export dialog, one below the other, in the current column.
void draw_export_fields(AppState& app, Painter& painter);

}  // namespace dispersion
