#pragma once

#include "core/figure/data_table.h"
#include "core/figure/difference.h"

namespace dispersion {

// The numbers of two states as one table (data_table.h, difference.h).

// Those of a compared plot with B − A of every curve that both have, where they have the same x.
// `known`: the differences where not all points of both can be subtracted, as curves with the names
// of those of B (compared_sizes.h); null: all can be.
DataTable compared_table(const LinePlot& plot, bool difference, const LinePlot* known = nullptr);

// A row for every cell of every frame with the weights of A and B and, if `difference`, B − A.
DataTable compared_table(const ComparedGrids& grids, bool difference);

}  // namespace dispersion
