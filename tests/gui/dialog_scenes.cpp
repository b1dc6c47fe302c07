// Pictures of the dialogs: keys, file names, export.

#include <string>

#include "app/panels/actions.h"
#include "tests/core/temporary_folder.h"
#include "tests/gui/scenes.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

using Step = std::function<void(GuiDriver&, ImGuiTestContext*)>;

Step key(ImGuiKeyChord chord) {
  return [chord](GuiDriver&, ImGuiTestContext* context) { context->KeyPress(chord); };
}

// Opens the palette and types.
Step find(const char* text) {
  return [text](GuiDriver&, ImGuiTestContext* context) {
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    context->Yield(4);
    if (*text != '\0') context->KeyChars(text);
    context->Yield(2);
  };
}

// The ring of the focus.
void press_tab(GuiDriver&, ImGuiTestContext* context) {
  for (int i = 0; i < 6; ++i) {
    context->KeyPress(ImGuiKey_Tab);
    context->Yield(3);
  }
  IM_CHECK(ImGui::GetIO().NavVisible);
}

void wait_for_preview(GuiDriver& driver, ImGuiTestContext* context) {
  context->Yield(12);
  IM_CHECK(driver.wait_for(context, [&] {
    const ExportState& exporting = driver.app().exporting;
    return exporting.preview.id > 0 && !exporting.preview_stale;
  }));
}

// The dialog, with what `choose` sets in it.
Scene exporting(std::string name, std::vector<Format> formats, Theme theme,
                void (*choose)(ExportState&)) {
  return {"export_" + name,
          std::move(formats),
          {theme},
          [choose](GuiDriver& driver, ImGuiTestContext* context) {
            IM_CHECK(driver.wait_for_picture(context));
            context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
            context->Yield(2);
            choose(driver.app().exporting);
          },
          wait_for_preview};
}

void choose_paper(ExportState& state) {
  format_chosen(state, figure_format("pdf"));
  use_style(state.settings, "paper");
  state.settings.family = FontFamily::kSerif;
}

void choose_animation(ExportState& state) {
  format_chosen(state, figure_format("gif"));
  use_style(state.settings, "slide");
}

void choose_too_small(ExportState& state) {
  format_chosen(state, figure_format("pdf"));
  use_style(state.settings, "paper");
  state.settings.transparent = true;
  state.settings.theme = PrintTheme::kDark;
  state.settings.width = 20;
}

void choose_usual(ExportState& state) {
  format_chosen(state, figure_format("pdf"));
}

void choose_data(ExportState& state) {
  state.settings.width.reset();
  format_chosen(state, figure_format("csv"));
}

// A path that cannot be written, and the message that says so.
void export_refused(GuiDriver& driver, ImGuiTestContext* context) {
  IM_CHECK(driver.wait_for_picture(context));
  context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
  context->Yield(2);
  choose_usual(driver.app().exporting);
  driver.app().exporting.settings.width.reset();
  driver.app().exporting.settings.path =
      "/proc/a folder that is not there/and none in it/nor in that/figure.pdf";
  context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
  IM_CHECK(driver.wait_for(context, [&] { return !driver.app().exporting.notice.empty(); }));
}

void export_surfaces(GuiDriver& driver, ImGuiTestContext* context) {
  driver.app().view.view = kSurfaceView;
  IM_CHECK(driver.wait_for(context, [&] {
    return driver.app().experiments.of(kSurfaceView).update.phase == ExperimentPhase::kDone;
  }));
  driver.app().view.surfaces = true;
  context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_E);
  context->Yield(2);
  choose_usual(driver.app().exporting);
}

}  // namespace

void keep_bookmarks(GuiDriver& driver, ImGuiTestContext* context) {
  static const TemporaryFolder folder;
  AppState& app = driver.app();
  app.bookmarks_folder = folder.path();
  context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_B);
  for (const char* name : {"sharp", "the head of the paper at half the temperature"}) {
    const std::size_t before = app.bookmarks ? app.bookmarks->size() : 0;
    context->ItemInput("**/##bookmark name");
    context->KeyCharsReplace(name);
    context->ItemClick("**/###keep bookmark");
    IM_CHECK(
        driver.wait_for(context, [&] { return app.bookmarks && app.bookmarks->size() > before; }));
  }
}

// Some steps to undo, and one to redo.
void change_and_undo(GuiDriver& driver, ImGuiTestContext* context) {
  IM_CHECK(driver.wait_for_picture(context));
  for (const ImGuiKeyChord chord :
       {ImGuiKeyChord(ImGuiKey_RightArrow), ImGuiKeyChord(ImGuiKey_A), ImGuiKeyChord(ImGuiKey_3),
        ImGuiKeyChord(ImGuiKey_1), ImGuiMod_Ctrl | ImGuiKey_Z}) {
    context->KeyPress(chord);
    context->SleepNoSkip(0.6F, 0.05F);  // changes in quick succession are one step
  }
}

std::vector<Play> dialog_plays() {
  return {
      {"Keys",
       new_window,
       {{"keys", {kSmallLaptop, kLargeType}, {Theme::kDark}, key(ImGuiKey_F1)},
        {"keys", {kDesktop}, {Theme::kLight}, key(ImGuiKey_F1)}}},
      {"Cards",
       new_window,
       {{"bookmarks_none", {kUsual}, {Theme::kLight}, {}, key(ImGuiMod_Ctrl | ImGuiKey_B)},
        {"bookmarks", {kUsual, kLargeType}, {Theme::kDark}, keep_bookmarks},
        {"history", {kUsual}, {Theme::kDark}, change_and_undo, key(ImGuiMod_Ctrl | ImGuiKey_H)},
        {"history", {kLargeType}, {Theme::kLight}, key(ImGuiMod_Ctrl | ImGuiKey_H)}}},
      {"Palette",
       new_window,
       {{"focus", {kUsual}, {Theme::kDark}, {}, press_tab},
        {"palette", {kSmallLaptop}, {Theme::kLight}, {}, find("")},
        {"palette", {kLargeType}, {Theme::kDark}, {}, find("")},
        {"palette_value", {kUsual}, {Theme::kLight}, {}, find("temperature 0,5")},
        {"palette_nothing", {kUsual}, {Theme::kDark}, {}, find("xyzzy")}}},
      {"Export",
       new_window,
       {exporting("usual", {kSmallLaptop, kLargeType, kDesktop}, Theme::kDark, choose_usual),
        exporting("paper", {kUsual}, Theme::kLight, choose_paper),
        exporting("animation", {kUsual}, Theme::kDark, choose_animation),
        exporting("too_small", {kUsual}, Theme::kLight, choose_too_small),
        exporting("data", {kUsual}, Theme::kDark, choose_data),
        {"export_refused",
         {{"640x420", {640, 420}, 1}},
         {Theme::kLight},
         export_refused,
         wait_for_preview},
        {"export_surfaces", {kUsual}, {Theme::kLight}, export_surfaces, wait_for_preview}}},
  };
}

}  // namespace dispersion
