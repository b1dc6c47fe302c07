#pragma once

#include <string>
#include <vector>

#include "app/commands/options.h"
#include "core/attention/transforms.h"

namespace dispersion {

// A list such as "softmax,top-k:k=8", each transform once; `values` are the default. A transform
// that is not known, or a setting out of range, is wrong usage.
void add_transforms_option(Subcommand& command, std::vector<AttentionTransform>& values,
                           const std::string& help);

// "softmax,top-k:k=8".
std::string transforms_text(const std::vector<AttentionTransform>& transforms);
// The other way. Throws UsageError.
std::vector<AttentionTransform> parse_transforms(const std::string& text);

// "softmax, adaptive, ...": the names of all, for a help text.
std::string transform_names();

}  // namespace dispersion
