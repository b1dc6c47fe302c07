#include "attention_case.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "core/precision/rounding.h"
#include "gpu/attention/streaming_attention.h"
#include "gpu/runtime/buffer.h"

namespace dispersion {
namespace {

template <class Number>
std::vector<Number> numbers(const std::vector<float>& from) {
  std::vector<Number> to(from.size());
  for (std::size_t i = 0; i < from.size(); ++i)
    convert_number(from[i], to[i]);
  return to;
}

template <class Number>
AttentionResult on_device_in(const AttentionCase& c, const Sequences& s) {
  Stream stream;
  const std::size_t rows = static_cast<std::size_t>(c.heads) * static_cast<std::size_t>(c.n);
  const DeviceBuffer<Number> q(s.q.size()), k(s.k.size()), v(s.v.size()), out(s.q.size());
  const DeviceBuffer<float> largest(rows), log_sum_exp(rows), entropy(rows), beta(rows);
  const std::vector<Number> arrays[] = {numbers<Number>(s.q), numbers<Number>(s.k),
                                        numbers<Number>(s.v)};
  const WaitOnError wait(stream);  // the copies read the arrays until then
  stream.upload<Number>(arrays[0], q.data());
  stream.upload<Number>(arrays[1], k.data());
  stream.upload<Number>(arrays[2], v.data());
  StreamingAttention<Number> request;
  request.heads = c.heads;
  request.n = c.n;
  request.d = c.d;
  request.causal = c.causal;
  request.transform = c.transform;
  request.most_blocks = c.most_blocks;
  request.q = q.data();
  request.k = k.data();
  request.v = v.data();
  request.out = out.data();
  request.largest = largest.data();
  request.log_sum_exp = log_sum_exp.data();
  request.entropy = entropy.data();
  request.beta = beta.data();
  const int step = c.queries == 0 ? c.n : c.queries;
  for (; request.first_query < c.n; request.first_query += step) {
    request.queries = std::min(c.queries, c.n - request.first_query);
    stream_attention(stream, request);
  }
  std::vector<Number> pooled(out.size());
  stream.download<Number>(out.data(), pooled);
  AttentionResult result;
  const auto fetch = [&](const DeviceBuffer<float>& from, std::vector<float>& to) {
    to.resize(from.size());
    stream.download<float>(from.data(), to);
  };
  fetch(largest, result.largest);
  fetch(log_sum_exp, result.log_sum_exp);
  fetch(entropy, result.entropy);
  fetch(beta, result.beta);
  stream.synchronise();
  result.out.resize(pooled.size());
  for (std::size_t i = 0; i < pooled.size(); ++i)
    convert_number(pooled[i], result.out[i]);
  return result;
}

}  // namespace

SequenceAttention definition_of(const AttentionCase& c) {
  return {.heads = c.heads,
          .n = c.n,
          .d = c.d,
          .causal = c.causal,
          .transform = c.transform,
          .numbers = c.bf16 ? AttentionNumbers::kBf16 : AttentionNumbers::kFloat};
}

Sequences attention_sequences(const AttentionCase& c) {
  std::mt19937 random(static_cast<unsigned>(c.n * 1000 + c.d));
  const auto quarters = [&] { return static_cast<float>(static_cast<int>(random() % 17) - 8) / 4; };
  const std::size_t d = static_cast<std::size_t>(c.d);
  const std::size_t n = static_cast<std::size_t>(c.n);
  Sequences s;
  for (std::vector<float>* array : {&s.q, &s.k, &s.v}) {
    array->resize(static_cast<std::size_t>(c.heads) * n * d);
    for (float& value : *array)
      value = quarters();
  }
  for (std::size_t i = 0; i < s.q.size(); ++i) {
    const bool outlier = i / d % n == n / 3;
    if (c.plant == Plant::kOutlier && i % d == 1) s.q[i] = 2;
    if (c.plant == Plant::kOutlier && i % d == 1 && outlier) s.k[i] = 40;
    if (c.plant == Plant::kEqual) s.k[i] = s.k[i % d];
    if (c.plant == Plant::kOffset && i % d == 0) {
      s.q[i] = 100;
      s.k[i] = std::round(100 * std::sqrt(static_cast<float>(c.d)));
    }
    if (c.plant == Plant::kSharp) s.q[i] *= 16;
    if (c.plant == Plant::kRough) {
      s.q[i] = std::sin(s.q[i] + static_cast<float>(i));
      s.k[i] = 3 * std::sin(s.k[i] + static_cast<float>(3 * i));
    }
  }
  if (c.bf16) {
    for (std::vector<float>* array : {&s.q, &s.k, &s.v})
      round_values(Rounding::kBf16, array->data(), array->data(), array->size());
  }
  return s;
}

AttentionResult attend_on_device(const AttentionCase& c, const Sequences& s) {
  return c.bf16 ? on_device_in<Bf16>(c, s) : on_device_in<float>(c, s);
}

}  // namespace dispersion
