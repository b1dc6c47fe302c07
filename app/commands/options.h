#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/option_values.h"

namespace dispersion {

// Commands and their options. The library behind them, CLI11, takes long to compile, so that only
// options.cpp includes it.

// A command of the program with its options.
//
// A name is "--sets", "-o,--out" for two names of one option, or "FOLDER" for a word that is known
// by its place; later calls name an option by one of its names with the dashes. Every kind of
// option comes twice: with a variable, whose present value is the default that the help shows and
// which must live as long as the command; and with a default and a function that gets the value
// that the user gave, for options that are made from a table. That function may throw UsageError;
// the message then names the option.
class Subcommand {
 public:
  // A command outside of the program's command line, for words that were stored; see read().
  Subcommand();
  ~Subcommand();
  Subcommand(const Subcommand&) = delete;
  Subcommand& operator=(const Subcommand&) = delete;

  void add_flag(const std::string& name, std::function<void()> set, const std::string& help);
  void add_flag(const std::string& name, bool& value, const std::string& help);
  // A flag, which sets true, and its opposite, which sets false. Giving both is wrong usage.
  void add_opposite_flags(const std::string& name, const std::string& opposite,
                          std::function<void(bool)> set, const std::string& help);

  void add_whole(const std::string& name, std::int64_t default_value, WholeRange range,
                 std::function<void(std::int64_t)> set, const std::string& help);
  // The range must fit the type.
  template <class Whole>
  void add_whole(const std::string& name, Whole& value, WholeRange range, const std::string& help) {
    add_whole(
        name, static_cast<std::int64_t>(value), range,
        [&value](std::int64_t given) { value = static_cast<Whole>(given); }, help);
  }

  void add_real(const std::string& name, double default_value, RealRange range,
                std::function<void(double)> set, const std::string& help);
  void add_real(const std::string& name, double& value, RealRange range, const std::string& help);

  // "16,64,256".
  void add_whole_list(const std::string& name, const std::vector<int>& default_values,
                      WholeRange range, std::function<void(std::vector<int>)> set,
                      const std::string& help);
  void add_whole_list(const std::string& name, std::vector<int>& values, WholeRange range,
                      const std::string& help);

  // One of `names`, in capitals or not; the value is the name as it is listed. For another one the
  // error lists them and says which is near.
  void add_name(const std::string& name, const std::string& default_value,
                const std::vector<std::string>& names, std::function<void(std::string)> set,
                const std::string& help);
  void add_name(const std::string& name, std::string& value, const std::vector<std::string>& names,
                const std::string& help);

  // Any text. `type` stands for the value in the help: "FILE".
  void add_text(const std::string& name, const std::string& type, const std::string& default_value,
                std::function<void(std::string)> set, const std::string& help);
  void add_text(const std::string& name, const std::string& type, std::string& value,
                const std::string& help);
  void add_path(const std::string& name, const std::string& type, std::filesystem::path& value,
                const std::string& help);
  // One or several paths after the name, which may also be given several times.
  void add_paths(const std::string& name, const std::string& type,
                 std::vector<std::filesystem::path>& values, const std::string& help);

  // What the help shows as the default in the place of the value; empty: nothing.
  void show_default(const std::string& name, const std::string& text);
  void require(const std::string& name);
  // None of `others` may be given together with `name`.
  void exclude(const std::string& name, const std::vector<std::string>& others);
  // `other` must be given where one of `names` is.
  void need(const std::vector<std::string>& names, const std::string& other);
  // Puts options under a heading of their own in the help.
  void group(const std::vector<std::string>& names, const std::string& heading);
  // Text below the options in the help.
  void footer(const std::string& text);

  // What carries the command out and returns its exit code. It may throw UsageError.
  void on_run(std::function<int()> run);

  // Whether the user gave the option.
  bool given(const std::string& name) const;
  // Reads words as if they stood on a command line, without running anything. Throws UsageError.
  void read(std::vector<std::string> words);
  // The words that give an option again with the values it was given; empty if it was not.
  std::vector<std::string> words_of(const std::string& name) const;
  // The first long name of every option, or its only name.
  std::vector<std::string> option_names() const;

 private:
  friend class CommandLine;
  struct State;
  explicit Subcommand(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// All commands of the program.
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& version, const std::string& help,
              const std::string& footer);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  // The command lives as long as this.
  Subcommand& add_subcommand(const std::string& name, const std::string& help);

  // Reads the command line and carries its command out, or `without_command` where it names none.
  // Returns the exit code. Wrong usage is one line on standard error and exit code 2.
  int run(int argc, const char* const* argv, const std::function<int()>& without_command);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dispersion
