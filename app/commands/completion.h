#pragma once

#include <string>
#include <vector>

namespace dispersion {

// What may follow on a command line, for the completion of a shell.

struct OptionFacts {
  std::vector<std::string> names;  // "-o", "--out"; or the one name of an argument without dashes
  std::string help;
  std::string type;                 // of its value, "FILE"; empty: it takes none
  std::vector<std::string> values;  // all that it takes; empty: any

  bool is_argument() const { return names.size() == 1 && !names.front().starts_with('-'); }
};

// A command; the first one of a program is the program itself, without a name.
struct CommandFacts {
  std::string name;
  std::string help;
  std::vector<OptionFacts> options;
};

struct Completion {
  std::string word;
  std::string help;  // one line; may be empty

  bool operator==(const Completion&) const = default;
};

// What the last of the words, which may be empty, can become. The words are those after the name of
// the program. Nothing where any text or a file is expected.
std::vector<Completion> completions(const std::vector<CommandFacts>& commands,
                                    const std::vector<std::string>& words);

// The same as lines of "word<tab>help".
std::string completion_lines(const std::vector<CommandFacts>& commands,
                             const std::vector<std::string>& words);

}  // namespace dispersion
