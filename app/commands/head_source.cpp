#include "app/commands/head_source.h"

#include "app/embedded/embedded.h"

namespace dispersion {

HeadSource load_head(const std::filesystem::path& file) {
  if (!file.empty()) return {load_checkpoint(file), file.string()};
  const std::string_view bytes = embedded_bytes(EmbeddedFile::kShippedHead);
  return {checkpoint_from(TensorFile::from_bytes("shipped head", std::string(bytes))), "shipped"};
}

}  // namespace dispersion
