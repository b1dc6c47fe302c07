// A pinned state beside the present one, through the window.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/export/provenance.h"
#include "app/panels/compared_figures.h"
#include "app/session/comparison.h"
#include "app/session/describe.h"
#include "app/session/figure_snapshots.h"
#include "app/session/frame_at.h"
#include "app/session/state_snapshot.h"
#include "app/session/state_string.h"
#include "app/session/told_values.h"
#include "app/session/view_schedule.h"
#include "core/figure/number_text.h"
#include "core/figure/signed_values.h"
#include "core/figure/size_values.h"
#include "tests/gui/driver.h"
#include "tests/gui/screen_text.h"
#include "tests/gui/shown_number.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

constexpr Size kWindowSize = {1440, 900};

NamedValue rule_value(const AppState& state, int items) {
  const std::vector<NamedValue> values = told_why_values(state, items);
  const auto found = std::ranges::find(values, "β(H) at mean H", &NamedValue::label);
  return found == values.end() ? NamedValue() : *found;
}

// Waits until A is complete, B's picture is, and pairs are counted over all sets.
bool compared(GuiDriver& driver, ImGuiTestContext* context) {
  AppState& app = driver.app();
  const bool complete = driver.wait_for(
      context,
      [&] {
        const bool both = app.comparison && app.comparison->a.snapshot && app.snapshot &&
                          is_final(*app.comparison->a.snapshot, app.comparison->a.head) &&
                          !app.stale() && is_final(*app.snapshot, app.head);
        const ComparedPairs* pairs = both ? present_pairs(app) : nullptr;
        return pairs != nullptr && pairs->version == app.head.version &&
               std::ranges::all_of(pairs->pairs, [](const SizePair& pair) {
                 return pair.sets == most_row_sets(pair.items);
               });
      },
      200);
  context->Yield(3);
  return complete;
}

// Why, and the cell under the pointer, name both states; so does the text of the window.
void check_details(GuiDriver& driver) {
  AppState& app = driver.app();
  const int items = app.view.focused_items;
  const NamedValue of_a = rule_value(app.comparison->a, items);
  const NamedValue of_b = rule_value(app, items);
  IM_CHECK_STR_NE(of_a.exact.c_str(), of_b.exact.c_str());
  IM_CHECK_STR_EQ(driver.shown("Why", of_a.label + ", A").c_str(), of_a.exact.c_str());
  IM_CHECK_STR_EQ(driver.shown("Why", of_b.label + ", B").c_str(), of_b.exact.c_str());
  app.pointer = {.items = items, .set = 3, .column = 15};
  const FrameCell cell = {app.pointer.set, app.pointer.column};
  const auto told =
      compared_weight_values(frame_at(app.comparison->a, items).frame_under(TransformId::kSoftmax),
                             frame_at(app, items).frame_under(TransformId::kSoftmax), cell);
  const std::string text = describe(app);
  const auto says = [&](const std::string& line) {
    return text.find(line + "\n") != std::string::npos;
  };
  IM_CHECK(says("comparison\tA\tseed 1, step 100\u2009000"));
  IM_CHECK(says("comparison\tB\ttemperature θ 1 → 0.5"));
  IM_CHECK(says("comparison\tstate of A\t" + state_string(app.comparison->a)));
  IM_CHECK(says("comparison\tstate of B\t" + state_string(app)));
  IM_CHECK(says("pointer, softmax\tweight, A\t" + told[0].exact_a));
  IM_CHECK(says("pointer, softmax\tweight, B\t" + told[0].exact_b));
  IM_CHECK(says("pointer, softmax\tweight, B − A\t" + told[0].exact_difference));
  IM_CHECK(says("why\t" + of_a.label + ", A\t" + of_a.exact));
  const ComparedText why =
      compared_text(told_sentences(app.comparison->a, items), told_sentences(app, items));
  IM_CHECK(!why.both.empty());
  IM_CHECK(says("why\texplanation, A and B\t" + why.both.text()));
  IM_CHECK(says("why\texplanation, A\t" + why.a.text()));
  IM_CHECK(says("why\texplanation, B\t" + why.b.text()));
}

std::vector<std::string> headings(const DataTable& table) {
  std::vector<std::string> names;
  for (const DataColumn& column : table.columns)
    names.push_back(column.heading);
  return names;
}

// Tables behind the figures have the numbers of A and the differences.
void check_tables(GuiDriver& driver, ImGuiTestContext* context) {
  context->KeyPress(ImGuiKey_D);
  context->Yield(3);
  bool maps = false;
  bool accuracy = false;
  bool entropy = false;
  for (const auto& [panel, open] : driver.lab().panels().tables->open()) {
    const std::vector<std::string> names = headings(open.table);
    const auto has = [&](const char* name) {
      return std::ranges::find(names, name) != names.end();
    };
    maps |= has("weight, A") && has("weight, B") && has("weight, B − A");
    accuracy |= has("A: softmax, accuracy (%)") && has("B − A: softmax, accuracy (%)") &&
                has("B − A: softmax, low");
    entropy |= has("B − A: adaptive θ, entropy H (nats)");
  }
  IM_CHECK(maps);
  IM_CHECK(accuracy);
  IM_CHECK(entropy);
  context->KeyPress(ImGuiKey_D);
  context->Yield(2);
}

// What is exported is what is shown: of both, with the lines of text that restore both.
void check_export(GuiDriver& driver, ImGuiTestContext* context) {
  AppState& app = driver.app();
  context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
  IM_CHECK(driver.wait_for(context, [&] { return app.exporting.open && !app.exporting.waiting; }));
  const std::vector<FigureSnapshot>& figures = app.exporting.figures;
  IM_CHECK_EQ(figures.size(), 3U);
  const Figure& maps = *figures[0].figure;
  IM_CHECK_EQ(maps.grids.size(), 2U);
  IM_CHECK_EQ(maps.grids[0].strips.size(), 2U);
  IM_CHECK_EQ(maps.grids[1].low, -maps.grids[1].high);
  const ComparedGrids& shown = app.comparison->pictures.maps();
  IM_CHECK(maps.grids[0].strips[0].frames[6].values == shown.maps.strips[0].frames[6].values);
  IM_CHECK(maps.grids[1].strips[0].frames[6].values ==
           shown.differences.strips[0].frames[6].values);
  IM_CHECK_STR_EQ(maps.sentence.text().c_str(),
                  "A: seed 1, step 100\u2009000. B: temperature θ 1 → 0.5.");
  const auto entry = [&](const char* name) {
    return std::string(provenance_value(maps.provenance, name));
  };
  IM_CHECK_STR_EQ(entry("temperature").c_str(), "0.5");
  IM_CHECK_STR_EQ(entry("A temperature").c_str(), "1");
  IM_CHECK_EQ(decode_state(entry("state")).settings.view.theta, 0.5);
  const DeskState a = decode_state(entry("A state"));
  IM_CHECK_EQ(a.settings.view.theta, 1.0);
  IM_CHECK_STR_EQ(a.head.run_hash.c_str(), head_name(app.comparison->a).run_hash.c_str());
  const Figure& sizes = *figures[1].figure;
  IM_CHECK_EQ(sizes.plots.size(), 3U);  // accuracy, entropy, and the difference of accuracies
  IM_CHECK(std::ranges::any_of(sizes.plots[0].series, [](const Series& series) {
    return series.name == "A: softmax" && series.line == LineStyle::kDashed;
  }));
  IM_CHECK_EQ(sizes.tables.size(), 1U);
  IM_CHECK_EQ(sizes.tables[0].rows.size(), app.snapshot->rows.size());
  IM_CHECK(driver.wait_for(context, [&] { return app.exporting.preview.id > 0; }));
  context->KeyPress(ImGuiKey_Escape);
  IM_CHECK(driver.wait_for(context, [&] { return !app.exporting.open; }));
}

TEST(ComparisonWindow, PinningShowsBothAndTheDifferenceOnTheSameSets) {
  GuiDriver driver(kWindowSize);
  AppState& app = driver.app();
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->ItemClick("**/A | B");
    IM_CHECK(app.comparison != nullptr);
    IM_CHECK(what_differs(app).empty());
    context->ItemInputValue("**/temperature θ/##number", 0.5F);
    IM_CHECK_EQ(app.view.theta, 0.5);
    IM_CHECK_EQ(app.comparison->a.view.theta, 1.0);
    IM_CHECK_STR_EQ(what_differs(app).c_str(), "temperature θ 1 → 0.5");
    IM_CHECK(compared(driver, context));
    const std::string sets = counted_sets_text(frame_at(app, 1024).plain_row()).text();
    IM_CHECK(text_on_screen(context).find(with_plain_spaces(sets)) != std::string::npos);
    for (const TransformAt& of_b : frame_at(app, 1024).transforms) {
      const FrameAt a = frame_at(app.comparison->a, 1024);
      const auto of_a = std::ranges::find(a.transforms, of_b.id, &TransformAt::id);
      const std::string section(transform_definition(of_b.id).label);
      IM_CHECK_EQ(single(driver.shown(section, "accuracy (%), A")),
                  static_cast<float>(100 * of_a->row->accuracy()));
      IM_CHECK_EQ(single(driver.shown(section, "accuracy (%), B")),
                  static_cast<float>(100 * of_b.row->accuracy()));
      // The rows of the two pictures were counted apart from the pairs.
      const double points = 100.0 * static_cast<double>(of_b.row->correct - of_a->row->correct) /
                            static_cast<double>(of_b.row->sets);
      const double shown = number(driver.shown(section, "accuracy (%), B − A"));
      IM_CHECK_LT(std::abs(shown - points), 1e-5);
      IM_CHECK_EQ(single(driver.shown(section, "entropy H, B − A")),
                  static_cast<float>(of_b.row->mean_entropy() - of_a->row->mean_entropy()));
      IM_CHECK_LT(number(driver.shown(section, "entropy H, B − A")), 0);  // B is sharper
    }
    check_details(driver);
    check_tables(driver, context);
    check_export(driver, context);
  });
}

TEST(ComparisonWindow, Behaviour19_DifferencesKeepARangeAboutZero) {
  GuiDriver driver(kWindowSize);
  AppState& app = driver.app();
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->KeyPress(ImGuiKey_B);
    IM_CHECK(driver.wait_for(
        context, [&] { return driver.lab().panels().compared && app.comparison->a.snapshot; }));
    context->Yield(3);
    // A and B are the same: one strip.
    IM_CHECK_EQ(driver.lab().panels().compared->grid.strips.size(), 1U);
    context->ItemInputValue("**/temperature θ/##number", 2.0F);
    IM_CHECK(driver.wait_for_picture(context));
    context->Yield(3);
    const ComparedFigures& figures = *driver.lab().panels().compared;
    IM_CHECK_EQ(figures.grid.strips.size(), 3U);
    const AttentionFrame& a = *frame_at(app.comparison->a, 1024).transforms.back().frame;
    const AttentionFrame& b = *frame_at(app, 1024).transforms.back().frame;
    const std::vector<float>& shown = figures.grid.strips[2].frames[6].values;
    IM_CHECK_EQ(shown.size(), b.weights.size());
    for (std::size_t i = 0; i < shown.size(); ++i)
      IM_CHECK_EQ(shown[i], b.weights[i] - a.weights[i]);
    // One range for all n, about 0, in diverging colours; the weights keep theirs.
    float largest = 0;
    for (const Heatmap& map : figures.grid.strips[2].frames) {
      for (const float value : map.values)
        largest = std::max(largest, std::abs(value));
    }
    IM_CHECK_EQ(figures.differences.high, symmetric_limit(largest));
    IM_CHECK_EQ(figures.differences.low, -figures.differences.high);
    IM_CHECK_EQ(figures.grid.low, 0);
    IM_CHECK_EQ(figures.grid.high, 1);
    context->ItemClick("**/Difference");
    context->Yield(3);
    IM_CHECK_EQ(driver.lab().panels().compared->grid.strips.size(), 2U);
    context->ItemClick("**/Unpin");
    context->Yield(3);
    IM_CHECK(app.comparison == nullptr);
    IM_CHECK(driver.lab().panels().compared == nullptr);
  });
}

TEST(ComparisonWindow, TrainingLeavesAAsItIs) {
  GuiDriver driver(kWindowSize);
  AppState& app = driver.app();
  driver.run([&](ImGuiTestContext* context) {
    context->ItemClick("**/New seed");
    IM_CHECK(driver.wait_for(context, [&] { return app.status.seed == 2; }));
    IM_CHECK(driver.wait_for(context, [&] { return app.head.run == app.status.run; }));
    context->KeyPress(ImGuiKey_B);
    const std::int64_t step = app.comparison->a.status.step;
    context->KeyPress(ImGuiKey_Space);
    IM_CHECK(driver.trains_to(context, step + 30));
    context->KeyPress(ImGuiKey_Space);
    IM_CHECK(driver.wait_for(context, [&] { return app.status.phase == RunPhase::kPaused; }));
    IM_CHECK(compared(driver, context));
    const ViewSnapshot& a = *app.comparison->a.snapshot;
    IM_CHECK(std::ranges::all_of(a.frame_step, [&](std::int64_t each) { return each == step; }));
    IM_CHECK(std::ranges::all_of(a.row_step, [&](std::int64_t each) { return each == step; }));
    IM_CHECK(what_differs(app).starts_with("step "));
    IM_CHECK(app.snapshot->step > step);
  });
}

// The numbers of a row of "At n": A, B and B − A, NaN where none is shown.
struct ShownRow {
  ShownRow(const GuiDriver& driver, const std::string& label)
      : a(number(driver.shown("softmax", label + ", A"))),
        b(number(driver.shown("softmax", label + ", B"))),
        difference(number(driver.shown("softmax", label + ", B − A"))) {}

  double a;
  double b;
  double difference;
};

// "A 15.8, B 15.6, B − A +3.1" was shown while sets were being counted, and A began anew from none.
TEST(ComparisonWindow, TheThreeNumbersOfARowAgreeFromTheMomentOfPinningOn) {
  GuiDriver driver(kWindowSize);
  AppState& app = driver.app();
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    const auto row_is_there = [&] { return frame_at(app, 1024).row_current; };
    IM_CHECK(driver.wait_for(context, row_is_there));
    int differences = 0;
    const auto rows_agree = [&] {
      for (const char* label : {"accuracy (%)", "weight on max", "entropy H"}) {
        const ShownRow row(driver, label);
        if (std::isnan(row.difference)) continue;
        ++differences;
        // The numbers are shown with the digits of single precision.
        IM_CHECK_LT(std::abs(row.difference - (row.b - row.a)), 1e-4);
      }
    };
    context->KeyPress(ImGuiKey_B);
    IM_CHECK(app.comparison != nullptr);
    context->Yield();
    const ShownRow first(driver, "accuracy (%)");
    IM_CHECK_EQ(first.a, first.b);
    IM_CHECK_STR_EQ(present_text(app).c_str(), "does not differ from A");
    context->KeyPress(ImGuiKey_Space);
    IM_CHECK(driver.wait_for(
        context,
        [&] {
          rows_agree();
          const ComparedPairs* pairs = present_pairs(app);
          return pairs != nullptr && pairs->version > app.comparison->a.head.version;
        },
        200));
    context->KeyPress(ImGuiKey_Space);
    IM_CHECK(driver.wait_for(context, [&] { return app.status.phase == RunPhase::kPaused; }));
    IM_CHECK(driver.wait_for(
        context,
        [&] {
          rows_agree();
          return !std::isnan(ShownRow(driver, "accuracy (%)").difference);
        },
        200));
    IM_CHECK_GT(differences, 0);
  });
}

// Without a step of B the plots were empty, though A has many.
TEST(ComparisonWindow, TheCurvesOfAStayBesideARunWithoutAStep) {
  GuiDriver driver(kWindowSize);
  AppState& app = driver.app();
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->KeyPress(ImGuiKey_B);
    context->ItemClick("**/New seed");
    IM_CHECK(driver.wait_for(context, [&] { return app.head.state->seed == 2; }));
    context->Yield(3);
    std::string text = text_on_screen(context);
    IM_CHECK(text.find("Loss of 128 sets of 16 items, log scale; B has no step yet") !=
             std::string::npos);
    IM_CHECK(text.find("100 000", text.find("Training accuracy")) != std::string::npos);  // steps
    context->ItemClick("**/Step");
    IM_CHECK(driver.wait_for(context, [&] { return app.history.size() == 1; }));
    context->Yield(3);
    text = text_on_screen(context);
    IM_CHECK(text.find("B has no step yet") == std::string::npos);
  });
}

TEST(ComparisonWindow, AnExperimentShowsBoth) {
  GuiDriver driver(kWindowSize);
  AppState& app = driver.app();
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->KeyPress(ImGuiKey_B);
    app.view.theta = 0.5;
    app.view.view = kBoundsView;
    const auto figure = [&] { return app.comparison->pictures.experiment(app, kBoundsView); };
    IM_CHECK(driver.wait_for(
        context,
        [&] {
          const ExperimentState& a = app.comparison->a.experiments.of(kBoundsView);
          const ExperimentState& b = app.experiments.of(kBoundsView);
          return a.update.phase == ExperimentPhase::kDone &&
                 b.update.phase == ExperimentPhase::kDone && figure() != nullptr;
        },
        200));
    context->Yield(3);
    const LinePlot& plot = figure()->plots[0];
    IM_CHECK(std::ranges::any_of(plot.series, [](const Series& series) {
      return series.name.starts_with("A: ") && series.line == LineStyle::kDashed;
    }));
    const std::string& said = figure()->sentence.text();
    IM_CHECK(said.starts_with("A and B: ") || said.starts_with("A: "));
    IM_CHECK(said.find("B: The mean largest weight goes from") != std::string::npos);
    IM_CHECK(std::ranges::any_of(figure()->plots.back().lines, [](const ReferenceLine& line) {
      return line.label == "A: bf16";
    }));
    const Figure exported = *figure_snapshots(app).at(0).figure;
    IM_CHECK_EQ(exported.plots[0].series.size(), plot.series.size());
    IM_CHECK(exported.sentence.text().starts_with("A: seed 1, step 100\u2009000. B: temperature"));
  });
}

}  // namespace
}  // namespace dispersion
