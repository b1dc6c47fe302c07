// The table of experiments: names that are unique, settings that can be, and results whose tables
// are whole.

#include "core/experiment/experiment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

#include "core/attention/transforms.h"
#include "core/experiment/experiment_table.h"

namespace dispersion {
namespace {

bool is_number(const Setting& setting) {
  return setting.kind == SettingKind::kWhole || setting.kind == SettingKind::kReal;
}

TEST(Experiments, NamesAreUniqueAndFoundAgain) {
  std::set<std::string_view> names;
  for (const Experiment& experiment : experiments()) {
    EXPECT_TRUE(names.insert(experiment.name).second) << experiment.name;
    EXPECT_EQ(find_experiment(experiment.name), &experiment);
    if (!experiment.former_name.empty()) {
      EXPECT_TRUE(names.insert(experiment.former_name).second) << experiment.former_name;
      EXPECT_EQ(find_experiment(experiment.former_name), &experiment);
    }
    EXPECT_FALSE(experiment.title.empty() || experiment.summary.empty()) << experiment.name;
    EXPECT_FALSE(experiment.summary.ends_with('.')) << experiment.name;
    EXPECT_TRUE(experiment.run) << experiment.name;
  }
  EXPECT_EQ(find_experiment(""), nullptr);
  EXPECT_EQ(find_experiment("tables"), nullptr);
}

// What stands where in the paper, and which experiment is of it.
struct PaperPlace {
  std::string_view experiment;
  std::string_view place;
  std::string_view there;  // a caption or a heading of the paper
};
constexpr std::array<PaperPlace, 9> kPaperPlaces = {
    {{"dispersion", "figure 2", "Visualising the attentional head for the max retrieval task"},
     {"adaptive-dispersion", "figure 7",
      "... with (below) and without (above) adaptive temperature"},
     {"table", "Table 1", "Improvements observed when applying adaptive temperature"},
     {"fit", "figure 6, appendix F",
      "The polynomial fit used to derive our adaptive formula; "
      "Derivation of the Adaptive Temperature Scheme"},
     {"surface", "figure 5", "Entropy of softmax(a) for 10 elements of a power series"},
     {"spread", "figure 9", "A plot of the logit spread against its upper bound value"},
     {"bounds", "lemma 2.1, theorem 2.2", "softmax must disperse; ... in Transformers"},
     {"depth", "appendix C", "How does Dispersion Interact with Depth?"},
     {"streaming", "appendix G", "An Algorithm for Streaming Attentional Entropy"}}};

TEST(Experiments, SayWhereTheyStandInThePaper) {
  std::size_t found = 0;
  for (const Experiment& experiment : experiments()) {
    const std::string_view place = experiment.paper_place;
    const auto known = std::ranges::find(kPaperPlaces, experiment.name, &PaperPlace::experiment);
    found += known != kPaperPlaces.end() ? 1 : 0;
    EXPECT_EQ(place, known != kPaperPlaces.end() ? known->place : kBeyondPaper)
        << experiment.name << ": " << (known != kPaperPlaces.end() ? known->there : "");
    EXPECT_EQ(experiment.summary.find(" ("), std::string_view::npos) << experiment.name;
    EXPECT_EQ(experiment.summary_with_place(),
              std::string(experiment.summary) + " (" + std::string(place) + ")");
  }
  EXPECT_EQ(found, kPaperPlaces.size());
}

TEST(Experiments, WhatACommandOffersIsExplained) {
  for (const Experiment& experiment : experiments()) {
    if (experiment.place != ExperimentPlace::kEverywhere) continue;
    EXPECT_FALSE(experiment.help.empty()) << experiment.name;
    EXPECT_FALSE(experiment.examples.empty()) << experiment.name;
    for (const std::string_view example : experiment.examples)
      EXPECT_TRUE(example.starts_with(experiment.name)) << example;
    for (const Setting& setting : experiment.settings)
      EXPECT_FALSE(setting.help.empty()) << experiment.name << " --" << setting.name;
  }
}

TEST(Experiments, EverySettingBeginsWithAValueThatCanBe) {
  for (const Experiment& experiment : experiments()) {
    std::set<std::string_view> names;
    for (const Setting& setting : experiment.settings) {
      SCOPED_TRACE(std::string(experiment.name) + " --" + std::string(setting.name));
      EXPECT_TRUE(names.insert(setting.name).second);
      EXPECT_EQ(setting.kind == SettingKind::kChoice, !setting.choices.empty());
      if (is_number(setting)) {
        EXPECT_LT(setting.low, setting.high);
      }
    }
    for (const SettingUse use : {SettingUse::kCommand, SettingUse::kPicture}) {
      const SettingValues values(experiment.settings, use);
      EXPECT_NO_THROW(values.require_valid()) << experiment.name;
      for (const Setting& setting : experiment.settings) {
        SCOPED_TRACE(setting.name);
        // What others are named by is there.
        EXPECT_NO_THROW(values.applies(setting));
        if (!setting.above.empty()) {
          EXPECT_TRUE(values.has(setting.above));
        }
        if (setting.kind == SettingKind::kChoice) {
          EXPECT_NO_THROW(values.choice(setting.name));
        }
      }
    }
  }
}

// A window cannot show the choices that have no label, so that it must not begin with one.
TEST(Experiments, TheWindowCanShowWhatItBeginsWith) {
  for (const Experiment& experiment : experiments()) {
    const SettingValues values(experiment.settings, SettingUse::kPicture);
    for (const Setting& setting : experiment.settings) {
      if (setting.kind != SettingKind::kChoice || setting.label.empty()) continue;
      const auto labelled = static_cast<double>(std::ranges::count_if(
          setting.choices, [](const SettingChoice& choice) { return !choice.label.empty(); }));
      EXPECT_LT(values.real(setting.name), labelled) << experiment.name << " " << setting.name;
      for (double i = 0; i < labelled; ++i)
        EXPECT_FALSE(setting.choices[static_cast<std::size_t>(i)].label.empty()) << setting.name;
    }
  }
}

TEST(Experiments, RefuseAHeadWhoseAttentionIsNotFinite) {
  Parameters<float> head = initial_parameters({.width = 4, .classes = 10}, 1);
  EXPECT_NO_THROW(require_finite_attention("a head", head));
  for (const TensorId kernel : {TensorId::kQueryKernel, TensorId::kKeyKernel})
    std::ranges::fill(head.tensor(kernel), 3e38f);
  try {
    require_finite_attention("some/file", head);
    ADD_FAILURE() << "was taken";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "some/file: gives attention that is not finite");
  }
}

const std::vector<Setting>& some_settings() {
  static const std::vector<Setting> all = {
      {.name = "whole", .low = 1, .high = 9, .value = 3},
      {.name = "share",
       .kind = SettingKind::kReal,
       .low = 0,
       .high = 1,
       .high_open = true,
       .value = 0.5,
       .shown_value = 0.25},
      {.name = "part", .kind = SettingKind::kChoice, .choices = {{"one", "One"}, {"both", ""}}},
      {.name = "transforms", .kind = SettingKind::kTransforms, .transforms = paper_transforms()},
      {.name = "sizes", .kind = SettingKind::kSizes, .low = 1, .high = 64, .sizes = {16, 32}},
      {.name = "larger-share",
       .kind = SettingKind::kReal,
       .value = 0.75,
       .only_with = {"part", "both"},
       .above = "share"},
  };
  return all;
}

TEST(SettingValues, AreThoseOfTheSettings) {
  SettingValues values(some_settings(), SettingUse::kCommand);
  EXPECT_EQ(values.whole("whole"), 3);
  EXPECT_EQ(values.real("share"), 0.5);
  EXPECT_EQ(SettingValues(some_settings(), SettingUse::kPicture).real("share"), 0.25);
  EXPECT_EQ(values.choice("part"), "one");
  EXPECT_EQ(values.transforms(), paper_transforms());
  EXPECT_EQ(values.sizes("sizes"), (std::vector<int>{16, 32}));
  EXPECT_FALSE(values.applies(some_settings().back()));
  const std::string before = values.text();
  values.set("part", std::string_view("both"));
  EXPECT_TRUE(values.applies(some_settings().back()));
  EXPECT_NE(values.text(), before);
  EXPECT_EQ(setting_key(some_settings().back()), "larger_share");
  EXPECT_THROW(values.real("other"), std::logic_error);
  EXPECT_THROW(values.set("part", std::string_view("three")), std::logic_error);
}

// What is compared as a text differs where the values do, if only in their last bit.
TEST(SettingValues, TheirTextTellsThemApartToTheLastBit) {
  SettingValues values(some_settings(), SettingUse::kCommand);
  const std::string before = values.text();
  values.set("share", std::nextafter(0.5, 1));
  const std::string above = values.text();
  EXPECT_NE(above, before);
  values.set("share", std::nextafter(0.5, 0));
  EXPECT_NE(values.text(), before);
  EXPECT_NE(values.text(), above);
  values.set("share", 0.5);
  EXPECT_EQ(values.text(), before);
  values.set("share", 5e-324);
  const std::string smallest = values.text();
  values.set("share", 0);
  EXPECT_NE(values.text(), smallest);
  values.set("share", 0.5);
  const std::vector<AttentionTransform> usual = values.transforms();
  const auto changed = [&](auto change) {
    std::vector<AttentionTransform> transforms = usual;
    change(transforms.back());
    values.set_transforms(transforms);
    return values.text() != before;
  };
  EXPECT_FALSE(changed([](AttentionTransform&) {}));
  EXPECT_TRUE(changed([](AttentionTransform& t) { t.theta = std::nextafter(1, 2); }));
  EXPECT_TRUE(changed([](AttentionTransform& t) { t.rule.gate = std::nextafter(0.5, 1); }));
  EXPECT_TRUE(changed([](AttentionTransform& t) {
    t.rule.coefficients[4] = std::nextafter(t.rule.coefficients[4], 0);
  }));
  EXPECT_TRUE(changed([](AttentionTransform& t) { t.rule.guarded = true; }));
}

TEST(SettingValues, SayWhatCannotBe) {
  const auto refused = [](std::string_view name, double value) {
    SettingValues values(some_settings(), SettingUse::kCommand);
    values.set(name, value);
    try {
      values.require_valid();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused("whole", 9), "");
  EXPECT_EQ(refused("whole", 10), "--whole: expected a number from 1 to 9, not 10");
  EXPECT_EQ(refused("share", 0), "");
  EXPECT_NE(refused("share", 1), "");
  EXPECT_EQ(refused("larger-share", 0.5), "--larger-share: expected a number above --share");
  SettingValues values(some_settings(), SettingUse::kCommand);
  values.set("sizes", std::vector<int>{16, 65});
  EXPECT_THROW(values.require_valid(), std::invalid_argument);
  values.set("sizes", std::vector<int>{16, 64});
  EXPECT_NO_THROW(values.require_valid());
  values.set_transforms({{.id = TransformId::kTopK, .settings = {-1}}});
  EXPECT_THROW(values.require_valid(), std::invalid_argument);
}

}  // namespace
}  // namespace dispersion
