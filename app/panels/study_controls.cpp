#include "app/panels/study_controls.h"

#include <cmath>
#include <string>

#include "app/panels/fields.h"
#include "app/panels/study_settings_panel.h"
#include "app/panels/widgets.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

// Rounded so that it does not jump with every look.
std::string duration_text(double seconds) {
  if (seconds < 10) return fixed_text(seconds, 1) + " s";
  if (seconds < 90) return fixed_text(seconds, 0) + " s";
  return fixed_text(seconds / 60, seconds < 600 ? 1 : 0) + " min";
}

std::string left_text(double seconds) {
  if (seconds < 0) return "";
  if (seconds < 20) return ", about " + fixed_text(std::ceil(seconds), 0) + " s left";
  if (seconds < 90) return ", about " + fixed_text(5 * std::ceil(seconds / 5), 0) + " s left";
  return ", about " + fixed_text(std::ceil(seconds / 60), 0) + " min left";
}

void draw_buttons(StudyState& study, Painter& painter) {
  const float width = ImGui::GetContentRegionAvail().x;
  if (study.busy()) {
    if (push_button(painter, "Stop###study", ButtonKind::kPlain, width,
                    "Stops the computation. What is there already stays, and it goes on where it "
                    "can.")) {
      study.stop = true;
    }
    return;
  }
  const bool failed = study.news.phase == StudyPhase::kFailed;
  if (!study.held && !failed) return;
  if (push_button(painter, failed ? "Try again###study" : "Go on###study", ButtonKind::kPrimary,
                  width, ""))
    study.go = true;
}

}  // namespace

std::string study_progress_text(const StudyState& study) {
  const StudyNews& news = study.news;
  const std::string percent = fixed_text(std::floor(100 * news.share), 0) + " %";
  if (study.held) return "stopped at " + percent;
  switch (news.phase) {
    case StudyPhase::kWaiting:
      return study.asked == 0 ? "not begun" : "waiting";
    case StudyPhase::kRunning:
      return percent + left_text(news.seconds_left);
    case StudyPhase::kDone:
      return news.seconds < 0.1 ? "done" : "done, " + duration_text(news.seconds);
    case StudyPhase::kStopped:
      return "stopped at " + percent;
    case StudyPhase::kFailed:
      break;
  }
  return "failed";
}

void draw_study_controls(AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  const ViewName& name = view_name(app.view.view);
  StudyState& study = app.studies.of(app.view.view);
  section_title(painter, name.name);
  flow_text(painter, TextStyle::kSmall, painter.palette->muted, name.help);
  gap(painter, 2);
  draw_study_settings(app, painter);
  gap(painter, 8);
  section_title(painter, "Computation");
  value_row(painter, {"state",
                      study_progress_text(study),
                      plain_number(study.news.share),
                      {},
                      "Studies are computed beside the training, on a thread of their own.",
                      "as a share of 1"});
  progress_line(painter, study.news.phase == StudyPhase::kDone ? 1 : study.news.share);
  gap(painter, 2);
  draw_buttons(study, painter);
}

}  // namespace dispersion
