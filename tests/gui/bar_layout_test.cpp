// What gives way when a bar has no room for all its items.

#include "app/panels/bar_layout.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace dispersion {
namespace {

constexpr float kSpacing = 6;
constexpr float kMenu = 30;
constexpr std::array<BarItem, 4> kItems = {{{50, 3}, {60, 1}, {40, 4}, {70, 2}}};
constexpr float kWhole = 50 + 60 + 40 + 70 + 3 * kSpacing;

std::vector<bool> shown(float room) {
  return items_in_bar(kItems, room, kSpacing, kMenu);
}

TEST(BarLayout, ShowsEverythingThatFits) {
  EXPECT_EQ(shown(kWhole), (std::vector<bool>{true, true, true, true}));
  EXPECT_EQ(items_in_bar({}, 0, kSpacing, kMenu), std::vector<bool>());
}

TEST(BarLayout, TheLeastImportantGiveWayFirstAndKeepRoomForTheMenu) {
  EXPECT_EQ(shown(kWhole - 1), (std::vector<bool>{true, false, true, true}));
  const float three = 50 + 40 + 70 + 2 * kSpacing + kSpacing + kMenu;
  EXPECT_EQ(shown(three), (std::vector<bool>{true, false, true, true}));
  EXPECT_EQ(shown(three - 1), (std::vector<bool>{true, false, true, false}));
  EXPECT_EQ(shown(40 + kSpacing + kMenu), (std::vector<bool>{false, false, true, false}));
}

TEST(BarLayout, ANarrowBarHasTheMenuAlone) {
  for (const float room : {0.0F, 1.0F, 40.0F, -100.0F})
    EXPECT_EQ(shown(room), (std::vector<bool>{false, false, false, false}));
}

// What is shown never needs more room than there is, with the menu where something is missing.
TEST(BarLayout, NeverNeedsMoreThanItsRoom) {
  for (float room = kMenu; room < kWhole + 50; room += 1) {
    const std::vector<bool> in_bar = shown(room);
    float used = 0;
    int count = 0;
    for (std::size_t i = 0; i < kItems.size(); ++i) {
      if (!in_bar[i]) continue;
      used += kItems[i].width;
      ++count;
    }
    const bool menu = count < static_cast<int>(kItems.size());
    const int gaps = count - 1 + (menu ? 1 : 0);
    EXPECT_LE(used + (menu ? kMenu : 0) + kSpacing * static_cast<float>(gaps), room) << room;
  }
}

}  // namespace
}  // namespace dispersion
