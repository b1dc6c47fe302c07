#include "app/commands/transform_options.h"

#include <algorithm>
#include <stdexcept>

#include "app/commands/text.h"

namespace dispersion {
namespace {

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const TransformDefinition* definition : transform_definitions())
    names.emplace_back(definition->name);
  return names;
}

AttentionTransform parse_one(const std::string& text) {
  try {
    return parse_transform(text);
  } catch (const std::invalid_argument& error) {
    const std::string name = text.substr(0, text.find(':'));
    const std::vector<std::string> names = all_names();
    const bool known = std::ranges::find(names, name) != names.end();
    throw UsageError(error.what() + (known ? "" : did_you_mean(name, names)));
  }
}

}  // namespace

std::string transform_names() {
  std::string text;
  for (const std::string& name : all_names())
    text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

std::string transforms_text(const std::vector<AttentionTransform>& transforms) {
  std::string text;
  for (const AttentionTransform& transform : transforms)
    text.append(text.empty() ? "" : ",").append(transform_text(transform));
  return text;
}

std::vector<AttentionTransform> parse_transforms(const std::string& text) {
  std::vector<AttentionTransform> transforms;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const AttentionTransform next = parse_one(in_small_letters(text.substr(begin, end - begin)));
    if (std::ranges::find(transforms, next.id, &AttentionTransform::id) != transforms.end())
      throw UsageError("'" + std::string(transform_name(next.id)) + "' is named twice");
    transforms.push_back(next);
    begin = end + 1;
  }
  return transforms;
}

void add_transforms_option(Subcommand& command, std::vector<AttentionTransform>& values,
                           const std::string& help) {
  command.add_text(
      "--transforms", "NAMES", transforms_text(values),
      [&values](const std::string& text) { values = parse_transforms(text); }, help);
}

}  // namespace dispersion
