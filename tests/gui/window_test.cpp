// The whole window with its real panels, app state and worker, driven by mouse and keyboard.

#include "tests/gui/driver.h"  // before the test engine's internal header, which needs it

#include <gtest/gtest.h>
#include <imgui_internal.h>
#include <imgui_te_internal.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "app/panels/panels.h"
#include "app/session/frame_at.h"
#include "app/window/theme.h"
#include "core/cpu/cpu_backend.h"
#include "tests/gui/screen_text.h"
#include "tests/gui/shown_number.h"

namespace dispersion {
namespace {

constexpr Size kWindowSize = {1600, 1000};

TEST(Window, ShowsTheShippedHeadAtOnce) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    const FrameAt at = frame_at(driver.app(), 1024);
    IM_CHECK(at.plain_row() != nullptr && at.transforms[1].row != nullptr);
    context->Yield(2);
    const FrameAt now = frame_at(driver.app(), 1024);
    IM_CHECK_EQ(single(driver.shown("softmax", "accuracy")),
                static_cast<float>(now.plain_row()->accuracy()));
    IM_CHECK_EQ(single(driver.shown("softmax", "entropy H")),
                static_cast<float>(now.plain_row()->mean_entropy()));
    IM_CHECK_EQ(single(driver.shown("adaptive θ", "mean θ used")),
                static_cast<float>(now.transforms[1].row->mean_theta()));
    IM_CHECK_GT(frame_at(driver.app(), 16).plain()->mean_weight_on_max, 0.5);
  });
}

// The name of a file may have letters that no font has, and text fields show what is typed.
TEST(Window, LettersThatNoFontHasAreDrawnAsEscapes) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext*) {
    for (ImFont* font : ImGui::GetIO().Fonts->Fonts) {
      ImFontBaked* baked = font->GetFontBaked(kBodySize);
      const ImFontGlyph* fallback = baked->FindGlyph(0xfffd);
      for (const auto& [letter, escape] :
           {std::pair(0x6a21, "\\u6a21"), {0x1f428, "\\U0001f428"}, {0x5d0, "\\u05d0"}}) {
        const ImFontGlyph* glyph = baked->FindGlyphNoFallback(static_cast<ImWchar>(letter));
        IM_CHECK(glyph != nullptr && glyph != fallback && glyph->Visible);
        const float width = font->CalcTextSizeA(kBodySize, 1e9F, 0, escape).x;
        IM_CHECK_LT(std::abs(glyph->AdvanceX - width), 0.06F * width);  // the weight is regular
        IM_CHECK_GT(glyph->X1 - glyph->X0, 0.9F * width);
      }
      const ImFontGlyph* theta = baked->FindGlyphNoFallback(0x3b8);
      IM_CHECK(theta != nullptr && theta->SourceIdx < 2);
    }
  });
}

TEST(Window, PlayTrainsAndPausePauses) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    context->ItemClick("**/New seed");
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.seed == 2; }));
    context->ItemClick("**/###play");
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.step >= 20; }));
    IM_CHECK_EQ(driver.app().status.phase, RunPhase::kTraining);
    // Why the intervals became wider is said.
    context->Yield(2);
    EXPECT_NE(text_on_screen(context).find("fewer while it trains"), std::string::npos);
    context->ItemClick("**/###play");
    IM_CHECK(
        driver.wait_for(context, [&] { return driver.app().status.phase == RunPhase::kPaused; }));
    context->Yield(2);
    const std::int64_t step = driver.app().status.step;
    IM_CHECK_EQ(number(driver.shown("Training", "step")), static_cast<double>(step));
    IM_CHECK_EQ(static_cast<std::int64_t>(driver.app().history.size()), step);
    context->ItemClick("**/Step");
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.step == step + 1; }));
    context->ItemClick("**/Rewind");
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.step == 0; }));
    IM_CHECK(driver.app().history.empty());
  });
}

TEST(Window, TrainingStopsAtTheStepAskedFor) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    context->ItemClick("**/New seed");
    context->ItemInputValue("**/stop at step/##number", 7);
    IM_CHECK_EQ(driver.app().run.stop_at, 7);
    context->KeyPress(ImGuiKey_Space);
    IM_CHECK(
        driver.wait_for(context, [&] { return driver.app().status.phase == RunPhase::kFinished; }));
    IM_CHECK_EQ(driver.app().status.step, 7);
  });
}

TEST(Window, DoublingMovesTheFocus) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->ItemClick("**/× 2");
    IM_CHECK_EQ(driver.app().view.focused_items, 2048);
    context->Yield(2);
    IM_CHECK_EQ(single(driver.shown("Why", "expected top gap")), static_cast<float>(1.0 / 2049));
    context->ItemClick("**/½");
    context->KeyPress(ImGuiKey_LeftArrow);
    IM_CHECK_EQ(driver.app().view.focused_items, 512);
    // Up and Page up go the same way, to more items.
    context->KeyPress(ImGuiKey_UpArrow);
    IM_CHECK_EQ(driver.app().view.focused_items, 1024);
    context->KeyPress(ImGuiKey_PageUp);
    context->KeyPress(ImGuiKey_RightArrow);
    IM_CHECK_EQ(driver.app().view.focused_items, 16384);
    // Nothing got the focus by Page up, so that the arrows are still for n.
    context->KeyPress(ImGuiKey_DownArrow);
    IM_CHECK_EQ(driver.app().view.focused_items, 8192);
    context->KeyPress(ImGuiKey_PageDown);
    IM_CHECK_EQ(driver.app().view.focused_items, 16);
    context->ItemClick("**/$$0/$$64/frame");
    IM_CHECK_EQ(driver.app().view.focused_items, 64);
  });
}

TEST(Window, AdaptiveOffLeavesPlainSoftmax) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->Yield(2);
    IM_CHECK_EQ(driver.lab().panels().figures.grid().strips.size(), 2U);
    context->ItemClick("**/adaptive θ");
    context->Yield(2);
    IM_CHECK(!is_shown(driver.app().view, TransformId::kAdaptive));
    IM_CHECK_EQ(driver.lab().panels().figures.grid().strips.size(), 1U);
    IM_CHECK_EQ(driver.lab().panels().figures.accuracy().series.size(), 1U);
    IM_CHECK(driver.shown("adaptive θ", "accuracy").empty());
    IM_CHECK(driver.shown("Why", "β(H) at mean H").empty());
    context->KeyPress(ImGuiKey_A);
    IM_CHECK(is_shown(driver.app().view, TransformId::kAdaptive));
  });
}

TEST(Window, ShowsOtherTransformsBelowSoftmax) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    context->ItemClick("**/###transforms");
    context->Yield(2);
    for (const TransformDefinition* definition : transform_definitions()) {
      if (definition->id == TransformId::kSoftmax || definition->id == TransformId::kAdaptive)
        continue;
      context->ItemClick(("**/" + std::string(definition->label)).c_str());
      context->Yield(2);
      IM_CHECK(is_shown(driver.app().view, definition->id));
    }
    const std::size_t all = transform_definitions().size();
    IM_CHECK(driver.wait_for(context, [&] {
      const auto& figures = driver.lab().panels().figures;
      return figures.grid().strips.size() == all && figures.accuracy().series.size() == all;
    }));
    IM_CHECK(
        driver.wait_for(context, [&] { return !driver.shown("sparsemax", "accuracy").empty(); }));
    context->ItemInputValue("**/items kept k/##number", 3);
    IM_CHECK(driver.wait_for(context, [&] {
      return driver.lab().panels().figures.grid().strips.at(4).subtitle == "θ = 1, k = 3";
    }));
  });
}

TEST(Window, DraggingThetaSharpensWithoutTraining) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    const double before = frame_at(driver.app(), 1024).plain()->mean_entropy;
    context->ItemDragWithDelta("**/theta slider", {-60, 0});
    const double theta = driver.app().view.theta;
    IM_CHECK_LT(theta, 1.0);
    IM_CHECK_GE(theta, kLowestTheta);
    IM_CHECK(driver.wait_for(context, [&] {
      const FrameAt at = frame_at(driver.app(), 1024);
      return at.plain()->transform.theta == theta &&
             at.transforms[1].frame->transform.theta == theta;
    }));
    IM_CHECK_LT(frame_at(driver.app(), 1024).plain()->mean_entropy, before);
    context->ItemInputValue("**/temperature θ/##number", 2.5F);
    context->ItemInputValue("**/temperature θ/##number", -1.0F);
    IM_CHECK_EQ(driver.app().view.theta, 2.5);  // -1 was refused
    IM_CHECK_STR_EQ(driver.lab().panels().painter.refused_text.c_str(), "0.05 to 10");
    context->KeyPress(ImGuiKey_0);
    IM_CHECK_EQ(driver.app().view.theta, 1.0);
  });
}

TEST(Window, Behaviour18_ThePointerShowsTheExactValuesOfACell) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    IM_CHECK(driver.wait_for_picture(context));
    const ImRect box = context->ItemInfo("**/$$0/$$256/frame").RectFull;
    // The last column of the sixth set is its item with the largest priority.
    context->MouseMoveToPos({box.Max.x - 2, box.Min.y + box.GetHeight() * 5.5F / 32});
    context->Yield(2);
    const AppState::Pointer& pointer = driver.app().pointer;
    IM_CHECK_EQ(pointer.items, 256);
    IM_CHECK_EQ(pointer.set, 5);
    IM_CHECK_EQ(pointer.column, 15);
    const FrameAt at = frame_at(driver.app(), 256);
    const std::size_t cell = 5 * 16 + 15;
    const ItemSets sets = frame_sets(1, 256);
    const std::size_t item = 5 * 256 + static_cast<std::size_t>(at.logits->shown[cell]);
    IM_CHECK_EQ(static_cast<float>(number(driver.shown("Under the pointer", "priority ρ"))),
                sets.priority[item]);
    IM_CHECK_EQ(static_cast<float>(number(driver.shown("Under the pointer", "logit e"))),
                at.logits->logits[item]);
    IM_CHECK_EQ(static_cast<float>(number(driver.shown("pointer, softmax", "weight"))),
                at.plain()->weights[cell]);
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    const std::string copied = ImGui::GetClipboardText();
    IM_CHECK(copied.find("pointer, softmax\tweight\t") != std::string::npos);
    for (const char* part :
         {"θ\t1\n", "on, the paper's\n", "seed\t1\n", "rate 0.001", "training step", "\tsets\t",
          "run hash", " nats\n", "percentage points\n"}) {
      EXPECT_NE(copied.find(part), std::string::npos) << part << " in:\n" << copied;
    }
  });
}

TEST(Window, Behaviour15_ADivergedRunSaysSoAndCanGoBack) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    Recipe recipe;
    recipe.learning_rate = 1e4;
    driver.lab().session().send(NewRunCommand{recipe, 1});
    IM_CHECK(
        driver.wait_for(context, [&] { return driver.app().status.recipe.learning_rate == 1e4; }));
    context->KeyPress(ImGuiKey_Space);
    IM_CHECK(
        driver.wait_for(context, [&] { return driver.app().status.phase == RunPhase::kDiverged; }));
    IM_CHECK(!driver.app().status.notice.empty());
    context->Yield(2);
    context->ItemClick("**/Back to its start");
    IM_CHECK(driver.wait_for(context, [&] { return driver.app().status.step == 0; }));
  });
}

TEST(Window, KeysAreForFieldsWhileTyping) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    context->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
    context->Yield(2);
    context->KeyCharsAppend("apt ");
    IM_CHECK(is_shown(driver.app().view, TransformId::kAdaptive));
    IM_CHECK_EQ(driver.app().view.theme, Theme::kDark);
    IM_CHECK(!driver.app().view.projector);
    context->KeyPress(ImGuiKey_Escape);
    context->Yield(2);
    context->KeyPress(ImGuiKey_T);
    IM_CHECK_EQ(driver.app().view.theme, Theme::kLight);
  });
}

// In a slow frame a quick Ctrl+T is over before the window sees it: T is pressed and Ctrl released
// in the same frame.
TEST(Window, AChordThatIsOverInOneFrameIsNoPlainKey) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    const auto quickly = [&](ImGuiKey key) {
      context->KeyDown(ImGuiMod_Ctrl);
      context->Inputs->Queue.push_back(ImGuiTestInput::ForKeyChord(key, true));
      context->Inputs->Queue.push_back(ImGuiTestInput::ForKeyChord(ImGuiMod_Ctrl, false));
      context->Yield();
      context->KeyUp(key);
      context->Yield(2);
    };
    quickly(ImGuiKey_T);
    IM_CHECK_EQ(driver.app().view.theme, Theme::kDark);
    IM_CHECK(driver.wait_for_picture(context));
    quickly(ImGuiKey_E);
    IM_CHECK(driver.app().exporting.open);
    context->KeyPress(ImGuiKey_Escape);
    context->Yield(2);
    IM_CHECK(!driver.app().exporting.open);
    context->KeyPress(ImGuiKey_T);
    IM_CHECK_EQ(driver.app().view.theme, Theme::kLight);
  });
}

// There is nothing to compare: the test fails when an assertion of Dear ImGui does, for example
// about a size that is zero or negative.
TEST(Window, Behaviour11_EverySizeScaleAndPageDraws) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    PanelState& panels = driver.lab().panels();
    panels.notice = "A notice that takes its place above the view";
    panels.rule_shown = true;
    IM_CHECK(driver.wait_for_picture(context));
    for (const Size size :
         {Size{1600, 1000}, {1280, 720}, {900, 500}, {600, 420}, {320, 200}, {80, 40}, {1, 1}}) {
      driver.lab().window().resize(size);
      for (const float zoom : {0.5F, 1.0F, 1.25F, 3.0F}) {
        driver.app().view.ui_scale = zoom;
        for (const Page page : {Page::kAttention, Page::kCurves, Page::kTraining, Page::kControls,
                                Page::kFocusedSize}) {
          panels.page = page;
          panels.column_shows_focused_size = page == Page::kFocusedSize;
          panels.keys_shown = page == Page::kCurves;
          context->Yield();
        }
        context->Yield();
        IM_CHECK_EQ(ImGui::GetIO().DisplaySize.x, static_cast<float>(size.width));
      }
    }
  });
}

TEST(Window, Behaviour14_FontsHoldEveryGlyph) {
  GuiDriver driver(kWindowSize);
  const std::u16string glyphs =
      u"αβγδεθλμπρσφωΓΔΘΛΣΦΩ∂∇∑∏√∞≈≠≤≥±×·→←↑↓↦∈ℝ⊤†₀₁₂₃ⁿ²³⁴⁻¹‖⟨⟩½−–…▾\u2009äöüß";
  for (ImFont* font :
       {driver.lab().panels().painter.fonts.regular, driver.lab().panels().painter.fonts.medium}) {
    for (const char16_t glyph : glyphs) {
      EXPECT_TRUE(font->IsGlyphInFont(glyph)) << std::hex << static_cast<int>(glyph);
    }
  }
}

TEST(Window, ClosesWhileTraining) {
  GuiDriver driver(kWindowSize);
  driver.run([&](ImGuiTestContext* context) {
    context->ItemClick("**/New seed");
    context->ItemClick("**/###play");
    IM_CHECK(driver.trains_to(context, 4));
  });
  driver.close();
}

TEST(Window, TheLoopEndsWhenTheWindowIsClosed) {
  GuiDriver driver(kWindowSize);
  driver.lab().window().close();
  driver.lab().run();
  EXPECT_TRUE(driver.lab().window().should_close());
}

}  // namespace
}  // namespace dispersion
