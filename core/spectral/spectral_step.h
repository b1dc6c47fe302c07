#pragma once

#include <array>
#include <vector>

#include "core/attention/attention_transform.h"
#include "core/head/activations.h"
#include "core/head/backward.h"
#include "core/spectral/chebyshev.h"
#include "core/task/item_sets.h"

namespace dispersion {

// Work space of one thread for a slice of a batch.
template <class Scalar>
struct SpectralSpace {
  Activations<Scalar> activations;
  BackwardWorkspace<Scalar> backward;
  AlignedBuffer<double> mean_embedding;        // [width]
  AlignedBuffer<double> centred_embedding;     // [nodes, width]
  AlignedBuffer<double> score_vectors;         // [query points, width]
  AlignedBuffer<double> node_logits;           // [query points, nodes]
  AlignedBuffer<double> set_logits;            // at the nodes, for each set's query, [sets, nodes]
  AlignedBuffer<Scalar> node_weights;          // attention gathered at the nodes, [sets, nodes]
  AlignedBuffer<Scalar> node_weight_gradient;  // [sets, nodes]
  AlignedBuffer<Scalar> set_logit_gradient;    // [sets, nodes]
};

// Loss and gradient of one batch by the spectral path: the item network runs at `item_points`
// Chebyshev points of every class (the nodes, class by class), the query network at `query_points`,
// and items and queries are interpolated. With L the interpolation matrices, the logit of an item
// is L_query (U H^T) L_item^T, with H the embeddings of the nodes and U the score vectors of the
// query points; the pooled embedding is (weights L_item) H. The gradient is that of this
// interpolated network, exactly: everything goes back through the transposes.
//
// Work comes in tasks of three phases, which can run on different threads; the results do not
// depend on where. One head, one batch at a time.
template <class Scalar>
class SpectralStep {
 public:
  static constexpr int kPrepareTasks = 4;
  static constexpr int kSlices = 2;  // of the batch
  static constexpr int kFinishTasks = 3;

  void set_points(HeadShape shape, int item_points, int query_points);
  int item_points() const { return items_.count(); }
  int query_points() const { return queries_.count(); }

  // Phase 1. Tasks 0 and 1: the item network at half of the nodes each; 2: the query network; 3:
  // the interpolation matrices of the batch, the only task that looks at it.
  void prepare(int task, const Parameters<Scalar>& head, const ItemSetsView& batch);

  // Phase 2: a part of the batch (sets first .. first + count - 1); replaces the gradients of V,
  // output projection and readout in `gradient`. Loss summed over its sets.
  BatchLoss run_slice(int slice, const Parameters<Scalar>& head, const ItemSetsView& batch,
                      const AttentionTransform& transform, SpectralSpace<Scalar>& space,
                      Parameters<Scalar>& gradient);

  // Phase 3. Tasks 0 and 1: replaces the gradient of the item network as far as it comes from half
  // of the nodes; 2: of the query network, Q and K.
  void finish(int task, const Parameters<Scalar>& head, SpectralSpace<Scalar>& space,
              Parameters<Scalar>& gradient);

  // First set of a slice; slice kSlices: the number of sets.
  static int slice_begin(int slice, int sets) { return sets * slice / kSlices; }

 private:
  // What a slice leaves for phase 3.
  struct SliceGradient {
    AlignedBuffer<Scalar> embedding;    // d / d H, [nodes, width]
    AlignedBuffer<Scalar> node_logits;  // d / d (U H^T), [query points, nodes]
    bool used = false;
  };
  // Half of the nodes.
  struct Half {
    int first = 0;
    int count = 0;
    Activations<Scalar> activations;
    BackwardWorkspace<Scalar> backward;
    AlignedBuffer<Scalar> node_logit_gradient;  // [query points, nodes of the half]
  };

  int nodes() const { return shape_.classes * items_.count(); }
  ItemSetsView half_view(const Half& half) const;
  const double* centred_embedding(SpectralSpace<Scalar>& space) const;
  void set_logits(int first, int count, SpectralSpace<Scalar>& space) const;
  void attend(int first, const ItemSetsView& sets, const AttentionTransform& transform,
              SpectralSpace<Scalar>& space) const;
  void attend_back(int first, const ItemSetsView& sets, const AttentionTransform& transform,
                   SpectralSpace<Scalar>& space) const;
  void finish_items(Half& half, const Parameters<Scalar>& head, Parameters<Scalar>& gradient);
  void finish_queries(const Parameters<Scalar>& head, SpectralSpace<Scalar>& space,
                      Parameters<Scalar>& gradient);

  HeadShape shape_;
  InterpolationPoints items_;
  InterpolationPoints queries_;
  ItemSets node_sets_;               // the nodes as items of one set, the query points as queries
  AlignedBuffer<Scalar> embedding_;  // H, [nodes, width]
  Activations<Scalar> query_;        // of the query points
  BackwardWorkspace<Scalar> query_back_;
  // In double, as are the logits at the nodes: the logits of the items that compete for the maximum
  // are large, and their small differences decide.
  AlignedBuffer<double> item_basis_;   // [items of the batch, item points]
  AlignedBuffer<double> query_basis_;  // [sets, query points]
  AlignedBuffer<Scalar> query_basis_rounded_;
  std::array<Half, 2> halves_;
  std::array<SliceGradient, kSlices> slice_gradients_;
};

}  // namespace dispersion
