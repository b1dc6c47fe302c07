#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/attention/transforms.h"
#include "core/experiment/attention_length.h"
#include "core/experiment/entropy_surface.h"
#include "core/experiment/experiment_table.h"
#include "core/experiment/size_table.h"
#include "core/experiment/streaming.h"
#include "core/figure/figures.h"
#include "core/figure/number_text.h"

namespace dispersion {
namespace {

// On the processor a length of 4,096 takes some tenths of a second with one thread.
constexpr int kShortestLength = 256;
constexpr int kLongestOnCpu = 4096;
constexpr int kLongestOnDevice = 131'072;

constexpr SettingCondition kEntropyPart = {"part", "entropy", "both"};
constexpr SettingCondition kAttentionPart = {"part", "attention", "both"};
constexpr SettingCondition kUniform = {"logits", "uniform"};

std::vector<Setting> entropy_settings() {
  return {
      {.name = "part",
       .help = "What is computed: the entropy of streamed logits, attention over random sequences "
               "along their length, or both",
       .kind = SettingKind::kChoice,
       .value = 0,
       .shown_value = 2,
       .choices = {{"entropy", ""}, {"attention", ""}, {"both", ""}}},
      {.name = "logits",
       .label = "logits",
       .help = "Logits to be streamed: offset + scale U[0, 1), or those of a head on one set",
       .kind = SettingKind::kChoice,
       .choices = {{"uniform", "uniform"}, {"head", "this head"}},
       .only_with = kEntropyPart},
      {.name = "scale",
       .label = "scale of logits",
       .help = "Scale of the uniform logits",
       .kind = SettingKind::kReal,
       .low = 0,
       .high = 1e6,
       .value = 20,
       .only_with = kUniform},
      {.name = "offset",
       .label = "offset of logits",
       .help = "Offset of the uniform logits; a large one costs digits where sums are not centred "
               "on the maximum",
       .kind = SettingKind::kReal,
       .low = -1e9,
       .high = 1e9,
       .only_with = kUniform},
      {.name = "block",
       .label = "block",
       .help = "Items that are merged at a time",
       .low = 1,
       .high = kLargestSize,
       .value = 256,
       .only_with = kEntropyPart},
      {.name = "sizes",
       .help = "Numbers of items",
       .kind = SettingKind::kSizes,
       .low = 1,
       .high = kLargestSize,
       .sizes = doubling_sizes(16, 131'072),
       .only_with = kEntropyPart},
      {.name = "set-seed",
       .help = "Seed of the sets and of the sequences",
       .low = 0,
       .high = kLargestSeed,
       .value = 1},
  };
}

std::vector<Setting> attention_settings() {
  return {
      {.name = "heads",
       .label = "heads",
       .help = "Attention heads of the random sequences",
       .low = 1,
       .high = 65'535,
       .value = 1,
       .section = "Attention along n",
       .only_with = kAttentionPart},
      {.name = "channels",
       .label = "channels",
       .help = "Of a query, a key and a value of the random sequences",
       .kind = SettingKind::kChoice,
       .choices = {{"64", "64"}, {"128", "128"}, {"256", "256"}},
       .only_with = kAttentionPart},
      {.name = "causal",
       .label = "causal",
       .help = "A query sees the keys up to its own",
       .kind = SettingKind::kFlag,
       .only_with = kAttentionPart},
      {.name = "numbers",
       .label = "numbers",
       .help = "What products are taken of; sums are fp32. bf16 takes tensor cores, which CUDA "
               "devices have from compute capability 8.0 on",
       .kind = SettingKind::kChoice,
       .choices = {{"fp32", "fp32"}, {"bf16", "bf16"}},
       .only_with = kAttentionPart},
      {.name = "transform",
       .label = "transform",
       .help = "Adaptive temperature, in two passes over the keys, or softmax",
       .kind = SettingKind::kChoice,
       .choices = {{"adaptive", "adaptive"}, {"softmax", "softmax"}},
       .only_with = kAttentionPart},
      {.name = "spread",
       .help = "Standard deviation of the logits",
       .kind = SettingKind::kReal,
       .low = 0,
       .high = 1e6,
       .value = 3,
       .only_with = kAttentionPart},
      {.name = "lengths",
       .help = "Lengths of the sequences (default: 256 doubled as often as suits what computes)",
       .kind = SettingKind::kSizes,
       .low = 1,
       .high = kLargestSize,
       .only_with = kAttentionPart},
      {.name = "stop-after",
       .help = "Begin no longer length once one took so many seconds; 0: go through all",
       .kind = SettingKind::kReal,
       .low = 0,
       .high = 1e6,
       .shown_value = 0.5,
       .only_with = kAttentionPart},
      {.name = "untimed",
       .help = "Leave the times out, which are others every time",
       .kind = SettingKind::kFlag,
       .only_with = kAttentionPart},
  };
}

// After a stop: the rows that were finished.
std::vector<StreamingRow> entropy_rows(const SettingValues& values, const ExperimentInputs& inputs,
                                       ExperimentBackends& backends, const Progress& progress) {
  const std::vector<int>& sizes = values.sizes("sizes");
  const std::uint32_t seed = values.seed("set-seed");
  const bool of_head = values.choice("logits") == "head";
  double all = 0;
  for (const int items : sizes)
    all += items;
  std::vector<StreamingRow> rows;
  double done = 0;
  for (const int items : sizes) {
    const std::vector<float> logits =
        of_head ? size_logits(backends.backend(), inputs.heads.front().state->parameters, seed,
                              items, 1)
                      .logits
                : uniform_logits(seed, items, values.real("scale"), values.real("offset"));
    const Progress part = progress.part(done / all, (done + items) / all);
    if (logits.empty()) {  // the backend was stopped in the middle
      part(0);
      break;
    }
    const std::optional<StreamingRow> row = streaming_row(logits, values.whole("block"), part);
    if (!row) break;
    rows.push_back(*row);
    done += items;
  }
  return rows;
}

SequenceAttention attention_of(const SettingValues& values) {
  const bool bf16 = values.choice("numbers") == "bf16";
  return {.heads = values.whole("heads"),
          .d = 64 << values.whole("channels"),
          .causal = values.flag("causal"),
          .transform = parse_transform(values.choice("transform")),
          .numbers = bf16 ? AttentionNumbers::kBf16 : AttentionNumbers::kFloat};
}

struct Attended {
  std::vector<AttentionLength> rows;
  std::string why_not;  // why no longer sequence fits into memory; empty: none was refused
};

// Why the sequence backend has no room for this length; empty: it has room.
std::string refusal(const SequenceBackend& sequence_backend, const SequenceAttention& attention) {
  try {
    require_attention_room(sequence_backend, attention);
    return "";
  } catch (const DeviceLost&) {
    throw;
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

// Attends over the lengths of the settings, for all of which there must be room, or else over
// growing lengths as far as memory goes. Calls `show` after each.
Attended attend(const SettingValues& values, SequenceBackend& sequence_backend,
                const Progress& progress,
                const std::function<void(const std::vector<AttentionLength>&)>& show) {
  SequenceAttention attention = attention_of(values);
  std::vector<int> lengths = values.sizes("lengths");
  for (const int n : lengths) {
    attention.n = n;
    require_attention_room(sequence_backend, attention);
  }
  if (lengths.empty()) {
    const bool on_cpu = sequence_backend.description().starts_with("CPU");
    lengths = doubling_sizes(kShortestLength, on_cpu ? kLongestOnCpu : kLongestOnDevice);
  }
  const LengthSettings settings{.seed = values.seed("set-seed"), .spread = values.real("spread")};
  const double stop_after = values.real("stop-after");
  Attended attended;
  int longest = static_cast<int>(kLargestSize);  // of those that are still begun
  for (const int n : lengths) {
    if (n > longest) continue;
    attention.n = n;
    attended.why_not = refusal(sequence_backend, attention);
    if (!attended.why_not.empty()) break;
    // Each length has an equal share: how many there will be before the time is up is not known.
    const double each = 1 / static_cast<double>(lengths.size());
    const double done = each * static_cast<double>(attended.rows.size());
    auto row =
        attention_length(sequence_backend, attention, settings, progress.part(done, done + each));
    if (!row) break;
    const double seconds = row->seconds;
    if (values.flag("untimed")) row->seconds = 0;
    attended.rows.push_back(*row);
    show(attended.rows);
    if (stop_after > 0 && seconds > stop_after && !values.flag("untimed"))
      longest = std::min(longest, n);
  }
  return attended;
}

ResultTable entropy_table(const std::vector<StreamingRow>& rows) {
  using Row = StreamingRow;
  constexpr NumberForm kForm = NumberForm::kFixed;
  const std::vector<ColumnOf<Row>> columns = {
      {{"n", "n"}, [](const Row& r) { return std::int64_t{r.items}; }},
      {{"exact", "exact", kForm, 5}, [](const Row& r) { return r.exact; }},
      {{"blocks_double", "double in blocks", kForm, 5},
       [](const Row& r) { return r.blocks_double; }},
      {{"blocks_float", "float in blocks", kForm, 5}, [](const Row& r) { return r.blocks_float; }},
      {{"uncentred_float", "float uncentred", kForm, 5},
       [](const Row& r) { return r.uncentred_float; }},
      {{"with_sign_slip", "printed sign", kForm, 5}, [](const Row& r) { return r.with_sign_slip; }},
      {{"with_maximum_slip", "printed maximum", kForm, 5},
       [](const Row& r) { return r.with_maximum_slip; }},
      {{"with_both_slips", ""}, [](const Row& r) { return r.with_both_slips; }}};
  ResultTable table = result_table("rows", columns, rows);
  if (!rows.empty()) table.notes = {streaming_figure(rows).sentence};
  return table;
}

// The note for a device that computed with other numbers than those of the settings; else empty.
Statement replaced_text(const SettingValues& values, const Attended& attended,
                        const std::string& device) {
  if (attended.rows.empty() || attended.rows.back().numbers == attention_of(values).numbers)
    return {};
  return Statement::naming(device) + " has no tensor cores for bf16: computed in fp32.";
}

ResultTable attention_table(const SettingValues& values, const Attended& attended,
                            const std::string& device) {
  using Row = AttentionLength;
  using Form = NumberForm;
  const auto megabytes = [](std::size_t bytes) { return static_cast<double>(bytes) / 1e6; };
  const auto measured = [](const Row& r, double unit) {
    return r.seconds > 0 ? ResultValue(unit * r.seconds) : ResultValue();
  };
  const auto integer = [](std::size_t bytes) { return static_cast<std::int64_t>(bytes); };
  const std::vector<ColumnOf<Row>> columns = {
      {{"n", "n"}, [](const Row& r) { return std::int64_t{r.n}; }},
      {{"numbers", "numbers", Form::kName},
       [](const Row& r) { return std::string(attention_numbers_name(r.numbers)); }},
      {{"seconds", ""}, [=](const Row& r) { return measured(r, 1); }},
      {{"", "ms", Form::kSignificant, 3}, [=](const Row& r) { return measured(r, 1000); }},
      {{"bytes", ""}, [=](const Row& r) { return integer(r.bytes); }},
      {{"", "arrays MB", Form::kSignificant, 3}, [=](const Row& r) { return megabytes(r.bytes); }},
      {{"matrix_bytes", ""}, [=](const Row& r) { return integer(r.matrix_bytes); }},
      {{"", "n x n MB", Form::kSignificant, 3},
       [=](const Row& r) { return megabytes(r.matrix_bytes); }},
      {{"entropy", "entropy", Form::kFixed, 3}, [](const Row& r) { return r.entropy; }},
      {{"beta", "beta", Form::kFixed, 3}, [](const Row& r) { return r.beta; }},
      {{"sharpened", "sharpened %", Form::kPercent, 1}, [](const Row& r) { return r.sharpened; }},
      {{"checked_rows", ""}, [](const Row& r) { return std::int64_t{r.checked_rows}; }},
      {{"entropy_error", "entropy off by", Form::kSignificant, 2},
       [](const Row& r) { return r.entropy_error; }},
      {{"beta_error", ""}, [](const Row& r) { return r.beta_error; }},
      {{"out_error", "output off by", Form::kSignificant, 2},
       [](const Row& r) { return r.out_error; }}};
  ResultTable table = result_table("attention", columns, attended.rows);
  table.title = Statement::naming(device);
  for (const Statement& note :
       {replaced_text(values, attended, device), Statement::naming(attended.why_not)}) {
    if (!note.empty()) table.notes.push_back(note);
  }
  if (!attended.rows.empty()) {
    table.notes.push_back("off by: the largest in up to " +
                          Statement::naming(std::to_string(LengthSettings().checked_rows)) +
                          " rows of every length, against the same row in double.");
  }
  return table;
}

void add_attention(Figure& figure, const std::vector<AttentionLength>& rows,
                   const std::string& device) {
  for (LinePlot& plot : attention_length_plots(rows, device))
    figure.plots.push_back(std::move(plot));
  if (!figure.sentence.empty()) figure.sentence += " ";
  figure.sentence += attention_length_sentence(rows);
}

ExperimentResult run(const SettingValues& values, const ExperimentInputs& inputs,
                     ExperimentBackends& backends, const Progress& progress,
                     const ShowFigure& show) {
  const std::string_view part = values.choice("part");
  ExperimentResult result;
  if (part != "attention") {
    const Progress first = part == "both" ? progress.part(0, 0.5) : progress;
    const std::vector<StreamingRow> rows = entropy_rows(values, inputs, backends, first);
    result.tables = {entropy_table(rows)};
    result.figure = streaming_figure(rows);
  }
  if (part == "entropy" || progress.stopped()) return result;
  SequenceBackend& sequence_backend = backends.sequence_backend();
  // Times depend on the number of threads, and nothing else does.
  const bool timed = !values.flag("untimed");
  const std::string device =
      timed ? sequence_backend.description_with_threads() : sequence_backend.description();
  if (timed) result.facts = {{"timed_on", device}};
  const Figure without = result.figure;
  const auto show_rows = [&](const std::vector<AttentionLength>& rows) {
    result.figure = without;
    add_attention(result.figure, rows, device);
    show(result.figure);
  };
  const Progress second = part == "both" ? progress.part(0.5, 1) : progress;
  const Attended attended = attend(values, sequence_backend, second, show_rows);
  result.tables.push_back(attention_table(values, attended, device));
  if (!attended.why_not.empty())
    result.figure.sentence += " " + Statement::naming(attended.why_not);
  return result;
}

}  // namespace

Experiment streaming_experiment() {
  std::vector<Setting> settings = entropy_settings();
  for (const Setting& setting : attention_settings())
    settings.push_back(setting);
  return {
      .name = "streaming",
      .title = "Streaming",
      .summary = "Entropy computed while logits stream by, against the exact one",
      .paper_place = "appendix G",
      .help =
          "Entropies in nats. Right is H = log L - S/L with L = sum exp(e - m), S = sum exp(e - "
          "m)(e - m). Appendix G prints it with the sign turned around, and lets a new item in "
          "with the maximum before it; its uncentred sums also lose digits in float when the "
          "logits have an offset. The part attention is adaptive attention itself, in two "
          "passes over the keys and in memory proportional to n: over random queries, keys and "
          "values [heads, n, channels], with the time it takes, the mean entropy and beta of "
          "its rows, and how far up to 64 rows are off from the same in double.",
      .examples = {"streaming", "streaming --offset 10000 --json",
                   "streaming --logits head --sizes 16,1024,131072",
                   "streaming --part attention --backend cuda --numbers bf16 --channels 128",
                   "streaming --part attention --causal --lengths 256,1024,4096"},
      .theory = true,
      .heads = HeadUse::kByChoice,
      .of_backend = true,
      .settings = settings,
      .run = run,
  };
}

}  // namespace dispersion
