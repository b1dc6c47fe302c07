#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "app/export/figure_file.h"
#include "app/session/app_state.h"
#include "app/session/export_settings.h"
#include "app/session/export_state.h"
#include "tests/core/temporary_folder.h"
#include "tests/session/named_views.h"

namespace dispersion {

inline Figure a_figure() {
  Figure figure;
  figure.name = "spread";
  figure.title = "A curve";
  LinePlot plot;
  plot.title = "y against x";
  plot.x = {"x", false, 0, 1, {{0, "0"}, {1, "1"}}};
  plot.y = plot.x;
  plot.series.push_back({"y", ColourRole::kBaseline, {0, 0.5, 1}, {0, 0.25, 1}, {}, {}});
  figure.plots.push_back(plot);
  figure.provenance = {{"program", "dispersion_lab"}, {"seed", "1"}};
  return figure;
}

// The export dialog without a window, over a view that shows one figure.
class ExportStateTest : public testing::Test {
 protected:
  ExportStateTest() {
    ExperimentResult result;
    result.figure = a_figure();
    app_.view.view = kSpreadView;
    app_.experiments.of(kSpreadView).result = std::make_shared<const ExperimentResult>(result);
    clipboards_.put_text = [this](const std::string& text) { text_ = text; };
    clipboards_.put_image = [this](const std::shared_ptr<const std::string>& png) {
      if (takes_images_) image_ = *png;
      return takes_images_;
    };
  }

  // Turns of the window until it holds, for as long as a very slow machine may need.
  testing::AssertionResult until(const std::function<bool()>& true_now) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < limit) {
      receive_export(app_, worker_, clipboards_);
      update_export(app_, worker_, now_ += 0.01);
      if (true_now()) return testing::AssertionSuccess();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return testing::AssertionFailure() << "still waiting; " << exporting_.notice;
  }
  testing::AssertionResult answered() {
    return until([&] { return exporting_.underway == 0 && !exporting_.save; });
  }

  void open(const std::string& path) {
    open_export(app_);
    exporting_.settings.path = path;
    path_typed(exporting_);
  }

  std::string expected(const FigureFormat& format) const {
    const FigureSnapshot& shown = *exporting_.figure();
    return carrying_bytes(*shown.figure, format, export_render_options(exporting_.settings, shown));
  }

  TemporaryFolder folder_;
  AppState app_;
  ExportState& exporting_ = app_.exporting;
  ExportWorker worker_{[] {}};
  Clipboards clipboards_;
  std::string text_, image_;
  bool takes_images_ = true;
  double now_ = 100;
};

}  // namespace dispersion
