#include "app/commands/study_arm_section.h"

#include <algorithm>
#include <cmath>

#include "app/commands/markdown.h"
#include "app/commands/study_results.h"
#include "core/experiment/paper_table.h"
#include "core/experiment/size_table.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

std::string inside_text(const Json& row) {
  const Json& inside = row.at("paper_inside");
  if (inside.is_null()) return "-";
  if (inside.get<bool>()) return "inside";
  return row.at("paper_mean").get<double>() < row.at("low").get<double>() ? "below ours"
                                                                          : "above ours";
}

std::string verdict_text(const Json& result) {
  const Verdict count = verdict(result);
  return "The paper's mean lies inside our 95 % interval in " + std::to_string(count.inside) +
         " of " + std::to_string(count.cells) + " cells, below it in " +
         std::to_string(count.below) + ", above it in " + std::to_string(count.above()) + ".\n\n";
}

// The largest gain of adaptive over plain attention, ours and the paper's.
std::string gain_sentence(const Json& result) {
  double best = -1;
  double paper_best = -1;
  int best_items = 0;
  int paper_items = 0;
  for (const int items : doubling_sizes()) {
    const auto adaptive = find_row(result, items, "adaptive");
    const PaperColumn* paper = paper_column(items);
    if (!adaptive || paper == nullptr || adaptive->at("difference").is_null()) continue;
    if (const double gain = adaptive->at("difference").get<double>(); gain > best) {
      best = gain;
      best_items = items;
    }
    if (const double gain = paper->adaptive - paper->plain; gain > paper_best) {
      paper_best = gain;
      paper_items = items;
    }
  }
  if (best_items == 0) return "";
  return "Adaptive temperature gains most at n = " + std::to_string(best_items) + ": " +
         percent(best) + " points; in the paper " + percent(paper_best) +
         " at n = " + std::to_string(paper_items) + ".\n";
}

// Hard attention answers the class of the item with the largest logit. Where it is right no more
// often than that item is the maximum, no error ever lands on another item of the right class.
std::string hard_sentence(const Json& result) {
  double largest = 0;
  for (const Json& row : result.at("rows")) {
    if (row.at("map") != "hard") continue;
    largest = std::max(
        largest, std::abs(row.at("mean").get<double>() - row.at("argmax_correct").get<double>()));
  }
  constexpr double kNothing = 1e-3;
  if (largest > kNothing) return "";
  return "Hard attention is right as often as the largest logit sits on the maximum, to " +
         fixed_text(100 * largest, 3) +
         " points in every row, where chance would make it right in a tenth of the other sets too: "
         "within a class the head ranks by priority without error, and what it gets wrong is the "
         "comparison of classes.\n\n";
}

// An arm cell by cell: both rows of the paper, and hard attention.
std::string full_table(const Json& result) {
  std::string text = markdown_heading({"n", "softmax", "95 % interval", "seeds' s.d.", "paper", "",
                                       "adaptive", "95 % interval", "seeds' s.d.", "paper", "", "p",
                                       "paper's p", "McNemar", "hard", "H", "argmax"});
  for (const int items : doubling_sizes()) {
    const auto plain = find_row(result, items, "softmax");
    const auto adaptive = find_row(result, items, "adaptive");
    const auto hard = find_row(result, items, "hard");
    if (!plain || !adaptive || !hard) continue;
    const auto number = [](const Json& row, const char* key) {
      return percent(row.at(key).get<double>());
    };
    text += markdown_row(
        {std::to_string(items), number(*plain, "mean"), interval_text(*plain),
         deviation_text(*plain), number(*plain, "paper_mean"), inside_text(*plain),
         number(*adaptive, "mean"), interval_text(*adaptive), deviation_text(*adaptive),
         number(*adaptive, "paper_mean"), inside_text(*adaptive), p_text(adaptive->at("p_value")),
         p_text(adaptive->at("paper_p_value")), p_text(adaptive->at("mcnemar_p")),
         number(*hard, "mean"), fixed_text(plain->at("entropy_plain").get<double>(), 2),
         number(*plain, "argmax_correct")});
  }
  return text;
}

}  // namespace

std::string interval_text(const Json& row) {
  if (row.at("low").is_null()) return row.at("interval_reason").get<std::string>();
  return percent(row.at("low").get<double>()) + " .. " + percent(row.at("high").get<double>());
}

std::string deviation_text(const Json& row) {
  const Json& deviation = row.at("std_between_seeds");
  return deviation.is_null() ? "-" : percent(deviation.get<double>());
}

std::string head_source_text(const Json& result) {
  const Json& heads = result.at("heads");
  const Json& recipe = heads[0].at("recipe");
  const auto number = [&](const char* key) { return recipe.at(key).dump(); };
  std::string text =
      std::to_string(heads.size()) + " seeds, " +
      std::to_string(heads[0].at("step").get<std::int64_t>()) + " steps each (Adam " +
      number("learning_rate") + ", L2 " + recipe.at("l2").get<std::string>() + " " +
      number("l2_lambda") + ", batches of " + number("batch_sets") + " sets of " +
      number("smallest_set") + " to " + number("largest_set") + " items, " +
      recipe.at("path").get<std::string>() + " path, " + recipe.at("precision").get<std::string>() +
      "), evaluated on " + std::to_string(result.at("sets_per_seed").get<std::int64_t>()) +
      " sets per seed and size at commit " + result.at("commit").get<std::string>() + ", " +
      result.at("instruction_set").get<std::string>() + "; runs";
  for (const Json& head : heads)
    text.append(" ").append(head.at("run_hash").get<std::string>());
  return text + "\n";
}

std::string arm_section(const Json& result) {
  return std::string("## ").append(result.at("arm").get<std::string>()) + ": " +
         result.at("description").get<std::string>() + "\n\n" + verdict_text(result) +
         gain_sentence(result) + hard_sentence(result) + full_table(result) + "\n" +
         head_source_text(result) + "\n";
}

}  // namespace dispersion
