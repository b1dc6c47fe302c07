#include "app/panels/panels.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/window/theme.h"

namespace dispersion {
namespace {

constexpr int kPoints = 120;
constexpr double kLargestEntropy = 9.71;  // log 16,384

}  // namespace

void draw_rule_sketch(const AppState& app, Painter& painter) {
  const Palette& p = *painter.palette;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const ImVec2 size = {ImGui::GetContentRegionAvail().x, painter.px(72)};
  ImGui::Dummy(size);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float base = start.y + size.y - painter.px(16);
  const float top = start.y + painter.px(4);
  std::array<double, kPoints> beta{};
  double largest = 1.5;
  for (int i = 0; i < kPoints; ++i) {
    beta[static_cast<std::size_t>(i)] =
        adaptive_beta(app.view.rule, kLargestEntropy * i / (kPoints - 1));
    largest = std::max(largest, beta[static_cast<std::size_t>(i)]);
  }
  const auto place = [&](double entropy, double value) {
    const double y = (value - 1) / (largest - 1);
    return ImVec2{start.x + size.x * static_cast<float>(entropy / kLargestEntropy),
                  base - (base - top) * static_cast<float>(std::clamp(y, 0.0, 1.0))};
  };
  list->AddLine({start.x, base}, {start.x + size.x, base}, packed(p.line));
  std::array<ImVec2, kPoints> curve;
  for (int i = 0; i < kPoints; ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    curve[at] = place(kLargestEntropy * i / (kPoints - 1), beta[at]);
  }
  list->AddPolyline(curve.data(), kPoints, packed(p.adaptive), 1.5F * painter.scale);
  if (app.snapshot && !app.snapshot->transforms.empty()) {
    for (const AttentionFrame& frame : app.snapshot->transforms.front().frames) {
      if (frame.items == 0 || !std::isfinite(frame.mean_entropy)) continue;
      const double entropy = std::clamp(frame.mean_entropy, 0.0, kLargestEntropy);
      list->AddCircleFilled(place(entropy, adaptive_beta(app.view.rule, entropy)),
                            painter.px(frame.items == app.view.focused_items ? 4 : 2),
                            packed(p.adaptive), 16);
    }
  }
  draw_text(painter, list, {start.x, base + painter.px(1)}, TextStyle::kSmall, p.muted, "H = 0");
  const char* right = "log 16 384";
  draw_text(painter, list,
            {start.x + size.x - measure(painter, TextStyle::kSmall, right).x, base + painter.px(1)},
            TextStyle::kSmall, p.muted, right);
  draw_text(painter, list, {start.x, top - painter.px(2)}, TextStyle::kSmall, p.muted, "β(H)");
}

}  // namespace dispersion
