#include "app/panels/path_entry.h"

#include <algorithm>
#include <system_error>

#include "app/session/head_name.h"
#include "app/session/run_status.h"
#include "app/session/user_files.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

std::string home() {
  const std::string text = home_folder().native();
  return text == "/" ? "" : text;
}

// With a "/" at its end.
std::string folder_text(const fs::path& folder) {
  std::string text = shown_path(folder);
  if (!text.ends_with('/')) text += '/';
  return text;
}

// What was typed, in full, with "~/" replaced by the home folder.
fs::path typed_folder(std::string text) {
  if (text.starts_with("~/") && !home().empty()) text.replace(0, 1, home());
  std::error_code error;
  const fs::path full = fs::absolute(text.empty() ? "." : text, error);
  fs::path folder = error ? fs::path(text) : full.lexically_normal();
  return folder.has_filename() ? folder : folder.parent_path();
}

// The text up to its last "/" and behind it.
std::string_view folder_part(std::string_view text) {
  return text.substr(0, text.rfind('/') + 1);
}

void put_text(PathEntry& entry, std::string_view text) {
  const std::size_t length = std::min(text.size(), entry.text.size() - 1);
  *std::copy_n(text.data(), length, entry.text.data()) = '\0';
  entry.overwrite = false;
  entry.error.clear();
}

bool is_listed_folder(const FolderListing& listing, const fs::path& folder, const fs::path& name) {
  return listing.folder == folder &&
         std::ranges::any_of(listing.entries, [&](const FolderEntry& each) {
           return each.folder && each.name == name.native();
         });
}

}  // namespace

std::string shown_path(const fs::path& path) {
  const std::string text = visible_text(path.native());
  const std::string start = home();
  if (start.empty() || !text.starts_with(start)) return text;
  if (text.size() == start.size()) return "~/";
  return text[start.size()] == '/' ? "~" + text.substr(start.size()) : text;
}

fs::path entry_folder(const PathEntry& entry) {
  const std::string text(folder_part(entry.text.data()));
  if (entry.chosen_folder.empty()) return typed_folder(text);
  const std::string chosen = folder_text(entry.chosen_folder);
  if (!text.starts_with(chosen)) {
    // A name alone is one in the folder whose list was shown.
    const bool whole = text.starts_with('/') || text.starts_with("~/");
    return typed_folder(whole ? text : (entry.chosen_folder / text).string());
  }
  const std::string rest = text.substr(chosen.size());
  return rest.empty() ? entry.chosen_folder : typed_folder(entry.chosen_folder / rest);
}

fs::path entry_name(const PathEntry& entry) {
  const std::string_view text = entry.text.data();
  const std::string_view name = text.substr(folder_part(text).size());
  return name == visible_text(entry.chosen_name.native()) ? entry.chosen_name : fs::path(name);
}

void set_entry(PathEntry& entry, const fs::path& folder, const fs::path& name) {
  entry.chosen_folder = folder;
  entry.chosen_name = name;
  put_text(entry, folder_text(folder) + visible_text(name.native()));
}

void set_entry(PathEntry& entry, const fs::path& file) {
  set_entry(entry, file.parent_path(), file.filename());
}

void enter_folder(PathEntry& entry, const fs::path& folder) {
  const bool save = entry.purpose == PathEntry::Purpose::kSave;
  set_entry(entry, folder, save ? entry_name(entry) : fs::path());
}

void confirm_entry(AppState& app, Session& session, PanelState& state) {
  PathEntry& entry = state.entry;
  if (entry.asked != 0) return;
  const fs::path folder = entry_folder(entry);
  const fs::path name = entry_name(entry);
  if (name.empty()) {
    entry.error = entry.purpose == PathEntry::Purpose::kOpen ? "choose a file, or type its name"
                                                             : "type a name for the file";
    return;
  }
  if (is_listed_folder(app.files.listing, folder, name)) {
    set_entry(entry, folder / name, {});
    return;
  }
  const fs::path path = folder / name;
  std::error_code error;
  if (entry.purpose == PathEntry::Purpose::kSave && !entry.overwrite && fs::exists(path, error)) {
    entry.overwrite = true;
    entry.error.clear();
    return;
  }
  entry.asked = ++state.entries_sent;
  if (entry.purpose == PathEntry::Purpose::kOpen) {
    session.send(OpenCommand{path, entry.asked});
  } else {
    session.send(SaveCommand{path, entry.overwrite, entry.asked});
  }
}

void open_shipped(AppState& app, Session& session, PanelState& state, std::size_t index) {
  const ExperimentHead& head = app.shipped->heads[index];
  FindHeadCommand open;
  open.head = named_head(shipped_head_text(*head.state), head.has_run, head.recipe, *head.state);
  open.shipped = app.shipped;
  open.id = state.entry.asked = ++state.entries_sent;
  session.send(std::move(open));
}

std::string shipped_text(const ExperimentHead& head) {
  return seed_and_step(*head.state, head.steps_before);
}

}  // namespace dispersion
