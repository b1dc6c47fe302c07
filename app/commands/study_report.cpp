#include "app/commands/study_report.h"

#include "app/commands/markdown.h"
#include "app/commands/study_arm_section.h"
#include "app/commands/study_comparisons.h"
#include "app/commands/study_results.h"
#include "core/experiment/paper_table.h"
#include "core/experiment/perfect_argmax.h"
#include "core/experiment/size_table.h"

namespace dispersion {
namespace {

std::string perfect_argmax_table() {
  std::string text = markdown_heading({"n", "paper, softmax", "paper, adaptive", "argmax, bf16",
                                       "best, bf16", "argmax, fp16", "best, fp16"});
  for (const int items : doubling_sizes()) {
    const PaperColumn* paper = paper_column(items);
    if (paper == nullptr) continue;
    text += markdown_row({std::to_string(items), percent(paper->plain), percent(paper->adaptive),
                          percent(perfect_argmax_accuracy(Precision::kBf16, items)),
                          percent(best_rounded_accuracy(Precision::kBf16, items)),
                          percent(perfect_argmax_accuracy(Precision::kFp16, items)),
                          percent(best_rounded_accuracy(Precision::kFp16, items))});
  }
  return text;
}

constexpr const char* kIntroduction =
    "# Table 1, measured\n\n"
    "Table 1 of [*Softmax is not Enough (for Sharp Size Generalisation)*]"
    "(https://arxiv.org/abs/2410.01104),\n"
    "measured on max-retrieval heads of our own.\n"
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
              "**: " + result.at("description").get<std::string>() + ". " +
              head_source_text(result);
    }
  }
  return text;
}

}  // namespace dispersion
