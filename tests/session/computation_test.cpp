// How the window says a head is computed.

#include "app/session/run_status.h"

#include "tests/session/session_fixture.h"

namespace dispersion {
namespace {

TEST(ComputationText, SaysPathAndPointsAndWhyNot) {
  RunStatus status;
  status.recipe.path = HeadPath::kDirect;
  EXPECT_EQ(computation_text(status), "direct");
  status.recipe.precision = Precision::kBf16;
  EXPECT_EQ(computation_text(status), "direct, bf16");
  status.recipe = {};
  status.recipe.path = HeadPath::kSpectral;
  status.most_item_points = 32;
  EXPECT_EQ(computation_text(status), "direct: too sharp for 32 points");
  status.item_points = 24;
  status.query_points = 12;
  EXPECT_EQ(computation_text(status), "spectral, 24 + 12 points, error < 10⁻⁷");
  status.recipe.precision = Precision::kBf16Priorities;
  EXPECT_EQ(computation_text(status), "spectral, 24 + 12 points, error < 10⁻⁷, bf16-priorities");
}

TEST_F(SessionTest, TellsThePointsOfTheHead) {
  Checkpoint start = weights_with_moments(3);
  start.recipe.path = HeadPath::kSpectral;
  start.state.item_points = 20;
  start.state.query_points = 8;
  open(start);
  ASSERT_TRUE(arrives([&] { return !status_.backend.empty(); }));
  EXPECT_EQ(status_.item_points, 20);
  EXPECT_EQ(status_.query_points, 8);
}

TEST_F(SessionTest, MeasuresThePointsOfAHeadThatWasNotTrainedHere) {
  Checkpoint start = weights_only(100);
  start.state.parameters = initial_parameters(start.state.parameters.shape, 1);
  start.recipe.path = HeadPath::kSpectral;
  open(start);
  ASSERT_TRUE(arrives([&] { return !status_.backend.empty(); }));
  EXPECT_GT(status_.item_points, 0);
  EXPECT_GT(status_.query_points, 0);
}

TEST_F(SessionTest, ADirectRunHasNoPoints) {
  Checkpoint start = weights_with_moments(3);
  start.recipe.path = HeadPath::kDirect;
  open(start);
  ASSERT_TRUE(arrives([&] { return !status_.backend.empty(); }));
  EXPECT_EQ(status_.item_points, 0);
}

// So wild a head that no number of points will do.
TEST_F(SessionTest, AHeadThatIsTooSharpSaysSo) {
  Checkpoint start = weights_with_moments(3);
  start.recipe.path = HeadPath::kSpectral;
  for (float& value : start.state.parameters.values)
    value *= 1000;
  open(start);
  ASSERT_TRUE(arrives([&] { return !status_.backend.empty(); }));
  EXPECT_EQ(computation_text(status_), "direct: too sharp for 48 points");
}

}  // namespace
}  // namespace dispersion
