#include "app/commands/shipped_material.h"

#include "app/commands/head_source.h"
#include "app/embedded/histories.h"
#include "core/io/history_file.h"

namespace dispersion {

StudyMaterial study_material() {
  StudyMaterial material;
  for (const HeadSource& head : shipped_heads()) {
    const TrainingState& state = head.checkpoint.state;
    material.heads.push_back({state.seed, state.parameters});
  }
  for (const EmbeddedHistory& shipped : embedded_histories())
    material.histories.push_back(parse_history("shipped " + shipped.name, shipped.csv));
  return material;
}

}  // namespace dispersion
