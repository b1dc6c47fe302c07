#include "app/export/provenance.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "core/build_info.h"
#include "core/cpu/cpu_backend.h"
#include "core/figure/trained_steps.h"
#include "core/io/checkpoint.h"
#include "core/io/json.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kLastSecond = 253'402'300'799;  // the end of the year 9999

std::int64_t number_of(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// The text with this many added to each number in it.
std::string counted_on(std::string_view text, std::int64_t more) {
  constexpr std::string_view kDigits = "0123456789";
  std::string all;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find_first_of(kDigits), text.size());
    const std::size_t end = std::min(text.find_first_not_of(kDigits, begin), text.size());
    all += text.substr(0, begin);
    if (end > begin) all += std::to_string(number_of(text.substr(begin, end - begin)) + more);
    text.remove_prefix(end);
  }
  return all;
}

}  // namespace

Provenance provenance_of_build() {
  const BuildInfo build = build_info();
  return {{"program", "dispersion_lab"},
          {"version", std::string(build.version)},
          {"commit", std::string(build.commit)}};
}

Provenance provenance_of_head(std::string_view name, const Recipe& recipe,
                              const TrainingState& state, bool has_run, std::int64_t steps_before) {
  Provenance provenance;
  if (!name.empty()) provenance.emplace_back("head", name);
  if (has_run) {
    provenance.emplace_back("recipe", recipe_to_json(recipe));
    add_trained_steps(provenance, state.seed, std::to_string(steps_before + state.step),
                      steps_before);
  } else {
    provenance.emplace_back("run", kWeightsOnly);
  }
  provenance.emplace_back("run_hash", run_hash(recipe, state));
  return provenance;
}

void refuse_longer_than(std::size_t most) {
  throw LimitError("it has more than " + std::to_string(most) + " bytes");
}

void add_missing(Provenance& all, const Provenance& more) {
  for (const auto& [name, value] : more) {
    if (std::ranges::find(all, name, &Provenance::value_type::first) == all.end())
      all.emplace_back(name, value);
  }
}

std::string_view provenance_value(const Provenance& provenance, std::string_view name) {
  const auto found = std::ranges::find(provenance, name, &Provenance::value_type::first);
  return found == provenance.end() ? std::string_view() : std::string_view(found->second);
}

std::string trained_steps(const Provenance& provenance) {
  const std::string_view step = provenance_value(provenance, "step");
  const std::int64_t before = number_of(provenance_value(provenance, kStepsBefore));
  return before > 0 ? counted_on(step, before) : std::string(step);
}

std::int64_t fresh_moments_step(const Provenance& provenance) {
  const std::int64_t step = number_of(provenance_value(provenance, kFreshMoments));
  return step > 0 ? step : number_of(provenance_value(provenance, kStepsBefore));
}

std::string date_of_environment() {
  const char* text = std::getenv("SOURCE_DATE_EPOCH");
  if (text == nullptr || *text == '\0') return "";
  std::int64_t seconds = -1;
  const std::string_view all(text);
  const auto read = std::from_chars(all.data(), all.data() + all.size(), seconds);
  if (read.ec != std::errc() || read.ptr != all.data() + all.size() || seconds < 0 ||
      seconds > kLastSecond) {
    throw std::invalid_argument("SOURCE_DATE_EPOCH: expected seconds since 1970, not " +
                                in_quotes(all));
  }
  const auto time = static_cast<std::time_t>(seconds);
  std::tm utc = {};
  gmtime_r(&time, &utc);
  char date[64];
  std::snprintf(date, sizeof date, "%04d-%02d-%02dT%02d:%02d:%02dZ", utc.tm_year + 1900,
                utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec);
  return date;
}

Json build_provenance_json(const std::string& backend) {
  const BuildInfo build = build_info();
  return {{"version", build.version},       {"commit", build.commit},
          {"build_type", build.build_type}, {"instruction_set", cpu_instruction_set()},
          {"compiler", build.compiler},     {"backend", backend}};
}

Json head_provenance_json(const Recipe& recipe, const TrainingState& state, bool has_run,
                          std::int64_t steps_before) {
  const auto known = [has_run](Json value) { return has_run ? std::move(value) : Json(); };
  Json json = {{"seed", known(state.seed)}, {"step", known(steps_before + state.step)}};
  if (steps_before > 0) json["fresh_moments_at_step"] = steps_before;
  json["run_hash"] = run_hash(recipe, state);
  json["recipe"] = known(Json::parse(recipe_to_json(recipe)));
  return json;
}

std::map<std::string, std::string> checkpoint_metadata(const std::string& backend) {
  const BuildInfo build = build_info();
  return {{"program", "dispersion_lab"},
          {"version", std::string(build.version)},
          {"commit", std::string(build.commit)},
          {"instruction_set", cpu_instruction_set()},
          {"backend", backend}};
}

std::string backend_in_metadata(const std::map<std::string, std::string>& metadata) {
  const auto found = metadata.find("backend");
  // Earlier versions wrote "cpu", whatever had trained the head.
  return found == metadata.end() || found->second == "cpu" ? "" : found->second;
}

std::string trained_by(const std::string& before, std::int64_t step, const std::string& now) {
  if (step == 0) return now;
  constexpr std::string_view kThen = "; then ";
  const std::size_t then = before.rfind(kThen);
  const std::string_view last =
      std::string_view(before).substr(then == std::string::npos ? 0 : then + kThen.size());
  if (last == now) return before;
  return (before.empty() ? "unknown" : before) + " to step " + std::to_string(step) +
         std::string(kThen) + now;
}

std::string provenance_json(const Provenance& provenance) {
  Json object = Json::object();
  for (const auto& [name, value] : provenance)
    object[name] = value;
  return object.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::optional<Provenance> provenance_from_json(const Json& object) {
  if (!object.is_object()) return std::nullopt;
  Provenance provenance;
  for (const auto& [name, value] : object.items()) {
    if (!value.is_string()) return std::nullopt;
    provenance.emplace_back(name, value.get<std::string>());
  }
  return provenance;
}

std::optional<Provenance> provenance_from_json(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  try {
    return provenance_from_json(parse_json(*text, {.bytes = kLargestProvenance}));
  } catch (const LimitError&) {
    throw;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

std::string provenance_comments(const Provenance& provenance, std::string_view begin,
                                std::string_view end, std::string_view forbidden) {
  std::string comments;
  for (const auto& [name, value] : provenance) {
    std::string text = name + ": " + value;
    std::erase_if(text, [&](char c) { return forbidden.find(c) != std::string_view::npos; });
    comments.append(begin).append(visible_text(text)).append(end) += '\n';
  }
  return comments;
}

std::optional<Provenance> provenance_in_comments(std::string_view bytes, std::string_view begin,
                                                 std::string_view end) {
  const bool longer = bytes.size() > kLargestProvenance;
  bytes = bytes.substr(0, kLargestProvenance);
  Provenance provenance;
  for (;;) {
    const std::size_t length = bytes.find('\n');
    if (length == std::string_view::npos && longer) refuse_longer_than(kLargestProvenance);
    if (length == std::string_view::npos) return std::nullopt;
    std::string_view line = bytes.substr(0, length);
    bytes.remove_prefix(length + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.size() < begin.size() + end.size() || !line.starts_with(begin) || !line.ends_with(end))
      return provenance;
    line = line.substr(begin.size(), line.size() - begin.size() - end.size());
    const std::size_t colon = line.find(": ");
    if (colon != std::string_view::npos)
      provenance.emplace_back(line.substr(0, colon), line.substr(colon + 2));
  }
}

}  // namespace dispersion
