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

// A figure and the file to make of it.
struct ExportOrder {
  FigureSnapshot shown;
  const FigureFormat* format = &figure_format("png");
  ExportSettings settings = {};  // its format and path are not used
};

// The bytes of the file. Throws std::invalid_argument for a size out of range, or for a format in
// which the figure cannot be written.
std::string export_bytes(const ExportOrder& order);

// An order for a preview of the file in a box on the screen.
struct PreviewOrder {
  std::uint64_t id = 0;
  ExportOrder order;
  int most_width = 0;  // pixels
  int most_height = 0;
};

struct Preview {
  std::uint64_t id = 0;
  Pixels pixels;          // of a picture, as large as fits the box
  std::string text;       // of another kind of file, its beginning
  SheetSize sheet;        // of a picture
  std::size_t bytes = 0;  // size of the file; 0: not known, since it is a picture
  std::string error;      // why there is no preview; then the rest is empty
};

enum class ExportKind {
  kSave,       // writes the file, unless it exists and may not be replaced
  kSaveAside,  // writes the first of "name.png", "name 2.png", ... that does not exist
  kMake,       // makes the bytes for a copy, and no file
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
  bool exists = false;                       // not done because the file exists
  std::string error;                         // else why not, in one line
  std::filesystem::path path;                // the file that was written
  std::shared_ptr<const std::string> bytes;  // of kMake
};

// Draws previews and writes files on a thread of its own. Of preview orders only the newest counts.
// Commands are all carried out, in order, even those that are still waiting at destruction.
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
  std::jthread thread_;  // the last member, so that it is joined before the others are destroyed
};

}  // namespace dispersion
