// The table of actions, the search in it, and numbers as a person types them.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/panels/action_search.h"
#include "app/panels/actions_table.h"
#include "app/panels/number_entry.h"

namespace dispersion {
namespace {

std::vector<Action> all_actions() {
  AppState app;
  app.experiments.views = window_views();
  app.status.backend = "CPU";
  return actions(app, PanelState());
}

TEST(Actions, HaveIdsAndNamesOfTheirOwnAndNoChordTwice) {
  std::set<std::string> ids;
  std::set<std::string> names;
  std::set<ImGuiKeyChord> chords;
  for (const Action& action : all_actions()) {
    EXPECT_TRUE(ids.insert(action.id).second) << action.id;
    EXPECT_TRUE(names.insert(action.group + "/" + action.name).second) << action.name;
    EXPECT_TRUE(action.act || action.number) << action.id << " does nothing";
    EXPECT_LE(action.shown_chords, std::max<int>(1, static_cast<int>(action.chords.size())));
    for (const ImGuiKeyChord chord : action.chords)
      EXPECT_TRUE(chords.insert(chord).second) << chord_text(chord) << " of " << action.id;
  }
  EXPECT_GT(ids.size(), 80U);
}

TEST(Actions, NameTheirKeys) {
  const std::vector<Action> all = all_actions();
  EXPECT_EQ(chords_text(*find_action(all, "size.double")), "→   ↑");
  EXPECT_EQ(chords_text(*find_action(all, "figure.copy_picture")), "Ctrl Shift C");
  EXPECT_EQ(chords_text(*find_action(all, "window.larger")), "Ctrl +");
  EXPECT_EQ(chords_text(*find_action(all, "recipe.start")), "");
}

TEST(Actions, TheRuleOfThePaperWasFittedToNoHead) {
  AppState app;
  app.view.rule.gate = 1;
  app.view.rule_origin = {"seed 3, step 5", "abc"};
  Session session(only_backend([] { return std::unique_ptr<Backend>(); }), {}, "", [] {});
  PanelState state;
  run_action({app, session, state}, "attention.paper_rule");
  EXPECT_TRUE(app.view == ViewSettings());
}

std::string first(const std::vector<Action>& all, const char* typed) {
  const std::vector<FoundAction> found = find_actions(all, typed);
  return found.empty() ? "" : found.front().action->id;
}

TEST(ActionSearch, FindsByWordsLettersAndSpellings) {
  const std::vector<Action> all = all_actions();
  EXPECT_EQ(first(all, "export"), "figure.export");
  EXPECT_EQ(first(all, "step one"), "run.step");
  EXPECT_EQ(first(all, "n 16384"), "size.16384");
  EXPECT_EQ(first(all, "theta"), "attention.theta");
  EXPECT_EQ(first(all, "lerat"), "recipe.learning rate");  // letters with others between them
  EXPECT_EQ(first(all, "xyzzy"), "");
  EXPECT_EQ(find_actions(all, "").size(),
            static_cast<std::size_t>(std::ranges::count_if(all, &Action::available)));
}

TEST(ActionSearch, MarksWhatWasTyped) {
  const std::vector<Action> all = all_actions();
  const FoundAction found = find_actions(all, "save").front();
  EXPECT_EQ(found.action->name, "Save the head");
  EXPECT_EQ(found.matched, (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(ActionSearch, TakesTheNumberAtTheEnd) {
  const std::vector<Action> all = all_actions();
  const FoundAction found = find_actions(all, "temperature 0,5").front();
  EXPECT_EQ(found.action->id, "attention.theta");
  EXPECT_EQ(found.number, 0.5);
  EXPECT_EQ(find_actions(all, "seed 7").front().number, 7);
  EXPECT_FALSE(find_actions(all, "temperature").front().number.has_value());
}

TEST(NumberEntry, ReadsBothDecimalSignsAndGroups) {
  const auto value = [](const char* text) { return read_number(text, false).value; };
  EXPECT_EQ(value("0,5"), 0.5);
  EXPECT_EQ(value(" 0.5 "), 0.5);
  EXPECT_EQ(value("-0,05"), -0.05);
  EXPECT_EQ(value("1e-3"), 1e-3);
  EXPECT_EQ(value("1,5e2"), 150);
  EXPECT_EQ(value("1,000,000"), 1'000'000);
  EXPECT_EQ(value("1,234.5"), 1234.5);
  EXPECT_EQ(value("1.234,5"), 1234.5);
  EXPECT_EQ(value("16 384"), 16384);
  EXPECT_EQ(value("16\u2009384"), 16384);
  EXPECT_EQ(value("0,125"), 0.125);  // a group does not begin with 0
  EXPECT_EQ(value("1.125"), 1.125);
  for (const char* text :
       {"", "x", "1 2", "1,2,3", "1,,5", ",", "nan", "inf", "1e999", "0x10", "-"})
    EXPECT_FALSE(value(text)) << text;
}

TEST(NumberEntry, RefusesWhatIsNotClearWithAHint) {
  EXPECT_EQ(read_number("1,000", false).hint, "write 1000 or 1.0");
  EXPECT_FALSE(read_number("1,000", false).value);
  EXPECT_EQ(read_number("100,000", true).hint, "write 100000");
  EXPECT_EQ(read_number("0,5", true).hint, "whole numbers, no points");
  EXPECT_EQ(read_number("100.000", true).hint, "whole numbers, no points");
  EXPECT_EQ(read_number("16 384", true).value, 16384);
  EXPECT_EQ(read_number("1,000,000", true).value, 1'000'000);
}

}  // namespace
}  // namespace dispersion
