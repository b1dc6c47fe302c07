// The desktop's own dialog for files, with shell scripts in place of zenity and kdialog.

#include "app/window/desktop_dialog.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "app/panels/file_dialog.h"
#include "tests/core/temporary_folder.h"
#include "tests/gui/driver.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

class DesktopDialogProgram : public testing::Test {
 protected:
  DesktopDialogProgram() : path_(std::getenv("PATH")) {
    // A folder of its own first: the machine may have the real programs.
    ::setenv("PATH", (folder_.path().string() + ":" + path_).c_str(), 1);
    ::unsetenv("XDG_CURRENT_DESKTOP");
  }
  ~DesktopDialogProgram() override { ::setenv("PATH", path_.c_str(), 1); }

  void install(const std::string& script, const std::string& name = "zenity") {
    write_bytes(folder_ / name, "#!/bin/sh\ncd '" + folder_.path().string() + "'\n" + script);
    fs::permissions(folder_ / name, fs::perms::owner_all);
  }

  static std::optional<fs::path> answer(DesktopDialog& dialog) {
    for (int i = 0; i < 3000; ++i) {
      if (auto file = dialog.answer()) return file;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return std::nullopt;
  }

  TemporaryFolder folder_;
  std::string path_;
};

TEST_F(DesktopDialogProgram, IsNotThereWithoutTheProgram) {
  ::setenv("PATH", folder_.path().c_str(), 1);
  EXPECT_FALSE(DesktopDialog::available());
  DesktopDialog dialog;
  EXPECT_FALSE(dialog.show(DesktopDialog::Purpose::kOpen, "/"));
  EXPECT_FALSE(dialog.shown());
  install("", "kdialog");
  EXPECT_TRUE(DesktopDialog::available());
  EXPECT_EQ(desktop_dialog_command(DesktopDialog::Purpose::kOpen, "/").at(0), "kdialog");
}

TEST_F(DesktopDialogProgram, GivesTheFileThatWasChosen) {
  install("printf '%s\\n' \"$@\" >arguments\nprintf '/a b/\\377ü.safetensors\\n'\n");
  DesktopDialog dialog;
  ASSERT_TRUE(dialog.show(DesktopDialog::Purpose::kSave, "/x y/name"));
  EXPECT_EQ(answer(dialog), fs::path("/a b/\xffü.safetensors"));
  EXPECT_FALSE(dialog.shown());
  const std::string arguments = read_bytes(folder_ / "arguments");
  EXPECT_NE(arguments.find("--filename=/x y/name\n"), std::string::npos) << arguments;
  EXPECT_NE(arguments.find("--save\n"), std::string::npos) << arguments;
}

TEST_F(DesktopDialogProgram, OneThatIsClosedGivesNothing) {
  install("exit 1\n");
  DesktopDialog dialog;
  ASSERT_TRUE(dialog.show(DesktopDialog::Purpose::kOpen, "/"));
  EXPECT_EQ(answer(dialog), fs::path());
}

TEST_F(DesktopDialogProgram, EndsWithTheWindow) {
  install("echo $$ >pid\nexec sleep 600\n");
  {
    DesktopDialog dialog;
    ASSERT_TRUE(dialog.show(DesktopDialog::Purpose::kOpen, "/"));
    for (int i = 0; i < 3000 && read_bytes(folder_ / "pid").empty(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(dialog.answer(), std::nullopt);  // and nothing waits
  }
  const std::string pid = read_bytes(folder_ / "pid");
  ASSERT_FALSE(pid.empty());
  EXPECT_NE(::kill(std::stoi(pid), 0), 0);
}

TEST_F(DesktopDialogProgram, ItsFileIsOpenedInTheWindow) {
  Checkpoint head;
  head.state = start_training(HeadShape(), 9);
  save_checkpoint(folder_ / "nine.safetensors", head);
  install("while [ ! -e go ]; do sleep 0.02; done\necho \"$PWD/nine.safetensors\"\n");
  GuiDriver driver({1440, 900}, {}, {}, {}, folder_ / "recent.json");
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
    context->Yield(4);
    context->ItemClick("**/###desktop");
    context->Yield(5);  // the window goes on drawing
    IM_CHECK(driver.lab().panels().files->desktop.shown());
    write_bytes(folder_ / "go", "");
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.seed == 9; }));
    IM_CHECK(driver.wait_for(
        context, [&] { return driver.lab().panels().entry.purpose == PathEntry::Purpose::kNone; }));
  });
}

}  // namespace
}  // namespace dispersion
