#include "core/verify/batch.h"

#include <span>

#include "core/head/forward.h"
#include "core/head/optimiser.h"

namespace dispersion {

template <class Scalar>
BatchRun<Scalar> run_batch(const Parameters<Scalar>& head, const ItemSets& sets,
                           const AttentionTransform& transform, BetaGradient beta_gradient,
                           const Recipe& recipe) {
  BatchRun<Scalar> run;
  const ItemSetsView view = sets.view();
  forward(head, view, transform, run.activations);
  const auto classes = static_cast<std::size_t>(head.shape.classes);
  for (std::size_t s = 0; s < sets.label.size(); ++s) {
    const std::span<const Scalar> logits(run.activations.class_logits.data() + s * classes,
                                         classes);
    run.cross_entropy_each.push_back(cross_entropy(logits, sets.label[s]));
  }
  run.gradient = Parameters<Scalar>(head.shape);
  BackwardWorkspace<Scalar> workspace;
  const BatchLoss loss =
      backward(head, view, transform, beta_gradient, static_cast<Scalar>(1.0 / sets.sets),
               run.activations, workspace, run.gradient);
  run.cross_entropy = loss.cross_entropy / sets.sets;
  run.l2 = l2_loss(recipe, head);
  add_l2_gradient(recipe, head, run.gradient);
  return run;
}

template BatchRun<float> run_batch(const Parameters<float>&, const ItemSets&,
                                   const AttentionTransform&, BetaGradient, const Recipe&);
template BatchRun<double> run_batch(const Parameters<double>&, const ItemSets&,
                                    const AttentionTransform&, BetaGradient, const Recipe&);

}  // namespace dispersion
