#include "app/panels/panels.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>

#include "app/panels/frame_at.h"
#include "app/panels/input_fields.h"
#include "app/panels/widgets.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr const char* kAccuracyHelp =
    "Share of evaluation sets whose maximum was classified right, with half the width of its 95 % "
    "Wilson "
    "interval. Table 1.";

// Three decimals, or "<0.001" for a smaller number that is not 0.
std::string small_number_text(double number) {
  return number > 0 && number < 0.0005 ? "<0.001" : fixed_text(number, 3);
}

void draw_transform(const TransformAt& at, Colour value, Painter& painter) {
  const SizeRow* row = at.row;
  const bool measured = row != nullptr;
  const auto text = [&](double number, int decimals, const char* unit) {
    return measured ? fixed_text(number, decimals) + unit : std::string("–");
  };
  value_row(painter,
            {"accuracy", measured ? accuracy_text(*row) : "–", measured ? exact_accuracy(*row) : "",
             value, kAccuracyHelp, "as a share of 1"});
  const double on_max = measured ? row->mean_weight_on_max() : 0;
  value_row(painter,
            {"weight on the maximum", measured ? small_number_text(on_max) : std::string("–"),
             plain_number(on_max), value,
             "Mean attention weight on the item with the largest priority, over all sets that "
             "were counted for the accuracy; the heat maps show 32 of their own. 1 is sharp, 1/n "
             "is what averaging would give."});
  const double entropy = measured ? row->mean_entropy() : 0;
  value_row(painter,
            {"entropy H", text(entropy, 2, " nats"), plain_number(entropy), value,
             "Mean Shannon entropy of the weights in nats: 0 is sharp, log n is uniform.", "nats"});
  if (at.id == TransformId::kSoftmax) return;
  const double theta = measured ? row->mean_theta() : 0;
  value_row(painter, {"mean θ used", text(theta, 2, ""), plain_number(theta), value,
                      "The effective temperature θ/β(H), averaged over the sets."});
}

std::string points_text(double points) {
  std::string text(points >= 0 ? 1 : 0, '+');
  text += fixed_text(points, 1);
  text += " percentage points";
  return text;
}

// The difference in accuracy between a transform and plain softmax.
void draw_difference(const FrameAt& at, const TransformAt& other, Painter& painter) {
  const SizeRow* plain = at.plain_row();
  const bool measured = plain != nullptr && other.row != nullptr;
  const double points = measured ? 100 * (other.row->accuracy() - plain->accuracy()) : 0;
  const TransformDefinition& definition = transform_definition(other.id);
  const bool adaptive = other.id == TransformId::kAdaptive;
  const std::string help =
      (adaptive ? "Adaptive" : std::string(definition.label)) +
      " minus plain, on the same sets, in percentage points. The head's weights are the same: only "
      "the " +
      (adaptive ? "temperature" : "transform") + " differs.";
  value_row(painter, {at.transforms.size() > 2 ? std::string(definition.label) : "accuracy",
                      measured ? points_text(points) : "–",
                      plain_number(points),
                      {},
                      help,
                      "percentage points"});
}

}  // namespace

void draw_focused_size_panel(const AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  const Palette& p = *painter.palette;
  const FrameAt at = frame_at(app, app.view.focused_items);
  section_title(painter, "At n = " + grouped_text(app.view.focused_items), row_age_text(at));
  for (const TransformAt& each : at.transforms) {
    const TransformDefinition& definition = transform_definition(each.id);
    const Colour colour = role_colour(p, definition.colour);
    group_title(painter, definition.label, colour);
    draw_transform(each, at.row_current ? colour : p.muted, painter);
  }
  if (at.transforms.size() < 2) return;
  group_title(painter, "difference, same sets", p.muted);
  for (std::size_t t = 1; t < at.transforms.size(); ++t)
    draw_difference(at, at.transforms[t], painter);
}

namespace {

// Entropy in nats above which attention counts as dispersed; that of three equal weights is 1.1.
constexpr double kDispersed = 1;

// A sentence that explains the heat map of this n.
std::string explanation(const AttentionFrame& plain, double beyond_rule) {
  if (plain.mean_weight_on_max > 0.7) {
    return "Few items compete: the largest logit stands clear of the next, and the weight stays on "
           "the "
           "maximum.";
  }
  if (plain.mean_entropy < kDispersed / 2) {
    return "Attention is sharp, but on the wrong items: the largest logit does not sit on the "
           "largest "
           "priority.";
  }
  if (beyond_rule > 0.5) {
    return "So dispersed that the rule's polynomial has fallen back to 1: adaptive θ switches "
           "itself off and "
           "both transforms are the same.";
  }
  return "The gap between the two largest priorities shrinks like 1/(n+1) while the slope of the "
         "logits "
         "stays: the weight spreads over the items near the top.";
}

void draw_numbers(const AttentionFrame& frame, Painter& painter) {
  const int n = frame.items;
  const double spread = frame.mean_logit_spread;
  const double bound = largest_possible_weight(spread, frame.transform.theta, n);
  const double gap = 1.0 / (n + 1.0);
  value_row(painter,
            {"logit spread δ",
             compact_number(spread, 1),
             plain_number(spread),
             {},
             "Largest minus smallest logit, averaged over the 32 sets shown: it controls how soon "
             "attention disperses (lemma 2.1)."});
  value_row(
      painter,
      {"bound on a weight",
       weight_text(bound),
       plain_number(bound),
       {},
       "No weight can exceed 1 / (1 + (n − 1) exp(−δ/θ)): the sharp form of the bound in lemma "
       "2.1. It tends to 0 as n grows, whatever δ is."});
  value_row(painter,
            {"expected top gap",
             fixed_text(gap, n < 100 ? 4 : 6),
             plain_number(gap),
             {},
             "1/(n + 1): the mean distance between the two largest of n uniform priorities."});
}

// What the adaptive rule does at this entropy.
void draw_rule_numbers(const AttentionFrame& frame, const AdaptiveRule& rule, double beyond_rule,
                       Painter& painter) {
  const double beta = adaptive_beta(rule, frame.mean_entropy);
  value_row(
      painter,
      {"β(H) at mean H",
       fixed_text(beta, 2),
       plain_number(beta),
       {},
       "By how much the adaptive rule multiplies the logits at the mean entropy (figure 6)."});
  value_row(painter,
            {"sets where β is off",
             fixed_text(100 * beyond_rule, 0) + " %",
             plain_number(beyond_rule),
             {},
             "Sets that are dispersed, but where the polynomial is below 1, so that nothing is "
             "corrected: beyond H = 5.94 for the paper's rule.",
             "as a share of 1"});
}

}  // namespace

double largest_possible_weight(double spread, double theta, int items) {
  return 1 / (1 + (items - 1) * std::exp(-spread / theta));
}

double share_beyond_rule(const AttentionFrame& plain, const AdaptiveRule& rule) {
  if (plain.entropy.empty()) return 0;
  const auto off = std::ranges::count_if(plain.entropy, [&](float entropy) {
    return entropy > kDispersed && adaptive_beta(rule, entropy) == 1;
  });
  return static_cast<double>(off) / static_cast<double>(plain.entropy.size());
}

void draw_why_panel(const AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  const FrameAt at = frame_at(app, app.view.focused_items);
  section_title(painter, "Why", at.plain() == nullptr ? "" : frame_age_text(at));
  if (at.plain() == nullptr) {
    flow_text(painter, TextStyle::kSmall, painter.palette->muted, "Being computed …");
    return;
  }
  const double beyond_rule = share_beyond_rule(*at.plain(), app.view.rule);
  draw_numbers(*at.plain(), painter);
  if (shows_rule(app.view)) draw_rule_numbers(*at.plain(), app.view.rule, beyond_rule, painter);
  gap(painter, 2);
  flow_text(painter, TextStyle::kSmall, painter.palette->muted,
            explanation(*at.plain(), shows_rule(app.view) ? beyond_rule : 0));
}

namespace {

// Weights below a thousandth are written with a power of ten, since many are far smaller.
std::string cell_weight_text(float weight) {
  if (weight == 0) return "0";
  if (weight >= 1e-3F) return fixed_text(weight, 4);
  std::array<char, 32> text{};
  const auto result = std::to_chars(text.data(), text.data() + text.size(), weight,
                                    std::chars_format::scientific, 2);
  return {text.data(), result.ptr};
}

void draw_cell(const AppState& app, const FrameAt& at, Painter& painter) {
  const Palette& p = *painter.palette;
  const AppState::Pointer& pointer = app.pointer;
  const FrameLogits& logits = *at.logits;
  const std::size_t cell = static_cast<std::size_t>(pointer.set * logits.columns + pointer.column);
  const std::size_t item =
      static_cast<std::size_t>(pointer.set) * static_cast<std::size_t>(logits.items) +
      static_cast<std::size_t>(logits.shown[cell]);
  const std::size_t set = static_cast<std::size_t>(pointer.set);
  const float priority = logits.shown_priority[cell];
  const float logit = logits.logits[item];
  const std::string item_class = std::to_string(logits.shown_class[cell]);
  const std::string step = grouped_text(at.step);
  value_row(painter,
            {"step of this frame",
             step,
             std::to_string(at.step),
             {},
             "The training step whose weights the frame shows; large n follow a little behind."});
  value_row(painter, {"priority ρ",
                      fixed_text(priority, 6),
                      plain_number(priority),
                      {},
                      "The number whose maximum the head has to find."});
  value_row(painter, {"class", item_class, item_class, {}, "What it has to answer: one of ten."});
  value_row(painter, {"logit e",
                      compact_number(logit, 2),
                      plain_number(logit),
                      {},
                      "The attention logit, scaled by 1/√128, before the temperature."});
  for (const TransformAt& each : at.transforms) {
    const AttentionFrame* frame = each.frame;
    if (frame == nullptr) continue;
    const TransformDefinition& definition = transform_definition(each.id);
    const Colour value = role_colour(p, definition.colour);
    group_title(painter, definition.label, value);
    painter.section = "pointer, " + std::string(definition.label);
    value_row(painter, {"weight", cell_weight_text(frame->weights[cell]),
                        plain_number(frame->weights[cell]), value, ""});
    value_row(painter, {"entropy H of the set", fixed_text(frame->entropy[set], 3) + " nats",
                        plain_number(frame->entropy[set]), value, "", "nats"});
    value_row(painter, {"effective θ", fixed_text(frame->theta[set], 3),
                        plain_number(frame->theta[set]), value, ""});
  }
}

}  // namespace

void draw_pointer_panel(const AppState& app, PanelState& state) {
  Painter& painter = state.painter;
  const AppState::Pointer& pointer = app.pointer;
  section_title(painter, "Under the pointer");
  const FrameAt at = frame_at(app, pointer.items);
  if (pointer.items == 0 || at.logits == nullptr || pointer.column >= at.logits->columns) {
    flow_text(painter, TextStyle::kSmall, painter.palette->muted,
              "Point at a heat map for the exact values of one item. Click to look at its n; "
              "Ctrl+C copies "
              "every number on this side.");
    return;
  }
  const int rank = at.logits->columns - pointer.column;
  flow_text(painter, TextStyle::kBody, painter.palette->muted,
            "set " + std::to_string(pointer.set + 1) + ", rank " + std::to_string(rank) + " of " +
                grouped_text(pointer.items));
  draw_cell(app, at, painter);
}

}  // namespace dispersion
