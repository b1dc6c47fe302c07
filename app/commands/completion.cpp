#include "app/commands/completion.h"

#include <algorithm>
#include <string_view>

namespace dispersion {
namespace {

const OptionFacts* option_named(const CommandFacts& command, std::string_view name) {
  const auto found = std::ranges::find_if(command.options, [&](const OptionFacts& option) {
    return std::ranges::find(option.names, name) != option.names.end();
  });
  return found == command.options.end() ? nullptr : &*found;
}

// The option whose value the last word is, and how much of the value is there. Bash gives "--out=x"
// as three words, other shells as one.
struct Value {
  const OptionFacts* option = nullptr;
  std::string before;  // what stands before the value in the last word: "--out=", or nothing
  std::string begun;
};

Value value_in(const CommandFacts& command, const std::vector<std::string>& words) {
  const std::string& last = words.back();
  const std::size_t equals = last.find('=');
  if (last.starts_with("--") && equals != std::string::npos) {
    return {option_named(command, last.substr(0, equals)), last.substr(0, equals + 1),
            last.substr(equals + 1)};
  }
  std::size_t back = words.size() - 1;
  if (back > 0 && words[back - 1] == "=") --back;
  const bool just_equals = last == "=";
  const OptionFacts* option = back > 0 ? option_named(command, words[back - 1]) : nullptr;
  if (option == nullptr || option->type.empty()) return {};
  return {option, "", just_equals ? "" : last};
}

std::vector<Completion> option_names(const CommandFacts& command, const std::string& begun) {
  std::vector<Completion> found;
  for (const OptionFacts& option : command.options) {
    if (option.is_argument()) continue;
    for (const std::string& name : option.names) {
      if (name.starts_with("--") && name.starts_with(begun)) found.push_back({name, option.help});
    }
  }
  return found;
}

std::vector<Completion> values_of(const OptionFacts& option, const std::string& before,
                                  const std::string& begun) {
  std::vector<Completion> found;
  for (const std::string& value : option.values) {
    if (value.starts_with(begun)) found.push_back({before + value, ""});
  }
  return found;
}

std::vector<Completion> command_names(const std::vector<CommandFacts>& commands,
                                      const std::string& begun) {
  std::vector<Completion> found;
  for (const CommandFacts& command : commands) {
    if (!command.name.empty() && command.name.starts_with(begun))
      found.push_back({command.name, command.help});
  }
  return found;
}

// What the arguments of a command that have no option before them take.
std::vector<Completion> arguments_of(const CommandFacts& command, const std::string& begun) {
  std::vector<Completion> found;
  for (const OptionFacts& option : command.options) {
    if (option.is_argument()) std::ranges::copy(values_of(option, "", begun), back_inserter(found));
  }
  return found;
}

}  // namespace

std::vector<Completion> completions(const std::vector<CommandFacts>& commands,
                                    const std::vector<std::string>& words) {
  if (commands.empty() || words.empty()) return {};
  const std::string& last = words.back();
  const auto chosen = std::ranges::find_if(commands, [&](const CommandFacts& command) {
    return words.size() > 1 && !command.name.empty() && command.name == words.front();
  });
  const CommandFacts& command = chosen == commands.end() ? commands.front() : *chosen;
  const Value value = value_in(command, words);
  if (value.option != nullptr) return values_of(*value.option, value.before, value.begun);
  if (last.starts_with('-')) return option_names(command, last);
  if (chosen != commands.end()) return arguments_of(command, last);
  return words.size() == 1 ? command_names(commands, last) : std::vector<Completion>();
}

std::string completion_lines(const std::vector<CommandFacts>& commands,
                             const std::vector<std::string>& words) {
  std::string lines;
  for (const Completion& completion : completions(commands, words)) {
    std::string help = completion.help.substr(0, completion.help.find('\n'));
    lines += completion.word + "\t" + help + "\n";
  }
  return lines;
}

}  // namespace dispersion
