// The spectral path against the direct path in double, which is the truth.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/cpu/cpu_backend.h"
#include "core/head/forward.h"
#include "core/math/area.h"
#include "core/spectral/chebyshev.h"
#include "core/spectral/points.h"
#include "core/spectral/spectral_step.h"
#include "tests/core/spectral_heads.h"

namespace dispersion {
namespace {

TEST(Chebyshev, PolynomialsBelowTheNumberOfPointsAreExact) {
  for (const int count : {2, 8, 12, 16, 20, 24, 32}) {
    const InterpolationPoints points = chebyshev_points(count);
    std::vector<float> x = {0.0f, 0.25f, 0.4999f, 0.999999f, points.point[0], points.point.back()};
    std::vector<double> basis(area(static_cast<int>(x.size()), count));
    lagrange_basis(points, x.data(), static_cast<int>(x.size()), basis.data());
    const auto polynomial = [&](double at) { return std::pow(2 * at - 1, count - 1) + at; };
    for (std::size_t r = 0; r < x.size(); ++r) {
      double sum = 0;
      double value = 0;
      for (int k = 0; k < count; ++k) {
        const double share = basis[r * static_cast<std::size_t>(count) + k];
        sum += share;
        value += share * polynomial(static_cast<double>(points.point[k]));
      }
      EXPECT_NEAR(sum, 1, 1e-14);
      EXPECT_NEAR(value, polynomial(static_cast<double>(x[r])), 1e-13) << count << " " << x[r];
    }
  }
}

TEST(Chebyshev, APointIsHitWithWeightOne) {
  const InterpolationPoints points = chebyshev_points(16);
  std::vector<float> basis(16 * 16);
  lagrange_basis(points, points.point.data(), 16, basis.data());
  for (int r = 0; r < 16; ++r) {
    for (int k = 0; k < 16; ++k)
      EXPECT_NEAR(basis[static_cast<std::size_t>(16 * r + k)], r == k ? 1 : 0, 2e-7);
  }
}

// Cubics are exact for cubics, and close for what is smooth across a cell: the error of a cubic
// through Chebyshev points is at most (h / 2)^4 max|fourth derivative| / (2^3 4!), h = 1 / 64 here.
TEST(Chebyshev, CubicsOfCellsFollowWhatIsSmooth) {
  const InterpolationPoints points = chebyshev_points(16);
  const CellMatrix cells = cell_matrix(points, 64);
  const std::vector<float> x = {0.0f, 1.0f / 64, 0.1f, 0.4999f, 0.75f, 0.999999f, 1.0f};
  std::vector<double> basis(area(static_cast<int>(x.size()), 16));
  cubic_basis(cells, x.data(), static_cast<int>(x.size()), basis.data());
  const auto interpolated = [&](std::size_t r, auto function) {
    double value = 0;
    for (std::size_t k = 0; k < 16; ++k)
      value += basis[16 * r + k] * function(static_cast<double>(points.point[k]));
    return value;
  };
  const auto cubic = [](double at) { return ((3 * at - 2) * at + 0.5) * at - 1; };
  const auto smooth = [](double at) { return std::sin(5 * at); };
  const double bound = std::pow(1.0 / 128, 4) * std::pow(5, 4) / (8 * 24);
  for (std::size_t r = 0; r < x.size(); ++r) {
    EXPECT_NEAR(interpolated(r, cubic), cubic(static_cast<double>(x[r])), 1e-13) << x[r];
    EXPECT_NEAR(interpolated(r, smooth), smooth(static_cast<double>(x[r])), bound) << x[r];
  }
}

TEST(Chebyshev, TooFewPointsAreRefused) {
  EXPECT_THROW(chebyshev_points(1), std::invalid_argument);
  EXPECT_THROW(chebyshev_points(65), std::invalid_argument);
}

ItemSets batch(int sets, int items, std::uint32_t step = 3) {
  ItemSets result;
  result.resize(sets, items);
  draw_item_sets(7, RandomPurpose::kTraining, step, 0, result);
  return result;
}

template <class Scalar>
struct Result {
  Parameters<Scalar> gradient;
  double loss = 0;
  std::vector<Scalar> logits;
};

// All tensors of every slice and half, added up.
template <class Scalar>
Result<Scalar> spectral_gradient(const Parameters<Scalar>& head, const ItemSetsView& sets,
                                 int item_points, int query_points) {
  SpectralStep<Scalar> step;
  SpectralSpace<Scalar> space;
  step.set_points(head.shape, item_points, query_points);
  Result<Scalar> result{Parameters<Scalar>(head.shape), 0, {}};
  const auto add = [&](const Parameters<Scalar>& part) {
    for (std::size_t i = 0; i < part.values.size(); ++i)
      result.gradient.values[i] += part.values[i];
  };
  for (int task = 0; task < step.kPrepareTasks; ++task)
    step.prepare(task, head, sets);
  for (int slice = 0; slice < step.kSlices; ++slice) {
    Parameters<Scalar> part(head.shape);
    result.loss +=
        step.run_slice(slice, head, sets, AttentionTransform(), space, part).cross_entropy;
    add(part);
    const Scalar* logits = space.activations.attention_logits.data();
    const int count = step.slice_begin(slice + 1, sets.sets) - step.slice_begin(slice, sets.sets);
    result.logits.insert(result.logits.end(), logits, logits + area(count, sets.items));
  }
  for (int task = 0; task < step.kFinishTasks; ++task) {
    Parameters<Scalar> part(head.shape);
    step.finish(task, head, space, part);
    add(part);
  }
  result.loss /= sets.sets;
  return result;
}

template <class Scalar>
Result<Scalar> direct_gradient(const Parameters<Scalar>& head, const ItemSetsView& sets) {
  Activations<Scalar> activations;
  BackwardWorkspace<Scalar> workspace;
  Result<Scalar> result{Parameters<Scalar>(head.shape), 0, {}};
  forward(head, sets, AttentionTransform(), activations);
  result.loss =
      backward(head, sets, AttentionTransform(), BetaGradient::kStopped,
               Scalar(1) / static_cast<Scalar>(sets.sets), activations, workspace, result.gradient)
          .cross_entropy /
      sets.sets;
  const Scalar* logits = activations.attention_logits.data();
  result.logits.assign(logits, logits + area(sets.sets, sets.items));
  return result;
}

TEST(SpectralStep, GradientAgreesWithCentralDifferencesOfTheInterpolatedNetwork) {
  // Few points, so that the interpolated network is clearly another one than the head's.
  const HeadShape shape{.width = 6, .classes = 10};
  Parameters<double> head = convert_parameters<double>(initial_parameters(shape, 3));
  for (std::size_t i = 0; i < head.values.size(); ++i)
    head.values[i] = 1.7 * head.values[i] + 0.05 * std::sin(0.7 * static_cast<double>(i));
  const ItemSets sets = batch(7, 9);
  const Result<double> result = spectral_gradient(head, sets.view(), 4, 4);
  EXPECT_GT(std::abs(result.loss - direct_gradient(head, sets.view()).loss), 1e-9);
  double scale = 0;
  for (const double g : result.gradient.values)
    scale = std::max(scale, std::abs(g));
  for (std::size_t i = 0; i < head.values.size(); ++i) {
    const double step = 1e-4;
    const double kept = head.values[i];
    const auto at = [&](double offset) {
      head.values[i] = kept + offset;
      return spectral_gradient(head, sets.view(), 4, 4).loss;
    };
    // Fourth order.
    const double difference =
        (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
    head.values[i] = kept;
    EXPECT_NEAR(result.gradient.values[i], difference, 1e-9 * scale) << i;
  }
}

// Heads from the first step to the last, one without L2, and one that is rougher than training
// makes them.
struct NamedHead {
  std::string name;
  Parameters<float> parameters;
};

Parameters<float> trained(int steps, L2Form l2) {
  const auto backend = make_cpu_backend(1);
  Recipe recipe;
  recipe.l2 = l2;
  recipe.path = HeadPath::kSpectral;
  backend->load(recipe, {start_training({}, 2)});
  std::vector<StepRecord> records;
  backend->train(steps, records);
  return backend->state(0).parameters;
}

std::vector<NamedHead> make_heads() {
  std::vector<NamedHead> heads;
  heads.push_back({"fresh", initial_parameters({}, 1)});
  heads.push_back({"half-trained", trained(600, L2Form::kHalfKernels)});
  heads.push_back({"without L2", trained(1500, L2Form::kNone)});
  heads.push_back({"shipped", sharpened(1)});
  heads.push_back({"sharp", sharpened(2)});       // 40 points
  heads.push_back({"sharper", sharpened(3.2f)});  // 48 points
  Parameters<float> rough = initial_parameters({}, 5);
  for (const TensorId id : {TensorId::kItem0Kernel, TensorId::kQuery0Kernel}) {
    for (float& w : rough.tensor(id))
      w *= 1.4f;
  }
  heads.push_back({"rough", rough});
  return heads;
}

const std::vector<NamedHead>& heads() {
  static const std::vector<NamedHead> kHeads = make_heads();
  return kHeads;
}

// Logits count up to a constant of each set.
template <class Scalar>
void centre_sets(std::vector<Scalar>& logits, int items) {
  for (std::size_t row = 0; row < logits.size(); row += static_cast<std::size_t>(items)) {
    const Scalar first = logits[row];
    for (int i = 0; i < items; ++i)
      logits[row + static_cast<std::size_t>(i)] -= first;
  }
}

// Squared errors of one quantity over several batches, and the squares of its true values.
struct PathErrors {
  double direct = 0;
  double spectral = 0;
  double truth = 0;

  void add(std::span<const float> d, std::span<const float> s, std::span<const double> t) {
    for (std::size_t i = 0; i < t.size(); ++i) {
      direct += std::pow(static_cast<double>(d[i]) - t[i], 2);
      spectral += std::pow(static_cast<double>(s[i]) - t[i], 2);
      truth += t[i] * t[i];
    }
  }
};

TEST(SpectralStep, ErrsNoMoreThanTwiceAsMuchAsTheDirectPathInFloat) {
  for (const NamedHead& head : heads()) {
    const SpectralPoints points =
        choose_points(head.parameters, Spare::kOneStep, kMostTrainingItemPoints);
    ASSERT_TRUE(points.spectral()) << head.name;
    const Parameters<double> exact = convert_parameters<double>(head.parameters);
    std::map<std::string, PathErrors> errors;
    // One batch's errors hang on the few sets that the head finds hard; several are needed.
    for (std::uint32_t step = 0; step < 24; ++step) {
      const ItemSets sets = batch(64, 9 + static_cast<int>(step % 8), step);
      auto truth = direct_gradient(exact, sets.view());
      auto direct = direct_gradient(head.parameters, sets.view());
      auto spectral = spectral_gradient(head.parameters, sets.view(), points.item, points.query);
      centre_sets(truth.logits, sets.items);
      centre_sets(direct.logits, sets.items);
      centre_sets(spectral.logits, sets.items);
      errors["logits"].add(direct.logits, spectral.logits, truth.logits);
      const float losses[] = {static_cast<float>(direct.loss), static_cast<float>(spectral.loss)};
      errors["loss"].add({losses, 1}, {losses + 1, 1}, {&truth.loss, 1});
      for (const TensorSlot& slot : parameter_layout(HeadShape())) {
        if (!has_gradient(slot.name)) continue;
        const auto part = [&](const auto& result) {
          return std::span(result.gradient.values).subspan(slot.offset, slot.size());
        };
        errors[std::string(slot.name)].add(part(direct), part(spectral), part(truth));
      }
    }
    for (const auto& [what, error] : errors) {
      const double direct = std::sqrt(error.direct / error.truth);
      const double spectral = std::sqrt(error.spectral / error.truth);
      EXPECT_LE(spectral, std::max(2 * direct, 4e-7))
          << head.name << " " << what << ": direct " << direct << " with " << points.item << ", "
          << points.query << " points";
    }
  }
}

TEST(SpectralPoints, TheMeasuredErrorBoundsTheTrueOne) {
  for (const NamedHead& head : heads()) {
    const SpectralPoints points =
        choose_points(head.parameters, Spare::kOneStep, kMostTrainingItemPoints);
    ASSERT_TRUE(points.spectral()) << head.name;
    EXPECT_LT(points.item_error, kInterpolationTolerance);
    EXPECT_LE(item_interpolation_error(head.parameters, points.item, 333), points.item_error)
        << head.name << " " << points.item;
    // Without a step to spare the estimate is of the very number taken: it lies between the nodes,
    // and may miss the worst place by a little.
    const SpectralPoints tight =
        choose_points(head.parameters, Spare::kNone, kMostTrainingItemPoints);
    EXPECT_LT(tight.item, points.item);
    EXPECT_LE(item_interpolation_error(head.parameters, tight.item, 333), 2 * tight.item_error)
        << head.name << " " << tight.item;
  }
}

TEST(SpectralPoints, SharpHeadsNeedMoreAndTheSharpestTakeTheDirectPath) {
  int before = 0;
  for (const float factor : {1.0f, 4.0f, 8.0f}) {
    Parameters<float> head = initial_parameters({}, 5);
    for (float& w : head.tensor(TensorId::kItem0Kernel))
      w *= factor;
    const SpectralPoints points = choose_points(head, Spare::kOneStep);
    ASSERT_TRUE(points.spectral()) << factor;
    EXPECT_GT(points.item, before);
    before = points.item;
  }
  Parameters<float> head = initial_parameters({}, 5);
  for (float& w : head.tensor(TensorId::kItem0Kernel))
    w *= 40;
  EXPECT_FALSE(choose_points(head, Spare::kOneStep).spectral());
}

TEST(SpectralPoints, TheLimitDecidesOnlyForTheSharpest) {
  for (const float factor : {1.0f, 1.4f}) {
    const Parameters<float> head = sharpened(factor);
    EXPECT_EQ(choose_points(head, Spare::kOneStep),
              choose_points(head, Spare::kOneStep, kMostTrainingItemPoints));
  }
  for (const float factor : {2.0f, 3.2f}) {
    const Parameters<float> head = sharpened(factor);
    EXPECT_FALSE(choose_points(head, Spare::kOneStep).spectral());
    EXPECT_EQ(choose_points(head, Spare::kOneStep, kMostTrainingItemPoints).item,
              factor == 2 ? 40 : 48);
  }
  EXPECT_FALSE(choose_points(sharpened(8), Spare::kOneStep, kMostTrainingItemPoints).spectral());
}

}  // namespace
}  // namespace dispersion
