// Device memory that stays between calls.

#include "gpu/runtime/kept_memory.h"

#include <gtest/gtest.h>

#include "faults.h"

namespace dispersion {
namespace {

class KeptMemoryTest : public testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(emulation::take_guard_report(), "");
    emulation::reset_machine();
  }
};

TEST_F(KeptMemoryTest, IsAllocatedOnceForCallsThatNeedNoMore) {
  KeptMemory kept;
  EXPECT_EQ(kept.begin_call(0), nullptr);
  std::byte* const memory = kept.begin_call(1000);
  kept.end_call();
  emulation::machine().allocations_to_failure = 0;
  EXPECT_EQ(kept.begin_call(10), memory);
  kept.end_call();
  EXPECT_EQ(kept.begin_call(1000), memory);
  EXPECT_EQ(kept.bytes(), 1000U);
  EXPECT_EQ(emulation::bytes_held(), 1000U);
}

// The device has no room for the old memory beside the new.
TEST_F(KeptMemoryTest, GrowsByGivingBackFirst) {
  KeptMemory kept;
  kept.begin_call(1000);
  emulation::machine().other_bytes = emulation::machine().total_bytes - 1500;
  kept.begin_call(1200);
  EXPECT_EQ(emulation::bytes_held(), 1200U);
  EXPECT_THROW(kept.begin_call(1600), CudaError);
  EXPECT_EQ(kept.bytes(), 0U);
  EXPECT_EQ(emulation::bytes_held(), 0U);
  EXPECT_NE(kept.begin_call(1200), nullptr);
}

TEST_F(KeptMemoryTest, GivesBackWhatIsLarge) {
  KeptMemory kept;
  kept.begin_call(KeptMemory::kMostKept);
  kept.end_call();
  EXPECT_EQ(kept.bytes(), KeptMemory::kMostKept);
  kept.begin_call(KeptMemory::kMostKept + 1);
  EXPECT_EQ(emulation::bytes_held(), KeptMemory::kMostKept + 1);
  kept.end_call();
  EXPECT_EQ(emulation::bytes_held(), 0U);
  kept.begin_call(5);
  kept.release();
  EXPECT_EQ(emulation::bytes_held(), 0U);
}

}  // namespace
}  // namespace dispersion
