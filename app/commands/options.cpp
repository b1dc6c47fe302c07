#include "app/commands/options.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "app/commands/output.h"
#include "app/commands/text.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

constexpr int kWrongUsage = 2;

using Words = std::vector<std::string>;

// Formats the help as CLI11 does, but without the lists of options that an option excludes or needs
// (the error message says those), and without values behind the names of flags.
class HelpFormat : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string text = CLI::Formatter::make_option_opts(option);
    return text.substr(0, std::min(text.find(" Excludes:"), text.find(" Needs:")));
  }

  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    std::string text = CLI::Formatter::make_option_name(option, is_positional);
    if (option->get_expected_min() > 0) return text;
    for (std::size_t at = 0; (at = text.find('{')) != std::string::npos;)
      text.erase(at, text.find('}', at) + 1 - at);
    return text;
  }
};

// Throws UsageError for a value that is empty or is an option itself. Both are what is left of a
// script's variable that is not set, with and without quotes around it, and must not silently mean
// the default.
void require_value(const std::string& text) {
  const std::string cause = "; a variable that is not set may be the cause";
  if (text.empty()) throw UsageError("expected a value, but it is empty" + cause);
  if (text.starts_with("--")) throw UsageError("expected a value, not '" + text + "'" + cause);
}

void require_value(const Words& texts) {
  for (const std::string& text : texts)
    require_value(text);
}

// Adds an option that calls `parse` with what the user gave: one text, or several. A UsageError of
// `parse` becomes an error that names the option.
template <class Given, class Parse>
CLI::Option& add_parsed(CLI::App& app, const std::string& name, const std::string& type,
                        const std::string& help, Parse parse) {
  const auto checked = [name, parse](const Given& given) {
    try {
      require_value(given);
      parse(given);
    } catch (const UsageError& error) {
      throw CLI::ValidationError(name, error.what());
    }
  };
  return *app.add_option_function<Given>(name, checked, help)->type_name(type);
}

// The error for the value of a flag; empty for true and false.
std::string flag_error(const std::string& text) {
  try {
    CLI::detail::to_flag_value(text);
    return "";
  } catch (const std::invalid_argument&) {
    return "expected true or false, not " + in_quotes(text);
  }
}

CommandFacts facts_of(const CLI::App& app, const std::map<const CLI::Option*, Words>& values) {
  CommandFacts facts = {app.get_name(), app.get_description(), {}};
  for (const CLI::Option* option : app.get_options()) {
    OptionFacts& fact = facts.options.emplace_back();
    for (const std::string& name : option->get_snames())
      fact.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames())
      fact.names.push_back("--" + name);
    if (fact.names.empty()) fact.names.push_back(option->get_name());
    fact.help = option->get_description();
    if (option->get_expected_min() > 0) fact.type = option->get_type_name();
    if (const auto known = values.find(option); known != values.end()) fact.values = known->second;
  }
  return facts;
}

// The command that the user chose, or the program itself if there is none.
const CLI::App& chosen_command(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.back();
}

// The error for an unknown argument: "unknown argument '--step', did you mean --steps?".
std::string unknown_arguments_text(const CLI::App& app) {
  const Words unknown = app.remaining(true);
  if (unknown.empty()) return "too many arguments";
  const CLI::App& command = chosen_command(app);
  Words known;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_lnames().empty()) known.push_back("--" + option->get_lnames().front());
  }
  for (const CLI::App* sub : command.get_subcommands({}))
    known.push_back(sub->get_name());
  return "unknown argument " + in_quotes(unknown.front()) + did_you_mean(unknown.front(), known);
}

// The error for an option that was given more often than allowed, "--out is given 2 times; expected
// once"; `otherwise` if there is no such option.
std::string repeated_argument_text(const CLI::App& app, const std::string& otherwise) {
  for (const CLI::Option* option : chosen_command(app).get_options()) {
    const bool once = option->get_items_expected_max() == 1;
    if (!once || option->count() < 2) continue;
    return option->get_name() + " is given " + std::to_string(option->count()) +
           " times; expected once";
  }
  return otherwise;
}

int refuse_usage(const CLI::App& app, const std::string& what) {
  const CLI::App& command = chosen_command(app);
  const std::string name = app.get_name() + (&command == &app ? "" : " " + command.get_name());
  print_error(what + "; see " + name + " --help");
  return kWrongUsage;
}

}  // namespace

struct Subcommand::State {
  CLI::App* app = nullptr;
  std::unique_ptr<CLI::App> own;  // used by a command that is not on the command line
  int* exit_code = nullptr;
  std::map<const CLI::Option*, Words> values;  // of options that take one of these

  CLI::Option& option(const std::string& name) const { return *app->get_option(name); }
};

Subcommand::Subcommand() : state_(std::make_unique<State>()) {
  state_->own = std::make_unique<CLI::App>();
  state_->app = state_->own.get();
}

Subcommand::Subcommand(std::unique_ptr<State> state) : state_(std::move(state)) {}

Subcommand::~Subcommand() = default;

void Subcommand::add_flag(const std::string& name, std::function<void()> set,
                          const std::string& help) {
  state_->app->add_flag_callback(name, std::move(set), help);
}

void Subcommand::add_flag(const std::string& name, bool& value, const std::string& help) {
  add_flag(
      name, [&value] { value = true; }, help);
}

void Subcommand::add_opposite_flags(const std::string& name, const std::string& opposite,
                                    std::function<void(bool)> set, const std::string& help) {
  const CLI::App& app = *state_->app;
  const auto read = [&app, name, opposite, set](std::int64_t sum) {
    const Words& given = app.get_option(name)->results();
    if (std::ranges::adjacent_find(given, std::ranges::not_equal_to()) != given.end()) {
      throw UsageError(name + " and " + opposite +
                       " cannot be given together; leave one of them out");
    }
    set(sum > 0);
  };
  state_->app->add_flag_function(name + ",!" + opposite, read, help)->check(flag_error);
}

void Subcommand::add_whole(const std::string& name, std::int64_t default_value, WholeRange range,
                           std::function<void(std::int64_t)> set, const std::string& help) {
  add_parsed<std::string>(*state_->app, name, "N", help, [range, set](const std::string& text) {
    set(parse_whole(text, range));
  }).default_str(std::to_string(default_value));
}

void Subcommand::add_real(const std::string& name, double default_value, RealRange range,
                          std::function<void(double)> set, const std::string& help) {
  add_parsed<std::string>(*state_->app, name, "X", help, [range, set](const std::string& text) {
    set(parse_real(text, range));
  }).default_str(exact_text(default_value));
}

void Subcommand::add_real(const std::string& name, double& value, RealRange range,
                          const std::string& help) {
  add_real(
      name, value, range, [&value](double given) { value = given; }, help);
}

void Subcommand::add_whole_list(const std::string& name, const std::vector<int>& default_values,
                                WholeRange range, std::function<void(std::vector<int>)> set,
                                const std::string& help) {
  std::string defaults;
  for (const int value : default_values)
    defaults += (defaults.empty() ? "" : ",") + std::to_string(value);
  add_parsed<std::string>(
      *state_->app, name, "N,N,...", help,
      [range, set](const std::string& text) { set(parse_whole_list(text, range)); })
      .default_str(defaults);
}

void Subcommand::add_whole_list(const std::string& name, std::vector<int>& values, WholeRange range,
                                const std::string& help) {
  add_whole_list(
      name, values, range, [&values](std::vector<int> given) { values = std::move(given); }, help);
}

void Subcommand::add_name(const std::string& name, const std::string& default_value,
                          const Words& names, std::function<void(std::string)> set,
                          const std::string& help) {
  CLI::Option& option = add_parsed<std::string>(
      *state_->app, name, "NAME", help,
      [names, set](const std::string& text) { set(parse_name(text, names)); });
  option.default_str(default_value);
  state_->values[&option] = names;
}

void Subcommand::add_name(const std::string& name, std::string& value, const Words& names,
                          const std::string& help) {
  add_name(
      name, value, names, [&value](std::string given) { value = std::move(given); }, help);
}

void Subcommand::add_text(const std::string& name, const std::string& type,
                          const std::string& default_value, std::function<void(std::string)> set,
                          const std::string& help) {
  add_parsed<std::string>(*state_->app, name, type, help, set).default_str(default_value);
}

void Subcommand::add_text(const std::string& name, const std::string& type, std::string& value,
                          const std::string& help) {
  add_text(
      name, type, value, [&value](std::string given) { value = std::move(given); }, help);
}

void Subcommand::add_path(const std::string& name, const std::string& type,
                          std::filesystem::path& value, const std::string& help) {
  add_text(
      name, type, value.string(), [&value](const std::string& given) { value = given; }, help);
}

void Subcommand::add_paths(const std::string& name, const std::string& type,
                           std::vector<std::filesystem::path>& values, const std::string& help) {
  add_parsed<Words>(*state_->app, name, type, help, [&values](const Words& given) {
    for (auto word = given.begin(); word != given.end(); ++word) {
      if (std::find(given.begin(), word, *word) != word)
        throw UsageError(in_quotes(*word) + " is named twice");
    }
    values.assign(given.begin(), given.end());
  });
}

void Subcommand::suggest(const std::string& name, const Words& values) {
  state_->values[&state_->option(name)] = values;
}

void Subcommand::show_default(const std::string& name, const std::string& text) {
  state_->option(name).default_str(text);
}

void Subcommand::require(const std::string& name) {
  state_->option(name).required();
}

void Subcommand::exclude(const std::string& name, const Words& others) {
  for (const std::string& other : others)
    state_->option(name).excludes(&state_->option(other));
}

void Subcommand::need(const Words& names, const std::string& other) {
  for (const std::string& name : names)
    state_->option(name).needs(&state_->option(other));
}

void Subcommand::group(const Words& names, const std::string& heading) {
  for (const std::string& name : names)
    state_->option(name).group(heading);
}

void Subcommand::footer(const std::string& text) {
  state_->app->footer(text);
}

void Subcommand::on_run(std::function<int()> run) {
  state_->app->callback([exit_code = state_->exit_code, run] { *exit_code = run(); });
}

bool Subcommand::given(const std::string& name) const {
  return state_->option(name).count() > 0;
}

void Subcommand::read(Words words) {
  words = with_empty_values(words);
  std::ranges::reverse(words);  // CLI11 reads them from the end
  try {
    state_->app->parse(std::move(words));
  } catch (const CLI::Error& error) {
    throw UsageError(error.what());
  }
}

Words Subcommand::words_of(const std::string& name) const {
  const CLI::Option& option = state_->option(name);
  Words words;
  for (const std::string& value : option.results()) {
    const bool named = !option.get_lnames().empty();
    words.push_back(named ? "--" + option.get_lnames().front() + "=" + value : value);
  }
  return words;
}

Words Subcommand::option_names() const {
  Words names;
  for (const CLI::Option* option : std::as_const(*state_->app).get_options())
    names.push_back(option->get_name());
  return names;
}

CommandFacts Subcommand::facts() const {
  return facts_of(*state_->app, state_->values);
}

struct CommandLine::State {
  CLI::App app;
  std::vector<std::unique_ptr<Subcommand>> commands;
  int exit_code = 0;
};

CommandLine::CommandLine(const std::string& name, const std::string& version,
                         const std::string& help, const std::string& footer)
    : state_(std::make_unique<State>()) {
  CLI::App& app = state_->app;
  app.name(name);
  app.description(help);
  app.formatter(std::make_shared<HelpFormat>());  // commands inherit it
  app.footer(footer);
  app.set_version_flag("--version", version);
  app.require_subcommand(0, 1);
}

CommandLine::~CommandLine() = default;

Subcommand& CommandLine::add_subcommand(const std::string& name, const std::string& help) {
  auto state = std::make_unique<Subcommand::State>();
  state->app = state_->app.add_subcommand(name, help);
  state->exit_code = &state_->exit_code;
  state_->commands.push_back(std::unique_ptr<Subcommand>(new Subcommand(std::move(state))));
  return *state_->commands.back();
}

std::vector<CommandFacts> CommandLine::facts() const {
  std::vector<CommandFacts> all = {facts_of(state_->app, {})};
  all.front().name.clear();
  for (const std::unique_ptr<Subcommand>& command : state_->commands)
    all.push_back(command->facts());
  return all;
}

int CommandLine::run(int argc, const char* const* argv,
                     const std::function<int()>& without_command) {
  CLI::App& app = state_->app;
  try {
    Words words = with_empty_values(Words(argv + std::min(argc, 1), argv + argc));
    std::ranges::reverse(words);  // CLI11 reads them from the end
    app.parse(std::move(words));
  } catch (const CLI::CallForVersion& version) {
    print(app.get_name() + " " + version.what() + "\n");
    return 0;
  } catch (const CLI::Success&) {  // --help
    print(app.help());
    return 0;
  } catch (const CLI::ExtrasError&) {
    return refuse_usage(app, unknown_arguments_text(app));
  } catch (const CLI::RequiredError& error) {
    // If an argument is unknown too, it is probably the required one, misspelt.
    const bool unknown = !app.remaining(true).empty();
    return refuse_usage(app, unknown ? unknown_arguments_text(app) : error.what());
  } catch (const CLI::ArgumentMismatch& error) {
    return refuse_usage(app, repeated_argument_text(app, error.what()));
  } catch (const CLI::ParseError& error) {
    return refuse_usage(app, error.what());
  } catch (const UsageError& error) {
    return refuse_usage(app, error.what());
  }
  return app.get_subcommands().empty() ? without_command() : state_->exit_code;
}

}  // namespace dispersion
