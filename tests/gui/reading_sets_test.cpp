// Numbers in the window say of how many sets they are.

#include <gtest/gtest.h>

#include <cstdint>
#include <regex>
#include <string>

#include "app/session/frame_at.h"
#include "app/session/state_snapshot.h"
#include "app/session/view_grid.h"
#include "tests/gui/driver.h"
#include "tests/gui/screen_text.h"

namespace dispersion {
namespace {

// "2 048", with a plain space.
std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  for (int i = static_cast<int>(text.size()) - 3; i > 0; i -= 3)
    text.insert(static_cast<std::size_t>(i), " ");
  return text;
}

// Means of the sets on the heat maps and of those that were counted differ, so each says of which
// it is, at every width and while it trains.
TEST(ReadingSets, EveryMeanTellsOfHowManySetsItIs) {
  for (const Size size : {Size{1280, 800}, Size{1024, 600}, Size{1600, 1000}}) {
    SCOPED_TRACE(size.width);
    GuiDriver driver(size);
    driver.run([&](ImGuiTestContext* context) {
      AppState& app = driver.app();
      IM_CHECK(driver.wait_for(context,
                               [&] { return app.snapshot && is_final(*app.snapshot, app.head); }));
      driver.lab().panels().column_shows_focused_size = true;
      context->Yield(2);
      std::string text = text_on_screen(context);
      const auto says = [&](const std::string& words) {
        EXPECT_NE(text.find(words), std::string::npos) << words << " is not in\n" << text;
      };
      const SizeRow& shown = *frame_at(app, app.view.focused_items).plain_row();
      const std::string sets = grouped(shown.sets) + " sets";
      says("of these 32 sets");
      says("Of " + sets + "; the heat maps show 32 sets of their own.");
      const std::regex counted("% of ([0-9 ]+ to )?[0-9 ]+ sets");
      EXPECT_TRUE(std::regex_search(text, counted)) << text;
      context->KeyPress(ImGuiKey_Space);
      IM_CHECK(driver.wait_for(context, [&] { return app.history.size() > 30; }));
      text = text_on_screen(context);
      EXPECT_TRUE(std::regex_search(text, counted)) << text;
    });
  }
}

// In a small pane the long words lay over the name of the transform.
TEST(ReadingSets, TheNameOfTheNumbersBelowMapsIsAsLongAsThereIsRoom) {
  GuiDriver driver({1024, 600});
  driver.run([&](ImGuiTestContext* context) {
    set_shape(driver.app().view, GridShape::kFour);
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().snapshot != nullptr; }));
    context->Yield(3);
    const std::string text = text_on_screen(context);
    EXPECT_NE(text.find("below: weight on max of these 32 sets"), std::string::npos) << text;
    EXPECT_EQ(text.find("below each"), std::string::npos) << text;
  });
}

}  // namespace
}  // namespace dispersion
