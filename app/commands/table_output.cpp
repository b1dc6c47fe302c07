#include "app/commands/table_output.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "app/commands/output.h"
#include "app/commands/text.h"
#include "core/attention/transforms.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

bool is_shown(const TableInputs& inputs, const TableOneCell& cell) {
  return std::ranges::find(inputs.shown, cell.transform.id) != inputs.shown.end();
}

template <class Number>
Json json_of(const std::optional<Number>& value) {
  return value ? Json(*value) : Json();
}

Json reason_json(const std::string& reason) {
  return reason.empty() ? Json() : Json(reason);
}

Json row_json(const TableOneCell& cell) {
  const auto& interval = cell.accuracy.interval;
  const auto& test = cell.against_plain;
  return {{"n", cell.items},
          {"transform", transform_name(cell.transform.id)},
          {"mean", cell.accuracy.mean},
          {"seed_accuracies", cell.seed_accuracies},
          {"low", interval ? Json(interval->low) : Json()},
          {"high", interval ? Json(interval->high) : Json()},
          {"interval_reason", reason_json(interval.reason)},
          {"std_between_seeds", json_of(cell.accuracy.standard_deviation.value)},
          {"difference", test ? Json(test->mean_difference) : Json()},
          {"difference_low", test ? Json(test->interval.low) : Json()},
          {"difference_high", test ? Json(test->interval.high) : Json()},
          {"p_value", test ? Json(test->p) : Json()},
          {"p_value_reason", reason_json(test.reason)},
          {"mcnemar_p", json_of(cell.mcnemar_p.value)},
          {"mcnemar_reason", reason_json(cell.mcnemar_p.reason)},
          {"paper_mean", json_of(cell.paper_mean)},
          {"paper_p_value", json_of(cell.paper_p_value)},
          {"paper_inside", json_of(cell.paper_inside())},
          {"entropy_plain", cell.plain_entropy},
          {"entropy", cell.entropy},
          {"weight_on_max", cell.weight_on_max},
          {"argmax_correct", cell.argmax_correct},
          {"logit_spread", cell.logit_spread},
          {"past_window", cell.past_window},
          {"sets", cell.sets},
          {"sets_pooled", cell.pooled_sets},
          {"seeds", cell.accuracy.seeds}};
}

std::string percent(double fraction) {
  return fixed_text(100 * fraction, 1);
}

std::string missing_text(const std::string& reason) {
  if (reason == "no difference") return "no diff.";
  return reason == "needs two seeds" ? "1 seed" : "";
}

std::string p_text(const Answer<PairedT>& test) {
  return test ? probability_text(test->p) : missing_text(test.reason);
}

std::string interval_text(const Answer<Interval>& interval) {
  if (!interval) return missing_text(interval.reason);
  return percent(interval->low) + " .. " + percent(interval->high);
}

std::string paper_text(const TableOneCell& cell) {
  if (!cell.paper_mean) return "";
  const std::optional<bool> inside = cell.paper_inside();
  return percent(*cell.paper_mean) + (!inside ? "    " : *inside ? " in " : " out");
}

// One line; the heading goes through it too.
std::string line_text(const std::array<std::string, 12>& columns) {
  constexpr std::array<int, 12> kWidths = {6, 11, 6, 14, 9, 10, 8, 10, 6, 7, 7, 6};
  std::string line;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    line += i == 1 ? align_left(" " + columns[i], kWidths[i]) : align_right(columns[i], kWidths[i]);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string row_text(const TableOneCell& cell) {
  return line_text({std::to_string(cell.items), std::string(transform_name(cell.transform.id)),
                    percent(cell.accuracy.mean), interval_text(cell.accuracy.interval),
                    paper_text(cell), p_text(cell.against_plain),
                    cell.paper_p_value ? printed_probability_text(*cell.paper_p_value) : "",
                    cell.mcnemar_p ? probability_text(*cell.mcnemar_p) : "",
                    fixed_text(cell.entropy, 2), fixed_text(cell.weight_on_max, 3),
                    percent(cell.argmax_correct),
                    cell.transform.id == TransformId::kSoftmax ? percent(cell.past_window) : ""});
}

std::string seeds_text(const TableInputs& inputs) {
  std::string text;
  for (const HeadSource& head : inputs.heads)
    text += (text.empty() ? "" : ", ") + std::to_string(head.checkpoint.state.seed);
  return text;
}

}  // namespace

Json table_json(const TableInputs& inputs, const TableOne& table, const Backend& backend) {
  Json object = {{"command", "table"}, {"heads", Json::array()}};
  for (const HeadSource& head : inputs.heads) {
    Json entry = {{"checkpoint", head.name}};
    entry.update(head_provenance(head.checkpoint.recipe, head.checkpoint.state));
    object["heads"].push_back(entry);
  }
  object["sets_per_seed"] = inputs.settings.sets;
  object["set_seed"] = "that of the head";
  object["evaluation_path"] = head_path_name(inputs.settings.evaluation.path);
  object["evaluation_precision"] = precision_name(inputs.settings.evaluation.precision);
  object["transforms"] = Json::array();
  for (const AttentionTransform& transform : inputs.settings.transforms)
    object["transforms"].push_back(transform_text(transform));
  object["backend_note"] = cpu_transforms_remark(backend, inputs.settings.transforms);
  object["window_end"] = table.window_end;
  object["share_done"] = table.share_done;
  object.update(build_provenance(backend));
  object["rows"] = Json::array();
  for (const TableOneCell& cell : table.cells) {
    if (is_shown(inputs, cell)) object["rows"].push_back(row_json(cell));
  }
  return object;
}

std::string table_csv(const TableInputs& inputs, const TableOne& table) {
  std::vector<Json> rows;
  for (const TableOneCell& cell : table.cells) {
    if (is_shown(inputs, cell)) rows.push_back(row_json(cell));
  }
  return csv_text(rows);
}

std::string table_text(const TableInputs& inputs, const TableOne& table) {
  std::string text =
      "heads: " + std::to_string(inputs.heads.size()) + ", seeds " + seeds_text(inputs) + "; " +
      std::to_string(inputs.settings.sets) + " sets of every size per head, " +
      std::string(precision_name(inputs.settings.evaluation.precision)) + "\n" +
      "shares in %; p: paired t-test against softmax over the seeds; McNemar: exact, all sets\n" +
      "H: entropy of the weights, nats; H>" + fixed_text(table.window_end, 2) +
      ": rows of softmax that the rule no longer sharpens\n\n" +
      line_text({"n", "transform", "mean", "95 % interval", "paper   ", "p", "paper p", "McNemar",
                 "H", "on max", "argmax", "H>" + fixed_text(table.window_end, 1)});
  for (const TableOneCell& cell : table.cells) {
    if (is_shown(inputs, cell)) text += row_text(cell);
  }
  return text;
}

}  // namespace dispersion
