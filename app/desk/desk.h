#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/desk/messages.h"
#include "app/desk/session.h"
#include "app/desk/settings.h"

namespace dispersion {

// Everything the window shows and the person has set. Panels read it, edit the settings in it and send
// commands through the session; they keep no state of their own.
struct Desk {
  ViewSettings view;
  RunSettings run;      // edited by the recipe panel, sent by "New run"
  RunStatus status;     // newest from the worker
  std::shared_ptr<const ViewSnapshot> shown;  // newest from the worker; null at first
  std::vector<StepRecord> history;            // of this run, oldest first
  std::vector<Report> reports;                // newest last
  std::uint64_t requested_revision = 0;
  // What is under the pointer on the heat maps; items == 0: nothing.
  struct Pointer {
    MapKind map = MapKind::kSoftmax;
    int items = 0;
    int set = 0;
    int column = 0;
  } pointer;

  bool stale() const;  // the picture shown is older than what was asked for
};

// Takes the worker's news into the desk. Returns whether anything changed.
bool receive(Desk& desk, Session& session);

// Sends a ViewRequest when a setting that matters to the worker changed since the last one.
void send_changes(Desk& desk, Session& session, bool visible);

}  // namespace dispersion
