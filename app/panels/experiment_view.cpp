#include "app/panels/panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/actions.h"
#include "app/panels/compared_figures.h"
#include "app/panels/experiment_fields.h"
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
constexpr float kBetween = 8;
// A table below a plot scrolls rather than leave the plot less than this, in logical pixels; but it
// has this share of the height at most.
constexpr float kPlotAboveTable = 230;
constexpr double kTablesBelowPlots = 0.73;
// Parts that would be smaller stand in a column that scrolls, in logical pixels.
constexpr float kLeastWidth = 240;
constexpr float kLeastHeight = 150;
constexpr float kSwitch = 170;    // width of the switch between heat maps and surfaces
constexpr float kSwitchRow = 30;  // height of its row where it stands below the title
// A single plot above tables that would be so wide, as a multiple of its height, has the sentence
// beside it, in a column of this share of the width within these limits, in logical pixels.
constexpr double kWidePlot = 3;
constexpr float kTextShare = 0.27F;
constexpr float kLeastText = 300;
constexpr float kMostText = 440;
// In a view that scrolls, a sentence that is higher than this share of it comes after the figure.
constexpr float kHighSentence = 0.5F;
constexpr float kLeastTile = 168;  // height of a part there, in logical pixels
constexpr float kCopyButton = 64;
constexpr const char* kCopyFailure = "copy failure";

// "plot 0", the id of a panel.
std::string panel_id(const char* kind, std::size_t i) {
  return std::string(kind) + " " + std::to_string(i);
}

// The switch between heat maps and surfaces stands beside the title, or below it where that needs
// the room.
bool switch_beside(const Painter& painter, const Figure& figure, float width) {
  return measure(painter, TextStyle::kTitle, figure.title).x + painter.px(kSwitch + 42) <= width;
}

float head_height(const Painter& painter, const Figure& figure, float width) {
  float height = painter.px(42);
  if (!figure.fields.empty() && !switch_beside(painter, figure, width))
    height += painter.px(kSwitchRow);
  if (figure.sentence.empty()) return height;
  return height + painter.px(6) +
         flow_height(painter, TextStyle::kBody, figure.sentence, width - painter.px(28));
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

FigureLayout layout_of(const Painter& painter, const Figure& figure, ImVec2 corner, ImVec2 size,
                       bool stacked) {
  std::vector<TableSize> sizes;
  for (const Table& table : figure.tables)
    sizes.push_back(table_panel_size(painter, table));
  const FigureBox whole = {corner.x, corner.y, size.x, size.y};
  const double below = std::clamp(1 - static_cast<double>(painter.px(kPlotAboveTable) / size.y),
                                  kTablesBelow, kTablesBelowPlots);
  return stacked ? stack(figure, whole, painter.px(kBetween), sizes)
                 : lay_out(figure, whole, painter.px(kBetween), sizes, below);
}

// Whether a part would be too small to be read.
bool crowded(const Painter& painter, const FigureLayout& layout) {
  const auto small = [&](const FigureBox& box) {
    return box.width < static_cast<double>(painter.px(kLeastWidth)) ||
           box.height < static_cast<double>(painter.px(kLeastHeight));
  };
  return std::ranges::any_of(layout.plots, small) || std::ranges::any_of(layout.fields, small);
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

// Where a plot below the text, as in `usual`, is too low for its width: the box of the text beside
// the plot, which it takes from it in `whole`, the layout without a text above. Nothing where the
// plot is high enough, or too low for the text.
std::optional<FigureBox> text_beside_plot(const Painter& painter, const Figure& figure,
                                          const FigureLayout& usual, FigureLayout& whole) {
  if (usual.plots.size() != 1 || !usual.fields.empty() || usual.tables.empty()) return {};
  if (usual.plots.front().width < kWidePlot * usual.plots.front().height) return {};
  FigureBox& plot = whole.plots.front();
  const float title =
      std::ceil(measure(painter, TextStyle::kTitle, figure.title).x) + painter.px(29);
  const float share = std::clamp(std::floor(static_cast<float>(plot.width) * kTextShare),
                                 painter.px(kLeastText), painter.px(kMostText));
  const float width = std::max(share, title);
  if (static_cast<double>(width) > plot.width / 2) return {};
  if (static_cast<double>(head_height(painter, figure, width)) > plot.height) return {};
  const FigureBox text = {plot.x, plot.y, static_cast<double>(width), plot.height};
  const double taken = text.width + static_cast<double>(painter.px(kBetween));
  plot.x += taken;
  plot.width -= taken;
  return text;
}

// Where there is no room for all parts at once, they are stacked in a column that scrolls, in a
// small pane each as high as the pane.
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
    draw_experiment_buttons(experiment, painter, width - copy - painter.px(kBetween));
    ImGui::SameLine(0, painter.px(kBetween));
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
  const std::shared_ptr<const Figure> compared =
      app.comparison ? app.comparison->pictures.experiment(app, view) : nullptr;
  const Figure& figure = compared ? *compared : experiment.result->figure;
  const float failure = draw_failure(experiment, state, corner, size.x);
  corner.y += failure;
  size.y -= failure;
  // What is shown of A is never of former settings.
  const float alpha = experiment.stale && !compared ? kStaleAlpha : 1;
  const Painter& painter = state.painter;
  const float head = headed ? head_height(painter, figure, size.x) : 0;
  const float above = headed ? head + painter.px(kBetween) : 0;
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
