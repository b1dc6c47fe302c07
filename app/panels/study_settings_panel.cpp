#include "app/panels/study_settings_panel.h"

#include <array>
#include <cstdint>
#include <string_view>

#include "app/panels/fields.h"
#include "app/panels/widgets.h"

namespace dispersion {
namespace {

void whole_field(Painter& painter, const NumberField& field, int& value) {
  double number = value;
  if (number_field(painter, field, number)) value = static_cast<int>(number);
}

void draw_sets(Painter& painter, int& sets, int most, std::string_view help) {
  whole_field(painter, {"sets of every size", 1, static_cast<double>(most), true, help}, sets);
}

void draw_theta(AppState& app, Painter& painter) {
  number_field(painter,
               {"temperature θ", kLowestTheta, kHighestTheta, false,
                "Weights are softmax(logits / θ). The same θ as in the attention view."},
               app.view.theta);
}

void draw_table(AppState& app, Painter& painter) {
  draw_sets(
      painter, app.study_settings.table.sets, 65'536,
      "Evaluation sets of every size for every head; all transforms see the same ones. As many as "
      "make a share over all heads uncertain by half a point at most, unless changed.");
}

// What the fit found, put to use at once.
void draw_rule_buttons(AppState& app, Painter& painter) {
  const StudyState& study = app.studies.of(View::kFit);
  AdaptiveRule& rule = app.view.rule;
  section_title(painter, "Adaptive rule in use", rule == AdaptiveRule() ? "the paper's" : "own");
  const float width = ImGui::GetContentRegionAvail().x;
  if (study.result && study.result->rule) {
    const bool plain = rule == *study.result->rule;
    if (push_button(painter, plain ? "In use###use rule" : "Use as rule###use rule",
                    plain ? ButtonKind::kPrimary : ButtonKind::kPlain, width,
                    "Adaptive θ takes this head's polynomial, in every view.")) {
      rule = *study.result->rule;
    }
  }
  if (study.result && study.result->guarded_rule) {
    const bool guarded = rule == *study.result->guarded_rule;
    if (push_button(painter,
                    guarded ? "Guarded, in use###use guarded" : "Use guarded###use guarded",
                    guarded ? ButtonKind::kPrimary : ButtonKind::kPlain, width,
                    "The same, but beyond its peak β stays where it is instead of falling back to "
                    "1, where the rule would switch itself off.")) {
      rule = *study.result->guarded_rule;
    }
  }
  if (rule != AdaptiveRule() && push_button(painter, "Paper's rule", ButtonKind::kPlain, width,
                                            "Puts the coefficients of the paper's listing back.")) {
    rule = AdaptiveRule();
  }
}

void draw_fit(AppState& app, Painter& painter) {
  FitStudy& fit = app.study_settings.fit;
  draw_sets(painter, fit.sets, 16'384,
            "Sets drawn at every n. Those whose maximum already holds the largest logit are "
            "dropped: no temperature is best for them (appendix, derivation of the scheme).");
  double seed = fit.seed;
  if (number_field(painter, {"seed of the sets", 0, 4294967295.0, true, "Other sets, same head."},
                   seed)) {
    fit.seed = static_cast<std::uint32_t>(seed);
  }
  gap(painter, 4);
  draw_rule_buttons(app, painter);
}

void draw_thetas(double& lowest, double& highest, Painter& painter) {
  number_field(painter, {"smallest θ", 1e-6, 0.99, false, "Lower end of the temperatures."},
               lowest);
  number_field(painter, {"largest θ", 1.01, 1e6, false, "Upper end of the temperatures."}, highest);
}

void draw_limits(RegionLimits& limits, Painter& painter) {
  draw_thetas(limits.lowest_theta, limits.highest_theta, painter);
  number_field(painter, {"smallest λ", -10, 0.99, false, "Lower end of the bases."},
               limits.lowest_lambda);
  number_field(painter, {"largest λ", 1.01, 10, false, "Upper end of the bases."},
               limits.highest_lambda);
}

void draw_surfaces(AppState& app, Painter& painter) {
  constexpr std::array<const char*, 2> kOf = {"power series", "this head"};
  constexpr std::array<const char*, 2> kFirst = {"i = 0 …", "i = 1 …"};
  SurfaceStudy& study = app.study_settings.surface;
  int of = study.of_head ? 1 : 0;
  segments(painter, "surface of", kOf.data(), 2, of,
           "Figure 5: ten logits λⁱ. Or the open head: its entropy over n and θ.");
  study.of_head = of == 1;
  gap(painter, 2);
  if (study.of_head) {
    draw_sets(painter, study.sets, 1024, "Sets of every n behind the mean entropy.");
    draw_thetas(study.head_lowest_theta, study.head_highest_theta, painter);
  } else {
    segments(painter, "first exponent", kFirst.data(), 2, study.first_exponent,
             "Figure 5 does not say whether the powers begin with λ⁰ or λ¹.");
    gap(painter, 2);
    whole_field(painter, {"terms", 2, 1000, true, "Logits in a series; the figure has 10."},
                study.terms);
    draw_limits(study.limits, painter);
  }
}

void draw_bounds(AppState& app, Painter& painter) {
  BoundsStudy& study = app.study_settings.bounds;
  draw_theta(app, painter);
  draw_sets(painter, study.sets, 1024, "Sets of every n whose weights are measured.");
  gap(painter, 4);
  section_title(painter, "The set {a, b, b, …}");
  CorollaryPair& pair = study.pair;
  constexpr std::string_view kHelp =
      "One item a with the larger priority and n − 1 equal items b (corollary, appendix B).";
  number_field(painter, {"priority of a", pair.priority_b + 1e-6, 1, false, kHelp},
               pair.priority_a);
  number_field(painter, {"priority of b", 0, pair.priority_a - 1e-6, false, kHelp},
               pair.priority_b);
  whole_field(painter, {"class of a", 0, 9, true, kHelp}, pair.class_a);
  whole_field(painter, {"class of b", 0, 9, true, kHelp}, pair.class_b);
}

void draw_depth(AppState& app, Painter& painter) {
  constexpr std::array<const char*, 4> kTokens = {"a, b, b, …", "b, …, b, a", "a, b, a, b",
                                                  "random"};
  constexpr std::array<const char*, 2> kAttention = {"BERT-style", "causal"};
  DepthStudy& study = app.study_settings.depth;
  int tokens = static_cast<int>(study.pattern);
  if (choice_field(painter, "tokens", kTokens.data(), 4, tokens,
                   "One a among b, as in the corollary; half of each, where the remark as printed "
                   "fails; or any of the vocabulary."))
    study.pattern = static_cast<TokenPattern>(tokens);
  int causal = study.options.causal ? 1 : 0;
  segments(
      painter, "attention", kAttention.data(), 2, causal,
      "Every token sees all, or only those before it (appendix C). Causal costs n², so it goes "
      "to 1024 tokens.");
  study.options.causal = causal == 1;
  gap(painter, 2);
  toggle(painter, "residual connections", study.options.residual, painter.palette->baseline,
         "Adds a layer's input to its output.");
  gap(painter, 2);
  whole_field(painter, {"layers", 1, 8, true, "Of the random stack."}, study.shape.layers);
  whole_field(painter, {"width", 2, 256, true, "Of every embedding."}, study.shape.width);
  whole_field(painter, {"vocabulary", 2, 1024, true, "Different tokens."}, study.shape.vocabulary);
  double seed = study.seed;
  if (number_field(painter, {"seed", 0, 4294967295.0, true, "Of the stack's random weights."},
                   seed))
    study.seed = static_cast<std::uint32_t>(seed);
}

void draw_attention(SequenceAttention& attention, Painter& painter) {
  constexpr std::array<const char*, 3> kChannels = {"64", "128", "256"};
  constexpr std::array<const char*, 2> kKeys = {"all", "causal"};
  constexpr std::array<const char*, 2> kNumbers = {"fp32", "bf16"};
  int channels = attention.d == 64 ? 0 : attention.d == 128 ? 1 : 2;
  if (choice_field(painter, "channels", kChannels.data(), 3, channels,
                   "Of a query, a key and a value of the random sequences."))
    attention.d = 64 << channels;
  int causal = attention.causal ? 1 : 0;
  if (choice_field(painter, "keys", kKeys.data(), 2, causal,
                   "That a query sees: every one, or those up to its own."))
    attention.causal = causal == 1;
  int numbers = static_cast<int>(attention.numbers);
  if (choice_field(painter, "numbers", kNumbers.data(), 2, numbers,
                   "What products are taken of; sums are fp32. bf16 takes tensor cores, which CUDA "
                   "devices have from compute capability 8.0 on."))
    attention.numbers = static_cast<AttentionNumbers>(numbers);
}

void draw_streaming(AppState& app, Painter& painter) {
  StreamingStudy& study = app.study_settings.streaming;
  number_field(painter, {"scale of logits", 0, 1e6, false, "Logits are offset + scale × U[0, 1)."},
               study.scale);
  number_field(painter,
               {"offset of logits", -1e9, 1e9, false,
                "A large one costs digits where sums are not centred on the maximum."},
               study.offset);
  whole_field(painter, {"block", 1, 131'072, true, "Items merged at a time."}, study.block);
  gap(painter, 4);
  section_title(painter, "Attention along n");
  draw_attention(study.attention, painter);
}

void draw_precision(AppState& app, Painter& painter) {
  draw_sets(painter, app.study_settings.precision.sets, 16'384,
            "Sets of every size; every precision sees the same ones. What is rounded are the "
            "priorities alone, or the inputs of every matrix product.");
}

}  // namespace

void draw_study_settings(AppState& app, Painter& painter) {
  switch (app.view.view) {
    case View::kTable:
      draw_table(app, painter);
      break;
    case View::kFit:
      draw_fit(app, painter);
      break;
    case View::kSurfaces:
      draw_surfaces(app, painter);
      break;
    case View::kBounds:
      draw_bounds(app, painter);
      break;
    case View::kDepth:
      draw_depth(app, painter);
      break;
    case View::kStreaming:
      draw_streaming(app, painter);
      break;
    case View::kPrecision:
      draw_precision(app, painter);
      break;
    case View::kAttention:
    case View::kSpread:
      break;
  }
}

}  // namespace dispersion
