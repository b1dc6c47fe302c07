#pragma once

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string>

namespace dispersion {

// CLI11's help, without the lists of options that an option excludes or needs: the message one
// gets says it when it matters. Names of a flag show no value.
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

}  // namespace dispersion
