#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/export/picture.h"
#include "app/session/export_settings.h"
#include "app/session/figure_snapshots.h"
#include "app/session/mailbox.h"

namespace dispersion {

// A figure and what is to be made of it.
struct ExportOrder {
  FigureSnapshot shown;
  const FigureFormat* format = &figure_format("png");
  ExportSettings settings = {};  // but for its format and path
};

// The bytes of its file. Throws std::invalid_argument for a size that cannot be, or for a format
// that the figure has nothing for.
std::string export_bytes(const ExportOrder& order);

// A look at what an order would give, for a box on screen.
struct PreviewOrder {
  std::uint64_t id = 0;
  ExportOrder order;
  int most_width = 0;  // pixels
  int most_height = 0;
};

struct Preview {
  std::uint64_t id = 0;
  Pixels pixels;          // of a picture, as large as fits the box
  std::string text;       // the beginning of anything else
  SheetSize sheet;        // of a picture
  std::size_t bytes = 0;  // of the file; 0: not known, of a picture
  std::string error;      // why there is none; the rest is empty then
};

enum class ExportKind {
  kSave,       // into the file, if there is none or it may be replaced
  kSaveAside,  // into the first free one of "name.png", "name 2.png", ...
  kMake,       // the bytes only, to be copied
};

struct ExportCommand {
  ExportKind kind = ExportKind::kSave;
  ExportOrder order;
  std::filesystem::path path = {};
  bool may_replace = false;
};

struct ExportOutcome {
  ExportKind kind = ExportKind::kSave;
  const FigureFormat* format = nullptr;
  bool done = false;
  bool exists = false;                       // there is something at the path already
  std::string error;                         // one line, else
  std::filesystem::path path;                // the file that was written
  std::shared_ptr<const std::string> bytes;  // of kMake
};

// Draws previews and writes files on a thread of its own. Of previews only the newest counts;
// commands are all carried out, in order, those that are waiting at the end too.
class ExportWorker {
 public:
  // `wake` is called from the worker's thread whenever there is a result; it must neither block nor
  // throw.
  explicit ExportWorker(std::function<void()> wake);
  ~ExportWorker();
  ExportWorker(const ExportWorker&) = delete;
  ExportWorker& operator=(const ExportWorker&) = delete;

  // Neither waits.
  void preview(PreviewOrder order);
  void send(ExportCommand command);

  std::optional<Preview> take_preview();
  std::vector<ExportOutcome> take_outcomes();

 private:
  void run(const std::stop_token& stop);
  void execute_all();

  std::function<void()> wake_;
  WakeSignal wake_signal_;
  Latest<PreviewOrder> previews_;
  Drain<ExportCommand> commands_;
  Latest<Preview> preview_;
  Drain<ExportOutcome> outcomes_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace dispersion
