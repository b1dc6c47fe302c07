#include "tests/monkey/hand.h"

#include <GLFW/glfw3.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <utility>

namespace dispersion::monkey {
namespace {

constexpr std::size_t kMetKept = 64;

}  // namespace

Hand::Hand(Lab& lab, const Playground& playground, PretendedDevice& device,
           std::function<void()> after_frame)
    : lab_(lab),
      playground_(playground),
      device_(device),
      after_frame_(std::move(after_frame)),
      garbage_(garbage(playground)) {
  // From now on the pointer is where events say, not where GLFW has it.
  GLFWwindow* window = lab_.window().handle();
  const GLFWcursorenterfun entered = glfwSetCursorEnterCallback(window, nullptr);
  glfwSetCursorEnterCallback(window, entered);
  entered(window, GLFW_TRUE);
  ImGuiContextHook begun;
  begun.Type = ImGuiContextHookType_NewFramePost;
  begun.UserData = this;
  begun.Callback = [](ImGuiContext*, ImGuiContextHook* hook) {
    if (const auto act = std::exchange(static_cast<Hand*>(hook->UserData)->in_frame_, nullptr))
      act();
  };
  ImGui::AddContextHook(ImGui::GetCurrentContext(), &begun);
}

void Hand::frames(int count) {
  for (int i = 0; i < count; ++i) {
    const bool drawn = lab_.frame();
    if (drawn && ImGui::GetCurrentContext()->HoveredId != 0) {
      const ImVec2 display = ImGui::GetIO().DisplaySize;
      const ImVec2 mouse = ImGui::GetMousePos();
      met_.push_back({mouse.x / std::max(display.x, 1.0F), mouse.y / std::max(display.y, 1.0F)});
      if (met_.size() > kMetKept) met_.erase(met_.begin());
    }
    after_frame_();
    lab_.window().wait(0.001);  // the worker needs the processor too
  }
}

void Hand::point(ImVec2 place) {
  const Size size = lab_.window().size();
  ImGui::GetIO().AddMousePosEvent(place.x * static_cast<float>(size.width),
                                  place.y * static_cast<float>(size.height));
}

ImVec2 Hand::any_place(fuzz::Random& dice) const {
  const auto x = static_cast<float>(share(dice));
  return {x, static_cast<float>(share(dice))};
}

ImVec2 Hand::met_place(fuzz::Random& dice) const {
  return met_.empty() ? any_place(dice) : dice.pick(met_);
}

void Hand::hold_modifiers(ImGuiKeyChord chord, bool down) {
  for (const ImGuiKey modifier : {ImGuiMod_Ctrl, ImGuiMod_Shift, ImGuiMod_Alt, ImGuiMod_Super})
    if ((chord & modifier) != 0) ImGui::GetIO().AddKeyEvent(modifier, down);
}

ImGuiKeyChord Hand::any_modifiers(fuzz::Random& dice) const {
  constexpr std::array<ImGuiKeyChord, 8> kModifiers = {
      0, 0, 0, 0, ImGuiMod_Shift, ImGuiMod_Ctrl, ImGuiMod_Alt, ImGuiMod_Ctrl | ImGuiMod_Shift};
  return dice.pick(kModifiers);
}

void Hand::press(ImGuiKeyChord chord) {
  for (const bool down : {true, false}) {
    hold_modifiers(chord, down);
    ImGui::GetIO().AddKeyEvent(static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_), down);
    frames(1);
  }
}

std::string Hand::any_text(fuzz::Random& dice) const {
  if (!dice.one_in(3)) return dice.pick(garbage_);
  constexpr std::string_view kLetters = "0123456789.,-+eE abcxyz%\"'<>&;\n";
  std::string text;
  for (std::size_t i = dice.below(12); i-- > 0;)
    text += dice.pick(kLetters);
  return text;
}

void Hand::type_text(const std::string& text) {
  ImGui::GetIO().AddInputCharactersUTF8(text.c_str());
  frames(1);
}

void Hand::end_entry(fuzz::Random& dice) {
  constexpr std::array<ImGuiKey, 5> kEnds = {ImGuiKey_Enter, ImGuiKey_KeypadEnter, ImGuiKey_Tab,
                                             ImGuiKey_Escape, ImGuiKey_None};
  const ImGuiKey end = dice.pick(kEnds);
  if (end != ImGuiKey_None) press(end);
}

bool Hand::writes_a_file() {
  return lab_.panels().entry.purpose == PathEntry::Purpose::kSave || lab_.app().exporting.open;
}

void Hand::in_frame(std::function<void()> act) {
  in_frame_ = std::move(act);
  for (int i = 0; i < 3 && in_frame_; ++i)
    frames(1);
  in_frame_ = nullptr;  // no frame is drawn
}

void Hand::run(const std::string& id) {
  in_frame([this, id] { run_action(actor(), id); });
}

std::string Hand::run_some(std::span<const std::string_view> ids, std::size_t most,
                           fuzz::Random& dice) {
  std::string done;
  for (std::size_t i = dice.below(most) + 1; i-- > 0;) {
    const std::string id(dice.pick(ids));
    run(id);
    done += (done.empty() ? "" : " ") + id;
  }
  return done;
}

void Hand::let_go() {
  for (int button = 0; button < 3; ++button)
    ImGui::GetIO().AddMouseButtonEvent(button, false);
  for (int i = 0; i < 4; ++i)
    press(ImGuiKey_Escape);
}

}  // namespace dispersion::monkey
