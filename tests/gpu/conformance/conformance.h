#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/backend.h"
#include "core/experiment/sequence_backend.h"
#include "gpu/cuda_backend.h"
#include "tests/gpu/conformance/counting_backend.h"

namespace dispersion {

// What every backend has to do, whatever it computes on: the cases of this folder run on the CPU,
// which is the definition, and on the (emulated) device, through the functions of Backend and
// SequenceBackend alone.

enum class Computes { kOnCpu, kOnDevice };
inline constexpr Computes kEveryBackend[] = {Computes::kOnCpu, Computes::kOnDevice};
std::string backend_kind(Computes computes);  // "Cpu", "Device"

// Its calls are counted, and all functions must have been called when all cases have run. Throws
// std::runtime_error where there is no device.
std::unique_ptr<Backend> make_counted_backend(Computes computes,
                                              DeviceUse use = DeviceUse::kForeground);
std::unique_ptr<SequenceBackend> make_counted_sequence_backend(Computes computes);

// With two threads: the definition, which does not depend on their number.
std::unique_ptr<Backend> make_defining_backend();

// Nothing was written outside of a buffer of the device.
void expect_whole_memory();

// A fixture for cases on each backend.
template <class Param>
class ConformanceCase : public testing::TestWithParam<Param> {
 protected:
  void TearDown() override { expect_whole_memory(); }
};
using ConformanceTest = ConformanceCase<Computes>;

// Heads of every kind that reaches other code.
enum class HeadKind {
  kShipped,  // spectral path
  kFresh,    // spectral path with few points
  kSteep,    // more points than there are: direct path
  kNarrow,   // not the paper's shape: left to the CPU
};
inline constexpr HeadKind kEveryHead[] = {HeadKind::kShipped, HeadKind::kFresh, HeadKind::kSteep,
                                          HeadKind::kNarrow};
std::string head_kind(HeadKind kind);
const Parameters<float>& conformance_head(HeadKind kind);

// The usual setting of every transform of the table, softmax first.
std::vector<AttentionTransform> every_transform();
// Its name as the name of a case can hold it: "topk".
std::string transform_word(const AttentionTransform& transform);

// Sets computed in double by the definition of the head (core/head/forward.h), item by item.
struct DefinedTransform {
  std::vector<double> entropy;        // [sets]
  std::vector<double> weight_on_max;  // [sets]
  std::vector<double> beta;           // [sets]
  std::vector<double> class_logits;   // [sets, classes]
};
struct DefinedSets {
  int sets = 0;
  int items = 0;
  int classes = 0;
  std::vector<double> logits;  // [sets, items]
  std::vector<DefinedTransform> transforms;

  std::span<const double> row(int set) const;
  // What a float makes of logits is off by this much: rounding grows with the largest.
  double logit_tolerance() const;
};
DefinedSets define_sets(const Parameters<float>& head, const ItemSetsView& sets,
                        std::span<const AttentionTransform> transforms);

void expect_defined_logits(const std::vector<float>& logits, const DefinedSets& defined);
void expect_defined(const SetEvaluation& evaluation, const ItemSetsView& sets,
                    std::span<const AttentionTransform> transforms, const DefinedSets& defined);

// The same bits in all that is computed for these sets of both.
void expect_same_set(const SetEvaluation& a, int set_of_a, const SetEvaluation& b, int set_of_b);

}  // namespace dispersion
