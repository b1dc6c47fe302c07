#include "tests/monkey/hand.h"

#include <GLFW/glfw3.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <utility>

namespace dispersion::monkey {
namespace {

constexpr std::size_t kMetKept = 64;

constexpr std::array<ImGuiKey, 30> kKeys = {
    ImGuiKey_Tab,         ImGuiKey_Tab,       ImGuiKey_Tab,       ImGuiKey_Tab,
    ImGuiKey_Enter,       ImGuiKey_Enter,     ImGuiKey_Space,     ImGuiKey_Space,
    ImGuiKey_Escape,      ImGuiKey_Escape,    ImGuiKey_LeftArrow, ImGuiKey_RightArrow,
    ImGuiKey_UpArrow,     ImGuiKey_DownArrow, ImGuiKey_PageUp,    ImGuiKey_PageDown,
    ImGuiKey_Home,        ImGuiKey_End,       ImGuiKey_Delete,    ImGuiKey_Backspace,
    ImGuiKey_KeypadEnter, ImGuiKey_F1,        ImGuiKey_F6,        ImGuiKey_F12,
    ImGuiKey_A,           ImGuiKey_Minus,     ImGuiKey_Keypad5,   ImGuiKey_Insert,
    ImGuiKey_Menu,        ImGuiKey_Comma};

constexpr std::array<ImGuiKeyChord, 8> kModifiers = {
    0, 0, 0, 0, ImGuiMod_Shift, ImGuiMod_Ctrl, ImGuiMod_Alt, ImGuiMod_Ctrl | ImGuiMod_Shift};

void hold(ImGuiKeyChord chord, bool down) {
  ImGuiIO& io = ImGui::GetIO();
  for (const ImGuiKey modifier : {ImGuiMod_Ctrl, ImGuiMod_Shift, ImGuiMod_Alt, ImGuiMod_Super})
    if ((chord & modifier) != 0) io.AddKeyEvent(modifier, down);
  io.AddKeyEvent(static_cast<ImGuiKey>(chord & ~ImGuiMod_Mask_), down);
}

double share(fuzz::Random& dice) {
  return static_cast<double>(dice.below(1'000'001)) / 1e6;
}

std::string size_text(Size size) {
  return std::to_string(size.width) + " x " + std::to_string(size.height);
}

}  // namespace

Hand::Hand(Lab& lab, const Playground& playground, PretendedDevice& device,
           std::function<void()> after_frame)
    : lab_(lab),
      device_(device),
      after_frame_(std::move(after_frame)),
      home_(playground.home),
      files_(playground.files),
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

void Hand::in_frame(std::function<void()> act) {
  in_frame_ = std::move(act);
  for (int i = 0; i < 3 && in_frame_; ++i)
    frames(1);
  in_frame_ = nullptr;  // no frame is drawn
}

void Hand::run_in_frame(const std::string& id) {
  in_frame([this, id] { run_action(actor(), id); });
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

ImVec2 Hand::any_place(fuzz::Random& dice) const {
  return {static_cast<float>(share(dice)), static_cast<float>(share(dice))};
}

std::string Hand::any_text(fuzz::Random& dice) const {
  if (!dice.one_in(3)) return dice.pick(garbage_);
  constexpr std::string_view kLetters = "0123456789.,-+eE abcxyz%\"'<>&;\n";
  std::string text;
  for (std::size_t i = dice.below(12); i-- > 0;)
    text += dice.pick(kLetters);
  return text;
}

// `place` in shares of the window.
void Hand::point(ImVec2 place) {
  const Size size = lab_.window().size();
  ImGui::GetIO().AddMousePosEvent(place.x * static_cast<float>(size.width),
                                  place.y * static_cast<float>(size.height));
}

void Hand::press(ImGuiKeyChord chord) {
  hold(chord, true);
  frames(1);
  hold(chord, false);
  frames(1);
}

// In a dialog that writes files nothing is taken away from a path, so that it stays in the
// playground.
bool Hand::writes_a_file() const {
  return lab_.panels().entry.purpose == PathEntry::Purpose::kSave || lab_.app().exporting.open;
}

void Hand::let_go() {
  ImGuiIO& io = ImGui::GetIO();
  for (int button = 0; button < 3; ++button)
    io.AddMouseButtonEvent(button, false);
  for (int i = 0; i < 4; ++i)
    press(ImGuiKey_Escape);
}

std::string Hand::move(fuzz::Random& dice) {
  const ImVec2 place = any_place(dice);
  point(place);
  frames(1);
  return std::to_string(place.x) + " " + std::to_string(place.y);
}

std::string Hand::click(fuzz::Random& dice, ImVec2 place) {
  ImGuiIO& io = ImGui::GetIO();
  const int button = dice.one_in(5) ? static_cast<int>(dice.below(3)) : 0;
  const std::size_t clicks = dice.one_in(5) ? 2 : 1;
  const ImGuiKeyChord modifier = dice.pick(kModifiers);
  for (const ImGuiKey key : {ImGuiMod_Ctrl, ImGuiMod_Shift, ImGuiMod_Alt})
    if ((modifier & key) != 0) io.AddKeyEvent(key, true);
  point(place);
  frames(1);
  for (std::size_t i = 0; i < clicks; ++i) {
    io.AddMouseButtonEvent(button, true);
    frames(1);
    io.AddMouseButtonEvent(button, false);
    frames(1);
  }
  for (const ImGuiKey key : {ImGuiMod_Ctrl, ImGuiMod_Shift, ImGuiMod_Alt})
    if ((modifier & key) != 0) io.AddKeyEvent(key, false);
  return std::to_string(place.x) + " " + std::to_string(place.y) + " button " +
         std::to_string(button);
}

std::string Hand::drag(fuzz::Random& dice) {
  ImGuiIO& io = ImGui::GetIO();
  const int button = dice.one_in(4) ? 1 : 0;
  point(dice.one_in(2) || met_.empty() ? any_place(dice) : dice.pick(met_));
  frames(1);
  io.AddMouseButtonEvent(button, true);
  frames(1);
  for (std::size_t i = dice.below(4) + 1; i-- > 0;) {
    ImVec2 place = any_place(dice);
    if (dice.one_in(6)) place = {place.x * 5 - 2, place.y * 5 - 2};  // out of the window
    point(place);
    frames(1);
  }
  if (!dice.one_in(20)) io.AddMouseButtonEvent(button, false);  // else it stays held
  frames(1);
  return "button " + std::to_string(button);
}

std::string Hand::wheel(fuzz::Random& dice) {
  const auto turn = static_cast<float>(share(dice) * 20 - 10);
  for (std::size_t i = dice.below(5) + 1; i-- > 0;) {
    ImGui::GetIO().AddMouseWheelEvent(dice.one_in(4) ? turn : 0, turn);
    frames(1);
  }
  return std::to_string(turn);
}

std::string Hand::key(fuzz::Random& dice) {
  const ImGuiKey key = dice.pick(kKeys);
  const ImGuiKeyChord chord = key | dice.pick(kModifiers);
  if (writes_a_file() && (key == ImGuiKey_Delete || key == ImGuiKey_Backspace)) return "none";
  for (std::size_t i = dice.one_in(4) ? dice.below(12) + 1 : 1; i-- > 0;)
    press(chord);
  return chord_text(chord);
}

std::string Hand::chord(fuzz::Random& dice) {
  std::vector<ImGuiKeyChord> chords;
  for (const Action& row : actions(lab_.app(), lab_.panels()))
    chords.insert(chords.end(), row.chords.begin(), row.chords.end());
  const ImGuiKeyChord chosen = dice.pick(chords);
  press(chosen);
  return chord_text(chosen);
}

std::string Hand::action(fuzz::Random& dice) {
  const std::vector<Action> all = actions(lab_.app(), lab_.panels());
  const std::string id = dice.pick(all).id;
  run_in_frame(id);
  frames(1);
  return id;
}

std::string Hand::number(fuzz::Random& dice) {
  std::vector<Action> all = actions(lab_.app(), lab_.panels());
  std::erase_if(all, [](const Action& row) { return !row.number || !row.available; });
  const Action& row = dice.pick(all);
  const ActionNumber& number = *row.number;
  double value = number.low + share(dice) * (number.high - number.low);
  if (dice.one_in(4)) value = number.low;
  if (dice.one_in(4)) value = number.high;
  if (number.whole) value = static_cast<double>(static_cast<std::int64_t>(value));
  in_frame([&] { number.set(actor(), value); });
  frames(1);
  return row.id + " " + std::to_string(value);
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

std::string Hand::type(fuzz::Random& dice) {
  if (dice.one_in(2)) press(ImGuiMod_Ctrl | ImGuiKey_A);
  const std::string text = any_text(dice);
  type_text(text);
  end_entry(dice);
  return std::to_string(text.size()) + " bytes";
}

std::string Hand::paste(fuzz::Random& dice) {
  const std::string text = any_text(dice);
  ImGui::SetClipboardText(text.c_str());
  press(ImGuiMod_Ctrl | ImGuiKey_V);
  end_entry(dice);
  return std::to_string(text.size()) + " bytes";
}

std::string Hand::find(fuzz::Random& dice) {
  const std::vector<Action> all = actions(lab_.app(), lab_.panels());
  std::string text = dice.pick(all).name;
  if (dice.one_in(2)) text = text.substr(0, dice.below(text.size() + 1));  // also within a letter
  if (dice.one_in(2)) text += " " + any_text(dice);
  press(ImGuiMod_Ctrl | ImGuiKey_K);
  type_text(text);
  end_entry(dice);
  return text.substr(0, 60);
}

std::string Hand::state(fuzz::Random& dice) {
  if (states_.empty() || dice.one_in(3)) {
    run_in_frame("state.copy");
    const char* copied = ImGui::GetClipboardText();
    if (copied != nullptr) states_.emplace_back(copied);
    return "copied";
  }
  std::string text = dice.pick(states_);
  if (dice.one_in(4) && !text.empty()) text[dice.below(text.size())] = 'A';
  if (dice.one_in(6)) text = any_text(dice);
  ImGui::SetClipboardText(text.c_str());
  run_in_frame("state.paste");
  frames(2);
  return "opened";
}

std::string Hand::undo(fuzz::Random& dice) {
  constexpr std::array<ImGuiKeyChord, 3> kChords = {ImGuiMod_Ctrl | ImGuiKey_Z,
                                                    ImGuiMod_Ctrl | ImGuiKey_Z,
                                                    ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z};
  const std::size_t times = dice.below(15) + 1;
  for (std::size_t i = 0; i < times; ++i)
    press(dice.pick(kChords));
  return std::to_string(times) + " times";
}

std::string Hand::run(fuzz::Random& dice) {
  constexpr std::array<const char*, 6> kIds = {"run.play",   "run.play",     "run.step",
                                               "run.rewind", "run.new_seed", "run.bring_back"};
  std::string done;
  for (std::size_t i = dice.below(6) + 1; i-- > 0;) {
    const char* id = dice.pick(kIds);
    run_in_frame(id);
    done += (done.empty() ? "" : " ") + std::string(id);
  }
  return done;
}

std::string Hand::resize(fuzz::Random& dice) {
  constexpr std::array<Size, 12> kSizes = {{{1, 1},
                                            {1, 4000},
                                            {4000, 1},
                                            {240, 160},
                                            {320, 200},
                                            {640, 480},
                                            {800, 600},
                                            {1024, 600},
                                            {1280, 720},
                                            {1280, 800},
                                            {1440, 900},
                                            {900, 1600}}};
  Size size = dice.pick(kSizes);
  if (dice.one_in(4)) {
    size = {static_cast<int>(dice.below(1920)) + 1, static_cast<int>(dice.below(1200)) + 1};
  }
  if (dice.one_in(12)) size = dice.one_in(2) ? Size{7680, 4320} : Size{3840, 2160};
  lab_.window().resize(size);
  frames(2);
  // Large ones take a second a frame without a graphics card.
  if (size.width * size.height > 3'000'000) lab_.window().resize({1280, 800});
  frames(1);
  return size_text(size);
}

std::string Hand::scale(fuzz::Random& dice) {
  constexpr std::array<float, 6> kScales = {0.5F, 1, 1.25F, 2, 3, 4};
  const float scale = dice.pick(kScales);
  in_frame([&] { lab_.app().view.ui_scale = scale; });
  frames(1);
  return std::to_string(scale);
}

std::string Hand::minimise(fuzz::Random& dice) {
  glfwIconifyWindow(lab_.window().handle());
  frames(static_cast<int>(dice.below(20)) + 1);
  glfwRestoreWindow(lab_.window().handle());
  frames(2);
  return "";
}

std::string Hand::focus(fuzz::Random& dice) {
  ImGui::GetIO().AddFocusEvent(false);
  frames(static_cast<int>(dice.below(4)) + 1);
  ImGui::GetIO().AddFocusEvent(true);
  frames(1);
  return "";
}

std::string Hand::drop(fuzz::Random& dice) {
  const std::filesystem::path file = dice.pick(files_);
  GLFWwindow* window = lab_.window().handle();
  const GLFWdropfun dropped = glfwSetDropCallback(window, nullptr);
  glfwSetDropCallback(window, dropped);
  std::array<const char*, 1> paths = {file.c_str()};
  dropped(window, 1, paths.data());
  frames(3);
  return file.filename().string();
}

std::string Hand::save(fuzz::Random& dice) {
  run_in_frame("file.save");
  frames(2);
  press(ImGuiMod_Ctrl | ImGuiKey_A);
  constexpr std::array<const char*, 5> kNames = {"a", "b.safetensors",
                                                 "no such folder/c.safetensors",
                                                 "\u6a21\u578b \U0001f428", "no programs"};
  const std::string name = dice.pick(kNames);
  type_text(name);
  press(ImGuiKey_Enter);
  frames(5);
  if (dice.one_in(2)) press(ImGuiKey_Enter);  // replaces it
  press(ImGuiKey_Escape);
  press(ImGuiKey_Escape);
  return name;
}

std::string Hand::export_figure(fuzz::Random& dice) {
  constexpr std::array<const char*, 8> kNames = {
      "figure.pdf",  "figure.svg", "figure.png", "figure.csv",
      "figure.json", "figure.tex", "figure.gif", "no such folder/figure.png"};
  ExportState& exporting = lab_.app().exporting;
  run_in_frame("figure.export");
  frames(1);
  if (!exporting.open) return "nothing to export";
  const std::string name = dice.pick(kNames);
  const std::size_t figure = dice.below(exporting.figures.size());
  const bool unfinished = dice.one_in(2);
  in_frame([&] {
    choose_figure(exporting, figure);
    exporting.settings.path = home_ / name;
    path_typed(exporting);
    exporting.save = true;
    exporting.take_unfinished = unfinished;
  });
  frames(static_cast<int>(dice.below(20)));
  if (dice.one_in(2)) in_frame([&] { close_export(exporting); });
  frames(1);
  return name;
}

std::string Hand::backend(fuzz::Random& dice) {
  constexpr std::array<BackendChoice, 4> kChoices = {{{BackendChoice::Kind::kAutomatic, 0},
                                                      {BackendChoice::Kind::kCpu, 0},
                                                      {BackendChoice::Kind::kCuda, 0},
                                                      {BackendChoice::Kind::kCuda, 7}}};
  const BackendChoice choice = dice.pick(kChoices);
  lab_.session().send(UseBackendCommand{choice});
  frames(3);
  return backend_name(choice);
}

std::string Hand::lose_device(fuzz::Random& dice) {
  device_.lost = true;
  frames(static_cast<int>(dice.below(20)) + 1);
  if (dice.one_in(2)) lab_.session().send(GoOnWithCpuCommand{});
  frames(2);
  device_.lost = false;
  return "";
}

std::string Hand::carry_out(const Act& act) {
  fuzz::Random dice(act.dice);
  switch (act.kind) {
    case Kind::kMove:
      return move(dice);
    case Kind::kClick:
      return click(dice, any_place(dice));
    case Kind::kClickAgain:
      return click(dice, met_.empty() ? any_place(dice) : dice.pick(met_));
    case Kind::kDrag:
      return drag(dice);
    case Kind::kWheel:
      return wheel(dice);
    case Kind::kKey:
      return key(dice);
    case Kind::kChord:
      return chord(dice);
    case Kind::kAction:
      return action(dice);
    case Kind::kNumber:
      return number(dice);
    case Kind::kType:
      return type(dice);
    case Kind::kPaste:
      return paste(dice);
    case Kind::kFind:
      return find(dice);
    case Kind::kState:
      return state(dice);
    case Kind::kUndo:
      return undo(dice);
    case Kind::kRun:
      return run(dice);
    case Kind::kResize:
      return resize(dice);
    case Kind::kScale:
      return scale(dice);
    case Kind::kMinimise:
      return minimise(dice);
    case Kind::kFocus:
      return focus(dice);
    case Kind::kDrop:
      return drop(dice);
    case Kind::kSave:
      return save(dice);
    case Kind::kExport:
      return export_figure(dice);
    case Kind::kBackend:
      return backend(dice);
    case Kind::kLoseDevice:
      return lose_device(dice);
    case Kind::kRest:
    case Kind::kRestart:
      break;
  }
  return "";
}

}  // namespace dispersion::monkey
