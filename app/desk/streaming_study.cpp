#include <optional>
#include <string>
#include <vector>

#include "app/desk/desk.h"
#include "app/desk/studies.h"
#include "core/experiment/size_table.h"
#include "core/experiment/streaming.h"
#include "core/figure/streaming_figure.h"

namespace dispersion {
namespace {

constexpr std::uint32_t kSetSeed = 1;
constexpr int kLargest = 131'072;

}  // namespace

StudyPlan plan_streaming(const Desk& desk) {
  StudyPlan plan;
  const StreamingStudy study = desk.study_settings.streaming;
  plan.key = study_key("streaming", {study.scale, study.offset, 1.0 * study.block});
  plan.job = [study](Backend&, StudyProgress& progress) {
    std::vector<StreamingRow> rows;
    double done = 0;
    for (const int items : doubling_sizes(16, kLargest)) {
      const std::optional<StreamingRow> row =
          streaming_row(uniform_logits(kSetSeed, items, study.scale, study.offset), study.block,
                        [&](double share) {
                          return progress.keep_going((done + share * items) / (2.0 * kLargest));
                        });
      if (!row) break;
      rows.push_back(*row);
      done += items;
    }
    StudyResult result;
    result.figure = streaming_figure(rows);
    return result;
  };
  return plan;
}

}  // namespace dispersion
