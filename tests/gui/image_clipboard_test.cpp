// The clipboards by wl-copy and xclip, with shell scripts in place of these programs.
// (x11_clipboard.sh tries the real xclip.)

#include "app/window/image_clipboard.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "tests/core/temporary_folder.h"

namespace dispersion {
namespace {

class ProgramClipboard : public testing::Test {
 protected:
  ProgramClipboard() : path_(std::getenv("PATH")) {
    ::setenv("PATH", (folder_.path().string() + ":" + path_).c_str(), 1);
  }
  ~ProgramClipboard() override { ::setenv("PATH", path_.c_str(), 1); }

  void install(const std::string& script, const std::string& name = "wl-copy") {
    write_bytes(folder_ / name, "#!/bin/sh\ncd '" + folder_.path().string() + "'\n" + script);
    std::filesystem::permissions(folder_ / name, std::filesystem::perms::owner_all);
  }

  // Waits for the script, whose last command makes this file.
  bool finished() {
    for (int i = 0; i < 6000 && !std::filesystem::exists(folder_ / "done"); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return std::filesystem::exists(folder_ / "done");
  }

  TemporaryFolder folder_;
  std::string path_;
};

TEST_F(ProgramClipboard, IsNotThereWithoutTheProgram) {
  ::setenv("PATH", folder_.path().c_str(), 1);
  EXPECT_EQ(wayland_image_clipboard(), nullptr);
  EXPECT_EQ(x11_image_clipboard(), nullptr);
}

TEST_F(ProgramClipboard, GetsEveryByteAndTheType) {
  install("echo \"$@\" >arguments\ncat >got\n: >done\n");
  const auto clipboard = wayland_image_clipboard();
  ASSERT_NE(clipboard, nullptr);
  const std::string png(3'000'000, 'x');  // more than a pipe holds
  EXPECT_TRUE(clipboard->put(std::make_shared<const std::string>(png)));
  ASSERT_TRUE(finished());
  EXPECT_EQ(read_bytes(folder_ / "arguments"), "--type image/png\n");
  EXPECT_EQ(read_bytes(folder_ / "got"), png);
}

TEST_F(ProgramClipboard, OfX11IsXclip) {
  install("echo \"$@\" >arguments\ncat >got\n: >done\n", "xclip");
  const auto clipboard = x11_image_clipboard();
  ASSERT_NE(clipboard, nullptr);
  EXPECT_TRUE(clipboard->put(std::make_shared<const std::string>("png")));
  ASSERT_TRUE(finished());
  EXPECT_EQ(read_bytes(folder_ / "arguments"), "-selection clipboard -t image/png -i\n");
  EXPECT_EQ(read_bytes(folder_ / "got"), "png");
}

TEST_F(ProgramClipboard, EndsAProgramThatHangs) {
  install(": >done\nexec sleep 600\n");
  const auto clipboard = wayland_image_clipboard();
  ASSERT_NE(clipboard, nullptr);
  const auto png = std::make_shared<const std::string>(3'000'000, 'x');
  EXPECT_TRUE(clipboard->put(png));
  ASSERT_TRUE(finished());
  EXPECT_TRUE(clipboard->put(png));  // the destructor ends this one
}

}  // namespace
}  // namespace dispersion
