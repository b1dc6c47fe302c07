#include "app/commands/study_report.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <system_error>

#include "app/commands/study_arms.h"
#include "core/experiment/paper_table.h"
#include "core/experiment/perfect_argmax.h"
#include "core/experiment/size_table.h"
#include "core/figure/number_text.h"
#include "core/io/atomic_file.h"
#include "core/io/error.h"
#include "core/statistics/over_seeds.h"

namespace dispersion {
namespace {

constexpr std::uintmax_t kLargestResult = 4 << 20;

std::string percent(double fraction) {
  return fixed_text(100 * fraction, 1);
}

// Three digits that count; very small ones as a bound, because their exact size says nothing.
std::string p_text(const Json& p) {
  if (p.is_null()) return "-";
  const double value = p.get<double>();
  if (value < 1e-12) return "< 1e-12";
  if (value >= 0.01) return fixed_text(value, 2);
  const int exponent = static_cast<int>(std::floor(std::log10(value)));
  return fixed_text(value / std::pow(10.0, exponent), 1) + "e" + std::to_string(exponent);
}

std::string interval_text(const Json& row) {
  if (row.at("low").is_null()) return row.at("interval_reason").get<std::string>();
  return percent(row.at("low").get<double>()) + " .. " + percent(row.at("high").get<double>());
}

std::string deviation_text(const Json& row) {
  const Json& deviation = row.at("std_between_seeds");
  return deviation.is_null() ? "-" : percent(deviation.get<double>());
}

std::string inside_text(const Json& row) {
  const Json& inside = row.at("paper_inside");
  if (inside.is_null()) return "-";
  if (inside.get<bool>()) return "inside";
  return row.at("paper_mean").get<double>() < row.at("low").get<double>() ? "below ours"
                                                                          : "above ours";
}

std::string line(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells)
    text.append(" ").append(cell).append(" |");
  return text + "\n";
}

// First column to the left, numbers to the right.
std::string heading(const std::vector<std::string>& names) {
  std::string text = line(names) + "|:--|";
  for (std::size_t i = 1; i < names.size(); ++i)
    text += "--:|";
  return text + "\n";
}

const Json* find_arm(const std::vector<Json>& results, std::string_view arm) {
  for (const Json& result : results) {
    if (result.at("arm") == arm) return &result;
  }
  return nullptr;
}

std::optional<Json> find_row(const Json& result, int items, std::string_view map) {
  for (const Json& row : result.at("rows")) {
    if (row.at("n") == items && row.at("map") == map) return row;
  }
  return std::nullopt;
}

// Where the paper's means lie beside our intervals, over both of its rows.
struct Verdict {
  int cells = 0;
  int inside = 0;
  int below = 0;
  double distance = 0;  // mean of |our mean - the paper's|
  int above() const { return cells - inside - below; }
};

Verdict verdict(const Json& result) {
  Verdict count;
  for (const Json& row : result.at("rows")) {
    if (row.at("paper_inside").is_null()) continue;
    ++count.cells;
    count.inside += row.at("paper_inside").get<bool>() ? 1 : 0;
    const double paper = row.at("paper_mean").get<double>();
    count.below += paper < row.at("low").get<double>() ? 1 : 0;
    count.distance += std::abs(row.at("mean").get<double>() - paper);
  }
  if (count.cells > 0) count.distance /= count.cells;
  return count;
}

std::string verdict_text(const Json& result) {
  const Verdict count = verdict(result);
  return "The paper's mean lies inside our 95 % interval in " + std::to_string(count.inside) +
         " of " + std::to_string(count.cells) + " cells, below it in " +
         std::to_string(count.below) + ", above it in " + std::to_string(count.above()) + ".\n\n";
}

// The arm whose table is nearest to the paper's, of those with as many seeds as the default one.
std::string nearest_sentence(const std::vector<Json>& results) {
  const Json* nearest = nullptr;
  for (const Json& result : results) {
    if (result.at("heads").size() < results.front().at("heads").size()) continue;
    if (nearest == nullptr || verdict(result).distance < verdict(*nearest).distance)
      nearest = &result;
  }
  const Verdict count = verdict(*nearest);
  return "**Nearest to the paper** of the arms below is " + nearest->at("arm").get<std::string>() +
         " (" + nearest->at("description").get<std::string>() + "): " + percent(count.distance) +
         " points from it\non the mean over both rows, inside our 95 % interval in " +
         std::to_string(count.inside) + " of " + std::to_string(count.cells) + " cells.\n\n";
}

// The same for all arms. An interval of three seeds is wide, and holds much.
std::string verdict_table(const std::vector<Json>& results) {
  std::string text = heading({"arm", "", "seeds", "paper inside our interval", "below it",
                              "above it", "mean distance, points"});
  for (const Json& result : results) {
    const Verdict count = verdict(result);
    text +=
        line({result.at("arm").get<std::string>(), result.at("description").get<std::string>(),
              std::to_string(result.at("heads").size()),
              std::to_string(count.inside) + " of " + std::to_string(count.cells),
              std::to_string(count.below), std::to_string(count.above()), percent(count.distance)});
  }
  return text;
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

std::string origin_text(const Json& result) {
  const Json& heads = result.at("heads");
  std::string text = std::to_string(heads.size()) + " seeds, " +
                     std::to_string(heads[0].at("step").get<std::int64_t>()) + " steps each, " +
                     std::to_string(result.at("sets_per_seed").get<std::int64_t>()) +
                     " sets per seed and size; commit " + result.at("commit").get<std::string>() +
                     ", " + result.at("instruction_set").get<std::string>() + "; runs";
  for (const Json& head : heads)
    text.append(" ").append(head.at("run_hash").get<std::string>());
  return text + "\n";
}

// An arm cell by cell: both rows of the paper, and hard attention.
std::string full_table(const Json& result) {
  std::string text = heading({"n", "softmax", "95 % interval", "seeds' s.d.", "paper", "",
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
    text += line({std::to_string(items), number(*plain, "mean"), interval_text(*plain),
                  deviation_text(*plain), number(*plain, "paper_mean"), inside_text(*plain),
                  number(*adaptive, "mean"), interval_text(*adaptive), deviation_text(*adaptive),
                  number(*adaptive, "paper_mean"), inside_text(*adaptive),
                  p_text(adaptive->at("p_value")), p_text(adaptive->at("paper_p_value")),
                  p_text(adaptive->at("mcnemar_p")), number(*hard, "mean"),
                  fixed_text(plain->at("entropy_plain").get<double>(), 2),
                  number(*plain, "argmax_correct")});
  }
  return text;
}

std::string arm_section(const Json& result) {
  return std::string("## ").append(result.at("arm").get<std::string>()) + ": " +
         result.at("description").get<std::string>() + "\n\n" + verdict_text(result) +
         gain_sentence(result) + hard_sentence(result) + full_table(result) + "\n" +
         origin_text(result) + "\n";
}

// One map of all arms side by side.
std::string comparison(const std::vector<Json>& results, std::string_view map) {
  std::vector<std::string> names = {"n", "paper"};
  for (const Json& result : results) {
    names.push_back(result.at("arm").get<std::string>() + " (" +
                    std::to_string(result.at("heads").size()) + ")");
  }
  std::string text = heading(names);
  for (const int items : doubling_sizes()) {
    const PaperColumn* paper = paper_column(items);
    std::vector<std::string> cells = {std::to_string(items)};
    cells.push_back(paper == nullptr ? "-"
                                     : percent(map == "softmax" ? paper->plain : paper->adaptive));
    for (const Json& result : results) {
      const auto row = find_row(result, items, map);
      cells.push_back(row ? percent(row->at("mean").get<double>()) + " ± " + deviation_text(*row)
                          : "-");
    }
    text += line(cells);
  }
  return text;
}

std::string perfect_argmax_table() {
  std::string text = heading({"n", "paper, softmax", "paper, adaptive", "argmax, bf16",
                              "best, bf16", "argmax, fp16", "best, fp16"});
  for (const int items : doubling_sizes()) {
    const PaperColumn* paper = paper_column(items);
    if (paper == nullptr) continue;
    text += line({std::to_string(items), percent(paper->plain), percent(paper->adaptive),
                  percent(perfect_argmax_accuracy(Precision::kBf16, items)),
                  percent(best_rounded_accuracy(Precision::kBf16, items)),
                  percent(perfect_argmax_accuracy(Precision::kFp16, items)),
                  percent(best_rounded_accuracy(Precision::kFp16, items))});
  }
  return text;
}

// Where the paper stands between the arms that round nothing and all products' inputs: what it does
// not say is in which precision it trained.
std::string between_section(const Json& exact, const Json& rounded) {
  int cells = 0;
  int between = 0;
  for (const Json& row : exact.at("rows")) {
    const auto other = find_row(rounded, row.at("n").get<int>(), row.at("map").get<std::string>());
    if (!other || row.at("paper_mean").is_null()) continue;
    const double paper = row.at("paper_mean").get<double>();
    const double a = row.at("mean").get<double>();
    const double b = other->at("mean").get<double>();
    ++cells;
    between += std::min(a, b) <= paper && paper <= std::max(a, b) ? 1 : 0;
  }
  return "## The paper between fp32 and bf16\n\n"
         "In " +
         std::to_string(between) + " of " + std::to_string(cells) +
         " cells the paper's mean lies between that of the default recipe in fp32 and that of the "
         "same\nrecipe trained and evaluated in bf16. The paper does not say in which precision it "
         "computed; many\ndevices round the inputs of products by default.\n\n";
}

// Cells of one map under both paths: seeds, batches and sets are the same, but not the rounding,
// which training makes grow until the heads are as good as independent.
std::string path_rows(const Json& spectral, const Json& direct, std::string_view map) {
  std::string text;
  for (const int items : doubling_sizes()) {
    const auto a = find_row(spectral, items, map);
    const auto b = find_row(direct, items, map);
    if (!a || !b) continue;
    const auto seeds = [](const Json& row) {
      return row.at("seed_accuracies").get<std::vector<double>>();
    };
    const Answer<PairedT> test = compare_pairs(seeds(*a), seeds(*b));
    text += line(
        {std::to_string(items), std::string(map), percent(a->at("mean").get<double>()),
         interval_text(*a), percent(b->at("mean").get<double>()), interval_text(*b),
         test ? percent(test->mean_difference) : "-",
         test ? percent(test->interval.low) + " .. " + percent(test->interval.high) : test.reason,
         test ? p_text(test->p) : "-"});
  }
  return text;
}

// Cells whose interval of the difference holds 0.
std::string agreement(const Json& spectral, const Json& direct) {
  int cells = 0;
  int agree = 0;
  for (const Json& row : spectral.at("rows")) {
    const auto other = find_row(direct, row.at("n").get<int>(), row.at("map").get<std::string>());
    if (!other) continue;
    const auto seeds = [](const Json& cell) {
      return cell.at("seed_accuracies").get<std::vector<double>>();
    };
    const Answer<PairedT> test = compare_pairs(seeds(row), seeds(*other));
    ++cells;
    const bool holds_zero =
        test ? test->interval.low <= 0 && test->interval.high >= 0 : test.reason == "no difference";
    agree += holds_zero ? 1 : 0;
  }
  return "In " + std::to_string(agree) + " of " + std::to_string(cells) +
         " cells, hard attention's among them, the interval of the difference holds 0.\n\n";
}

std::string path_section(const Json& spectral, const Json& direct) {
  return "## Both paths\n\n"
         "The spectral path is the default, the direct one the definition. The same seeds trained "
         "by\n"
         "each on the same batches, evaluated on the same sets; difference: spectral minus direct, "
         "with\n"
         "its 95 % interval and p over pairs of seeds. " +
         agreement(spectral, direct) +
         heading({"n", "map", "spectral", "95 % interval", "direct", "95 % interval", "difference",
                  "95 % interval", "p"}) +
         path_rows(spectral, direct, "softmax") + path_rows(spectral, direct, "adaptive") + "\n";
}

constexpr const char* kIntroduction =
    "# Table 1, measured\n\n"
    "This page is written by `./lab study` from the tables stored in docs/results; every number "
    "of\n"
    "ours in it is computed. `./lab study ARM` trains and evaluates an arm again. Accuracy is in\n"
    "percent. Intervals are Student's t over the seeds; p is the two-sided paired t-test of "
    "adaptive\n"
    "against plain softmax over the seeds, McNemar the exact test over all sets of all seeds; "
    "\"seeds'\n"
    "s.d.\" is the standard deviation between seeds; hard is attention in the limit theta -> 0; H "
    "the\n"
    "mean entropy of the plain weights in nats; argmax how often the largest logit sits on the\n"
    "largest priority. Both maps are evaluated on the same sets; sets differ from seed to seed. "
    "The\n"
    "paper gives neither its number of sets nor the spread between its seeds, so its own\n"
    "uncertainty is not in these comparisons.\n\n";

}  // namespace

std::vector<Json> read_study_results(const std::filesystem::path& folder) {
  std::vector<Json> results;
  for (const StudyArm& arm : study_arms()) {
    const std::filesystem::path file = folder / (arm.name + ".json");
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) continue;
    try {
      Json result = Json::parse(read_whole_file(file, kLargestResult));
      result.at("rows");
      result.at("heads").at(0);
      results.push_back(std::move(result));
    } catch (const Json::exception& error) {
      throw FileError(file, std::string("is no table of a study: ") + error.what());
    }
  }
  return results;
}

std::string study_report(const std::vector<Json>& results) {
  std::string text = kIntroduction;
  if (!results.empty()) text += nearest_sentence(results);
  for (const std::string_view arm : {"default", "bf16"}) {
    if (const Json* result = find_arm(results, arm)) text += arm_section(*result);
  }
  const Json* exact = find_arm(results, "default");
  const Json* rounded = find_arm(results, "bf16");
  if (exact != nullptr && rounded != nullptr) text += between_section(*exact, *rounded);
  text +=
      "## What rounding alone allows\n\n"
      "What priorities rounded to bf16 or fp16 leave possible, in closed form. *argmax*: the "
      "accuracy of one\nwho takes an item with the largest rounded priority, at random among those "
      "that tie, and answers its\nclass. *best*: of one who answers the commonest class among "
      "those "
      "that tie; nobody can do better. A\nsoftmax weighs the classes of all tied items, so it can "
      "beat the argmax. In fp32 both are 100.\n\n" +
      perfect_argmax_table() + "\n";
  const Json* spectral = find_arm(results, "spectral-20k");
  const Json* direct = find_arm(results, "direct-20k");
  if (spectral != nullptr && direct != nullptr) text += path_section(*spectral, *direct);
  if (!results.empty()) {
    text +=
        "## All arms\n\n"
        "Where the paper's means lie, both rows. The cells of an arm share its heads and are not "
        "independent;\nthree seeds make wide intervals, which hold much.\n\n" +
        verdict_table(results) +
        "\nMean ± standard deviation between seeds; the number of seeds in brackets (with three, "
        "the "
        "95 %\ninterval of a mean is ± 2.5 standard deviations; with ten, ± 0.7). Softmax:\n\n" +
        comparison(results, "softmax") + "\nAdaptive temperature:\n\n" +
        comparison(results, "adaptive") + "\n";
    for (const Json& result : results) {
      text += "- **" + result.at("arm").get<std::string>() +
              "**: " + result.at("description").get<std::string>() + ". " + origin_text(result);
    }
  }
  return text;
}

}  // namespace dispersion
