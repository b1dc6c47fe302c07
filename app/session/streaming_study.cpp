#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/session/app_state.h"
#include "app/session/studies.h"
#include "core/experiment/attention_length.h"
#include "core/experiment/size_table.h"
#include "core/experiment/streaming.h"
#include "core/figure/attention_length_plots.h"
#include "core/figure/streaming_figure.h"

namespace dispersion {
namespace {

constexpr std::uint32_t kSetSeed = 1;
constexpr int kLargest = 131'072;
constexpr double kEntropyShare = 0.5;  // of the work

// Attention takes n x n products, so doubling n takes four times as long, and each length is timed
// several times. Nothing longer is begun once a length took this many seconds.
constexpr double kLongEnough = 0.5;
// On one thread of the processor: some tenths of a second.
constexpr int kLongestOnCpu = 4096;

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

// Why the sequence backend cannot take this one; empty: it can.
std::string refusal(const SequenceBackend& sequence_backend, const SequenceAttention& attention) {
  try {
    require_attention_room(sequence_backend, attention);
    return "";
  } catch (const DeviceLost&) {
    throw;
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

// The attention itself along n, as far as time and memory go.
void add_attention(Figure& figure, const StreamingStudy& study, StudyTools& tools,
                   StudyProgress& progress) {
  SequenceBackend& sequence_backend = tools.sequence_backend();
  const std::string sentence = figure.sentence;
  const std::vector<LinePlot> plots = figure.plots;
  const std::vector<int> lengths = doubling_sizes(256, tools.on_cpu() ? kLongestOnCpu : kLargest);
  std::vector<AttentionLength> rows;
  for (const int n : lengths) {
    SequenceAttention attention = study.attention;
    attention.n = n;
    const std::string why_not = refusal(sequence_backend, attention);
    if (!why_not.empty()) {
      figure.sentence += " " + why_not;
      return;
    }
    // Each length is one more step of the bar: how far time will let it go is not known.
    auto row = attention_length(sequence_backend, attention, {.seed = kSetSeed}, [&](double share) {
      const double done =
          (static_cast<double>(rows.size()) + share) / static_cast<double>(lengths.size());
      return progress.keep_going(kEntropyShare + (1 - kEntropyShare) * done);
    });
    if (!row) return;
    if (!study.timed) row->seconds = 0;
    rows.push_back(*row);
    figure.plots = plots;
    for (LinePlot& plot : attention_length_plots(rows, sequence_backend.description()))
      figure.plots.push_back(std::move(plot));
    figure.sentence = sentence + " " + attention_length_sentence(rows);
    progress.show(figure);
    if (row->seconds > kLongEnough) return;
  }
}

std::string attention_key(const SequenceAttention& attention) {
  return study_key("", {1.0 * attention.heads, 1.0 * attention.d, attention.causal ? 1.0 : 0.0,
                        static_cast<double>(attention.numbers)});
}

}  // namespace

StudyPlan plan_streaming(const AppState& app) {
  StudyPlan plan;
  const StreamingStudy study = app.study_settings.streaming;
  // Time and memory are of what computes.
  plan.key = study_key("streaming",
                       {study.scale, study.offset, 1.0 * study.block, study.timed ? 1.0 : 0.0}) +
             attention_key(study.attention) + " " + backend_name(app.status.computing);
  plan.job = [study](StudyTools& tools, StudyProgress& progress) {
    const std::vector<StreamingRow> rows = entropy_rows(study, progress);
    StudyResult result;
    result.figure = streaming_figure(rows);
    const bool stopped = rows.empty() || rows.back().items != kLargest;
    if (!stopped) add_attention(result.figure, study, tools, progress);
    return result;
  };
  return plan;
}

}  // namespace dispersion
