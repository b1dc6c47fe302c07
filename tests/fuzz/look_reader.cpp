#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/commands/command_inputs.h"
#include "app/commands/figure_rebuild.h"
#include "app/commands/text.h"
#include "app/export/figure_data.h"
#include "core/io/file.h"
#include "core/io/text.h"
#include "tests/export/sample_figure.h"
#include "tests/fuzz/mutations.h"
#include "tests/fuzz/readers.h"

namespace dispersion::fuzz {
namespace {

// The command `figure --from FILE --out new.svg` up to where it draws.
struct FromCommand {
  explicit FromCommand(const std::filesystem::path& file) {
    add_figure_options(line, options);
    line.read({"--from", file.string(), "--out", "new.svg"});
  }

  Subcommand line;
  FigureOptions options;
};

void write_figure(const std::filesystem::path& file, const std::string& look) {
  Figure figure = one_plot();
  figure.provenance = {{"program", "dispersion_lab"}, {"look", look}};
  std::ofstream(file, std::ios::binary | std::ios::trunc) << figure_json(figure);
}

StoredFigure stored_with(const std::string& look, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "figure.json";
  write_figure(file, look);
  const FromCommand from(file);
  std::optional<StoredFigure> stored = figure_as_stored(from.line, from.options);
  require(stored.has_value(), "no figure where one is");
  return *std::move(stored);
}

// The same words as the command of a figure, which is made again from the first head inside the
// program.
void read_as_command(const std::string& words, const std::filesystem::path& folder) {
  static const std::string hash = shipped_run_hashes().front();
  const std::filesystem::path file = folder / "figure.csv";
  std::ofstream(file, std::ios::binary | std::ios::trunc)
      << "# program: dispersion_lab\n# run_hash: " << hash << "\n# command: figure fit " << words
      << "\nkind,part\n";
  const FromCommand from(file);
  rebuild_of(from.line, from.options);
}

std::vector<std::string> option_names() {
  Subcommand command;
  FigureOptions options;
  add_figure_options(command, options);
  return command.option_names();
}

std::string written(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : " ") + quoted_word(word);
  return text;
}

}  // namespace

std::vector<std::string> look_seeds(const std::filesystem::path&) {
  return {"", "--style paper --width 84mm --dpi 300", "--no-title --rows main --theme dark",
          "--surface --view 40,30 --font-size 9.5 --transparent",
          "--width 1200px --typeface serif"};
}

std::string mutated_words(const std::string& input, Random& random) {
  static const std::vector<std::string> names = option_names();
  constexpr std::array<const char*, 16> kValues = {
      "",     "0",   "16",    "1e9",  "-1",      "nan", "paper",   "main",
      "84mm", "0mm", "40,30", "dark", "softmax", "'",   "99999mm", "1e-300"};
  std::vector<std::string> words;
  try {
    words = split_words(input);
  } catch (const std::invalid_argument&) {
    return mutated_bytes(input, random);
  }
  const auto at = words.begin() + static_cast<std::ptrdiff_t>(random.below(words.size() + 1));
  switch (random.below(5)) {
    case 0:
      return mutated_bytes(input, random);
    case 1:
      if (at != words.end()) words.erase(at);
      break;
    case 2:
      if (at != words.end()) *at = random.one_in(2) ? random.pick(kValues) : random.pick(names);
      break;
    default:
      words.insert(words.insert(at, random.pick(kValues)), random.pick(names));
  }
  return written(words);
}

// The drawing options of a figure come back as they are written into its next file.
Verdict check_look(const std::string& input, const std::filesystem::path& folder) {
  const std::uint64_t hash = text_hash(input);
  if (hash % 64 == 0) {  // it takes a hundred times as long
    verdict_of<FileError, UsageError, std::invalid_argument>(
        [&] { read_as_command(input, folder); });
  }
  return verdict_of<FileError, UsageError, std::invalid_argument>([&] {
    const StoredFigure stored = stored_with(input, folder);
    const RenderOptions options = render_options_of(stored.options);
    if (hash % 16 == 1) carrying_bytes(stored.figure, figure_format("svg"), options);
    const std::string look = style_arguments(options);
    const StoredFigure again = stored_with(look, folder);
    require(style_arguments(render_options_of(again.options)) == look,
            "other drawing options after writing");
  });
}

}  // namespace dispersion::fuzz
