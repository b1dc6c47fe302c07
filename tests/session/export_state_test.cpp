// What the export dialog does, without a window: what is written, copied and previewed.

#include <string>

#include "app/export/provenance.h"
#include "core/experiment/dispersion.h"
#include "tests/session/export_fixture.h"

namespace dispersion {
namespace {

TEST_F(ExportStateTest, WritesTheFileThatTheExporterMakesAndSaysSo) {
  const std::string name = "ein Bild für 模型 🐨.svg";
  open(folder_ / name);
  EXPECT_EQ(exporting_.settings.format, &figure_format("svg"));
  exporting_.settings.family = FontFamily::kSerif;
  exporting_.save = true;
  ASSERT_TRUE(answered());
  EXPECT_FALSE(exporting_.open);
  EXPECT_EQ(read_bytes(folder_ / name), expected(figure_format("svg")));
  ASSERT_EQ(app_.reports.size(), 1U);
  EXPECT_TRUE(app_.reports[0].ok);
  EXPECT_NE(app_.reports[0].text.find(name), std::string::npos);
}

TEST_F(ExportStateTest, WritesTheFigureAndItsStyleIntoPictures) {
  for (const char* ending : {".png", ".svg", ".pdf", ".json"}) {
    open(folder_ / ("a" + std::string(ending)));
    use_style(exporting_.settings, "slide");
    exporting_.settings.theme = PrintTheme::kPrint;
    exporting_.save = true;
    ASSERT_TRUE(answered());
    const std::string bytes = read_bytes(folder_ / ("a" + std::string(ending)));
    const auto stored = stored_figure("a", bytes);
    ASSERT_TRUE(stored) << ending;
    EXPECT_EQ(stored->plots[0].series[0].y, a_figure().plots[0].series[0].y);
    EXPECT_EQ(provenance_value(stored->provenance, "look"), "--style slide --theme print");
    EXPECT_EQ(stored->provenance, stored_provenance("a", bytes));
  }
}

// Two sizes of attention, as the view in front has them.
std::shared_ptr<const ViewSnapshot> two_sizes() {
  auto shown = std::make_shared<ViewSnapshot>();
  shown->sizes = {16, 32};
  shown->transforms = {{{.id = TransformId::kSoftmax}, {}}, {{.id = TransformId::kAdaptive}, {}}};
  for (const int items : shown->sizes) {
    const ItemSets sets = frame_sets(1, items);
    const FrameLogits logits = make_frame_logits(
        sets, std::vector<float>(static_cast<std::size_t>(kFrameSets * items), 1));
    for (TransformFrames& each : shown->transforms)
      each.frames.push_back(apply_transform(logits, each.transform));
    shown->frame_step.push_back(7);
    shown->frame_run.push_back(1);
  }
  return shown;
}

TEST_F(ExportStateTest, AnimatesTheDoublingOfWhatIsShown) {
  app_.view.view = View::kAttention;
  app_.snapshot = two_sizes();
  for (const FigureFormat* format : {&figure_format("gif"), &figure_format("apng")}) {
    const std::string path = folder_ / ("a." + std::string(format->ending));
    open(path);
    EXPECT_EQ(exporting_.settings.format, format);
    use_style(exporting_.settings, "slide");
    exporting_.box = {400, 300};
    const FigureSnapshot shown = *exporting_.figure();
    ASSERT_TRUE(shown.frames);
    ASSERT_EQ(shown.frames->size(), 2U);
    EXPECT_EQ(shown.frames->back().grids.front().strips.size(), 2U);
    EXPECT_EQ(shown.frames->back().provenance, shown.figure->provenance);
    ASSERT_TRUE(until([&] { return exporting_.preview.id != 0; }));
    EXPECT_EQ(exporting_.preview.error, "");
    EXPECT_EQ(exporting_.preview.pixels.width, 400);
    exporting_.save = true;
    ASSERT_TRUE(answered());
    EXPECT_EQ(read_bytes(path),
              animation_bytes(*shown.frames, *format,
                              export_render_options(exporting_.settings, shown), {}));
  }
}

// A still picture was written without a word.
TEST_F(ExportStateTest, AnAnimatedPngStaysOneWhenItsNameEndsInPng) {
  app_.view.view = View::kAttention;
  app_.snapshot = two_sizes();
  open(folder_ / "a.gif");
  format_chosen(exporting_, figure_format("apng"));
  exporting_.settings.path = folder_ / "a.png";
  path_typed(exporting_);
  EXPECT_EQ(exporting_.settings.format, &figure_format("apng"));
  exporting_.save = true;
  ASSERT_TRUE(answered());
  EXPECT_NE(read_bytes(folder_ / "a.png").find("acTL"), std::string::npos);
  // Another ending still says what is meant.
  open(folder_ / "a.svg");
  EXPECT_EQ(exporting_.settings.format, &figure_format("svg"));
}

// Not before all of it is there.
TEST_F(ExportStateTest, AnAnimationNeedsEverySize) {
  app_.view.view = View::kAttention;
  auto shown = std::make_shared<ViewSnapshot>(*two_sizes());
  shown->transforms[0].frames[1] = {};
  app_.snapshot = shown;
  open(folder_ / "a.gif");
  EXPECT_FALSE(exporting_.figure()->frames);
  EXPECT_NE(exporting_.settings.format, &figure_format("gif"));
}

TEST_F(ExportStateTest, SaysWhereTheFigureCameFrom) {
  open(folder_ / "a.json");
  const Provenance& provenance = exporting_.figure()->figure->provenance;
  EXPECT_EQ(provenance[0], (std::pair<std::string, std::string>("program", "dispersion_lab")));
  EXPECT_EQ(provenance[1].first, "version");
  EXPECT_EQ(provenance[2].first, "commit");
  EXPECT_EQ(exporting_.figure()->figure->name, "spread");
}

TEST_F(ExportStateTest, CopiesThePictureAndTheData) {
  copy_figure_image(app_);
  ASSERT_TRUE(until([&] { return !image_.empty(); }));
  EXPECT_EQ(image_, expected(figure_format("png")));
  copy_figure_data(app_);
  ASSERT_TRUE(until([&] { return !text_.empty(); }));
  EXPECT_EQ(text_, expected(figure_format("csv")));
  EXPECT_FALSE(exporting_.open);
  ASSERT_EQ(app_.reports.size(), 2U);
  EXPECT_TRUE(app_.reports[0].ok && app_.reports[1].ok);
}

TEST_F(ExportStateTest, SavesThePictureAndCopiesItsPathWhereNoClipboardTakesIt) {
  takes_images_ = false;
  write_bytes(folder_ / "spread.png", "somebody's");
  open(folder_ / "something.pdf");
  exporting_.copy_image = true;
  ASSERT_TRUE(until([&] { return !text_.empty(); }));
  EXPECT_EQ(text_, (folder_ / "spread 2.png").string());
  EXPECT_EQ(read_bytes(text_), expected(figure_format("png")));
  EXPECT_EQ(read_bytes(folder_ / "spread.png"), "somebody's");
  EXPECT_TRUE(exporting_.notice_good);
  EXPECT_NE(exporting_.notice.find("No clipboard here takes pictures"), std::string::npos);
  EXPECT_NE(exporting_.notice.find(text_), std::string::npos);
}

TEST_F(ExportStateTest, ACopyWhoseFigureIsGoneIsToldWhereNoClipboardTakesIt) {
  takes_images_ = false;
  open(folder_ / "something.pdf");
  exporting_.copy_image = true;
  ASSERT_TRUE(until([&] { return exporting_.underway == 1; }));
  exporting_.open = false;
  exporting_.figures.clear();
  ASSERT_TRUE(until([&] { return exporting_.underway == 0; }));
  EXPECT_TRUE(text_.empty());
  ASSERT_FALSE(app_.reports.empty());
  EXPECT_EQ(app_.reports.back().text, "No clipboard here takes pictures.");
}

TEST_F(ExportStateTest, SaysThatThereIsNothingYet) {
  app_.view.view = kBoundsView;
  open_export(app_);
  copy_figure_image(app_);
  copy_figure_data(app_);
  EXPECT_FALSE(exporting_.open || exporting_.copy_image || exporting_.copy_data);
  ASSERT_EQ(app_.reports.size(), 3U);
  EXPECT_FALSE(app_.reports[0].ok);
}

TEST_F(ExportStateTest, DrawsThePreviewInTheSizeOfItsBox) {
  open(folder_ / "a.pdf");
  exporting_.box = {640, 300};
  ASSERT_TRUE(until([&] { return exporting_.preview.id > 0 && !exporting_.preview_stale; }));
  const Pixels& pixels = exporting_.preview.pixels;
  const SheetSize& sheet = exporting_.preview.sheet;
  EXPECT_EQ(sheet.width_mm, 254);
  EXPECT_TRUE(pixels.width == 640 || pixels.height == 300);
  EXPECT_LE(pixels.width, 640);
  EXPECT_LE(pixels.height, 300);
  EXPECT_NEAR(pixels.width / static_cast<double>(pixels.height), sheet.width_mm / sheet.height_mm,
              0.01);
}

TEST_F(ExportStateTest, DrawsAnewOnceTheSettingsRest) {
  open(folder_ / "a.pdf");
  exporting_.box = {200, 100};
  ASSERT_TRUE(until([&] { return exporting_.preview.id == 1; }));
  // A row of changes, each sooner than the last has rested.
  for (int width = 100; width < 110; ++width) {
    exporting_.settings.width = width;
    now_ += 0.05;
    EXPECT_GT(update_export(app_, worker_, now_), now_);
    EXPECT_TRUE(exporting_.preview_stale);
  }
  ASSERT_TRUE(until([&] { return !exporting_.preview_stale; }));
  EXPECT_EQ(exporting_.preview.id, 2U);
  EXPECT_EQ(exporting_.preview.sheet.width_mm, 109);
  format_chosen(exporting_, figure_format("csv"));
  ASSERT_TRUE(until([&] { return exporting_.preview.id == 3; }));
  EXPECT_EQ(exporting_.preview.text, expected(figure_format("csv")));
  EXPECT_EQ(exporting_.preview.bytes, exporting_.preview.text.size());
}

TEST_F(ExportStateTest, FinishesTheFileThatIsUnderwayWhenTheWindowCloses) {
  {
    ExportWorker worker([] {});
    open(folder_ / "a.pdf");
    exporting_.save = true;
    update_export(app_, worker, now_);
  }
  EXPECT_EQ(read_bytes(folder_ / "a.pdf"), expected(figure_format("pdf")));
}

TEST_F(ExportStateTest, KeepsTheFiguresOfTheMomentInWhichItWasOpened) {
  open(folder_ / "a.csv");
  ExperimentResult other;
  other.figure.title = "Another one";
  app_.experiments.of(kSpreadView).result = std::make_shared<const ExperimentResult>(other);
  app_.view.view = kBoundsView;
  exporting_.save = true;
  ASSERT_TRUE(answered());
  EXPECT_NE(read_bytes(folder_ / "a.csv").find("A curve"), std::string::npos);
}

}  // namespace
}  // namespace dispersion
