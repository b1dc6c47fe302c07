// Every reader of files, tried with inputs that were changed at random: what it is given must not
// crash it, hang it or take much memory; it is refused with the reader's own error, or gives a
// value that is the same once written and read again. What the environment can set:
//   DISPERSION_FUZZ_SECONDS  for each reader; 1
//   DISPERSION_FUZZ_SEED     of the random numbers; 1
//   DISPERSION_FUZZ_INPUT    a file that is tried and no other, such as one that failed before
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "core/io/text.h"
#include "tests/core/temporary_folder.h"
#include "tests/fuzz/campaign.h"

namespace dispersion::fuzz {
namespace {

constexpr std::size_t kLongestPrinted = 2000;  // bytes of an input that failed

std::string from_environment(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

// A folder in memory where there is one: checks write thousands of files, and syncing each to a
// disk would take most of the time.
TemporaryFolder folder_for_files() {
  if (std::filesystem::is_directory("/dev/shm")) ::setenv("TMPDIR", "/dev/shm", 0);
  return TemporaryFolder();
}

CampaignSettings settings_for(const Target& target, const TemporaryFolder& folder) {
  CampaignSettings settings;
  settings.seconds = std::stod(from_environment("DISPERSION_FUZZ_SECONDS", "1"));
  settings.seed = std::stoull(from_environment("DISPERSION_FUZZ_SEED", "1"));
  settings.only = from_environment("DISPERSION_FUZZ_INPUT", "");
  settings.folder = folder.path();
  settings.corpus = std::filesystem::path(DISPERSION_FUZZ_CORPUS) / target.name;
  return settings;
}

// Keeps the input that failed in the build folder and says where.
std::string kept_input(const Target& target, const Progress& progress) {
  const std::string bytes(progress.input.data(), progress.input_bytes);
  const std::filesystem::path folder = DISPERSION_FUZZ_KEPT;
  const std::filesystem::path file =
      folder / (std::string(target.name) + "-" + text_hash_digits(bytes));
  std::filesystem::create_directories(folder);
  std::ofstream(file, std::ios::binary) << bytes;
  return "input " + std::to_string(progress.tried) + ", " + std::to_string(bytes.size()) +
         " bytes: " + foreign_text(bytes, kLongestPrinted) + "\nkept as " + file.string() +
         "; DISPERSION_FUZZ_INPUT=" + file.string() + " tries it again";
}

void print_counts(const Target& target, const CampaignSettings& settings,
                  const Progress& progress) {
  std::cout << "fuzz: " << target.name << ": " << progress.tried << " inputs, " << progress.accepted
            << " accepted, " << progress.refused << " refused, at most "
            << (progress.most_memory >> 10) << " KiB, seed " << settings.seed << '\n';
}

class Reader : public testing::TestWithParam<Target> {};

TEST_P(Reader, GivesAValueOrRefuses) {
  const Target& target = GetParam();
  const TemporaryFolder folder = folder_for_files();
  const CampaignSettings settings = settings_for(target, folder);
  const CampaignResult result = run_campaign(target, settings);
  print_counts(target, settings, result.progress);
  ASSERT_EQ(result.failure, "") << kept_input(target, result.progress);
  if (!settings.only.empty()) return;
  EXPECT_GT(result.progress.accepted, 0U) << "no change was let through: nothing was tried";
  EXPECT_GT(result.progress.refused, 0U) << "no change was refused: nothing was tried";
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Reader, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& reader) { return std::string(reader.param.name); });

}  // namespace
}  // namespace dispersion::fuzz
