#include "app/panels/panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/actions.h"
#include "app/panels/figure_panels.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/painter.h"
#include "app/panels/panel_frame.h"
#include "app/panels/widgets.h"
#include "app/window/theme.h"
#include "core/figure/axis.h"
#include "core/figure/figure_layout.h"

namespace dispersion {
namespace {

constexpr float kStaleAlpha = 0.4F;
constexpr float kBetween = 8;
// Share of the height that a table below a plot takes at most: Table 1 is whole at 1440 x 900.
constexpr double kTablesBelowPlots = 0.73;
constexpr float kSwitch = 170;  // width of the switch between heat maps and surfaces

// "plot 0", the id of a panel.
std::string panel_id(const char* kind, std::size_t i) {
  return std::string(kind) + " " + std::to_string(i);
}

// The title of the figure, and the sentence that says what it shows. Returns the height.
float draw_head(AppState& app, PanelState& state, View view, const Figure& figure, ImVec2 corner,
                float width) {
  Painter& painter = state.painter;
  const float inner = width - painter.px(28);
  const bool fields = !figure.fields.empty();
  const std::string& sentence = figure.sentence;
  const float height =
      painter.px(42) +
      (sentence.empty() ? 0
                        : flow_height(painter, TextStyle::kBody, sentence, inner) + painter.px(6));
  ImGui::SetCursorScreenPos(corner);
  const ExperimentState& experiment = app.experiments.of(view);
  const std::string note =
      experiment.busy() || experiment.held ? experiment_progress_text(experiment) : "";
  begin_panel(painter, "head", {width, height}, figure.title, note,
              fields ? painter.px(kSwitch + 14) : 0);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  if (fields) {
    constexpr std::array<const char*, 2> kNames = {"heat maps", "surfaces"};
    int chosen = app.view.surfaces ? 1 : 0;
    ImGui::SetCursorScreenPos({start.x + inner - painter.px(kSwitch), start.y - painter.px(29)});
    ImGui::BeginChild("field switch", {painter.px(kSwitch), painter.px(24)}, kTabbedThrough);
    segments(painter, "fields as", kNames.data(), 2, chosen,
             "The same numbers as colours on a plane, or as heights; a surface is turned with the "
             "mouse.");
    ImGui::EndChild();
    app.view.surfaces = chosen == 1;
    ImGui::SetCursorScreenPos(start);
  }
  if (!sentence.empty()) flow_text(painter, TextStyle::kBody, painter.palette->text, sentence);
  end_panel();
  return height;
}

void draw_parts(AppState& app, PanelState& state, View view, const Figure& figure, float alpha,
                ImVec2 corner, ImVec2 size, bool stacked) {
  Painter& painter = state.painter;
  std::vector<TableSize> sizes;
  for (const Table& table : figure.tables)
    sizes.push_back(table_panel_size(painter, table));
  const FigureBox whole = {corner.x, corner.y, size.x, size.y};
  const FigureLayout layout =
      stacked ? stack(figure, whole, painter.px(kBetween), sizes)
              : lay_out(figure, whole, painter.px(kBetween), sizes, kTablesBelowPlots);
  const auto place = [](const FigureBox& box) {
    ImGui::SetCursorScreenPos(
        {std::round(static_cast<float>(box.x)), std::round(static_cast<float>(box.y))});
    return ImVec2{std::floor(static_cast<float>(box.width)),
                  std::floor(static_cast<float>(box.height))};
  };
  FigureZoom& zoom = app.zooms[std::string(view_figure(view))];
  for (std::size_t i = 0; i < figure.fields.size(); ++i) {
    const std::string id = panel_id("field", i);
    const ImVec2 room = place(layout.fields[i]);
    const FieldPlot& field = figure.fields[i];
    const auto clicked =
        app.view.surfaces ? draw_surface_panel(state, id.c_str(), field, zoom, alpha, room)
                          : draw_field_panel(state, id.c_str(), field, zoom, alpha, stacked, room);
    if (clicked) focus_items(app, state, static_cast<int>(*clicked));
  }
  for (std::size_t i = 0; i < figure.plots.size(); ++i) {
    const ImVec2 room = place(layout.plots[i]);
    const LinePlot& plot = figure.plots[i];
    const auto clicked =
        draw_plot_panel(state, panel_id("plot", i).c_str(), plot, zoom,
                        {.axis_names = true, .alpha = alpha, .scrolls = stacked}, room);
    if (clicked && counts_items(plot.x)) focus_items(app, state, static_cast<int>(*clicked));
  }
  for (std::size_t i = 0; i < figure.tables.size(); ++i) {
    const ImVec2 room = place(layout.tables[i]);
    draw_table_panel(state, panel_id("table", i).c_str(), figure.tables[i], alpha, room);
  }
}

// In a small window the parts are stacked in a column that scrolls, in a small pane each as high as
// the pane.
void draw_stacked(AppState& app, PanelState& state, View view, bool headed, const Figure& figure,
                  float alpha, ImVec2 corner, ImVec2 size) {
  Painter& painter = state.painter;
  const float between = painter.px(kBetween);
  ImGui::SetCursorScreenPos(corner);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::BeginChild("stack", size, kTabbedThrough);
  ImGui::PopStyleVar();
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  float y = start.y;
  if (headed) y += draw_head(app, state, view, figure, start, width) + between;
  const float tile = headed ? std::min(0.9F * size.y, painter.px(300)) : size.y;
  const auto tiles = static_cast<float>(figure.fields.size() + figure.plots.size());
  float tables = 0;
  for (const Table& table : figure.tables)
    tables += static_cast<float>(table_panel_size(painter, table).height) + between;
  const float height = std::max(tiles * (tile + between) + tables - (headed ? 0 : between), 1.0F);
  draw_parts(app, state, view, figure, alpha, {start.x, y}, {width, height}, true);
  y += height;
  ImGui::SetCursorScreenPos({start.x, y - 1});
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
}

// While there is no figure yet: the progress of the computation, or the reason for its failure.
void draw_without_figure(ExperimentState& experiment, std::string_view title, PanelState& state,
                         ImVec2 corner, ImVec2 size) {
  Painter& painter = state.painter;
  const bool failed = experiment.update.phase == ExperimentPhase::kFailed;
  ImGui::SetCursorScreenPos(corner);
  begin_panel(painter, "empty", size, title, "");
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  const float width = std::min(painter.px(460), room);
  const std::string text = failed                 ? as_sentence(experiment.update.error)
                           : experiment.held      ? "Stopped. Go on computes what is missing."
                           : experiment.asked > 0 ? "Being computed …"
                                                  : "Waiting for the head …";
  const float lines = flow_height(painter, TextStyle::kBody, text, width);
  const float y = start.y + std::max(0.0F, (size.y - lines) / 2 - painter.px(50));
  ImGui::SetCursorScreenPos({start.x + (room - width) / 2, y});
  ImGui::BeginChild("what", {width, std::max(lines + painter.px(80), painter.px(20))},
                    kTabbedThrough);
  flow_text(painter, TextStyle::kBody, failed ? painter.palette->adaptive : painter.palette->text,
            text);
  if (experiment.busy()) {
    gap(painter, 2);
    progress_line(painter, experiment.update.share);
    flow_text(painter, TextStyle::kSmall, painter.palette->muted,
              experiment_progress_text(experiment));
  }
  ImGui::EndChild();
  end_panel();
}

// When the newest computation failed, the figure of an older one stays, with the reason above it.
// Returns the height of that line.
float draw_failure(const ExperimentState& experiment, PanelState& state, ImVec2 corner,
                   float width) {
  Painter& painter = state.painter;
  if (experiment.update.phase != ExperimentPhase::kFailed) return 0;
  const float height = painter.px(34);
  const Colour accent = painter.palette->adaptive;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(corner, {corner.x + width, corner.y + height},
                      packed(mix(painter.palette->panel, accent, 0.14F)), painter.px(4));
  draw_text(painter, list, {corner.x + painter.px(14), corner.y + painter.px(8)}, TextStyle::kBody,
            painter.palette->text,
            fitted(painter, TextStyle::kBody, as_sentence(experiment.update.error),
                   width - painter.px(28)));
  return height + painter.px(kBetween);
}

}  // namespace

void draw_experiment_view(AppState& app, PanelState& state, View view, bool headed, ImVec2 corner,
                          ImVec2 size) {
  ExperimentState& experiment = app.experiments.of(view);
  if (!experiment.result) {
    draw_without_figure(experiment, headed ? view_title(view) : "", state, corner, size);
    return;
  }
  const Figure& figure = experiment.result->figure;
  const float failure = draw_failure(experiment, state, corner, size.x);
  corner.y += failure;
  size.y -= failure;
  const float alpha = experiment.stale ? kStaleAlpha : 1;
  if (size.x < state.painter.px(560) || size.y < state.painter.px(420)) {
    draw_stacked(app, state, view, headed, figure, alpha, corner, size);
    return;
  }
  const float head =
      headed ? draw_head(app, state, view, figure, corner, size.x) + state.painter.px(kBetween) : 0;
  if (size.y - head < state.painter.px(40)) return;
  draw_parts(app, state, view, figure, alpha, {corner.x, corner.y + head}, {size.x, size.y - head},
             false);
}

}  // namespace dispersion
