#include "core/verify/stored_statistics.h"

#include <algorithm>
#include <map>

#include "core/attention/softmax.h"
#include "core/attention/transforms.h"
#include "core/verify/evaluation.h"

namespace dispersion {
namespace {

using Values = std::map<std::string, std::vector<double>>;

void append(std::vector<double>& all, const std::vector<double>& row) {
  all.insert(all.end(), row.begin(), row.end());
}

void add_set(const std::vector<double>& logits, std::size_t top, Values& values) {
  AttentionTransform adaptive;
  adaptive.id = TransformId::kAdaptive;
  std::vector<double> weights(logits.size());
  attention_weights<double>(logits, AttentionTransform{}, weights);
  append(values["attention"], weights);
  values["attention_on_max"].push_back(weights[top]);
  values["entropy_published"].push_back(published_entropy(weights));
  const TransformResult result = attention_weights<double>(logits, adaptive, weights);
  append(values["attention_adaptive"], weights);
  values["adaptive_attention_on_max"].push_back(weights[top]);
  values["entropy"].push_back(result.entropy_before);
  values["beta"].push_back(result.beta);
  const auto [low, high] = std::minmax_element(logits.begin(), logits.end());
  values["delta"].push_back(*high - *low);
}

}  // namespace

void check_stored_statistics(Section& section, const std::string& prefix, const ItemSets& sets) {
  const std::string stored = "f32." + prefix;
  if (!section.tensors().contains(stored + "logits")) return;
  const std::vector<float> logits =
      section.tensors().floats(stored + "logits", {sets.sets, sets.items});
  const auto items = static_cast<std::size_t>(sets.items);
  Values values;
  for (std::size_t s = 0; s < static_cast<std::size_t>(sets.sets); ++s) {
    const std::span<const float> priority = std::span(sets.priority).subspan(s * items, items);
    add_set(to_doubles(std::span(logits).subspan(s * items, items)),
            static_cast<std::size_t>(first_largest(priority)), values);
  }
  for (const auto& [name, computed] : values) {
    section.guarded(stored + name, [&, &name = name, &computed = computed] {
      const bool weights = name.find("attention") != std::string::npos;
      section.values("trained.safetensors", stored + name + ", from f32 logits",
                     Arithmetic::kStored, computed,
                     to_doubles(section.tensors().floats(stored + name)),
                     weights ? tolerance::kDoubleWeights : tolerance::kDoubleTensor,
                     index_in({static_cast<std::int64_t>(computed.size())}));
    });
  }
}

}  // namespace dispersion
