#include "app/commands/name_options.h"

#include "app/commands/number_options.h"
#include "app/commands/suggestion.h"
#include "app/commands/usage_error.h"

namespace dispersion {
namespace {

// "a, b or c"
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace

CLI::Option* add_name_option(CLI::App& app, const std::string& name, std::string& value,
                             const std::vector<std::string>& names,
                             const std::string& description) {
  const auto read = [&value, names](const std::string& text) {
    for (const std::string& known : names) {
      if (in_small_letters(text) != known) continue;
      value = known;
      return;
    }
    throw UsageError("expected " + listed(names) + ", not '" + text + "'" +
                     did_you_mean(text, names));
  };
  return internal::add_parsed_option(app, name, "NAME", description, read)->default_str(value);
}

}  // namespace dispersion
