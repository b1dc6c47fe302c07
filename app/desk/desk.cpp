#include "app/desk/desk.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/attention/rule_shape.h"
#include "core/experiment/size_table.h"

namespace dispersion {
namespace {

// Beyond this a polynomial of the entropy is nonsense, and its products leave the range of floats.
constexpr double kLargestCoefficient = 1e6;

// History begins anew with every run; what is left of an older one is dropped.
void follow_run(Desk& desk, std::uint64_t run) {
  if (run <= desk.history_run) return;
  desk.history_run = run;
  desk.history.clear();
}

void add_records(Desk& desk, const std::vector<RunRecord>& records) {
  for (const RunRecord& record : records) {
    follow_run(desk, record.run);
    if (record.run < desk.history_run) continue;
    // A run that went back to its last good state does some steps again.
    while (!desk.history.empty() && desk.history.back().step >= record.record.step) {
      desk.history.pop_back();
    }
    desk.history.push_back(record.record);
  }
}

double put_right(double value, double before, double low, double high) {
  return std::isfinite(value) ? std::clamp(value, low, high) : before;
}

void put_right(ViewSettings& settings, const AttentionMap& before) {
  settings.theta = put_right(settings.theta, before.theta, kLowestTheta, kHighestTheta);
  for (std::size_t i = 0; i < settings.rule.coefficients.size(); ++i) {
    settings.rule.coefficients[i] =
        put_right(settings.rule.coefficients[i], before.rule.coefficients[i], -kLargestCoefficient,
                  kLargestCoefficient);
  }
  settings.rule.gate =
      put_right(settings.rule.gate, before.rule.gate, -kLargestCoefficient, kLargestCoefficient);
  if (settings.rule.guarded) settings.rule = guarded_rule(settings.rule);
}

}  // namespace

bool Desk::stale() const {
  return !shown || shown->revision < requested_revision;
}

void add_report(Desk& desk, Report report) {
  desk.reports.push_back(std::move(report));
  if (desk.reports.size() > kReportsKept) desk.reports.erase(desk.reports.begin());
}

bool receive(Desk& desk, Session& session) {
  std::optional<RunStatus> status = session.take_status();
  std::shared_ptr<const ViewSnapshot> view = session.take_view();
  std::optional<HeadVersion> head = session.take_head();
  const std::vector<RunRecord> records = session.take_records();
  std::vector<Report> reports = session.take_reports();
  const bool changed = status || view || head || !records.empty() || !reports.empty();
  if (status) {
    follow_run(desk, status->run);
    desk.status = *std::move(status);
  }
  if (head) desk.head = *std::move(head);
  if (view) desk.shown = std::move(view);
  add_records(desk, records);
  for (Report& report : reports)
    add_report(desk, std::move(report));
  return changed;
}

void send_changes(Desk& desk, Session& session, bool visible) {
  put_right(desk.view, desk.requested ? desk.requested->adaptive : AttentionMap());
  ViewRequest request;
  request.revision = desk.requested_revision;
  request.plain = plain_map(desk.view);
  request.adaptive = adaptive_map(desk.view);
  request.sizes = doubling_sizes();
  request.visible = visible;
  // Where the focus lies only changes what comes first, not the picture: no new revision.
  request.focused_items = desk.requested ? desk.requested->focused_items : 0;
  const bool same_picture = desk.requested == request;
  if (same_picture && request.focused_items == desk.view.focused_items) return;
  request.focused_items = desk.view.focused_items;
  if (!same_picture) request.revision = ++desk.requested_revision;
  desk.requested = request;
  session.request(std::move(request));
}

}  // namespace dispersion
