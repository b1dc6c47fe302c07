// What the dialogs for heads show of a folder.

#include "app/session/folder_listing.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "tests/core/temporary_folder.h"

namespace dispersion {
namespace {

std::vector<std::string> names(const std::vector<FolderEntry>& entries) {
  std::vector<std::string> all;
  for (const FolderEntry& entry : entries)
    all.push_back(entry.name + (entry.folder ? "/" : ""));
  return all;
}

FolderListing of(std::vector<FolderEntry> entries) {
  return {.folder = "/somewhere", .entries = std::move(entries), .cut = false, .error = ""};
}

using Names = std::vector<std::string>;

TEST(FolderListing, SortsAsPeopleReadFoldersFirst) {
  const FolderListing listing = of({{"seed10.safetensors", false, 5},
                                    {"zoo", true, 1},
                                    {"Seed2.safetensors", false, 9},
                                    {"seed2b.safetensors", false, 7},
                                    {"about", true, 3}});
  EXPECT_EQ(
      names(shown_entries(listing, FolderOrder::kName, false, false, "")),
      (Names{"about/", "zoo/", "Seed2.safetensors", "seed2b.safetensors", "seed10.safetensors"}));
  EXPECT_EQ(
      names(shown_entries(listing, FolderOrder::kName, true, false, "")),
      (Names{"zoo/", "about/", "seed10.safetensors", "seed2b.safetensors", "Seed2.safetensors"}));
  EXPECT_EQ(
      names(shown_entries(listing, FolderOrder::kTime, true, false, "")),
      (Names{"about/", "zoo/", "Seed2.safetensors", "seed2b.safetensors", "seed10.safetensors"}));
}

TEST(FolderListing, ShowsHeadsAloneUnlessAllAreAskedFor) {
  const FolderListing listing = of({{"a.safetensors", false, 0},
                                    {"notes.txt", false, 0},
                                    {".hidden.safetensors", false, 0},
                                    {".cache", true, 0}});
  EXPECT_EQ(names(shown_entries(listing, FolderOrder::kName, false, false, "")),
            (Names{"a.safetensors"}));
  EXPECT_EQ(names(shown_entries(listing, FolderOrder::kName, false, false, ".c")),
            (Names{".cache/", ".hidden.safetensors", "a.safetensors"}));
  EXPECT_EQ(names(shown_entries(listing, FolderOrder::kName, false, true, "")),
            (Names{".cache/", ".hidden.safetensors", "a.safetensors", "notes.txt"}));
}

TEST(FolderListing, TabAddsWhatIsCommon) {
  const std::vector<FolderEntry> entries = {
      {"runs", true, 0}, {"seed1.safetensors", false, 0}, {"seed12.safetensors", false, 0}};
  EXPECT_EQ(completed_name(entries, "r"), "runs/");
  EXPECT_EQ(completed_name(entries, "s"), "seed1");
  EXPECT_EQ(completed_name(entries, "seed12"), "seed12.safetensors");
  EXPECT_EQ(completed_name(entries, "x"), "x");
  EXPECT_EQ(completed_name({}, ""), "");
}

TEST(FolderListing, TabAddsWholeCharacters) {
  const std::vector<FolderEntry> entries = {{"kopfé1", false, 0}, {"kopfè2", false, 0}};
  EXPECT_EQ(completed_name(entries, "k"), "kopf");
  EXPECT_EQ(completed_name(entries, "kopfé"), "kopfé1");
  const std::vector<FolderEntry> no_text = {{"a\x80", false, 0}, {"a\x81", false, 0}};
  EXPECT_EQ(completed_name(no_text, "a"), "a");
}

TEST(FolderListing, KeepsNamesThatAreNoText) {
  const TemporaryFolder folder;
  const std::string odd = "\xff\xfe.safetensors";
  write_bytes(folder / odd, "x");
  write_bytes(folder / "ü 模型 🐨.safetensors", "x");
  const FolderListing listing = list_folder(folder.path());
  EXPECT_EQ(listing.error, "");
  const auto shown = shown_entries(listing, FolderOrder::kName, false, false, "");
  ASSERT_EQ(shown.size(), 2U);
  EXPECT_EQ(shown[0].name, "ü 模型 🐨.safetensors");
  EXPECT_EQ(shown[1].name, odd);
  EXPECT_GT(shown[1].changed, 1'500'000'000);
}

TEST(FolderListing, SaysWhyAFolderCannotBeRead) {
  const FolderListing listing = list_folder("/no/such/folder");
  EXPECT_TRUE(listing.entries.empty());
  EXPECT_NE(listing.error.find("/no/such/folder"), std::string::npos) << listing.error;
  EXPECT_NE(listing.error.find("No such file"), std::string::npos) << listing.error;
}

TEST(FolderListing, TellsTimesInLocalTime) {
  const char* before = std::getenv("TZ");
  const std::string zone = before == nullptr ? "" : before;
  ::setenv("TZ", "UTC0", 1);
  ::tzset();
  EXPECT_EQ(local_time_text(1'700'000'000), "2023-11-14 22:13");
  EXPECT_EQ(local_time_text(0), "");
  if (zone.empty()) {
    ::unsetenv("TZ");
  } else {
    ::setenv("TZ", zone.c_str(), 1);
  }
  ::tzset();
}

}  // namespace
}  // namespace dispersion
