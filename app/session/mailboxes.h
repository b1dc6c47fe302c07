#pragma once

#include <memory>

#include "app/session/mailbox.h"
#include "app/session/messages.h"

namespace dispersion {

// All that passes between the window's thread and the worker's.
struct Mailboxes {
  // To the worker; the wake signal says that something lies there.
  Drain<Command> commands;
  Latest<ViewRequest> request;
  WakeSignal wake_signal;
  // From the worker.
  Latest<RunStatus> status;
  Latest<std::shared_ptr<const ViewSnapshot>> view;
  Latest<HeadVersion> head;
  Drain<RunRecord> records;
  Drain<Report> reports;
};

}  // namespace dispersion
