#include "tests/monkey/playground.h"

#include <cstdlib>
#include <fstream>
#include <limits>

#include "app/commands/command_inputs.h"
#include "core/head/training_state.h"
#include "core/io/checkpoint.h"

namespace dispersion::monkey {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

// The first bytes of a file, as after a copy that was interrupted.
void cut(const fs::path& from, const fs::path& to, std::uintmax_t bytes) {
  fs::copy_file(from, to, fs::copy_options::overwrite_existing);
  fs::resize_file(to, bytes);
}

Checkpoint fresh_head(int width, std::uint32_t seed) {
  Checkpoint head;
  head.recipe.batch_sets = 16;
  head.state = start_training({.width = width, .classes = 10}, seed);
  return head;
}

// Weights that no training leaves behind.
Checkpoint head_with_infinity() {
  Checkpoint head = fresh_head(8, 3);
  head.state.parameters.values.front() = std::numeric_limits<float>::infinity();
  return head;
}

void write_heads(Playground& place) {
  const auto add = [&](const char* name) { return place.files.emplace_back(place.home / name); };
  const fs::path shipped = add("shipped.safetensors");
  save_checkpoint(shipped, load_head({}).checkpoint);
  save_checkpoint(add("small \u00fc/\u6a21\u578b \U0001f428.safetensors"), fresh_head(16, 7));
  save_checkpoint(add("tiny.safetensors"), fresh_head(1, 4'294'967'295U));
  cut(shipped, add("cut.safetensors"), fs::file_size(shipped) / 2);
  cut(shipped, add("cut header.safetensors"), 20);
  write(add("empty.safetensors"), "");
  write(add("text.safetensors"), "This is no head.\n");
  write(add("long.safetensors"), std::string("\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10));
  write(add("picture.png"), "\x89PNG\r\n\x1a\n");
  add("not there.safetensors");
  add(".");
  write(add("name \xff\xfe.safetensors"), "no text in its name");
  try {
    save_checkpoint(add("infinite.safetensors"), head_with_infinity());
  } catch (const std::exception&) {
    place.files.pop_back();  // it cannot be written
  }
}

}  // namespace

Playground make_playground(const fs::path& folder) {
  Playground place;
  place.home = fs::absolute(folder);
  fs::remove_all(place.home);
  fs::create_directories(place.home / "small \u00fc");
  fs::create_directories(place.home / "no programs");
  fs::current_path(place.home);
  for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
                           "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "TMPDIR"})
    setenv(name, place.home.c_str(), 1);
  setenv("PATH", (place.home / "no programs").c_str(), 1);
  write_heads(place);
  return place;
}

std::vector<std::string> garbage(const Playground& playground) {
  std::vector<std::string> all = {"",
                                  "0",
                                  "-1",
                                  "1",
                                  "0.5",
                                  "1,7",
                                  "1 000",
                                  "1e999",
                                  "-1e308",
                                  "1e-320",
                                  "nan",
                                  "-inf",
                                  "99999999999999999999",
                                  "0x10",
                                  "+.",
                                  "1..2",
                                  "\u0663",
                                  "\u00fc\u6a21\u578b\U0001f428",
                                  "%s%n%x",
                                  "##hidden###id",
                                  "\t\r\n",
                                  std::string("\x01\x02\x7f", 3),
                                  "\xff\xfe",
                                  "\u202eright to left",
                                  "../../..",
                                  "</svg>",
                                  "16, 32, 64",
                                  std::string(6000, 'a')};
  for (const fs::path& file : playground.files)
    all.push_back(file.string());
  return all;
}

}  // namespace dispersion::monkey
