#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/head_source.h"
#include "app/session/study_material.h"
#include "app/session/study_tools.h"
#include "core/figure/figure.h"

namespace dispersion {

// What figures are made of.
struct FigureSources {
  HeadSource head;
  std::vector<History> histories;  // empty: those of the shipped heads
  int sets = 0;                    // of every size; 0: as many as the figure takes by itself
  std::vector<AttentionTransform> transforms = {};  // empty: those that the figure has by itself
  bool recompute = false;                           // even what the program brings along
};

// Asked every 20 ms or so with the share done; false: stop.
using FigureProgress = std::function<bool(double share)>;

// A figure that can be had by its name.
struct CatalogueEntry {
  std::string_view name;
  std::string_view what;       // and which figure of the paper
  bool of_heads = true;        // false: no head goes into it
  bool of_all_seeds = false;   // made of all shipped heads or histories, not of one head
  bool of_histories = false;   // training histories go into it
  bool has_table = false;      // it can become LaTeX and Markdown
  bool has_field = false;      // it can be drawn as a surface
  bool has_parts = false;      // its table can be cut to its main rows
  bool of_sets = false;        // evaluated on as many sets as are asked for
  bool of_transforms = false;  // under the attention transforms that are asked for
  bool is_stored = false;      // the program brings along what comes out for the heads inside it

  bool of_shipped_heads() const { return of_heads && of_all_seeds && !of_histories; }
};

// In the order of the paper.
std::span<const CatalogueEntry> figure_catalogue();

// Throws std::invalid_argument, with the nearest name, when there is none of that name.
const CatalogueEntry& figure_named(std::string_view name);

// "table, precision": the figures that have a property, in order.
std::string figures_with(bool CatalogueEntry::*property);

// Throws std::invalid_argument, with the figures that have one, when the figure has no table.
void require_table(const CatalogueEntry& entry);

// Computes a figure; its name is the entry's, its provenance says what went into it beside the
// build. What comes when it was stopped is not whole.
Figure make_figure(const CatalogueEntry& entry, const FigureSources& sources, StudyTools& tools,
                   const FigureProgress& keep_going);

}  // namespace dispersion
