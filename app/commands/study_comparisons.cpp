#include "app/commands/study_comparisons.h"

#include <algorithm>

#include "app/commands/markdown.h"
#include "app/commands/study_arm_section.h"
#include "app/commands/study_results.h"
#include "core/experiment/paper_table.h"
#include "core/experiment/size_table.h"
#include "core/statistics/over_seeds.h"

namespace dispersion {
namespace {

std::vector<double> seed_accuracies(const Json& row) {
  return row.at("seed_accuracies").get<std::vector<double>>();
}

// A cell under both paths.
struct PathPair {
  Json spectral;
  Json direct;
  Answer<PairedT> test;  // spectral minus direct
};

bool agrees(const PathPair& pair) {
  return pair.test ? pair.test->interval.low <= 0 && pair.test->interval.high >= 0
                   : pair.test.reason == "no difference";
}

std::vector<PathPair> pair_cells(const Json& spectral, const Json& direct) {
  std::vector<PathPair> pairs;
  for (const Json& row : spectral.at("rows")) {
    const auto other = find_row(direct, row.at("n").get<int>(), row.at("map").get<std::string>());
    if (!other) continue;
    pairs.push_back({row, *other, compare_pairs(seed_accuracies(row), seed_accuracies(*other))});
  }
  return pairs;
}

std::string pair_row(const PathPair& pair) {
  const auto mean = [](const Json& row) { return percent(row.at("mean").get<double>()); };
  const Answer<PairedT>& test = pair.test;
  return markdown_row(
      {std::to_string(pair.spectral.at("n").get<int>()), pair.spectral.at("map").get<std::string>(),
       mean(pair.spectral), interval_text(pair.spectral), mean(pair.direct),
       interval_text(pair.direct), test ? percent(test->mean_difference) : "-",
       test ? percent(test->interval.low) + " .. " + percent(test->interval.high) : test.reason,
       test ? p_text(test->p) : "-"});
}

}  // namespace

std::string nearest_sentence(const std::vector<Json>& results) {
  const std::size_t seeds = results.front().at("heads").size();
  const Json* nearest = &results.front();
  Verdict least = verdict(*nearest);
  for (const Json& result : results) {
    const Verdict count = verdict(result);
    if (result.at("heads").size() < seeds || count.distance >= least.distance) continue;
    nearest = &result;
    least = count;
  }
  return "**Nearest to the paper** of the arms below is " + nearest->at("arm").get<std::string>() +
         " (" + nearest->at("description").get<std::string>() + "): " + percent(least.distance) +
         " points from it\non the mean over both rows, inside our 95 % interval in " +
         std::to_string(least.inside) + " of " + std::to_string(least.cells) + " cells.\n\n";
}

std::string verdict_table(const std::vector<Json>& results) {
  std::string text = markdown_heading({"arm", "", "seeds", "paper inside our interval", "below it",
                                       "above it", "mean distance, points"});
  for (const Json& result : results) {
    const Verdict count = verdict(result);
    text += markdown_row(
        {result.at("arm").get<std::string>(), result.at("description").get<std::string>(),
         std::to_string(result.at("heads").size()),
         std::to_string(count.inside) + " of " + std::to_string(count.cells),
         std::to_string(count.below), std::to_string(count.above()), percent(count.distance)});
  }
  return text;
}

std::string comparison(const std::vector<Json>& results, std::string_view map) {
  std::vector<std::string> names = {"n", "paper"};
  for (const Json& result : results) {
    names.push_back(result.at("arm").get<std::string>() + " (" +
                    std::to_string(result.at("heads").size()) + ")");
  }
  std::string text = markdown_heading(names);
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
    text += markdown_row(cells);
  }
  return text;
}

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

std::string path_section(const Json& spectral, const Json& direct) {
  const std::vector<PathPair> pairs = pair_cells(spectral, direct);
  std::string rows;
  for (const std::string_view map : {"softmax", "adaptive"}) {
    for (const PathPair& pair : pairs) {
      if (pair.spectral.at("map").get<std::string>() == map) rows += pair_row(pair);
    }
  }
  return "## Both paths\n\n"
         "The spectral path is the default, the direct one the definition. The same seeds trained "
         "by\n"
         "each on the same batches, evaluated on the same sets; difference: spectral minus direct, "
         "with\n"
         "its 95 % interval and p over pairs of seeds. In " +
         std::to_string(std::ranges::count_if(pairs, agrees)) + " of " +
         std::to_string(pairs.size()) +
         " cells, hard attention's among them, the interval of the difference holds 0.\n\n" +
         markdown_heading({"n", "map", "spectral", "95 % interval", "direct", "95 % interval",
                           "difference", "95 % interval", "p"}) +
         rows + "\n";
}

}  // namespace dispersion
