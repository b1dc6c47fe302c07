#pragma once

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <string_view>

namespace dispersion {

// Makes writing to a closed pipe or past a size limit an error with a reason instead of the
// program's end, and keeps files from taking the place of a standard stream that was closed by the
// caller.
void prepare_standard_streams();

// Writes all of it to standard output. Throws FileError with the system's reason when that fails.
void print(std::string_view text);

// "dispersion_lab: MESSAGE" as one line on standard error.
void print_error(std::string_view message);

// Keys in the order in which they were put in. Files that build one include <nlohmann/json.hpp>.
using Json = nlohmann::ordered_json;

// One object on one line, with the newline.
std::string json_line(const Json& object);

// Flat JSON objects with the same keys as CSV: a line of names, then a line per object. Text with a
// comma, a quote or a line break is quoted; null is an empty field.
std::string csv_text(std::span<const Json> rows);

}  // namespace dispersion
