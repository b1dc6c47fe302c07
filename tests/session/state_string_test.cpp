// A state of the window as one line of text.

#include "app/session/state_string.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "app/export/encodings.h"
#include "app/session/app_state.h"
#include "core/io/file.h"
#include "tests/session/named_views.h"

namespace dispersion {
namespace {

HeadName some_head() {
  HeadName head;
  head.source = "heads/größer \"1\".safetensors, seed 7";
  head.run_hash = "0123456789abcdef";
  head.recipe.l2 = L2Form::kDecoupled;
  head.recipe.learning_rate = 0.1 + 0.2;
  head.seed = 4'294'967'295U;
  head.step = 123'456'789'012;
  head.steps_before = 100'000;
  return head;
}

// Everything is other than in a new window, with numbers that have no short text.
UserSettings some_settings(std::uint32_t seed) {
  std::mt19937_64 random(seed);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  UserSettings settings;
  ViewSettings& view = settings.view;
  view.view = kFitView;
  view.grid.shape = GridShape::kFour;
  view.grid.focused = 2;
  view.grid.panes[1] = {kDepthView, AttentionPart::kMaps};
  view.theta = between(kLowestTheta, kHighestTheta);
  for (double& coefficient : view.rule.coefficients)
    coefficient = between(-5, 5);
  view.rule.gate = between(0, 1);
  view.rule.guarded = true;
  view.rule.peak = between(1, 3);
  for (TransformChoice& choice : view.choices) {
    choice.shown = !choice.shown;
    const TransformDefinition& definition = transform_definition(choice.transform.id);
    for (std::size_t i = 0; i < definition.settings.size(); ++i) {
      const TransformSetting& setting = definition.settings[i];
      choice.transform.settings[i] =
          setting.whole ? setting.high : between(setting.low, setting.high);
    }
  }
  view.focused_items = 16'384;
  view.colour_scale = ColourScale::kLogarithmic;
  view.theme = Theme::kLight;
  view.ui_scale = 1.1F;
  view.projector = true;
  view.surfaces = true;
  settings.run.recipe.l2_lambda = between(0, 1);
  settings.run.recipe.precision = Precision::kFloat;
  settings.run.seed = 99;
  settings.run.stop_at = 1;
  for (std::size_t i = 1; i < view_count(); ++i) {
    const auto each = static_cast<View>(i);
    SettingValues& values = settings.experiments.of(each);
    for (const Setting& setting : experiment_in(each).settings) {
      const auto is_bound = [&](const Setting& other) { return other.above == setting.name; };
      if (setting.kind == SettingKind::kReal && !setting.low_open && !setting.high_open &&
          setting.above.empty() && std::ranges::none_of(experiment_in(each).settings, is_bound))
        values.set(setting.name, between(setting.low, setting.high));
      if (setting.kind == SettingKind::kChoice)
        values.set(setting.name, setting.choices.back().name);
      if (setting.kind == SettingKind::kFlag)
        values.set(setting.name, 1 - values.real(setting.name));
    }
  }
  FigureZoom& zoom = settings.zooms["entropy"];
  zoom.items = AxisLimits{between(16, 32), between(1000, 2000)};
  zoom.seen_from = {between(-9, 9), between(0, 1.5)};
  zoom.plots["Entropy, nats"] = {AxisLimits{-0.0, 1e-300}, std::nullopt, {"softmax", "θ"}};
  return settings;
}

std::string of_json(const std::string& json) {
  return "dispersion-lab:1:" + base64url(json);
}

std::string refusal(const std::string& text) {
  try {
    decode_state(text);
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

TEST(StateString, ComesBackToTheLastBit) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const UserSettings settings = some_settings(seed);
    const std::string text = encode_state(settings, some_head());
    const DeskState state = decode_state(" " + text + "\n");
    EXPECT_TRUE(state.settings == settings);
    EXPECT_EQ(difference_text(settings, state.settings), "");
    EXPECT_TRUE(state.head == some_head());
    EXPECT_EQ(encode_state(state.settings, state.head), text);
  }
}

TEST(StateString, IsOneShortLineOfPlainCharacters) {
  const std::string text = encode_state({}, {});
  EXPECT_TRUE(text.starts_with("dispersion-lab:1:"));
  EXPECT_EQ(
      text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_:"),
      std::string::npos);
  EXPECT_LT(text.size(), 3000U);
  EXPECT_TRUE(decode_state(text).settings == UserSettings());
}

TEST(StateString, WhatItLeavesOutIsAsInANewWindow) {
  const DeskState state = decode_state(of_json("{}"));
  EXPECT_TRUE(state.settings == UserSettings());
  EXPECT_TRUE(state.head.run_hash.empty());
}

TEST(StateString, NamesAHeadWithoutARun) {
  HeadName head;
  head.source = "weights.safetensors";
  head.run_hash = "00000000000000ff";
  head.has_run = false;
  EXPECT_TRUE(decode_state(encode_state({}, head)).head == head);
}

TEST(StateString, RefusesWhatIsNone) {
  EXPECT_EQ(refusal("hello"), "the state: should begin with dispersion-lab:1:");
  EXPECT_EQ(refusal(""), "the state: should begin with dispersion-lab:1:");
  EXPECT_EQ(refusal("dispersion-lab:2:e30"),
            "the state: is of another version of the program, which this one cannot read");
  EXPECT_EQ(refusal("dispersion-lab:1:e30="),
            "the state: is not whole: a character is missing or wrong");
  EXPECT_NE(refusal(std::string(kLongestState + 1, 'a')).find("expected at most"),
            std::string::npos);
  const std::string text = encode_state({}, {});
  for (std::size_t length = 0; length < text.size(); ++length)
    EXPECT_NE(refusal(text.substr(0, length)), "") << length;
}

TEST(StateString, SaysWhatThisProgramDoesNotKnow) {
  const std::vector<std::pair<std::string, std::string>> all = {
      {R"({"views":{}})", "'views' should be left out: this program does not know it"},
      {R"({"experiments":{"fortune":{}}})",
       "'experiments.fortune' should be left out: there is no such experiment here"},
      {R"({"experiments":{"fit":{"luck":1}}})",
       "'experiments.fit.luck' should be left out: this program does not know it"},
      {R"({"experiments":{"fit":{"sets":-1}}})", "--sets: expected a number from"},
      {R"({"experiments":{"fit":{"sets":1.5}}})", "should be a whole number"},
      {R"({"view":{"view":"fortune"}})", "a view of this program, not 'fortune'"},
      // A figure of the command line, which no view shows.
      {R"({"view":{"view":"dispersion"}})", "a view of this program, not 'dispersion'"},
      {R"({"view":{"grid":{"shape":"beside","focused":2}}})", "a whole number from 0 to 1"},
      {R"({"view":{"theta":0}})", "'view.theta' should be from 0.05 to 10"},
      {R"({"view":{"n":100}})", "'view.n' should be a power of two from 16 to 16384"},
      {R"({"view":{"colour_scale":"red"}})", "linear, square root, logarithmic"},
      {R"({"view":{"transforms":[{"of":"hope","shown":true}]}})", "'hope'"},
      {R"({"run":{"seed":-1}})", "'run.seed' should be a whole number"},
      {R"({"run":{"recipe":{"luck":1}}})", "'run.recipe' should be a recipe"},
      {R"({"zooms":{"run":{"items":[2,1]}}})", "a smaller and a larger number"},
      {R"({"zooms":{"surface":{"seen_from":[0]}}})", "a list of two angles"},
      {R"({"zooms":{"surface":{"seen_from":[0,2]}}})", "seen_from[1]' should be from 0 to"},
      {R"({"head":{"source":"x"}})", "'head.run_hash' is missing"}};
  for (const auto& [json, message] : all)
    EXPECT_NE(refusal(of_json(json)).find(message), std::string::npos) << refusal(of_json(json));
}

// With another one the next start of the program would refuse all of its settings.
TEST(StateString, HasASizeThatTheWindowCanHave) {
  for (const float scale : {0.5F, 1.25F, 3.0F}) {
    UserSettings settings;
    settings.view.ui_scale = scale;
    EXPECT_EQ(decode_state(encode_state(settings, {})).settings.view.ui_scale, scale);
  }
  for (const float scale : {0.49F, 3.01F, 16.0F}) {
    UserSettings settings;
    settings.view.ui_scale = scale;
    EXPECT_THROW(decode_state(encode_state(settings, {})), FileError) << scale;
  }
}

TEST(StateString, IsThatOfTheWindow) {
  AppState app;
  app.view.theta = 0.5;
  app.status.recipe.learning_rate = 0.01;
  app.status.seed = 3;
  auto state = std::make_shared<TrainingState>(start_training({.width = 4, .classes = 10}, 3));
  state->step = 12;
  app.head.state = state;
  const DeskState told = decode_state(state_string(app));
  EXPECT_TRUE(told.settings == user_settings(app));
  EXPECT_EQ(told.head.step, 12);
  EXPECT_EQ(told.head.run_hash, run_hash(app.status.recipe, *state));
}

TEST(Base64Url, GoesThereAndBack) {
  std::mt19937 random(1);
  for (std::size_t length = 0; length < 50; ++length) {
    std::string bytes;
    for (std::size_t i = 0; i < length; ++i)
      bytes += static_cast<char>(random());
    EXPECT_EQ(from_base64url(base64url(bytes)), bytes);
  }
  EXPECT_FALSE(from_base64url("A"));
  EXPECT_FALSE(from_base64url("AB"));  // has bits beyond the last byte
  EXPECT_FALSE(from_base64url("AA=="));
  EXPECT_FALSE(from_base64url("A A"));
}

}  // namespace
}  // namespace dispersion
