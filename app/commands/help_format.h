#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace dispersion {

// CLI11's help, without the list of options that an option excludes: the message one gets on
// naming both says it when it matters.
class HelpFormat : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string text = CLI::Formatter::make_option_opts(option);
    return text.substr(0, text.find(" Excludes:"));
  }
};

}  // namespace dispersion
