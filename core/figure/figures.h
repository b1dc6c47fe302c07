#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/experiment/depth.h"
#include "core/figure/figure.h"

namespace dispersion {

// The figures that this program makes, from what experiments, evaluations and training runs
// measure. They come without provenance. Where there is nothing to show yet, a figure has its axes
// only.

struct AttentionLength;
struct AttentionTransform;
struct BoundsRow;
struct Corollary;
struct EntropySlope;
struct FitBootstrap;
struct FitRun;
struct HeadSurface;
struct HistoryRow;
struct PowerSeries;
struct PowerSeriesSurface;
struct PrecisionRow;
struct SizeRow;
struct StepRecord;
struct StreamingRow;
struct TableOne;
struct TemperatureFit;
struct TransformFrames;

// --- Dispersion (dispersion_figure.cpp) ---

// Figures 2 and 7: a strip for every transform, with one frame per size.
HeatmapGrid dispersion_grid(std::span<const TransformFrames> transforms, ColourScale scale);

// Accuracy (percent, with Wilson intervals) against n, one curve per transform.
LinePlot accuracy_plot(std::span<const SizeRow> rows);
// Mean entropy of the weights (nats) against n.
LinePlot entropy_plot(std::span<const SizeRow> rows);

// The grid with a title, and a sentence with the weight on the maximum at the smallest and the
// largest n. Softmax alone gives the paper's figure 2, softmax and adaptive temperature its figure
// 7; softmax has to be the first transform.
Figure dispersion_figure(std::span<const TransformFrames> transforms, ColourScale scale);

// Entropy and accuracy against n. `transforms`: those that the rows were evaluated under; subtitles
// name a temperature or an adaptive rule that differs from the paper's.
Figure size_figure(std::span<const SizeRow> rows, std::span<const AttentionTransform> transforms);

// The frames of an animation in which n doubles: each figure has the heat maps of one size, and the
// weight on the maximum against n up to that size. The layout is the same in all of them. Every
// transform has to have the same sizes, ascending; throws std::invalid_argument otherwise.
std::vector<Figure> dispersion_animation(std::span<const TransformFrames> transforms,
                                         ColourScale scale);

// --- Table 1 (table_figure.cpp) ---

// Table 1, complete or not: a table with one column per size, first our accuracies with the paper's
// beneath, then tests, entropies and whether the paper's value lies in our interval; accuracy
// against n with 95 % intervals and the paper's values dashed; and a sentence.
Figure table_figure(const TableOne& table);

// --- Training (training_figures.cpp) ---

// What is known of the training of one head.
struct RunCurves {
  std::span<const StepRecord> records;  // of the batches of its run, in order of steps
  // What was measured on sets of their own while it was trained before that run.
  std::span<const HistoryRow> earlier = {};
  std::int64_t steps_before = 0;  // of the head when the run began, if the run counts from 0
};

// The training steps, counted from the head's first weights on: from 0 where there are earlier
// measurements, else from where the run began.
Axis run_step_axis(const RunCurves& curves);

// The earlier measurements in the form of the run's own, so that both can be drawn alike.
std::vector<StepRecord> earlier_records(const RunCurves& curves);

// Loss (cross-entropy and the L2 term) and accuracy of every batch of one run, and before it those
// of the earlier measurements. Steps whose loss is not finite are left out and counted.
Figure run_figure(const RunCurves& curves, std::uint32_t seed);

// The name of the earlier curve beside that of the run's batches, and what it was measured on.
inline constexpr std::string_view kEarlierName = "before";
inline constexpr std::string_view kEarlierSets = "128 sets of 16 items";

// Loss and accuracy on the sets of the histories over training: means over seeds with the range of
// the seeds. Step 0 is not shown, because the axis is logarithmic.
Figure training_figure(const std::vector<std::vector<HistoryRow>>& histories);

// Figure 9 (spread_figure.cpp): the spread of the dot products Qy·Kx, which are the proposition's
// logits, and the bound on it over training: means over runs with the range of the runs.
Figure spread_figure(const std::vector<std::vector<HistoryRow>>& histories);

// --- Bounds (bounds_figure.cpp, corollary_figure.cpp) ---

// Lemma 2.1: a head's largest and smallest weights between their bounds, against n. Rows in
// ascending order of n.
Figure bounds_figure(std::span<const BoundsRow> rows, double theta);

// The sentence of that figure, without the list of the curves that its axis cannot show; empty
// without rows.
Statement bounds_sentence(std::span<const BoundsRow> rows);

// Appendix E: dH/dbeta by the formula and by finite differences, against beta; and how far they
// agree, empty without slopes.
Statement slope_sentence(std::span<const EntropySlope> slopes, int items);
LinePlot slope_plot(std::span<const EntropySlope> slopes, int items, int sets);

// The corollary's set {a, b, b, ...}: the weight of a and the probability of its class against n,
// and a table of the n from which on it is below the unit roundoff of number formats.
Figure corollary_figure(const Corollary& corollary);

// --- Depth (depth_figure.cpp) ---

// A stack of layers on one kind of sequence at growing lengths.
struct DepthRun {
  TokenPattern pattern = TokenPattern::kFirst;
  DepthOptions options;
  std::vector<int> items;                        // ascending
  std::vector<std::vector<LayerSpread>> layers;  // [sizes, layers]
};

// "{a, b, b, …}, BERT-style, no residual".
std::string depth_run_name(const DepthRun& run);

// Spread and entropy of every layer against n. For sequences of half a's and half b's also the
// largest weight of the first layer, and how far outputs are from the average: weights may vanish
// while outputs stay apart, against the remark in appendix C.
Figure depth_figure(const DepthRun& run);

// --- Temperature (fit_figure.cpp, surface_figure.cpp) ---

// Figure 6 for one head, complete or not: 1/theta_opt against entropy, this head's polynomial, the
// paper's, and the range of entropy in which the paper's rule sharpens; below it a histogram of the
// entropies of the sets that were fitted. The sentence gives the result, or why there is no fit.
// `bootstrap`: of the pooled fit, if it was made.
Figure fit_figure(const FitRun& run, const FitBootstrap& bootstrap);

// Why there is no fit.
Statement no_fit_text(const FitRun& run, const TemperatureFit& fit);

// Why nothing is known of how sure a fit without has_freedom() is.
Statement no_freedom_text(const TemperatureFit& fit);

// What a rule with the polynomial of a fit is, and the same rule held beyond its highest local
// maximum or its last sample: for the buttons that put them to use. `bootstrap` gives the digits.
Statement fitted_rule_text(const TemperatureFit& fit);
Statement held_rule_text(const TemperatureFit& fit, const FitBootstrap& bootstrap);

// Figure 5: entropy over lambda and theta, one field per region, all with colours from 0 to
// log(terms).
Figure power_series_figure(const std::vector<PowerSeriesSurface>& regions, PowerSeries series);

// Mean entropy of a head's weights over n and theta.
Figure head_surface_figure(const HeadSurface& surface);

// --- Precision (precision_figure.cpp) ---

// Accuracy, the share of sets whose largest logit is that of the maximum, and entropy against n in
// every precision, beside the paper's row of Table 1 and a perfect argmax on rounded priorities.
// `rows`: all that compare_precisions() gives, or the first of them.
Figure precision_figure(std::span<const PrecisionRow> rows);

// --- Streaming (streaming_figure.cpp) ---

// The error of every way to stream the entropy, against n. Errors that are not finite are left
// out and counted; those of 0 are points that the logarithmic axis cannot show.
Figure streaming_figure(std::span<const StreamingRow> rows);

// What attention over sequences takes, against n: time, memory beside that of n x n
// weights, and entropy beside its largest value log n. `where`: what computed it, such as
// "CPU, 2 threads". Rows that were not timed (0 s) give no plot of time.
std::vector<LinePlot> attention_length_plots(std::span<const AttentionLength> rows,
                                             const std::string& where);

// A sentence about the longest sequence, without its time where it was not timed; empty without
// rows.
Statement attention_length_sentence(std::span<const AttentionLength> rows);

}  // namespace dispersion
