#include "app/panels/actions.h"
#include "app/panels/actions_table.h"
#include "core/io/text.h"

namespace dispersion {
namespace {

constexpr const char* kFiles = "Files and copies";

}  // namespace

void add_file_actions(std::vector<Action>& all, const AppState& app) {
  all.push_back({.id = "file.open",
                 .group = kFiles,
                 .name = "Open a head",
                 .help = "Open a head from a file.",
                 .chords = {ImGuiMod_Ctrl | ImGuiKey_O},
                 .act = [](const Actor& a) {
                   ask_for_path(a.app, a.state.entry, PathEntry::Purpose::kOpen);
                 }});
  all.push_back({.id = "file.save",
                 .group = kFiles,
                 .name = "Save the head",
                 .help = "Save the head with its optimiser's state, to go on later bit for bit.",
                 .chords = {ImGuiMod_Ctrl | ImGuiKey_S},
                 .act = [](const Actor& a) {
                   ask_for_path(a.app, a.state.entry, PathEntry::Purpose::kSave);
                 }});
  all.push_back({.id = "figure.export",
                 .group = kFiles,
                 .name = "Export what is shown",
                 .help = "Export what is shown as a figure: PDF, SVG, PNG, CSV and more.",
                 .chords = {ImGuiMod_Ctrl | ImGuiKey_E},
                 .act = [](const Actor& a) { open_export(a.app); },
                 .reach = Reach::kDialog});
  all.push_back({.id = "file.folder",
                 .group = kFiles,
                 .name = "Open the folder of the last saved file",
                 .help = "Shows the file that was saved last in the desktop's file manager.",
                 .chords = {ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_E},
                 .act = [](const Actor& a) { open_saved_folder(a.app); },
                 .reach = Reach::kDialog,
                 .available = !app.saved.empty(),
                 .value = visible_text(app.saved.filename().native())});
  all.push_back({.id = "figure.copy_picture",
                 .group = kFiles,
                 .name = "Copy the figure as a picture",
                 .chords = {ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_C},
                 .act = [](const Actor& a) { copy_figure_image(a.app); },
                 .reach = Reach::kDialog});
  all.push_back({.id = "figure.copy_data",
                 .group = kFiles,
                 .name = "Copy the figure's data as CSV",
                 .chords = {ImGuiMod_Ctrl | ImGuiKey_D},
                 .act = [](const Actor& a) { copy_figure_data(a.app); },
                 .reach = Reach::kDialog});
  all.push_back({.id = "figure.copy_numbers",
                 .group = kFiles,
                 .name = "Copy every number",
                 .help = "All numbers that the window shows, with the settings they belong to.",
                 .chords = {ImGuiMod_Ctrl | ImGuiKey_C},
                 .act = [](const Actor& a) {
                   copy_text(a.state.painter, "everything", everything_shown(a.app, a.state));
                 }});
}

}  // namespace dispersion
