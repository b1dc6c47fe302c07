#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

namespace dispersion {

// What commands write: standard output and standard error, JSON and CSV; and whether they may write
// a file.

// Makes writing to a closed pipe or past a size limit an error with a reason, where it would end
// the program by default. Also opens standard streams that the caller has closed, so that no file
// takes their place.
void prepare_standard_streams();

// Who reads standard output through a pipe, such as `head`, has read enough. Not a failure that
// anybody has to be told; those that are go to standard error before anything is printed.
struct ReaderHasGone {};

// Writes the whole text to standard output. Throws ReaderHasGone, or FileError with the system's
// reason if it fails.
void print(std::string_view text);

// Writes "dispersion_lab: MESSAGE" as one line to standard error, escaped and cut as foreign_text()
// does.
void print_error(std::string_view message);

// JSON objects whose keys keep their order. Files that build one include <nlohmann/json.hpp>.
using Json = nlohmann::ordered_json;

// The object as text that ends with a line break: on one line, or indented by this many spaces.
// Bytes that are not UTF-8 are replaced, and an object with a character that cannot be seen is
// written in pure ASCII.
std::string json_line(const Json& object, int indent = -1);

// Flat JSON objects with the same keys as CSV: a line of names, then a line for each object. Text
// with a comma, a quote or a line break is quoted; null is an empty field.
std::string csv_text(std::span<const Json> rows);

// Throws FileError if one of the files exists and may not be replaced. The message names the first
// of them and counts the others.
void require_free(std::span<const std::filesystem::path> files, bool may_replace);
void require_free(const std::filesystem::path& file, bool may_replace);

}  // namespace dispersion
