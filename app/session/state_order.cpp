#include "app/session/state_order.h"

#include <string>
#include <utility>

#include "app/export/provenance.h"
#include "app/session/app_state.h"
#include "app/session/state_snapshot.h"

namespace dispersion {

bool mixes_states(const AppState& app) {
  return app.head.state && (app.stale() || !app.snapshot->complete);
}

bool can_order_state(const AppState& app) {
  return app.requested && app.head.state && app.head.run == app.status.run;
}

StateOrder order_state(const AppState& app) {
  return {at_head(app)};
}

ExperimentRequest state_request(const StateOrder& order, const ViewRequest& request) {
  ExperimentRequest asked;
  asked.head = order.state.head.version;
  asked.job = [head = order.state.head, request, picture = order.picture](
                  ExperimentBackends& backends, const Progress& progress, const ShowFigure&) {
    if (auto done = state_snapshot(backends.backend(), head, request, progress))
      picture->put(std::move(done));
    return ExperimentResult();
  };
  return asked;
}

ShownState ordered_state(const StateOrder& order, const ExperimentResult& result) {
  ShownState state = order.state;
  state.snapshot = order.picture->take().value_or(nullptr);
  // It may be another backend than that of the run.
  const std::string_view backend = provenance_value(result.figure.provenance, "backend");
  if (!backend.empty()) state.status.backend = backend;
  return state;
}

}  // namespace dispersion
