#include "tests/monkey/act.h"

#include <gtest/gtest.h>

#include <set>

namespace dispersion::monkey {
namespace {

TEST(MonkeyActs, AreTheSameForASeedAndReadBack) {
  fuzz::Random one(5);
  fuzz::Random other(5);
  std::set<std::string_view> kinds;
  for (int i = 0; i < 2000; ++i) {
    const Act act = next_act(one);
    EXPECT_EQ(act_text(next_act(other)), act_text(act));
    const std::optional<Act> read = read_act(act_text(act) + " what was done");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->kind, act.kind);
    EXPECT_EQ(read->dice, act.dice);
    kinds.insert(act.kind->name);
  }
  for (const char* name : {"click", "drag", "key", "resize", "paste", "drop", "backend", "undo",
                           "compare", "bookmark", "panes", "palette", "state", "rest", "restart"})
    EXPECT_TRUE(kinds.contains(name)) << name;
}

TEST(MonkeyActs, AreNotReadFromWhatIsNone) {
  for (const char* line : {"", "click", "clack 3", "click x", "click 3x", " 3"})
    EXPECT_FALSE(read_act(line)) << line;
}

}  // namespace
}  // namespace dispersion::monkey
