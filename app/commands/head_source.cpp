#include "app/commands/head_source.h"

#include <stdexcept>
#include <string_view>

#include "app/embedded/embedded.h"

namespace dispersion {
namespace {

HeadSource from_bytes(std::string_view bytes) {
  return {checkpoint_from(TensorFile::from_bytes("shipped head", std::string(bytes))), "shipped"};
}

}  // namespace

HeadSource load_head(const std::filesystem::path& file) {
  if (!file.empty()) return {load_checkpoint(file), file.string()};
  return from_bytes(embedded_heads().front());
}

std::vector<HeadSource> shipped_heads() {
  std::vector<HeadSource> heads;
  for (const std::string_view bytes : embedded_heads())
    heads.push_back(from_bytes(bytes));
  return heads;
}

std::vector<std::string> shipped_run_hashes() {
  std::vector<std::string> hashes;
  for (const HeadSource& head : shipped_heads())
    hashes.push_back(run_hash(head.checkpoint.recipe, head.checkpoint.state));
  return hashes;
}

HeadSource shipped_head(std::uint32_t seed) {
  std::string seeds;
  for (HeadSource& head : shipped_heads()) {
    if (head.checkpoint.state.seed == seed) return std::move(head);
    seeds += (seeds.empty() ? "" : ", ") + std::to_string(head.checkpoint.state.seed);
  }
  throw std::invalid_argument("no head of seed " + std::to_string(seed) +
                              " is inside the program, which has the seeds " + seeds);
}

}  // namespace dispersion
