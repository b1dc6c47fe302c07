#include "gpu/kernels/evaluation_kernels.h"

#include "gpu/kernels/evaluation_items.cuh"

namespace dispersion {
namespace {

// A column of a head's tables, whose rows are query points.
struct TableColumn {
  const double* first;
  int stride;
};

// A sum over the query points for each of kTileRows sets, in double.
__device__ inline void at_queries(const TableColumn& column, int points,
                                  const double (&basis)[kTileRows][kMostQueryNodes],
                                  double (&sums)[kTileRows]) {
  double table[kMostQueryNodes];  // all on their way at once
#pragma unroll
  for (int q = 0; q < kMostQueryNodes; ++q)
    table[q] = q < points ? column.first[q * column.stride] : 0;
#pragma unroll
  for (int r = 0; r < kTileRows; ++r) {
    sums[r] = 0;
#pragma unroll
    for (int q = 0; q < kMostQueryNodes; ++q) {
      if (q < points) sums[r] = fma(basis[r][q], table[q], sums[r]);
    }
  }
}

// What is the same for all items of a set, as set_cell_logits and set_node_logits: a block takes
// kWidth columns of the tables for kTileRows sets, a thread a column.
__global__ void __launch_bounds__(kWidth)
    set_tables_kernel(EvaluationHead head, EvaluationMemory memory, int column_blocks) {
  __shared__ double basis[kTileRows][kMostQueryNodes];
  const int thread = static_cast<int>(threadIdx.x);
  const int pieces = column_blocks * static_cast<int>(row_tiles<kTileRows>(memory.sets.sets));
  const int cubics = 4 * cubic_count(head.cells);
  const int nodes = kHeadClasses * head.items.count;
  for (int piece = static_cast<int>(blockIdx.x); piece < pieces;
       piece += static_cast<int>(gridDim.x)) {
    const int tile = piece / column_blocks;
    const int first = tile * kTileRows;
    const int count = min(kTileRows, memory.sets.sets - first);
    __syncthreads();
    if (thread < kTileRows) {
      const int set = first + min(thread, count - 1);
      lagrange_row(head.queries, static_cast<double>(evaluation_query(memory.sets, set)),
                   basis[thread]);
    }
    __syncthreads();
    const int column = (piece - tile * column_blocks) * kWidth + thread;
    double sums[kTileRows];
    if (column < cubics) {
      at_queries({head.cell_logits + column, cubics}, head.queries.count, basis, sums);
      float* to = memory.cubics + static_cast<long long>(first) * cubics + column;
      for (int r = 0; r < count; ++r)
        to[r * cubics] = static_cast<float>(sums[r]);
    } else if (column < cubics + nodes) {
      const int node = column - cubics;
      at_queries({head.node_logits + node, nodes}, head.queries.count, basis, sums);
      double* to = memory.node_logits + static_cast<long long>(first) * nodes + node;
      for (int r = 0; r < count; ++r)
        to[r * nodes] = sums[r];
    } else if (column == cubics + nodes) {
      at_queries({head.middle, 1}, head.queries.count, basis, sums);
      for (int r = 0; r < count; ++r)
        memory.constants[first + r] = sums[r];
    }
  }
}

}  // namespace

void launch_set_tables(Stream& stream, const EvaluationHead& head, const EvaluationMemory& memory) {
  const int columns = 4 * cubic_count(head.cells) + kHeadClasses * head.items.count + 1;
  const int column_blocks = (columns + kWidth - 1) / kWidth;
  const int pieces = column_blocks * static_cast<int>(row_tiles<kTileRows>(memory.sets.sets));
  stream.launch(set_tables_kernel, {dim3(blocks_for(memory, pieces)), kWidth}, head, memory,
                column_blocks);
}

}  // namespace dispersion
