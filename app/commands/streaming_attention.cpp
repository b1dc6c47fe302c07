#include "app/commands/streaming_attention.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/commands/backend_choice.h"
#include "app/commands/interrupt.h"
#include "app/commands/output.h"
#include "app/commands/progress_bar.h"
#include "app/commands/provenance.h"
#include "app/commands/text.h"
#include "core/attention/transforms.h"
#include "core/experiment/attention_length.h"
#include "core/experiment/size_table.h"
#include "core/figure/magnitude_text.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

constexpr WholeRange kHeadRange = {1, 65'535};
constexpr RealRange kSpreadRange = {.low = 0, .high = 1e6};

SequenceAttention requested(const StreamingAttentionOptions& options) {
  const bool bf16 = options.numbers == attention_numbers_name(AttentionNumbers::kBf16);
  return {.heads = options.heads,
          .d = options.channels,
          .causal = options.causal,
          .transform = parse_transform(options.transform),
          .numbers = bf16 ? AttentionNumbers::kBf16 : AttentionNumbers::kFloat};
}

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json row_json(const AttentionLength& row) {
  return {{"n", row.n},
          {"numbers", attention_numbers_name(row.numbers)},
          {"seconds", row.seconds},
          {"bytes", row.bytes},
          {"matrix_bytes", row.matrix_bytes},
          {"entropy", number(row.entropy)},
          {"beta", number(row.beta)},
          {"sharpened", row.sharpened},
          {"checked_rows", row.checked_rows},
          {"entropy_error", number(row.entropy_error)},
          {"beta_error", number(row.beta_error)},
          {"out_error", number(row.out_error)}};
}

std::string table_text(const std::vector<AttentionLength>& rows) {
  std::string text =
      "        n  numbers        ms   memory MB  n x n MB  entropy   beta  sharpened"
      "  entropy off by   output off by\n";
  for (const AttentionLength& row : rows) {
    const auto megabytes = [](std::size_t bytes) {
      return significant_text(static_cast<double>(bytes) / 1e6, 3);
    };
    text += align_right(std::to_string(row.n), 9) +
            align_right(attention_numbers_name(row.numbers), 9) +
            align_right(significant_text(1000 * row.seconds, 3), 10) +
            align_right(megabytes(row.bytes), 12) + align_right(megabytes(row.matrix_bytes), 10) +
            align_right(fixed_text(row.entropy, 3), 9) + align_right(fixed_text(row.beta, 3), 7) +
            align_right(fixed_text(100 * row.sharpened, 1) + " %", 11) +
            align_right(magnitude_text(row.entropy_error), 16) +
            align_right(magnitude_text(row.out_error), 16) + "\n";
  }
  return text;
}

// Where a device took other numbers than those asked for; else empty.
std::string replaced_text(const SequenceAttention& asked, const std::vector<AttentionLength>& rows,
                          const std::string& device) {
  if (rows.empty() || rows.back().numbers == asked.numbers) return "";
  return device + " has no tensor cores for bf16: computed in fp32.";
}

Json result_json(const SequenceAttention& attention, const LengthSettings& settings,
                 const SequenceBackend& sequence_backend,
                 const std::vector<AttentionLength>& rows) {
  Json object = {{"command", "streaming"},
                 {"heads", attention.heads},
                 {"channels", attention.d},
                 {"causal", attention.causal},
                 {"transform", transform_name(attention.transform.id)},
                 {"numbers_asked_for", attention_numbers_name(attention.numbers)},
                 {"spread", settings.spread},
                 {"sequence_seed", settings.seed}};
  object.update(build_provenance(sequence_backend.description()));
  object["rows"] = Json::array();
  for (const AttentionLength& row : rows)
    object["rows"].push_back(row_json(row));
  object["note"] = replaced_text(attention, rows, sequence_backend.description());
  return object;
}

void print_result(const SequenceAttention& attention, const LengthSettings& settings,
                  const SequenceBackend& sequence_backend, const std::vector<AttentionLength>& rows,
                  OutputForm form) {
  if (form == OutputForm::kJson) {
    print(json_line(result_json(attention, settings, sequence_backend, rows)));
  } else if (form == OutputForm::kCsv) {
    std::vector<Json> objects;
    for (const AttentionLength& row : rows)
      objects.push_back(row_json(row));
    print(csv_text(objects));
  } else {
    const std::string replaced = replaced_text(attention, rows, sequence_backend.description());
    print(sequence_backend.description() + "\n" + table_text(rows) +
          (replaced.empty() ? "" : "\n" + replaced + "\n"));
  }
}

}  // namespace

void add_streaming_attention_options(Subcommand& command, StreamingAttentionOptions& options) {
  add_device_option(command, options.device);
  command.add_whole("--heads", options.heads, kHeadRange, "With --device: heads");
  command.add_name(
      "--channels", std::to_string(options.channels), {"64", "128", "256"},
      [&options](const std::string& given) { options.channels = std::stoi(given); },
      "With --device: channels of a token");
  command.add_flag("--causal", options.causal, "With --device: a token sees those up to itself");
  command.add_name("--numbers", options.numbers, {"fp32", "bf16"},
                   "With --device: what products are taken of");
  command.add_name("--transform", options.transform, {"softmax", "adaptive"},
                   "With --device: adaptive, in two passes, or softmax");
  command.add_real("--spread", options.spread, kSpreadRange,
                   "With --device: standard deviation of the logits");
  command.need({"--heads", "--channels", "--causal", "--numbers", "--transform", "--spread"},
               "--device");
}

int run_streaming_attention(const StreamingAttentionOptions& options, std::vector<int> sizes,
                            std::uint32_t seed, int threads, OutputForm form) {
  InterruptGuard interrupt;
  const auto sequence_backend = make_sequence_backend(options.device, threads);
  const bool cpu = sequence_backend->description().starts_with("CPU");
  if (sizes.empty()) sizes = cpu ? doubling_sizes(256, 4096) : doubling_sizes(1024, 131'072);
  SequenceAttention attention = requested(options);
  for (const int size : sizes) {
    attention.n = size;
    require_attention_room(*sequence_backend, attention);
  }
  const LengthSettings settings{.seed = seed, .spread = options.spread};
  std::vector<AttentionLength> rows;
  {
    ProgressBar bar;
    for (const int size : sizes) {
      attention.n = size;
      const auto row = attention_length(*sequence_backend, attention, settings, [&](double share) {
        bar.update((static_cast<double>(rows.size()) + share) / static_cast<double>(sizes.size()),
                   "n = " + std::to_string(size));
        return !interrupt.interrupted();
      });
      if (!row) break;
      rows.push_back(*row);
    }
  }
  print_result(attention, settings, *sequence_backend, rows, form);
  if (!interrupt.interrupted()) return 0;
  print_error("interrupted; the larger sizes are missing");
  return interrupt.exit_code();
}

}  // namespace dispersion
