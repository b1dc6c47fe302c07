#include "app/window/fonts.h"

#include <imgui.h>

#include <string_view>

#include "app/embedded/embedded.h"

namespace dispersion {
namespace {

ImFont* add_font(std::string_view bytes, ImFontConfig config) {
  config.FontDataOwnedByAtlas = false;
  // The atlas only reads it.
  void* data = const_cast<char*>(bytes.data());
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(data, static_cast<int>(bytes.size()), kBodySize,
                                                    &config);
}

ImFont* add_with_fallback(EmbeddedFile file) {
  ImFont* font = add_font(embedded_bytes(file), {});
  ImFontConfig fallback;
  fallback.MergeMode = true;
  fallback.ExtraSizeScale = 0.94F;  // DejaVu Sans looks larger at the same size
  add_font(embedded_bytes(EmbeddedFile::kDejaVuSans), fallback);
  return font;
}

}  // namespace

Fonts add_embedded_fonts() {
  return {add_with_fallback(EmbeddedFile::kRobotoRegular),
          add_with_fallback(EmbeddedFile::kRobotoMedium)};
}

}  // namespace dispersion
