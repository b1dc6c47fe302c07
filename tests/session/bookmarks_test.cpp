// States of the window that are kept under a name, with their heads.

#include "app/session/bookmarks.h"

#include <fstream>

#include "app/session/app_state.h"
#include "app/session/head_name.h"
#include "app/session/shipped_data.h"
#include "app/session/state_string.h"
#include "core/io/file.h"
#include "tests/session/session_fixture.h"

namespace dispersion {
namespace {

namespace fs = std::filesystem;

class BookmarksTest : public SessionTest {
 protected:
  testing::AssertionResult reaches(const std::function<bool()>& true_now) {
    return arrives([&] {
      receive(app_, *session_);
      return session_->answered(app_.status) && true_now();
    });
  }
  Session& begin(std::uint32_t seed) {
    Session& session = open(weights_with_moments(seed));
    app_.bookmarks_folder = folder_;
    EXPECT_TRUE(reaches([&] { return app_.head.state != nullptr; }));
    return session;
  }
  void add(Session& session, const std::string& name) {
    BookmarkCommand command;
    command.folder = folder_;
    command.bookmark.name = name;
    command.bookmark.note = "why \"it\" matters\nθ = ½";
    command.bookmark.state = state_string(app_);
    session.send(command);
  }
  // SessionTest::pump() would take what receive() is to get.
  testing::AssertionResult arrives(const std::function<bool()>& true_now) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < limit) {
      if (true_now()) return testing::AssertionSuccess();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return testing::AssertionFailure() << "still waiting";
  }

  AppState app_;
};

TEST_F(BookmarksTest, KeepAStateWithItsHead) {
  Session& session = begin(3);
  session.send(PlayCommand{.stop_at = 30});
  ASSERT_TRUE(reaches([&] { return app_.status.step == 30; }));
  const std::string hash = app_.status.run_hash;
  app_.view.theta = 0.1 + 0.2;
  const UserSettings kept = user_settings(app_);
  add(session, "before the fall");
  ASSERT_TRUE(reaches([&] { return app_.bookmarks && app_.bookmarks->size() == 1; }));
  const Bookmark bookmark = app_.bookmarks->front();
  EXPECT_EQ(bookmark.name, "before the fall");
  EXPECT_EQ(bookmark.note, "why \"it\" matters\nθ = ½");
  EXPECT_TRUE(bookmark.head.starts_with("seed 3, step 30")) << bookmark.head;
  EXPECT_TRUE(decode_state(bookmark.state).settings == kept);
  EXPECT_EQ(decode_state(bookmark.state).head.run_hash, hash);

  // In another session, which knows nothing but the folder.
  app_ = AppState();
  Session& other = begin(5);
  const BookmarkList list = read_bookmarks(folder_);
  ASSERT_EQ(list.all.size(), 1u);
  EXPECT_EQ(list.all.front(), bookmark);
  app_.bookmarks = std::make_shared<const std::vector<Bookmark>>(list.all);
  open_state(app_, other, bookmark.state);
  ASSERT_TRUE(reaches([&] { return app_.status.run_hash == hash; }));
  EXPECT_EQ(app_.view.theta, 0.1 + 0.2);
  EXPECT_EQ(app_.status.head_source, "a test");
  EXPECT_EQ(app_.status.began, "opened a test");
  other.send(PlayCommand{.stop_at = 31});  // with its moments
  ASSERT_TRUE(reaches([&] { return app_.status.step == 31; }));
}

TEST_F(BookmarksTest, CountAllStepsOfAHeadThatWasTrainedOn) {
  Session& session = open(weights_only(5000));
  app_.bookmarks_folder = folder_;
  ASSERT_TRUE(reaches([&] { return app_.head.state != nullptr; }));
  session.send(PlayCommand{.stop_at = 5030});
  ASSERT_TRUE(reaches([&] { return app_.status.step == 30 && app_.head.state->step == 30; }));
  add(session, "further");
  ASSERT_TRUE(reaches([&] { return app_.bookmarks && app_.bookmarks->size() == 1; }));
  const Bookmark bookmark = app_.bookmarks->front();
  EXPECT_TRUE(bookmark.head.starts_with("seed 1, step 5\u2009030, ")) << bookmark.head;
  const HeadName named = decode_state(bookmark.state).head;
  EXPECT_EQ(named.step, 30);  // that of the state with the hash
  EXPECT_EQ(named.steps_before, 5000);
  EXPECT_TRUE(head_name_text(named).starts_with("seed 1, step 5\u2009030, "))
      << head_name_text(named);
}

TEST_F(BookmarksTest, NameAHeadOfTheProgramOnce) {
  Session& session = begin(3);
  const TrainingState state = start_training({}, 7);
  auto shipped = std::make_shared<ShippedData>();
  shipped->heads = {
      {shipped_head_text(state), {}, std::make_shared<const TrainingState>(state), true}};
  FindHeadCommand find;
  find.head = named_head(shipped_head_text(state), true, {}, state);
  find.shipped = shipped;
  session.send(find);
  ASSERT_TRUE(reaches([&] { return app_.head.state && app_.head.state->seed == 7; }));
  add(session, "of the program");
  ASSERT_TRUE(reaches([&] { return app_.bookmarks && app_.bookmarks->size() == 1; }));
  EXPECT_EQ(app_.bookmarks->front().head, shipped_head_text(state));
}

TEST_F(BookmarksTest, AreRenamedAndRemoved) {
  Session& session = begin(3);
  add(session, "one");
  add(session, "two");
  ASSERT_TRUE(reaches([&] { return app_.bookmarks && app_.bookmarks->size() == 2; }));
  Bookmark changed = app_.bookmarks->front();
  changed.name = "three";
  session.send(BookmarkCommand{BookmarkCommand::Act::kChange, folder_, changed});
  ASSERT_TRUE(reaches([&] { return app_.bookmarks->front().name == "three"; }));
  EXPECT_EQ(app_.bookmarks->front(), changed);
  session.send(BookmarkCommand{BookmarkCommand::Act::kRemove, folder_, changed});
  ASSERT_TRUE(reaches([&] { return app_.bookmarks->size() == 1; }));
  EXPECT_FALSE(fs::exists(bookmark_head(folder_, changed.id)));
  EXPECT_TRUE(fs::exists(bookmark_head(folder_, app_.bookmarks->front().id)));
}

TEST_F(BookmarksTest, OneThatAnotherWindowHasRemovedIsToldAndLeavesTheList) {
  Session& session = begin(3);
  add(session, "one");
  ASSERT_TRUE(reaches([&] { return app_.bookmarks && app_.bookmarks->size() == 1; }));
  const Bookmark bookmark = app_.bookmarks->front();
  remove_bookmark(folder_, bookmark.id);
  session.send(BookmarkCommand{BookmarkCommand::Act::kChange, folder_, bookmark});
  ASSERT_TRUE(reaches([&] { return app_.bookmarks->empty() && !app_.reports.empty(); }));
  EXPECT_NE(app_.reports.back().text.find("is not there any more"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(BookmarksTest, AHeadWhoseTextCannotBeWrittenIsNotLeftBehind) {
  Session& session = begin(3);
  const fs::path text = folder_ / "bookmark1.json";
  fs::create_symlink(folder_ / "no such folder" / "text.json", text);
  add(session, "one");
  ASSERT_TRUE(reaches([&] { return !app_.reports.empty(); }));
  EXPECT_FALSE(app_.reports.back().ok);
  EXPECT_FALSE(fs::exists(bookmark_head(folder_, "bookmark1")));
}

TEST_F(BookmarksTest, AFolderIsNoBrokenOne) {
  fs::create_directories(folder_ / "mine.json");
  const BookmarkList list = read_bookmarks(folder_);
  EXPECT_TRUE(list.all.empty());
  EXPECT_TRUE(list.troubles.empty());
  EXPECT_TRUE(fs::exists(folder_ / "mine.json"));
}

TEST_F(BookmarksTest, ABrokenOneIsSetAsideAndTold) {
  Session& session = begin(3);
  add(session, "whole");
  ASSERT_TRUE(reaches([&] { return app_.bookmarks && app_.bookmarks->size() == 1; }));
  for (const char* text : {"", "{", "[]", R"({"format":"something else"})",
                           R"({"format":"dispersion-lab-bookmark","name":7})"}) {
    std::ofstream(folder_ / "spoilt.json") << text;
    const BookmarkList list = read_bookmarks(folder_);
    EXPECT_EQ(list.all.size(), 1u) << text;
    ASSERT_EQ(list.troubles.size(), 1u) << text;
    EXPECT_NE(list.troubles.front().find("spoilt.json.bad"), std::string::npos);
    EXPECT_FALSE(fs::exists(folder_ / "spoilt.json"));
  }
}

TEST_F(BookmarksTest, AHeadThatIsGoneIsTrainedAgainAndTheSettingsCome) {
  Session& session = begin(3);
  session.send(StepCommand{});
  ASSERT_TRUE(reaches([&] { return app_.status.step == 1; }));
  app_.view.theta = 2;
  add(session, "mark");
  ASSERT_TRUE(reaches([&] { return app_.bookmarks && app_.bookmarks->size() == 1; }));
  const Bookmark bookmark = app_.bookmarks->front();
  fs::remove(bookmark_head(folder_, bookmark.id));
  app_ = AppState();
  Session& other = begin(5);
  open_state(app_, other, bookmark.state);
  ASSERT_TRUE(reaches([&] { return app_.status.seed == 3 && app_.status.step == 1; }));
  EXPECT_EQ(app_.view.theta, 2);
}

TEST_F(BookmarksTest, AHeadAmongTheRecentFilesIsFound) {
  Session& session = begin(3);
  session.send(StepCommand{});
  ASSERT_TRUE(reaches([&] { return app_.status.step == 1; }));
  const std::string hash = app_.status.run_hash;
  const std::string text = state_string(app_);
  session.send(SaveCommand{folder_ / "mine.safetensors"});
  ASSERT_TRUE(reaches([&] { return app_.status.file == folder_ / "mine.safetensors"; }));
  app_ = AppState();
  Session& other = begin(5);
  app_.files.recent = {{folder_ / "gone.safetensors", false}, {folder_ / "mine.safetensors"}};
  open_state(app_, other, text);
  ASSERT_TRUE(reaches([&] { return app_.status.run_hash == hash; }));
}

TEST_F(BookmarksTest, WithoutAFolderItIsSaid) {
  Session& session = begin(3);
  BookmarkCommand command;
  command.bookmark.state = state_string(app_);
  session.send(command);
  ASSERT_TRUE(reaches([&] { return !app_.reports.empty(); }));
  EXPECT_FALSE(app_.reports.back().ok);
  EXPECT_TRUE(read_bookmarks("").all.empty());
}

}  // namespace
}  // namespace dispersion
