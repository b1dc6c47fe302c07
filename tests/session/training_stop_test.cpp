// At which step training stops where the head is beyond that which the user has set.

#include "app/session/training_stop.h"

#include "tests/session/app_session_fixture.h"
#include "tests/session/undo_history_fixture.h"

namespace dispersion {
namespace {

TEST(TrainingStop, IsNotBeforeTheHeadUnlessTheUserSaysSo) {
  AppState app;
  app.status.steps_before = 100'000;
  EXPECT_EQ(training_stop(app), 100'000);
  EXPECT_EQ(next_stop(app), 200'000);
  app.status.step = 675;
  follow_stop(app);
  EXPECT_EQ(training_stop(app), 100'675);
  EXPECT_EQ(next_stop(app), 200'675);
  app.status.stop_at = 150'000;
  follow_stop(app);
  EXPECT_EQ(training_stop(app), 150'000);
  EXPECT_EQ(next_stop(app), 150'000);
  app.run.stop_at = 100'675;
  follow_stop(app);
  EXPECT_EQ(training_stop(app), 100'675);
  EXPECT_TRUE(user_settings(app).run == app.run);  // and nothing of it is the user's
}

class StopOfRunsTest : public AppSessionTest {};

TEST_F(StopOfRunsTest, IsThatOfEachRun) {
  Session& session = open(weights_only(100'000));
  session.send(PlayCommand{.stop_at = 100'030});
  ASSERT_TRUE(reaches([&] { return app_.status.phase == RunPhase::kFinished; }));
  const std::uint64_t trained = app_.status.open_run;
  session.send(NewRunCommand{.recipe = {}, .seed = 9});
  ASSERT_TRUE(reaches([&] { return app_.status.seed == 9; }));
  EXPECT_EQ(training_stop(app_), 100'000);
  session.send(PlayCommand{.stop_at = 7});
  ASSERT_TRUE(reaches([&] { return app_.status.step == 7; }));
  session.send(SwitchRunCommand{trained});
  ASSERT_TRUE(reaches([&] { return app_.status.open_run == trained; }));
  EXPECT_EQ(training_stop(app_), 100'030);
  session.send(RewindCommand{});
  ASSERT_TRUE(reaches([&] { return app_.status.open_run != trained; }));
  EXPECT_EQ(training_stop(app_), 100'000);
}

class UndoneStopTest : public UndoHistoryTest {};

TEST_F(UndoneStopTest, IsNotBeforeTheHead) {
  app_.run.stop_at = 5;
  history_.note(app_, false);
  app_.run.stop_at = 300;
  history_.note(app_, false);
  app_.status.step = 100;
  undo();
  EXPECT_EQ(app_.run.stop_at, 5);
  EXPECT_EQ(training_stop(app_), 100);
  undo();
  EXPECT_EQ(training_stop(app_), 100'000);
}

}  // namespace
}  // namespace dispersion
