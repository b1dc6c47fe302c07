#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/completion.h"

namespace dispersion {

// Commands, their options and the values of these. The library behind them, CLI11, takes long to
// compile, so only options.cpp includes it.

// The user asked for something that is not possible. The program then ends with exit code 2, and
// with 1 after any other error.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct WholeRange {
  std::int64_t low = 0;
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
};

struct RealRange {
  double low = -std::numeric_limits<double>::infinity();
  bool low_included = true;
  double high = std::numeric_limits<double>::infinity();
  bool high_included = true;
};

inline constexpr WholeRange kSeedRange = {0, 4'294'967'295};
inline constexpr WholeRange kThreadRange = {0, 1024};
inline constexpr RealRange kPositive = {.low = 0, .low_included = false};

// Each of these reads the value of an option and throws UsageError, which says what was expected.
// The text must be one number in the range, with '.' as its decimal point under every locale.
std::int64_t parse_whole(std::string_view text, WholeRange range);
double parse_real(std::string_view text, RealRange range);
// Reads numbers with commas between them, such as "16,64,256", each of them once.
std::vector<int> parse_whole_list(std::string_view text, WholeRange range);
// Returns the one of the names that the text is, in capital or small letters.
std::string parse_name(std::string_view text, const std::vector<std::string>& names);

// CLI11 takes the next word as the value after "--out=" and "-o="; so that it sees the empty value,
// each becomes two words. After "--" words are no options.
std::vector<std::string> with_empty_values(const std::vector<std::string>& words);

// A command of the program with its options.
//
// The name of an option is "--sets", "-o,--out" if it has two names, or "FOLDER" for an argument
// that is recognised by its position. Later calls take any one of the names, with its dashes. There
// are two ways to add an option: with a variable, whose present value is the default that the help
// shows and which must live as long as the command; or, for options that are made from a table,
// with a default and a function that receives the value that the user gave. That function may throw
// UsageError; the message that the user gets then names the option. A value is never empty: the
// user gets an error that names the option instead.
class Subcommand {
 public:
  // A command that is not on the command line of the program. It can read() stored arguments.
  Subcommand();
  ~Subcommand();
  Subcommand(const Subcommand&) = delete;
  Subcommand& operator=(const Subcommand&) = delete;

  void add_flag(const std::string& name, std::function<void()> set, const std::string& help);
  void add_flag(const std::string& name, bool& value, const std::string& help);
  // A flag that sets true and an opposite flag that sets false. A user may not give both.
  void add_opposite_flags(const std::string& name, const std::string& opposite,
                          std::function<void(bool)> set, const std::string& help);

  void add_whole(const std::string& name, std::int64_t default_value, WholeRange range,
                 std::function<void(std::int64_t)> set, const std::string& help);
  // All numbers of the range must fit into the type.
  template <class Whole>
  void add_whole(const std::string& name, Whole& value, WholeRange range, const std::string& help) {
    add_whole(
        name, static_cast<std::int64_t>(value), range,
        [&value](std::int64_t given) { value = static_cast<Whole>(given); }, help);
  }

  void add_real(const std::string& name, double default_value, RealRange range,
                std::function<void(double)> set, const std::string& help);
  void add_real(const std::string& name, double& value, RealRange range, const std::string& help);

  // A list of numbers such as "16,64,256".
  void add_whole_list(const std::string& name, const std::vector<int>& default_values,
                      WholeRange range, std::function<void(std::vector<int>)> set,
                      const std::string& help);
  void add_whole_list(const std::string& name, std::vector<int>& values, WholeRange range,
                      const std::string& help);

  // One of `names`, in capital or small letters; the value is the name as `names` has it. The error
  // for any other text lists the names and suggests the nearest one.
  void add_name(const std::string& name, const std::string& default_value,
                const std::vector<std::string>& names, std::function<void(std::string)> set,
                const std::string& help);
  void add_name(const std::string& name, std::string& value, const std::vector<std::string>& names,
                const std::string& help);

  // Any text. The help shows `type`, such as "FILE", in the place of the value.
  void add_text(const std::string& name, const std::string& type, const std::string& default_value,
                std::function<void(std::string)> set, const std::string& help);
  void add_text(const std::string& name, const std::string& type, std::string& value,
                const std::string& help);
  void add_path(const std::string& name, const std::string& type, std::filesystem::path& value,
                const std::string& help);
  // One or more paths, each of them once. The user may also give the option several times.
  void add_paths(const std::string& name, const std::string& type,
                 std::vector<std::filesystem::path>& values, const std::string& help);

  // What a shell offers as the value of an option that takes other texts too.
  void suggest(const std::string& name, const std::vector<std::string>& values);
  // Replaces the default that the help shows for an option; with an empty text it shows none.
  void show_default(const std::string& name, const std::string& text);
  void require(const std::string& name);
  // None of `others` may be given together with `name`.
  void exclude(const std::string& name, const std::vector<std::string>& others);
  // If one of `names` is given, `other` must be given too.
  void need(const std::vector<std::string>& names, const std::string& other);
  // Lists these options under a heading of their own in the help.
  void group(const std::vector<std::string>& names, const std::string& heading);
  // Adds text below the options in the help.
  void footer(const std::string& text);

  // Sets the function that runs the command and returns its exit code. It may throw UsageError.
  void on_run(std::function<int()> run);

  // Whether the user gave the option.
  bool given(const std::string& name) const;
  // Reads arguments as if they stood on a command line, without running the command. Throws
  // UsageError.
  void read(std::vector<std::string> words);
  // The arguments that repeat an option with the values that the user gave; empty if the user did
  // not give it.
  std::vector<std::string> words_of(const std::string& name) const;
  // The first long name of every option, or its only name if it has no long one.
  std::vector<std::string> option_names() const;
  CommandFacts facts() const;

 private:
  friend class CommandLine;
  struct State;
  explicit Subcommand(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// The command line of the program, with all its commands.
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& version, const std::string& help,
              const std::string& footer);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  // The returned command lives as long as this object.
  Subcommand& add_subcommand(const std::string& name, const std::string& help);

  // Reads the arguments of the program and runs the command that they name, or `without_command` if
  // they name none. Returns the exit code. After wrong usage it prints one line to standard error
  // and returns 2.
  int run(int argc, const char* const* argv, const std::function<int()>& without_command);

  // The program itself, then its commands.
  std::vector<CommandFacts> facts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dispersion
