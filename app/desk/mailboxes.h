#pragma once

#include <memory>

#include "app/desk/bell.h"
#include "app/desk/mailbox.h"
#include "app/desk/messages.h"

namespace dispersion {

// All that passes between the window's thread and the worker's.
struct Mailboxes {
  // To the worker; the bell says that something lies there.
  Drain<Command> commands;
  Latest<ViewRequest> request;
  Bell bell;
  // From the worker.
  Latest<RunStatus> status;
  Latest<std::shared_ptr<const ViewSnapshot>> view;
  Latest<HeadVersion> head;
  Drain<RunRecord> records;
  Drain<Report> reports;
};

}  // namespace dispersion
