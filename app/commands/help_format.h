#pragma once

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace dispersion {

// CLI11's help, without the lists of options that an option excludes or needs: the message one
// gets says it when it matters. The second name of a flag turns it off, and shows no value.
class HelpFormat : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string text = CLI::Formatter::make_option_opts(option);
    return text.substr(0, std::min(text.find(" Excludes:"), text.find(" Needs:")));
  }

  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    std::string text = CLI::Formatter::make_option_name(option, is_positional);
    constexpr std::string_view kValue = "{false}";
    const std::size_t at = text.find(kValue);
    return at == std::string::npos ? text : text.erase(at, kValue.size());
  }
};

}  // namespace dispersion
