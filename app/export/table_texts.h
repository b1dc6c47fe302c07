#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/figure/figure.h"

namespace dispersion {

// What tables as LaTeX and as Markdown have in common.

using Escape = std::string (*)(std::string_view);

std::size_t columns_of(const Table& table);

std::string join(const std::vector<std::string>& parts, std::string_view between);

// [columns_of(table)], escaped; short rows are filled up with empty cells.
std::vector<std::string> heading_texts(const Table& table, Escape escape);

// Throws std::invalid_argument when the figure has no table.
void require_tables(const Figure& figure);

// A line of provenance for a comment, without what would end it early.
std::string comment_text(const std::string& name, const std::string& value,
                         std::string_view forbidden);

}  // namespace dispersion
