#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/desk/desk.h"
#include "app/desk/studies.h"
#include "core/experiment/attention_length.h"
#include "core/experiment/size_table.h"
#include "core/experiment/streaming.h"
#include "core/figure/attention_length_plots.h"
#include "core/figure/streaming_figure.h"

namespace dispersion {
namespace {

constexpr std::uint32_t kSetSeed = 1;
constexpr int kLargest = 131'072;
constexpr int kLongestAttention = 4096;  // of n x n products: some tenths of a second
constexpr double kEntropyShare = 0.5;    // of the work

// Those finished when told to stop.
std::vector<StreamingRow> entropy_rows(const StreamingStudy& study, StudyProgress& progress) {
  std::vector<StreamingRow> rows;
  double done = 0;
  for (const int items : doubling_sizes(16, kLargest)) {
    const std::optional<StreamingRow> row = streaming_row(
        uniform_logits(kSetSeed, items, study.scale, study.offset), study.block, [&](double share) {
          return progress.keep_going(kEntropyShare * (done + share * items) / (2.0 * kLargest));
        });
    if (!row) break;
    rows.push_back(*row);
    done += items;
  }
  return rows;
}

// The attention itself, on one thread: others train beside.
void add_attention(Figure& figure, StudyProgress& progress) {
  const auto attender = make_cpu_attender(1);
  const std::string sentence = figure.sentence;
  const std::vector<LinePlot> plots = figure.plots;
  std::vector<AttentionLength> rows;
  double done = 0;
  for (const int n : doubling_sizes(256, kLongestAttention)) {
    const double work = static_cast<double>(n) * n;
    const auto row = attention_length(*attender, {.n = n}, {.seed = kSetSeed}, [&](double share) {
      const double all = 2.0 * kLongestAttention * kLongestAttention;
      return progress.keep_going(kEntropyShare + (1 - kEntropyShare) * (done + share * work) / all);
    });
    if (!row) return;
    rows.push_back(*row);
    done += work;
    figure.plots = plots;
    for (LinePlot& plot : attention_length_plots(rows, attender->description()))
      figure.plots.push_back(std::move(plot));
    figure.sentence = sentence + " " + attention_length_sentence(rows);
  }
}

}  // namespace

StudyPlan plan_streaming(const Desk& desk) {
  StudyPlan plan;
  const StreamingStudy study = desk.study_settings.streaming;
  plan.key = study_key("streaming", {study.scale, study.offset, 1.0 * study.block});
  plan.job = [study](Backend&, StudyProgress& progress) {
    const std::vector<StreamingRow> rows = entropy_rows(study, progress);
    StudyResult result;
    result.figure = streaming_figure(rows);
    const bool stopped = rows.empty() || rows.back().items != kLargest;
    if (!stopped) add_attention(result.figure, progress);
    return result;
  };
  return plan;
}

}  // namespace dispersion
