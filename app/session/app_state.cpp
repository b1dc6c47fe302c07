#include "app/session/app_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/session/training_stop.h"
#include "core/attention/rule_shape.h"
#include "core/experiment/size_table.h"

namespace dispersion {
namespace {

// Larger coefficients make no sense, and their products would leave the range of floats.
constexpr double kLargestCoefficient = 1e6;

// Begins a new history when the records are those of a newer run.
void follow_run(AppState& app, std::uint64_t run) {
  if (run <= app.history_run) return;
  app.history_run = run;
  app.history.clear();
}

void add_records(AppState& app, const std::vector<RunRecord>& records) {
  for (const RunRecord& record : records) {
    follow_run(app, record.run);
    if (record.run < app.history_run) continue;
    // A run that went back to its last good state repeats some steps.
    while (!app.history.empty() && app.history.back().step >= record.record.step) {
      app.history.pop_back();
    }
    app.history.push_back(record.record);
  }
}

double put_right(double value, double before, double low, double high) {
  return std::isfinite(value) ? std::clamp(value, low, high) : before;
}

// Puts the settings of a transform into the ranges of its definition.
void put_right(AttentionTransform& transform) {
  const TransformDefinition& definition = transform_definition(transform.id);
  for (std::size_t i = 0; i < definition.settings.size(); ++i) {
    const TransformSetting& setting = definition.settings[i];
    double& value = transform.settings[i];
    value = put_right(value, setting.usual, setting.low, setting.high);
    if (setting.whole) value = std::round(value);
  }
}

// The temperature and the rule in the last request.
AttentionTransform last_asked(const AppState& app) {
  AttentionTransform asked;
  if (!app.requested) return asked;
  for (const AttentionTransform& transform : app.requested->transforms) {
    const TransformDefinition& definition = transform_definition(transform.id);
    if (definition.has_theta) asked.theta = transform.theta;
    if (definition.has_rule) asked.rule = transform.rule;
  }
  return asked;
}

void put_right(ViewSettings& settings, const AttentionTransform& before) {
  for (TransformChoice& choice : settings.choices)
    put_right(choice.transform);
  settings.theta = put_right(settings.theta, before.theta, kLowestTheta, kHighestTheta);
  for (std::size_t i = 0; i < settings.rule.coefficients.size(); ++i) {
    settings.rule.coefficients[i] =
        put_right(settings.rule.coefficients[i], before.rule.coefficients[i], -kLargestCoefficient,
                  kLargestCoefficient);
  }
  settings.rule.gate =
      put_right(settings.rule.gate, before.rule.gate, -kLargestCoefficient, kLargestCoefficient);
  // A rule fitted to samples brings along from where on it is held.
  if (settings.rule.guarded && !(settings.rule.peak > 0))
    settings.rule = guarded_rule(settings.rule);
}

}  // namespace

bool AppState::stale() const {
  return !snapshot || snapshot->revision < requested_revision;
}

void add_report(AppState& app, Report report) {
  if (!report.saved.empty()) app.saved = report.saved;
  app.reports.push_back(std::move(report));
  ++app.reports_added;
  if (app.reports.size() > kReportsKept) app.reports.erase(app.reports.begin());
}

bool receive(AppState& app, Session& session) {
  std::optional<RunStatus> status = session.take_status();
  std::shared_ptr<const ViewSnapshot> view = session.take_view();
  std::optional<HeadVersion> head = session.take_head();
  const std::vector<RunRecord> records = session.take_records();
  std::vector<Report> reports = session.take_reports();
  const auto bookmarks = session.take_bookmarks();
  const bool changed = status || view || head || !records.empty() || !reports.empty() || bookmarks;
  if (status) {
    follow_run(app, status->run);
    const bool other_run = status->open_run != app.status.open_run;
    app.status = *std::move(status);
    if (other_run) follow_stop(app);
  }
  if (head) app.head = *std::move(head);
  if (view) app.snapshot = std::move(view);
  if (bookmarks) app.bookmarks = bookmarks;
  add_records(app, records);
  for (Report& report : reports) {
    if (!report.file.empty()) app.files.used.push_back(report.file);
    add_report(app, std::move(report));
  }
  return changed;
}

void send_changes(AppState& app, Session& session, bool visible) {
  put_right(app.view, last_asked(app));
  ViewRequest request;
  request.revision = app.requested_revision;
  request.transforms = computed_transforms(app.view);
  request.sizes = doubling_sizes();
  request.visible = visible;
  // The focused size decides what is computed first and does not change the picture, so that a new
  // focus makes no new revision.
  request.focused_items = app.requested ? app.requested->focused_items : 0;
  const bool same_picture = app.requested == request;
  if (same_picture && request.focused_items == app.view.focused_items) return;
  request.focused_items = app.view.focused_items;
  if (!same_picture) request.revision = ++app.requested_revision;
  app.requested = request;
  session.request(std::move(request));
}

}  // namespace dispersion
