// Files, most of them bad: dropped, saved, exported.

#include <GLFW/glfw3.h>

#include <array>

#include "tests/monkey/acts.h"
#include "tests/monkey/checks.h"
#include "tests/monkey/hand.h"

namespace dispersion::monkey {
namespace {

// As the desktop does it.
void drop_file(Hand& hand, const std::filesystem::path& file) {
  GLFWwindow* window = hand.lab().window().handle();
  const GLFWdropfun dropped = glfwSetDropCallback(window, nullptr);
  glfwSetDropCallback(window, dropped);
  std::array<const char*, 1> paths = {file.c_str()};
  dropped(window, 1, paths.data());
}

std::string drop(Hand& hand, fuzz::Random& dice) {
  const std::filesystem::path file = dice.pick(hand.playground().files);
  drop_file(hand, file);
  hand.frames(3);
  return file.filename().string();
}

std::string save(Hand& hand, fuzz::Random& dice) {
  hand.run("file.save");
  hand.frames(2);
  hand.press(ImGuiMod_Ctrl | ImGuiKey_A);
  constexpr std::array<const char*, 5> kNames = {"a", "b.safetensors",
                                                 "no such folder/c.safetensors",
                                                 "\u6a21\u578b \U0001f428", "no programs"};
  const std::string name = dice.pick(kNames);
  hand.type_text(name);
  hand.press(ImGuiKey_Enter);
  hand.frames(5);
  if (dice.one_in(2)) hand.press(ImGuiKey_Enter);  // replaces it
  hand.press(ImGuiKey_Escape);
  hand.press(ImGuiKey_Escape);
  return name;
}

// What export_figure() writes.
constexpr std::array<const char*, 7> kFigures = {"figure.pdf", "figure.svg",  "figure.png",
                                                 "figure.csv", "figure.json", "figure.tex",
                                                 "figure.gif"};

std::string export_figure(Hand& hand, fuzz::Random& dice) {
  ExportState& exporting = hand.app().exporting;
  hand.run("figure.export");
  hand.frames(1);
  if (!exporting.open) return "nothing to export";
  const std::string name = dice.one_in(8) ? "no such folder/figure.png" : dice.pick(kFigures);
  const std::size_t figure = dice.below(exporting.figures.size());
  const bool unfinished = dice.one_in(2);
  hand.in_frame([&] {
    choose_figure(exporting, figure);
    exporting.settings.path = hand.playground().home / name;
    path_typed(exporting);
    exporting.save = true;
    exporting.take_unfinished = unfinished;
  });
  hand.frames(static_cast<int>(dice.below(20)));
  if (dice.one_in(2)) hand.in_frame([&] { close_export(exporting); });
  hand.frames(1);
  return name;
}

// One that was exported earlier, if there is one by now, also while it is being written.
std::string drop_figure(Hand& hand, fuzz::Random& dice) {
  const std::string name = dice.pick(kFigures);
  drop_file(hand, hand.playground().home / name);
  constexpr int kFramesToRead = 30'000;  // each of which leaves the reader a millisecond or more
  wait_in_frames(
      kFramesToRead, "a dropped figure is not read", [&] { hand.frames(1); },
      [&] { return !hand.lab().reading_figure(); });
  hand.frames(2);
  return name;
}

constexpr std::array<ActKind, 4> kActs = {{{"drop", 16, drop},
                                           {"figure", 6, drop_figure},
                                           {"save", 6, save},
                                           {"export", 6, export_figure}}};

}  // namespace

std::span<const ActKind> file_acts() {
  return kActs;
}

}  // namespace dispersion::monkey
