#pragma once

#include "app/session/app_state.h"
#include "tests/session/session_fixture.h"

namespace dispersion {

// A session whose news go into the state of a window. (SessionTest::arrives() would take what
// receive() is to get.)
class AppSessionTest : public SessionTest {
 protected:
  testing::AssertionResult reaches(const std::function<bool()>& true_now) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < limit) {
      receive(app_, *session_);
      if (true_now()) return testing::AssertionSuccess();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return testing::AssertionFailure() << "still waiting at step " << app_.status.step;
  }

  AppState app_;
};

}  // namespace dispersion
