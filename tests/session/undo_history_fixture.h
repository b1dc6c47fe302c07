#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/session/app_state.h"
#include "app/session/undo_history.h"

namespace dispersion {

// A history of undo without a worker: the test says what that would report.
class UndoHistoryTest : public testing::Test {
 protected:
  void SetUp() override { history_.follow(app_, true); }

  // What was undone or done again; empty: nothing.
  std::string undo() {
    const std::size_t before = history_.undone().size();
    history_.ask(1);
    history_.follow(app_, true);
    return history_.undone().size() > before ? history_.undone().back().what : "";
  }
  std::string redo() {
    const std::size_t before = history_.done().size();
    history_.ask(-1);
    history_.follow(app_, true);
    return history_.done().size() > before ? history_.done().back().what : "";
  }
  // The worker reports this run, while the others can be returned to.
  void open_run(std::uint64_t run, std::vector<std::uint64_t> others, std::string began = "") {
    app_.status.open_run = run;
    app_.status.other_runs = std::move(others);
    app_.status.began = std::move(began);
  }
  // A new run, 2, has taken the place of run 1.
  void replace_run() {
    open_run(1, {});
    history_.follow(app_, true);
    open_run(2, {1}, "new run, seed 2");
    history_.follow(app_, true);
  }

  AppState app_;
  UndoHistory history_;
};

}  // namespace dispersion
