#include "core/experiment/spread.h"
#include "core/experiment/spread_in_slices.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/head/forward.h"
#include "core/math/eigen_views.h"
#include "core/math/singular_value.h"

namespace dispersion {
namespace {

constexpr HeadShape kSmall{.width = 16, .classes = 10};

// A head whose biases are not zero, so that they can be seen.
Parameters<float> head_with_biases(HeadShape shape) {
  Parameters<float> head = initial_parameters(shape, 5);
  for (const TensorSlot& slot : parameter_layout(shape)) {
    if (slot.is_kernel) continue;
    for (std::size_t i = 0; i < slot.size(); ++i)
      head.values[slot.offset + i] = 0.3f * std::sin(static_cast<float>(slot.offset + 7 * i));
  }
  return head;
}

ItemSets six_sets() {
  const SpreadSets which = {.seed = 3, .sets = 6, .items = 9};
  return draw_spread_sets(which);
}

struct Measured {
  Parameters<double> head;
  ItemSets sets;
  Activations<double> activations;

  explicit Measured(const Parameters<float>& from)
      : head(convert_parameters<double>(from)), sets(six_sets()) {
    forward(head, sets.view(), AttentionTransform{}, activations);
  }
  std::vector<SetSpread> spreads(SpreadTerms terms) const {
    return set_spreads(head, attention_singular_values(head), activations, terms);
  }
};

TEST(LargestSingularValue, OfADiagonalMatrixIsItsLargestEntry) {
  std::vector<double> matrix(12, 0.0);  // [3, 4]
  matrix[0] = 2;
  matrix[5] = -7;
  matrix[10] = 3;
  EXPECT_NEAR(largest_singular_value(matrix, 3, 4), 7, 1e-14);
}

TEST(LargestSingularValue, AgreesWithJacobiRotations) {
  const Parameters<double> head = convert_parameters<double>(initial_parameters(HeadShape(), 1));
  const std::span<const double> kernel = head.tensor(TensorId::kQueryKernel);
  const Eigen::MatrixXd matrix = ConstMatrixView<double>(kernel.data(), 128, 128);
  const double jacobi = Eigen::JacobiSVD<Eigen::MatrixXd>(matrix).singularValues()[0];
  EXPECT_NEAR(largest_singular_value(kernel, 128, 128) / jacobi, 1, 1e-13);
}

TEST(LargestSingularValue, TakesEntriesThatCannotBeSquared) {
  // u v^T has the one singular value |u| |v|.
  const double huge = 1e200;
  const std::vector<double> matrix = {3 * huge, 0, 4 * huge, 0, 0, 0};
  EXPECT_NEAR(largest_singular_value(matrix, 3, 2) / huge, 5, 1e-14);
  EXPECT_EQ(largest_singular_value(std::vector<double>(6, 0.0), 2, 3), 0);
  EXPECT_DOUBLE_EQ(largest_singular_value(std::vector{-1e-300}, 1, 1), 1e-300);
  const std::vector<double> broken = {1, std::numeric_limits<double>::infinity()};
  EXPECT_TRUE(std::isnan(largest_singular_value(broken, 1, 2)));
}

TEST(LargestSingularValue, OfEqualOnesIsOneOfThem) {
  std::vector<double> identity(64, 0.0);
  for (std::size_t i = 0; i < 8; ++i)
    identity[i * 9] = 1;
  EXPECT_NEAR(largest_singular_value(identity, 8, 8), 1, 1e-15);
  EXPECT_NEAR(largest_singular_value(std::vector<double>(12, 1.0), 3, 4), std::sqrt(12.0), 1e-14);
}

TEST(Spread, WithBiasesAndScaleIsThatOfTheHeadsLogits) {
  const Measured measured(head_with_biases(kSmall));
  const std::vector<SetSpread> spreads = measured.spreads({.scaled = true, .biases = true});
  ASSERT_EQ(spreads.size(), 6u);
  for (std::size_t set = 0; set < 6; ++set) {
    const double* logits = measured.activations.attention_logits.data() + set * 9;
    const auto [low, high] = std::minmax_element(logits, logits + 9);
    EXPECT_NEAR(spreads[set].delta, *high - *low, 1e-12) << set;
  }
}

// The logits of the proposition as it writes them: <Q y, K x_i>, keys and all.
TEST(Spread, WithoutBiasesIsThatOfThePropositionsLogits) {
  const Measured measured(head_with_biases(kSmall));
  const std::vector<SetSpread> spreads = measured.spreads({});
  const int width = kSmall.width;
  const ConstMatrixView<double> q(measured.head.tensor(TensorId::kQueryKernel).data(), width,
                                  width);
  const ConstMatrixView<double> k(measured.head.tensor(TensorId::kKeyKernel).data(), width, width);
  for (int set = 0; set < 6; ++set) {
    const ConstMatrixView<double> x(measured.activations.item_embedding.data() + set * 9 * width, 9,
                                    width);
    const ConstVectorView<double> y(measured.activations.query_vector.data() + set * width, width);
    const Eigen::VectorXd logits = (x * k) * (q.transpose() * y);
    const SetSpread& spread = spreads[static_cast<std::size_t>(set)];
    EXPECT_NEAR(spread.delta, logits.maxCoeff() - logits.minCoeff(), 1e-12);
    EXPECT_NEAR(spread.query_norm, y.norm(), 1e-13);
    EXPECT_NEAR(spread.item_norm, x.rowwise().norm().maxCoeff(), 1e-13);
    EXPECT_LE(spread.delta, spread.bound);
  }
}

TEST(Spread, TheScaleActsOnBothSides) {
  const Measured measured(head_with_biases(kSmall));
  const SetSpread plain = measured.spreads({})[2];
  const SetSpread scaled = measured.spreads({.scaled = true})[2];
  EXPECT_NEAR(scaled.delta, plain.delta / 4, 1e-14);  // 1 / sqrt(16)
  EXPECT_NEAR(scaled.bound, plain.bound / 4, 1e-14);
}

TEST(Spread, TheBiasOfQCountsAndThatOfKCancels) {
  Parameters<float> head = head_with_biases(kSmall);
  const double with = Measured(head).spreads({.biases = true})[0].delta;
  EXPECT_GT(std::abs(with - Measured(head).spreads({})[0].delta), 1e-3);
  for (float& bias : head.tensor(TensorId::kKeyBias))
    bias += 2;
  EXPECT_EQ(Measured(head).spreads({.biases = true})[0].delta, with);
  for (float& bias : head.tensor(TensorId::kQueryBias))
    bias += 2;
  EXPECT_NE(Measured(head).spreads({.biases = true})[0].delta, with);
}

// Attained: one-dimensional, x_1 = -x_2, both along the direction that is stretched most.
TEST(Spread, TheBoundCanBeAttained) {
  Parameters<double> head(HeadShape{.width = 2, .classes = 10});
  const auto set = [&](TensorId id, double first, double last) {
    head.tensor(id)[0] = first;
    head.tensor(id)[3] = last;
  };
  set(TensorId::kQueryKernel, 3, 1);
  set(TensorId::kKeyKernel, 5, 1);
  Activations<double> activations;
  activations.shape = head.shape;
  activations.sets = 1;
  activations.items = 2;
  std::ranges::copy(std::vector<double>{2, 0}, activations.query_vector.reserve(2));
  std::ranges::copy(std::vector<double>{4, 0, -4, 0}, activations.item_embedding.reserve(4));
  const SetSpread spread =
      set_spreads(head, attention_singular_values(head), activations, {}).front();
  EXPECT_DOUBLE_EQ(spread.delta, 2 * 3 * 5 * 2 * 4);
  EXPECT_DOUBLE_EQ(spread.bound, spread.delta);
}

TEST(Spread, OfManySetsIsMeasuredInSlicesThatStop) {
  const Parameters<float> head = head_with_biases(kSmall);
  const ItemSets sets = draw_spread_sets({1, 3000, 16});
  int asked = 0;
  const auto whole = measure_spread(head, sets.view(), {}, [&](double share) {
    EXPECT_LT(share, 1);
    ++asked;
    return true;
  });
  ASSERT_TRUE(whole);
  EXPECT_EQ(asked, 12);  // of 256 sets each
  double delta = 0;
  for (int first = 0; first < 3000; first += 100)
    delta += measure_spread(head, sets.view().slice(first, 100), {}).delta / 30;
  EXPECT_NEAR(whole->delta, delta, 1e-12);
  EXPECT_FALSE(measure_spread(head, sets.view(), {}, [](double share) { return share < 0.5; }));
}

TEST(Spread, MeansAreTakenOverSets) {
  const Parameters<float> head = head_with_biases(kSmall);
  const Measured measured(head);
  const std::vector<SetSpread> spreads = measured.spreads({});
  const Spread mean = measure_spread(head, measured.sets.view(), {});
  double delta = 0;
  double share = 0;
  for (const SetSpread& spread : spreads) {
    delta += spread.delta;
    share = std::max(share, spread.delta / spread.bound);
  }
  EXPECT_NEAR(mean.delta, delta / 6, 1e-13);
  EXPECT_DOUBLE_EQ(mean.largest_share, share);
  double squares = 0;
  for (const TensorSlot& slot : parameter_layout(kSmall)) {
    if (!slot.is_kernel) continue;
    const ConstVectorView<float> kernel(head.values.data() + slot.offset,
                                        static_cast<Eigen::Index>(slot.size()));
    squares += kernel.cast<double>().squaredNorm();
  }
  EXPECT_NEAR(mean.kernel_norm, std::sqrt(squares), 1e-12);
  EXPECT_NEAR(
      mean.bound,
      2 * mean.sigma_query * mean.sigma_key *
          [&] {
            double sum = 0;
            for (const SetSpread& s : spreads)
              sum += s.query_norm * s.item_norm;
            return sum / 6;
          }(),
      1e-12);
}

TEST(Spread, NeedsSets) {
  EXPECT_THROW(draw_spread_sets({.sets = 0}), std::invalid_argument);
  EXPECT_THROW(draw_spread_sets({.items = 0}), std::invalid_argument);
}

}  // namespace
}  // namespace dispersion
