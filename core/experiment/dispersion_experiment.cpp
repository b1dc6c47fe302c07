#include <string>

#include "core/attention/transforms.h"
#include "core/experiment/dispersion.h"
#include "core/experiment/experiment_table.h"
#include "core/experiment/size_table.h"
#include "core/figure/figures.h"

namespace dispersion {
namespace {

constexpr int kCurveSets = 1024;

constexpr std::string_view kTransformsHelp = "Attention transforms after softmax";

ExperimentResult frames(const SettingValues& values, const ExperimentInputs& inputs,
                        ExperimentBackends& backends, const Progress&, const ShowFigure&) {
  ExperimentResult result;
  result.figure = dispersion_figure(
      dispersion_frames(backends.backend(), inputs.heads.front().state->parameters,
                        doubling_sizes(), compared_transforms(values)),
      ColourScale::kSquareRoot);
  result.figure.provenance = {{"sets", frame_sets_text()}};
  result.sentences = {result.figure.sentence};
  return result;
}

ExperimentResult size_curves(const SettingValues& values, const ExperimentInputs& inputs,
                             ExperimentBackends& backends, const Progress& progress,
                             const ShowFigure&) {
  const std::vector<AttentionTransform> transforms = compared_transforms(values);
  const std::vector<SizeRow> rows = evaluate_sizes(
      backends.backend(), inputs.heads.front().state->parameters, values.seed("set-seed"),
      values.sizes("sizes"), values.count("sets"), transforms, progress);
  ExperimentResult result;
  result.figure = size_figure(rows, transforms);
  result.figure.provenance = {{"sets", sets_text(values)}};
  result.sentences = {result.figure.sentence};
  return result;
}

}  // namespace

Experiment dispersion_experiment() {
  return {
      .name = "dispersion",
      .title = "Dispersion",
      .summary = "Attention on ever more items",
      .paper_place = "figure 2",
      .place = ExperimentPlace::kFigure,
      .heads = HeadUse::kOne,
      .settings = {transforms_setting({usual_transform(TransformId::kSoftmax)}, kTransformsHelp)},
      .run = frames,
  };
}

Experiment adaptive_dispersion_experiment() {
  return {
      .name = "adaptive-dispersion",
      .title = "Adaptive dispersion",
      .summary = "The same attention, plain and adaptive",
      .paper_place = "figure 7",
      .place = ExperimentPlace::kFigure,
      .heads = HeadUse::kOne,
      .settings = {transforms_setting(paper_transforms(), kTransformsHelp)},
      .run = frames,
  };
}

Experiment entropy_experiment() {
  return {
      .name = "entropy",
      .title = "Entropy",
      .summary = "Entropy of attention and accuracy against n",
      .paper_place = kBeyondPaper,
      .place = ExperimentPlace::kFigure,
      .heads = HeadUse::kOne,
      .settings = {sizes_setting(),
                   sets_setting(kCurveSets, 1'000'000, "Sets of every size behind the curves"),
                   set_seed_setting(), transforms_setting(paper_transforms(), kTransformsHelp)},
      .run = size_curves,
  };
}

Experiment training_experiment() {
  return {
      .name = "training",
      .title = "Training",
      .summary = "Loss and accuracy over training",
      .paper_place = kBeyondPaper,
      .place = ExperimentPlace::kFigure,
      .histories = true,
      .uses_backend = false,
      .run =
          [](const SettingValues&, const ExperimentInputs& inputs, ExperimentBackends&,
             const Progress&, const ShowFigure&) {
            ExperimentResult result;
            result.figure = training_figure(inputs.histories);
            result.sentences = {result.figure.sentence};
            return result;
          },
  };
}

}  // namespace dispersion
