#include "app/desk/views.h"

namespace dispersion {

constexpr std::array<ViewName, kViewCount> kViews = {{
    {View::kAttention, "Attention",
     "Attention on the largest items as n doubles (figures 2 and 7)."},
    {View::kTable, "Table 1",
     "Accuracy at every n over the shipped heads, beside the paper's table 1."},
    {View::kFit, "Fit", "The polynomial β(H) fitted to this head (figures 4 and 6)."},
    {View::kSurfaces, "Surfaces", "Entropy against temperature (figure 5), and of this head.",
     true},
    {View::kBounds, "Bounds", "How much weight an item can have (lemma 2.1, theorem 2.2).", true},
    {View::kSpread, "Spread", "Logit spread over training and its bound (figure 9).", true},
    {View::kDepth, "Depth", "Dispersion in a stack of layers (appendix C).", true},
    {View::kStreaming, "Streaming", "Entropy in one pass over the items (appendix F).", true},
    {View::kPrecision, "Precision",
     "What rounding to bf16 and fp16 does to this head, on the same sets.", true},
}};

}  // namespace dispersion
