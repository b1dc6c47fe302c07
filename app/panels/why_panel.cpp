#include "app/panels/panels.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/panels/fields.h"
#include "app/panels/frame_at.h"
#include "app/panels/widgets.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

// Nats above which attention counts as dispersed: as over three equal items or so.
constexpr double kDispersed = 1;

// One sentence for what is seen, from the weight on the maximum.
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

// What the adaptive rule makes of this entropy.
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

}  // namespace dispersion
