#include "app/session/views.h"

namespace dispersion {

constexpr std::array<ViewName, kViewCount> kViews = {{
    {View::kAttention, "Attention",
     "Attention on the largest items as n doubles (figures 2 and 7).", "dispersion"},
    {View::kTable, "Table 1",
     "Accuracy at every n over the shipped heads, beside the paper's table 1.", "table"},
    {View::kFit, "Fit", "The polynomial β(H) fitted to this head (figures 4 and 6).",
     "polynomial-fit"},
    {View::kSurfaces, "Surfaces", "Entropy against temperature (figure 5), and of this head.",
     "entropy-surface", true},
    {View::kBounds, "Bounds", "How much weight an item can have (lemma 2.1, theorem 2.2).",
     "bounds", true},
    {View::kSpread, "Spread", "Logit spread over training and its bound (figure 9).", "spread",
     true},
    {View::kDepth, "Depth", "Dispersion in a stack of layers (appendix C).", "depth", true},
    {View::kStreaming, "Streaming", "Entropy in one pass over the items (appendix F).", "streaming",
     true},
    {View::kPrecision, "Precision",
     "What rounding to bf16 and fp16 does to this head, on the same sets.", "precision", true},
}};

}  // namespace dispersion
