#include "app/session/state_string.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "app/export/encodings.h"
#include "app/session/app_state.h"
#include "app/session/json_fields.h"
#include "app/session/kept_runs.h"
#include "app/session/state_json.h"
#include "app/session/training_stop.h"
#include "core/io/file.h"
#include "core/io/json.h"

namespace dispersion {
namespace {

constexpr std::string_view kProgram = "dispersion-lab:";
constexpr const char* kName = "the state";  // what errors call it
constexpr JsonLimits kLimits = {.bytes = kLongestState, .depth = 12, .values = 1 << 16};

std::string_view without_spaces(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

std::string json_of(std::string_view text) {
  if (text.size() > kLongestState) {
    throw FileError(kName, "has " + std::to_string(text.size()) + " characters; expected at most " +
                               std::to_string(kLongestState));
  }
  if (!text.starts_with(kStateBegin)) {
    throw FileError(kName, text.starts_with(kProgram)
                               ? "is of another version of the program, which this one cannot read"
                               : "should begin with " + std::string(kStateBegin));
  }
  std::optional<std::string> json = from_base64url(text.substr(kStateBegin.size()));
  if (!json) throw FileError(kName, "is not whole: a character is missing or wrong");
  return *std::move(json);
}

// The files in which the head of this state may be, that of its own bookmark first.
std::vector<std::filesystem::path> files_to_search(const AppState& app, std::string_view state) {
  std::vector<std::filesystem::path> files;
  if (app.bookmarks) {
    for (const Bookmark& bookmark : *app.bookmarks)
      files.insert(bookmark.state == state ? files.begin() : files.end(),
                   bookmark_head(app.bookmarks_folder, bookmark.id));
  }
  files.insert(files.end(), app.kept_runs.begin(), app.kept_runs.end());
  for (const RecentFile& recent : app.files.recent) {
    if (recent.there) files.push_back(recent.path);
  }
  return files;
}

}  // namespace

std::string encode_state(const UserSettings& settings, const HeadName& head) {
  const nlohmann::ordered_json json = {
      {"view", view_json(settings.view)},
      {"run", run_json(settings.run)},
      {"experiments", experiments_json(settings.experiments, settings.view.view)},
      {"zooms", zooms_json(settings.zooms)},
      {"head", head_json(head)}};
  // What is no UTF-8 in the name of a file cannot be in JSON.
  return std::string(kStateBegin) +
         base64url(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

DeskState decode_state(std::string_view text) {
  const JsonDocument document(kName, json_of(without_spaces(text)), kLimits);
  const JsonValue root = document.root();
  DeskState state;
  for (const std::string& key : root.keys()) {
    const JsonValue value = root.at(key);
    if (key == "view") {
      read_view(value, state.settings.view);
    } else if (key == "run") {
      read_run(value, state.settings.run);
    } else if (key == "experiments") {
      read_experiments(value, state.settings.experiments);
    } else if (key == "zooms") {
      read_zooms(value, state.settings.zooms);
    } else if (key == "head") {
      read_head(value, state.head);
    } else {
      value.refuse(kUnknownField);
    }
  }
  return state;
}

HeadName head_name(const AppState& app) {
  if (!app.head.state) return {};
  return named_head(app.status.head_source, app.status.has_run, app.status.recipe, *app.head.state,
                    app.status.steps_before);
}

bool head_is_kept(const AppState& app) {
  if (!app.head.state || app.status.saved) return true;
  const std::string hash = head_name(app).run_hash;
  const auto has_it = [&hash](const Bookmark& bookmark) {
    try {
      return decode_state(bookmark.state).head.run_hash == hash;
    } catch (const FileError&) {
      return false;  // of another version
    }
  };
  return app.bookmarks && std::ranges::any_of(*app.bookmarks, has_it);
}

std::string state_string(const AppState& app) {
  return encode_state(user_settings(app), head_name(app));
}

void know_kept_heads(AppState& app, const HeadPlaces& places) {
  app.bookmarks_folder = places.bookmarks;
  BookmarkList bookmarks = read_bookmarks(places.bookmarks);
  for (std::string& trouble : bookmarks.troubles)
    add_report(app, {.ok = false, .text = std::move(trouble)});
  app.bookmarks = std::make_shared<const std::vector<Bookmark>>(std::move(bookmarks.all));
  app.kept_runs = kept_runs(places.runs);
  if (places.recent.empty()) return;
  RecentFiles recent = load_recent_files(places.recent);
  if (!recent.notice.empty()) add_report(app, {.ok = false, .text = std::move(recent.notice)});
  app.files.recent = std::move(recent.files);
}

bool open_state(AppState& app, Session& session, std::string_view text) {
  DeskState state;
  try {
    state = decode_state(text);
  } catch (const FileError& error) {
    add_report(app, {.ok = false, .text = error.what()});
    return false;
  }
  put_settings(state.settings, app);
  follow_stop(app);
  if (!state.head.run_hash.empty())
    session.send(FindHeadCommand{state.head, app.shipped, files_to_search(app, text)});
  app.undo.hold(state.settings.run, session.commands_sent());
  return true;
}

}  // namespace dispersion
