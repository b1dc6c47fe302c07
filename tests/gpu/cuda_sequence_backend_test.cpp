// Attending over sequences on the (emulated) device as the program does it: its memory, faults and
// place beside others.

#include "gpu/cuda_backend.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/backend.h"
#include "core/experiment/attention_length.h"
#include "core/experiment/sequence_backend.h"
#include "faults.h"
#include "gpu/attention/streaming_attention.h"

namespace dispersion {
namespace {

class CudaSequenceBackendTest : public testing::Test {
 protected:
  void TearDown() override {
    sequence_backend_.reset();
    EXPECT_EQ(emulation::take_guard_report(), "");
    EXPECT_EQ(emulation::bytes_held(), 0U);
    emulation::reset_machine();
  }

  std::string reason(int device = 0) {
    std::string text;
    sequence_backend_ = make_cuda_sequence_backend(device, DeviceUse::kForeground, text);
    EXPECT_EQ(sequence_backend_ == nullptr, !text.empty());
    return text;
  }

  std::string refused(const SequenceAttention& attention) {
    try {
      sequence_backend_->require_room(attention);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }

  std::unique_ptr<SequenceBackend> sequence_backend_;
};

TEST_F(CudaSequenceBackendTest, SaysWhyThereIsNone) {
  EXPECT_EQ(reason(), "");
  EXPECT_EQ(sequence_backend_->description(), "CUDA device 0, Emulated device");
  EXPECT_EQ(reason(3), "There is no CUDA device 3: this machine has one, 0.");
  emulation::machine().driver_version = 0;
  EXPECT_EQ(reason(), "No CUDA driver is installed.");
}

// What is counted before is what is taken.
TEST_F(CudaSequenceBackendTest, TakesTheMemoryItSays) {
  ASSERT_EQ(reason(), "");
  for (const auto numbers : {AttentionNumbers::kFloat, AttentionNumbers::kBf16}) {
    const SequenceAttention a = {.heads = 2, .n = 9, .d = 128, .numbers = numbers};
    std::size_t held = 0;
    const auto run = sequence_backend_->attend(a, draw_sequences(a, 1, 3), [&](double) {
      held = emulation::bytes_held();
      return true;
    });
    EXPECT_EQ(run->bytes, held);
    EXPECT_EQ(held, numbers == AttentionNumbers::kBf16
                        ? streaming_attention_bytes<Bf16>(a.heads, a.n, a.d)
                        : streaming_attention_bytes<float>(a.heads, a.n, a.d));
  }
}

TEST_F(CudaSequenceBackendTest, CodeForOlderDevicesTakesFloatsForBf16AndSaysSo) {
  emulation::machine().compiled_for = 75;
  ASSERT_EQ(reason(), "");
  const SequenceAttention a = {.heads = 1, .n = 70, .numbers = AttentionNumbers::kBf16};
  const auto length = attention_length(*sequence_backend_, a, {}, {});
  ASSERT_TRUE(length);
  EXPECT_EQ(length->numbers, AttentionNumbers::kFloat);
  EXPECT_EQ(length->bytes, attention_bytes(a, 4));
  // Nothing of it was rounded to bf16, which leaves 1e-3; float leaves 1e-6.
  EXPECT_LT(length->out_error, 1e-5);
}

// 64 MB are left to others.
TEST_F(CudaSequenceBackendTest, RefusesWhatDoesNotFitAndSaysWhatWould) {
  ASSERT_EQ(reason(), "");
  const std::size_t spare = std::size_t{64} << 20;
  const SequenceAttention a = {.heads = 3, .n = 1000, .d = 64};
  emulation::machine().other_bytes =
      emulation::machine().total_bytes - spare - attention_bytes(a, 4);
  EXPECT_EQ(refused(a), "");
  SequenceAttention longer = a;
  longer.n = 1001;
  EXPECT_EQ(refused(longer),
            "Attention over n = 1001 needs 3.12 MB of device memory; 3.12 MB of what is free may "
            "be used, enough for n = 1000 at most.");
  longer.numbers = AttentionNumbers::kBf16;
  EXPECT_EQ(refused(longer), "");
  EXPECT_THROW(attention_length(*sequence_backend_, {.heads = 3, .n = 1001}, {}, {}),
               std::runtime_error);
  emulation::machine().other_bytes = emulation::machine().total_bytes;
  EXPECT_NE(refused({.n = 1}).find("enough for n = 0 at most"), std::string::npos);
}

// Another program took the memory after it was counted; what was taken is given back.
TEST_F(CudaSequenceBackendTest, RunningOutOfMemoryIsAnError) {
  ASSERT_EQ(reason(), "");
  emulation::machine().allocations_to_failure = 5;
  try {
    attention_length(*sequence_backend_, {.n = 10}, {}, {});
    FAIL() << "attended without memory";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "CUDA device 0 has no memory left for this; other programs may hold it");
  }
  EXPECT_EQ(emulation::bytes_held(), 0U);
  emulation::machine().allocations_to_failure = -1;
  EXPECT_TRUE(attention_length(*sequence_backend_, {.n = 10}, {}, {}));
}

TEST_F(CudaSequenceBackendTest, ALostDeviceIsToldAndNotAskedAgain) {
  ASSERT_EQ(reason(), "");
  emulation::machine().launches_to_loss = 3;
  EXPECT_THROW(attention_length(*sequence_backend_, {.n = 10}, {}, {}), DeviceLost);
  emulation::reset_machine();
  EXPECT_THROW(attention_length(*sequence_backend_, {.n = 10}, {}, {}), DeviceLost);
  EXPECT_EQ(reason(), "");  // another sequence backend finds the device whole
}

TEST_F(CudaSequenceBackendTest, InTheBackgroundItGivesWay) {
  ASSERT_EQ(reason(), "");
  const int foreground = emulation::newest_stream_priority();
  std::string text;
  sequence_backend_ = make_cuda_sequence_backend(0, DeviceUse::kBackground, text);
  ASSERT_TRUE(sequence_backend_) << text;
  EXPECT_GT(emulation::newest_stream_priority(), foreground);
}

// Of the four multiprocessors three, a block each: seven tiles are three launches of each pass, of
// which there are two, four times over.
TEST_F(CudaSequenceBackendTest, InTheBackgroundAQuarterOfTheDeviceStaysFree) {
  for (const auto use : {DeviceUse::kForeground, DeviceUse::kBackground}) {
    const int launches = (use == DeviceUse::kBackground ? 3 : 1) * 2 * 4;
    for (const int enough : {launches - 1, launches}) {
      std::string text;
      sequence_backend_ = make_cuda_sequence_backend(0, use, text);
      ASSERT_TRUE(sequence_backend_) << text;
      const SequenceAttention a = {.n = 400};
      const Sequences s = draw_sequences(a, 1, 3);
      emulation::machine().launches_to_loss = enough;
      if (enough == launches)
        EXPECT_TRUE(sequence_backend_->attend(a, s, {}));
      else
        EXPECT_THROW(sequence_backend_->attend(a, s, {}), DeviceLost);
      emulation::reset_machine();
    }
  }
}

}  // namespace
}  // namespace dispersion
