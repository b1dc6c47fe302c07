// Pictures of what the keyboard brings up: palette, list of keys, ring of the focus.

#include <gtest/gtest.h>

#include <string>

#include "tests/gui/driver.h"
#include "tests/gui/screenshot_folder.h"

namespace dispersion {
namespace {

// Opens the palette and types.
void find(ImGuiTestContext* context, const char* text) {
  context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
  context->Yield(4);
  if (*text != '\0') context->KeyChars(text);
  context->Yield(2);
}

// The palette as it opens, with a value, and with nothing found; the list of keys; the ring.
void show_all(GuiDriver& driver, ImGuiTestContext* context, const std::string& kind, Size size) {
  context->MouseMoveToPos({5, 5});
  IM_CHECK(driver.wait_for_picture(context));
  find(context, "");
  write("palette" + kind, driver.grab(context), size);
  context->KeyPress(ImGuiKey_Escape);
  find(context, "temperature 0,5");
  write("palette_value" + kind, driver.grab(context), size);
  context->KeyPress(ImGuiKey_Escape);
  find(context, "xyzzy");
  write("palette_nothing" + kind, driver.grab(context), size);
  context->KeyPress(ImGuiKey_Escape);
  context->KeyPress(ImGuiKey_F1);
  write("keys" + kind, driver.grab(context), size);
  context->KeyPress(ImGuiKey_F1);
  for (int i = 0; i < 6; ++i) {
    context->KeyPress(ImGuiKey_Tab);
    context->Yield(2);
  }
  write("focus" + kind, driver.grab(context), size);
  context->KeyPress(ImGuiKey_Escape);
}

TEST(Screenshots, Keyboard) {
  const Size size = {1440, 900};
  GuiDriver driver(size);
  driver.run([&](ImGuiTestContext* context) {
    driver.app().view.theme = Theme::kDark;
    show_all(driver, context, "_dark", size);
    driver.app().view.theme = Theme::kLight;
    show_all(driver, context, "_light", size);
  });
}

TEST(Screenshots, KeyboardInASmallWindow) {
  const Size size = {1024, 600};
  GuiDriver driver(size);
  driver.run([&](ImGuiTestContext* context) { show_all(driver, context, "_1024x600", size); });
}

TEST(Screenshots, KeyboardInLargeType) {
  const Size size = {1280, 720};
  GuiDriver driver(size);
  driver.run([&](ImGuiTestContext* context) {
    driver.app().view.ui_scale = 3;
    context->Yield(3);
    show_all(driver, context, "_300_percent", size);
  });
}

}  // namespace
}  // namespace dispersion
