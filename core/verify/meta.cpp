#include <cmath>

#include "core/verify/head_inputs.h"
#include "core/verify/sections.h"

namespace dispersion {

void verify_meta(GoldenFolder& folder, VerifyReport& report) {
  Section section(folder, "", "meta", report);
  section.guarded("meta", [&] {
    const HeadShape shape = read_parameters(folder.file("forward_backward.safetensors"), "").shape;
    section.integer(section.cases(), "classes", shape.classes);
    section.integer(section.cases(), "width", shape.width);
    section.scalar(section.cases(), "attention_scale", 1 / std::sqrt(shape.width));
  });
}

}  // namespace dispersion
