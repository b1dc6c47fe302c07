#pragma once

#include <filesystem>
#include <string>

namespace dispersion {

// The name of a temporary file of this process; it tells machine, boot and process, so that others
// know whether somebody is still writing it.
std::string temporary_name(int number);

// Removes the temporary files that killed processes of this machine have left in the directory.
// Does so only at the first call for a directory: what is left behind later waits for the next
// process.
void sweep_temporary_files(const std::filesystem::path& directory);

}  // namespace dispersion
