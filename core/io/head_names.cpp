#include "core/io/head_names.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "core/io/file.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

constexpr std::string_view kLastKernel = "readout_mlp.1.kernel";

bool is_whole_head(const TensorFile& file, std::string_view prefix) {
  return std::ranges::all_of(parameter_layout(HeadShape()), [&](const TensorSlot& slot) {
    return file.contains(std::string(prefix).append(slot.name));
  });
}

// What stands before the name of the last kernel wherever the file has it; moments are no heads.
std::vector<std::string> possible_prefixes(const TensorFile& file) {
  std::vector<std::string> prefixes;
  for (const auto& [name, view] : file.tensors()) {
    if (!name.ends_with(kLastKernel)) continue;
    const std::string_view prefix =
        std::string_view(name).substr(0, name.size() - kLastKernel.size());
    if (!prefix.ends_with(kFirstMoment) && !prefix.ends_with(kSecondMoment))
      prefixes.emplace_back(prefix);
  }
  return prefixes;
}

// The name without the prefix and without that of a moment; empty if it lacks the prefix.
std::string_view own_name(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return "";
  name.remove_prefix(prefix.size());
  for (const std::string_view moment : {kFirstMoment, kSecondMoment}) {
    if (name.starts_with(moment)) return name.substr(moment.size());
  }
  return name;
}

}  // namespace

std::string head_prefix(const TensorFile& file) {
  const std::vector<std::string> possible = possible_prefixes(file);
  std::vector<std::string> whole;
  std::ranges::copy_if(possible, std::back_inserter(whole),
                       [&](const std::string& prefix) { return is_whole_head(file, prefix); });
  if (whole.empty()) return possible.empty() ? "" : possible.front();
  if (whole.size() == 1) return whole.front();
  // A head under its own names is the one that the file is about.
  if (std::ranges::find(whole, "") != whole.end()) return "";
  throw FileError(file.path(), "has " + std::to_string(whole.size()) +
                                   " heads, whose names begin with " + in_quotes(whole[0]) +
                                   " and " + in_quotes(whole[1]) + "; expected one");
}

std::string widened_formats(const TensorFile& file, std::string_view prefix, HeadShape shape) {
  std::set<std::string_view> formats;
  for (const TensorSlot& slot : parameter_layout(shape)) {
    const DType dtype = file.tensor(std::string(prefix).append(slot.name)).dtype;
    if (dtype != DType::kF32) formats.insert(dtype_name(dtype));
  }
  std::string text;
  for (const std::string_view format : formats)
    text.append(text.empty() ? "" : " and ").append(format);
  return text;
}

std::vector<std::string> other_tensors(const TensorFile& file, std::string_view prefix,
                                       HeadShape shape) {
  std::set<std::string_view> known;
  for (const TensorSlot& slot : parameter_layout(shape))
    known.insert(slot.name);
  std::vector<std::string> others;
  for (const auto& [name, view] : file.tensors()) {
    if (!known.contains(own_name(name, prefix))) others.push_back(name);
  }
  return others;
}

}  // namespace dispersion
