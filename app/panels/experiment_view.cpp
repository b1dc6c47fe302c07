#include "app/panels/panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lesson/presentation.h"
#include "app/panels/actions.h"
#include "app/panels/compared_figures.h"
#include "app/panels/experiment_fields.h"
#include "app/panels/experiment_layout.h"
#include "app/panels/figure_panels.h"
#include "app/panels/keyboard_focus.h"
#include "app/panels/painter.h"
#include "app/panels/panel_frame.h"
#include "app/panels/widgets.h"
#include "app/session/comparison.h"
#include "app/window/theme.h"
#include "core/figure/axis.h"
#include "core/figure/figure_layout.h"

namespace dispersion {
namespace {

constexpr float kStaleAlpha = 0.4F;
// In a view that scrolls, a sentence that is higher than this share of it comes after the figure.
constexpr float kHighSentence = 0.5F;
constexpr float kLeastTile = 168;  // height of a part there, in logical pixels
constexpr float kCopyButton = 64;
constexpr const char* kCopyFailure = "copy failure";

// "plot 0", the id of a panel.
std::string panel_id(const char* kind, std::size_t i) {
  return std::string(kind) + " " + std::to_string(i);
}

void draw_field_switch(AppState& app, Painter& painter, ImVec2 at) {
  constexpr std::array<const char*, 2> kNames = {"heat maps", "surfaces"};
  int chosen = app.view.surfaces ? 1 : 0;
  ImGui::SetCursorScreenPos(at);
  ImGui::BeginChild("field switch", {painter.px(kSwitch), painter.px(24)}, kTabbedThrough);
  segments(painter, "fields as", kNames.data(), 2, chosen,
           "The same numbers as colours on a plane, or as heights; a surface is turned with the "
           "mouse.");
  ImGui::EndChild();
  app.view.surfaces = chosen == 1;
}

// The title of the figure, the sentence that says what it shows, and the switch of its fields
// unless that stands elsewhere.
void draw_head(AppState& app, PanelState& state, View view, const Figure& figure, ImVec2 corner,
               ImVec2 size, bool switch_elsewhere = false) {
  Painter& painter = state.painter;
  const bool fields = !figure.fields.empty() && !switch_elsewhere;
  const float width = size.x;
  ImGui::SetCursorScreenPos(corner);
  const std::string note = experiment_note(app.experiments.of(view));
  const bool beside = fields && switch_beside(painter, figure, width);
  begin_panel(painter, "head", size, figure.title, note, beside ? painter.px(kSwitch + 14) : 0);
  ImVec2 start = ImGui::GetCursorScreenPos();
  const float right = start.x + width - painter.px(28 + kSwitch);
  if (beside) draw_field_switch(app, painter, {right, start.y - painter.px(29)});
  if (fields && !beside) {
    draw_field_switch(app, painter, start);
    start.y += painter.px(kSwitchRow);
  }
  if (!figure.sentence.empty()) {
    ImGui::SetCursorScreenPos(start);
    flow_text(painter, TextStyle::kBody, painter.palette->text, figure.sentence);
  }
  end_panel();
}

void draw_parts(AppState& app, PanelState& state, View view, const Figure& figure, float alpha,
                const FigureLayout& layout, bool stacked) {
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
    PlotOptions options = {.axis_names = true, .alpha = alpha, .scrolls = stacked};
    TableSource both;
    if (app.comparison) {
      both = compared_source(app, plot);
      options.table = &both;
    }
    const auto clicked =
        draw_plot_panel(state, panel_id("plot", i).c_str(), plot, zoom, options, room);
    if (clicked && counts_items(plot.x)) focus_items(app, state, static_cast<int>(*clicked));
  }
  for (std::size_t i = 0; i < figure.tables.size(); ++i) {
    const ImVec2 room = place(layout.tables[i]);
    draw_table_panel(state, panel_id("table", i).c_str(), figure.tables[i], alpha, room);
  }
}

// Where there is no room for all parts at once, they are stacked in a column that scrolls, in a
// small pane each as high as the pane.
void draw_stacked(AppState& app, PanelState& state, View view, bool headed, const Figure& figure,
                  float alpha, ImVec2 corner, ImVec2 size) {
  Painter& painter = state.painter;
  const float between = painter.px(kBetweenParts);
  ImGui::SetCursorScreenPos(corner);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::BeginChild("stack", size, kTabbedThrough);
  ImGui::PopStyleVar();
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  float y = start.y;
  const float head = headed ? head_height(painter, figure, width) : 0;
  const bool last = head > kHighSentence * size.y;
  if (headed && !last) {
    draw_head(app, state, view, figure, start, {width, head});
    y += head + between;
  }
  const bool switch_first = last && !figure.fields.empty();
  if (switch_first) {
    draw_field_switch(app, painter, {start.x + painter.px(14), y + painter.px(8)});
    y += painter.px(kSwitchRow) + between;
  }
  const float tile =
      headed ? std::clamp(0.9F * size.y, painter.px(kLeastTile), painter.px(300)) : size.y;
  const auto tiles = static_cast<float>(figure.fields.size() + figure.plots.size());
  float tables = 0;
  for (const Table& table : figure.tables)
    tables += static_cast<float>(table_panel_size(painter, table).height) + between;
  const float height = std::max(tiles * (tile + between) + tables - between, 1.0F);
  const ImVec2 from = {start.x, y};
  draw_parts(app, state, view, figure, alpha,
             layout_of(painter, figure, from, {width, height}, true), true);
  y += height;
  if (last) {
    draw_head(app, state, view, figure, {start.x, y + between}, {width, head}, switch_first);
    y += between + head;
  }
  ImGui::SetCursorScreenPos({start.x, y - 1});
  ImGui::Dummy({1, 1});
  ImGui::EndChild();
}

// One page of a figure that is presented.
void draw_page(AppState& app, PanelState& state, View view, bool headed, const Figure& figure,
               ImVec2 corner, ImVec2 size) {
  const Painter& painter = state.painter;
  const std::vector<Figure> pages = presented_pages(painter, figure, headed, size);
  Presentation& shown = *app.presentation;
  std::size_t index = 0;
  if (view == app.view.view) {
    shown.pages = pages.size();
    index = shown.page = std::min(shown.page, pages.size() - 1);
  }
  const Figure& page = pages[index];
  if (!page.sentence.empty()) {
    const float head = head_height(painter, page, size.x);
    draw_head(app, state, view, page, corner, {size.x, head}, true);
    corner.y += head + painter.px(kBetweenParts);
    size.y -= head + painter.px(kBetweenParts);
  }
  draw_parts(app, state, view, page, 1, layout_of(painter, page, corner, size, false), false);
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
  if (failed) {
    gap(painter, 6);
    const float copy = painter.px(kCopyButton);
    draw_experiment_buttons(experiment, painter, width - copy - painter.px(kBetweenParts));
    ImGui::SameLine(0, painter.px(kBetweenParts));
    copy_button(painter, kCopyFailure, text, copy);
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
  const std::string text = as_sentence(experiment.update.error);
  const float copy = painter.px(kCopyButton);
  const float width_of_text = width - painter.px(34) - copy;
  const float height = flow_height(painter, TextStyle::kBody, text, width_of_text) + painter.px(18);
  ImGui::GetWindowDrawList()->AddRectFilled(
      corner, {corner.x + width, corner.y + height},
      packed(mix(painter.palette->panel, painter.palette->adaptive, 0.14F)), painter.px(4));
  draw_wrapped(painter, {corner.x + painter.px(14), corner.y + painter.px(8)}, TextStyle::kBody,
               painter.palette->text, text, width_of_text);
  ImGui::SetCursorScreenPos({corner.x + width - copy - painter.px(6), corner.y + painter.px(5)});
  copy_button(painter, kCopyFailure, text, copy);
  return height + painter.px(kBetweenParts);
}

}  // namespace

void draw_experiment_view(AppState& app, PanelState& state, View view, bool headed, ImVec2 corner,
                          ImVec2 size) {
  ExperimentState& experiment = app.experiments.of(view);
  if (!experiment.result) {
    draw_without_figure(experiment, headed ? view_title(view) : "", state, corner, size);
    return;
  }
  const std::shared_ptr<const Figure> compared =
      app.comparison ? app.comparison->pictures.experiment(app, view) : nullptr;
  const Figure& figure = compared ? *compared : experiment.result->figure;
  const float failure = draw_failure(experiment, state, corner, size.x);
  corner.y += failure;
  size.y -= failure;
  // What is shown of A is never of former settings.
  const Painter& painter = state.painter;
  const float alpha = experiment.stale && !compared ? kStaleAlpha : 1;
  if (painter.presents) {
    draw_page(app, state, view, headed, figure, corner, size);
    return;
  }
  const float head = headed ? head_height(painter, figure, size.x) : 0;
  const float above = headed ? head + painter.px(kBetweenParts) : 0;
  FigureLayout layout =
      layout_of(painter, figure, {corner.x, corner.y + above}, {size.x, size.y - above}, false);
  FigureBox text = {corner.x, corner.y, size.x, head};
  if (headed) {
    FigureLayout whole = layout_of(painter, figure, corner, size, false);
    if (const auto beside = text_beside_plot(painter, figure, layout, whole)) {
      text = *beside;
      layout = whole;
    }
  }
  if (size.x < painter.px(560) || size.y < painter.px(420) || crowded(painter, layout)) {
    draw_stacked(app, state, view, headed, figure, alpha, corner, size);
    return;
  }
  const ImVec2 place = {static_cast<float>(text.x), static_cast<float>(text.y)};
  if (headed)
    draw_head(
        app, state, view, figure, place,
        {std::floor(static_cast<float>(text.width)), std::floor(static_cast<float>(text.height))});
  draw_parts(app, state, view, figure, alpha, layout, false);
}

}  // namespace dispersion
