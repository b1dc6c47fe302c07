#include "app/commands/figure_catalogue.h"

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/dispersion_frames.h"
#include "app/commands/shipped_material.h"
#include "app/commands/text.h"
#include "app/commands/transform_options.h"
#include "app/session/app_state.h"
#include "app/session/studies.h"
#include "core/experiment/size_table.h"
#include "core/figure/dispersion_figure.h"
#include "core/figure/training_figure.h"

namespace dispersion {
namespace {

constexpr int kCurveSets = 1024;

constexpr std::array<CatalogueEntry, 12> kCatalogue = {{
    {.name = "dispersion",
     .what = "attention on ever more items (figure 2)",
     .of_transforms = true},
    {.name = "entropy-surface",
     .what = "entropy over temperature (figure 5)",
     .of_heads = false,
     .has_field = true},
    {.name = "polynomial-fit",
     .what = "the best temperature against entropy, and the fit (figure 6)",
     .of_sets = true},
    {.name = "adaptive-dispersion",
     .what = "the same attention, plain and adaptive (figure 7)",
     .of_transforms = true},
    {.name = "table",
     .what = "accuracy with and without adaptive temperature (Table 1)",
     .of_all_seeds = true,
     .has_table = true,
     .has_parts = true,
     .of_sets = true,
     .of_transforms = true,
     .is_stored = true},
    {.name = "spread",
     .what = "the spread of the logits and the bound on it (figure 9)",
     .of_histories = true,
     .has_table = true},
    {.name = "entropy",
     .what = "entropy of attention and accuracy against n",
     .of_sets = true,
     .of_transforms = true},
    {.name = "bounds",
     .what = "weights between the bounds of theory (lemma 2.1)",
     .has_table = true,
     .of_sets = true},
    {.name = "depth", .what = "a random stack on long sequences (theorem 2.2)", .of_heads = false},
    {.name = "streaming",
     .what = "the entropy in one pass, right and as printed (appendix F)",
     .of_heads = false},
    {.name = "precision",
     .what = "fp32, bf16 and fp16 on the same sets",
     .has_table = true,
     .of_sets = true,
     .is_stored = true},
    {.name = "training",
     .what = "loss and accuracy over training",
     .of_all_seeds = true,
     .of_histories = true},
}};

// Hands a study's questions on.
class Watched : public StudyProgress {
 public:
  explicit Watched(const FigureProgress& keep_going) : keep_going_(keep_going) {}
  bool keep_going(double share) override { return keep_going_(share); }
  void show(Figure) override {}

 private:
  const FigureProgress& keep_going_;
};

StudyMaterial material_of(const FigureSources& sources) {
  StudyMaterial material = study_material();
  if (!sources.histories.empty()) material.histories = sources.histories;
  if (sources.recompute) {
    material.table.reset();
    material.precisions.clear();
  }
  return material;
}

// Those asked for after plain softmax, or else those that the figure has by itself.
std::vector<AttentionTransform> transforms_of(const FigureSources& sources,
                                              std::vector<AttentionTransform> by_itself) {
  if (sources.transforms.empty()) return by_itself;
  std::vector<AttentionTransform> transforms = {usual_transform(TransformId::kSoftmax)};
  for (const AttentionTransform& transform : sources.transforms) {
    if (transform.id != TransformId::kSoftmax) transforms.push_back(transform);
  }
  return transforms;
}

// A window's app state with this head on it, and everything else as a new window has it.
AppState app_state_of(const FigureSources& sources) {
  AppState app;
  const TrainingState& state = sources.head.checkpoint.state;
  app.head = {1, std::make_shared<const TrainingState>(state), 1};
  app.status.head_source = sources.head.name;
  app.status.seed = state.seed;
  app.status.recipe = sources.head.checkpoint.recipe;
  app.material = std::make_shared<const StudyMaterial>(material_of(sources));
  app.shelf = std::make_shared<StudyShelf>();
  StudySettings& study = app.study_settings;
  const int heads = static_cast<int>(app.material->heads.size());
  study.table.sets = static_cast<int>(default_table_sets(heads));
  study.table.transforms = transforms_of(sources, table_transforms());
  study.streaming.timed = false;  // the same command gives the same bytes
  if (sources.sets > 0) {
    for (int* sets : {&study.table.sets, &study.fit.sets, &study.bounds.sets, &study.precision.sets,
                      &study.surface.sets})
      *sets = sources.sets;
  }
  return app;
}

Figure from_view(View view, const FigureSources& sources, StudyTools& tools,
                 const FigureProgress& keep_going) {
  Watched progress(keep_going);
  return plan_study(view, app_state_of(sources)).job(tools, progress).figure;
}

Figure dispersion(std::vector<AttentionTransform> by_itself, const FigureSources& sources,
                  StudyTools& tools) {
  Figure figure = dispersion_figure(
      dispersion_frames(tools.backend(), sources.head.checkpoint.state.parameters, doubling_sizes(),
                        transforms_of(sources, std::move(by_itself))),
      ColourScale::kSquareRoot);
  figure.provenance = {{"sets", std::to_string(kFrameSets) + " of every size, seed " +
                                    std::to_string(kFigureSetSeed)}};
  return figure;
}

Figure entropy(const FigureSources& sources, StudyTools& tools, const FigureProgress& keep_going) {
  const std::vector<AttentionTransform> transforms = transforms_of(sources, paper_transforms());
  const int sets = sources.sets > 0 ? sources.sets : kCurveSets;
  const std::vector<SizeRow> rows =
      evaluate_sizes(tools.backend(), sources.head.checkpoint.state.parameters, kFigureSetSeed,
                     doubling_sizes(), sets, transforms, keep_going);
  Figure figure = size_figure(rows, transforms);
  figure.provenance = {
      {"sets", std::to_string(sets) + " of every size, seed " + std::to_string(kFigureSetSeed)}};
  return figure;
}

std::string in_a_row(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

Figure figure_of(std::string_view name, const FigureSources& sources, StudyTools& tools,
                 const FigureProgress& keep_going) {
  if (name == "dispersion")
    return dispersion({usual_transform(TransformId::kSoftmax)}, sources, tools);
  if (name == "adaptive-dispersion") return dispersion(paper_transforms(), sources, tools);
  if (name == "entropy") return entropy(sources, tools, keep_going);
  if (name == "training") return training_figure(material_of(sources).histories);
  const View view = name == "entropy-surface"  ? View::kSurfaces
                    : name == "polynomial-fit" ? View::kFit
                    : name == "table"          ? View::kTable
                    : name == "spread"         ? View::kSpread
                    : name == "bounds"         ? View::kBounds
                    : name == "depth"          ? View::kDepth
                    : name == "streaming"      ? View::kStreaming
                                               : View::kPrecision;
  return from_view(view, sources, tools, keep_going);
}

}  // namespace

std::span<const CatalogueEntry> figure_catalogue() {
  return kCatalogue;
}

const CatalogueEntry& figure_named(std::string_view name) {
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : kCatalogue) {
    if (entry.name == name) return entry;
    names.emplace_back(entry.name);
  }
  throw std::invalid_argument("no figure '" + std::string(name) + "'" + did_you_mean(name, names) +
                              "; there are " + in_a_row(names));
}

std::string figures_with(bool CatalogueEntry::*property) {
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : kCatalogue) {
    if (entry.*property) names.emplace_back(entry.name);
  }
  return in_a_row(names);
}

void require_table(const CatalogueEntry& entry) {
  if (entry.has_table) return;
  throw std::invalid_argument("the figure '" + std::string(entry.name) +
                              "' has no table; those with one are " +
                              figures_with(&CatalogueEntry::has_table));
}

Figure make_figure(const CatalogueEntry& entry, const FigureSources& sources, StudyTools& tools,
                   const FigureProgress& keep_going) {
  Figure figure = figure_of(entry.name, sources, tools, keep_going);
  figure.name = entry.name;
  return figure;
}

}  // namespace dispersion
