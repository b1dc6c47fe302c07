#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "core/task/draws.h"
#include "core/task/item_sets.h"
#include "core/task/philox.h"

namespace dispersion {
namespace {

// Known answers of Random123 (kat_vectors, philox4x32 with ten rounds).
TEST(Philox, GivesTheKnownAnswers) {
  struct Case {
    PhiloxBlock counter;
    PhiloxKey key;
    std::array<std::uint32_t, 4> answer;
  };
  const Case cases[] = {
      {{{0, 0, 0, 0}}, {{0, 0}}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
       {{0xffffffff, 0xffffffff}},
       {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
       {{0xa4093822, 0x299f31d0}},
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (const Case& c : cases) {
    const PhiloxBlock got = philox4x32_10(c.counter, c.key);
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(got.word[i], c.answer[i]);
  }
}

TEST(Draws, UniformNumbersLieOnTheGridOf24Bits) {
  EXPECT_EQ(uniform_from_24_bits(0), 0.0f);
  EXPECT_EQ(uniform_from_24_bits(0xffffffff), 1.0f - 0x1p-24f);
  EXPECT_EQ(uniform_from_24_bits(0x80000000), 0.5f);
  EXPECT_EQ(uniform_below(0, 10), 0u);
  EXPECT_EQ(uniform_below(0xffffffff, 10), 9u);
}

TEST(ItemSets, LabelIsTheClassOfTheFirstLargestPriority) {
  ItemSets sets;
  sets.resize(64, 33);
  draw_item_sets(7, RandomPurpose::kEvaluation, 33, 0, sets);
  for (int s = 0; s < sets.sets; ++s) {
    const std::span<const float> priority(sets.priority.data() + s * 33, 33);
    const int top = first_largest(priority);
    for (int i = 0; i < 33; ++i) {
      EXPECT_LE(priority[i], priority[top]);
      EXPECT_LT(sets.item_class[s * 33 + i], kClasses);
    }
    EXPECT_EQ(sets.label[s], sets.item_class[s * 33 + top]);
  }
  const float tied[] = {0.25f, 0.75f, 0.5f, 0.75f};
  EXPECT_EQ(first_largest(tied), 1);
}

TEST(ItemSets, ASetDependsOnItsOwnNumberAlone) {
  ItemSets all;
  all.resize(10, 21);
  draw_item_sets(3, RandomPurpose::kEvaluation, 21, 0, all);
  ItemSets one;
  one.resize(1, 21);
  draw_item_sets(3, RandomPurpose::kEvaluation, 21, 6, one);
  const ItemSetsView expected = all.view().slice(6, 1);
  for (int i = 0; i < 21; ++i) {
    EXPECT_EQ(one.priority[i], expected.priority[i]);
    EXPECT_EQ(one.item_class[i], expected.item_class[i]);
  }
  EXPECT_EQ(one.query[0], expected.query[0]);
  // The first items of a longer set of the same step are the same items.
  ItemSets longer;
  longer.resize(1, 40);
  draw_item_sets(3, RandomPurpose::kEvaluation, 21, 6, longer);
  for (int i = 0; i < 21; ++i)
    EXPECT_EQ(longer.priority[i], one.priority[i]);
}

TEST(ItemSets, StreamsDifferBySeedPurposeAndStep) {
  const auto first = [](std::uint32_t seed, RandomPurpose purpose, std::uint32_t step) {
    ItemSets sets;
    sets.resize(1, 4);
    draw_item_sets(seed, purpose, step, 0, sets);
    return sets.priority;
  };
  const auto base = first(1, RandomPurpose::kTraining, 0);
  EXPECT_NE(base, first(2, RandomPurpose::kTraining, 0));
  EXPECT_NE(base, first(1, RandomPurpose::kEvaluation, 0));
  EXPECT_NE(base, first(1, RandomPurpose::kTraining, 1));
}

// Each check allows five standard errors: with the fixed seed it cannot fail by chance.
TEST(ItemSets, PrioritiesAndClassesAreUniform) {
  ItemSets sets;
  sets.resize(1, 100'000);
  draw_item_sets(11, RandomPurpose::kEvaluation, 1, 0, sets);
  double mean = 0;
  std::array<int, kClasses> counts{};
  for (int i = 0; i < sets.items; ++i) {
    mean += sets.priority[i];
    ++counts[sets.item_class[i]];
  }
  mean /= sets.items;
  EXPECT_NEAR(mean, 0.5, 5 * std::sqrt(1.0 / 12 / sets.items));
  for (const int count : counts)
    EXPECT_NEAR(count, 10'000, 5 * std::sqrt(100'000 * 0.1 * 0.9));
}

TEST(BatchSize, CoversTheRangeEvenly) {
  std::array<int, 17> counts{};
  for (std::uint32_t step = 0; step < 12'000; ++step) {
    const int n = draw_batch_size(1, step, 5, 16);
    ASSERT_GE(n, 5);
    ASSERT_LE(n, 16);
    ++counts[n];
  }
  for (int n = 5; n <= 16; ++n)
    EXPECT_NEAR(counts[n], 1000, 5 * std::sqrt(1000 * 11.0 / 12));
  EXPECT_EQ(draw_batch_size(1, 9, 7, 7), 7);
}

}  // namespace
}  // namespace dispersion
