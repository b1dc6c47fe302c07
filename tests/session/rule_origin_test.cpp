// To which head the adaptive rule of the window was fitted.

#include "app/session/rule_origin.h"

#include <gtest/gtest.h>

#include "app/session/app_state.h"
#include "app/session/messages.h"
#include "app/session/state_string.h"
#include "app/session/undo_history.h"
#include "core/figure/trained_steps.h"

namespace dispersion {
namespace {

TEST(RuleOrigin, SaysToWhichHeadAndWhetherItIsTheOpenOne) {
  const RuleOrigin origin =
      rule_origin({{"head", "a file"}, {"seed", "3"}, {"step", "100000"}, {"run_hash", "abc"}});
  RunStatus status;
  status.run_hash = "abc";
  EXPECT_EQ(rule_origin_text(origin, status), "β fitted to seed 3, step 100\u2009000");
  EXPECT_FALSE(of_other_head(origin, status));
  status.run_hash = "abd";
  EXPECT_EQ(rule_origin_text(origin, status),
            "β fitted to seed 3, step 100\u2009000; not this head");
  EXPECT_TRUE(of_other_head(origin, status));
  EXPECT_EQ(rule_origin_text({}, status), "");
  EXPECT_FALSE(of_other_head({}, status));
}

TEST(RuleOrigin, CountsAllStepsOfAHeadThatWasTrainedOn) {
  Provenance told;
  add_trained_steps(told, 3, "100007", 100'000);
  EXPECT_EQ(rule_origin(told).head, "seed 3, step 100\u2009007");
}

TEST(RuleOrigin, OfWeightsAloneIsTheirFile) {
  const RuleOrigin origin = rule_origin({{"head", "x.safetensors"}, {"run_hash", "abc"}});
  EXPECT_EQ(origin.head, "x.safetensors");
}

TEST(RuleOrigin, OfThePapersRuleIsNone) {
  ViewSettings view;
  view.rule.gate = 1;
  view.rule_origin = {"seed 3, step 5", "abc"};
  use_paper_rule(view);
  EXPECT_TRUE(view == ViewSettings());
}

TEST(RuleOrigin, IsUndoneWithTheRuleAndStandsInTheState) {
  AppState app;
  UndoHistory history;
  history.follow(app, true);
  app.view.rule.gate = 1;
  app.view.rule_origin = {"seed 3, step 5", "abc"};
  history.note(app, false);
  const UserSettings fitted = user_settings(app);
  EXPECT_EQ(decode_state(encode_state(fitted, {})).settings.view.rule_origin, app.view.rule_origin);
  history.ask(1);
  history.follow(app, true);
  EXPECT_EQ(app.view.rule_origin, RuleOrigin());
  EXPECT_EQ(app.view.rule, AdaptiveRule());
  history.ask(-1);
  history.follow(app, true);
  EXPECT_TRUE(user_settings(app) == fitted);
  // The head alone counts as a change too: the same rule fitted to another.
  app.view.rule_origin.run_hash = "other";
  history.note(app, false);
  ASSERT_EQ(history.done().size(), 2U);
  history.ask(1);
  history.follow(app, true);
  EXPECT_EQ(app.view.rule_origin.run_hash, "abc");
}

}  // namespace
}  // namespace dispersion
