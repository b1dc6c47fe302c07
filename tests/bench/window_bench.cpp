// How fast the window is: the program as it is, on a software renderer without a display, at 1280 x
// 800. Prints figures beside what they are meant to stay under, and asserts none.
// Usage: window_bench [SECONDS of each measurement]

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "app/commands/chosen_backend.h"
#include "app/commands/command_inputs.h"
#include "app/panels/lab.h"
#include "core/cpu/cpu_backend.h"

namespace dispersion::bench {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Of this process with all its threads, or of this thread.
double processor_seconds(int whose = RUSAGE_SELF) {
  rusage used = {};
  getrusage(whose, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

void print(const std::string& what, const std::string& figures, const std::string& meant = "") {
  std::printf("%-44s %-44s %s\n", what.c_str(), figures.c_str(), meant.c_str());
  std::fflush(stdout);
}

std::string milliseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f ms", 1e3 * seconds);
  return text;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::string spread_text(std::vector<double> seconds) {
  if (seconds.empty()) return "none";
  std::ranges::sort(seconds);
  const auto at = [&](double share) {
    return milliseconds(
        seconds[static_cast<std::size_t>(share * static_cast<double>(seconds.size() - 1))]);
  };
  return "median " + at(0.5) + ", 90 % " + at(0.9) + ", worst " + at(1);
}

// A window on a screen is shown when it is drawn: frames do not pile up behind a renderer. Without
// a display nothing waits, until a heat map is renewed and waits for all of them at once.
void finish_drawing() {
  const auto finish = reinterpret_cast<void (*)()>(glfwGetProcAddress("glFinish"));
  finish();
}

class WindowBench {
 public:
  explicit WindowBench(double seconds) : seconds_(seconds) {}

  void run() {
    start();
    settle();
    print_frames("a frame with nothing to compute");
    slider();
    frames_while_training();
    steps();
    idle();
  }

 private:
  void open() {
    LabOptions options;
    options.platform = WindowPlatform::kHeadless;
    options.size = {1280, 800};
    options.shipped = shipped_data();
    Checkpoint head = load_head({}).checkpoint;
    options.earlier = head_history({}, head);
    lab_ = std::make_unique<Lab>(options, window_backends(), std::move(head), "the trained head");
    lab_->after_drawing = finish_drawing;
  }

  // Until the picture of the trained head is there.
  void start() {
    const auto begin = Clock::now();
    open();
    lab_->frame();
    print("start to the first frame", milliseconds(since(begin)), "under 1000 ms");
    until([this] { return lab_->app().snapshot != nullptr; });
    print("start to the first frame with heat maps", milliseconds(since(begin)));
    until([this] { return whole(); });
  }

  // Frames at the pace of the window while the user acts, until the condition holds.
  template <class Condition>
  void until(Condition condition) {
    while (!condition()) {
      lab_->window().wait(1.0 / 60);
      lab_->frame();
    }
  }

  bool whole() {
    const AppState& app = lab_->app();
    return app.snapshot && !app.stale() && app.snapshot->complete;
  }

  // More sets are measured for a while: until no news has come for three seconds.
  void settle() {
    const void* newest = nullptr;
    auto changed = Clock::now();
    until([&] {
      if (lab_->app().snapshot.get() != newest) changed = Clock::now();
      newest = lab_->app().snapshot.get();
      return since(changed) > 3;
    });
  }

  // All heat maps, n from 16 to 16,384, of another temperature.
  void slider() {
    std::vector<double> seconds;
    const auto end = Clock::now();
    for (double theta = 0.3; since(end) < seconds_; theta = theta > 2 ? 0.3 : theta + 0.01) {
      lab_->app().view.theta = theta;
      const auto begin = Clock::now();
      lab_->frame();
      const std::uint64_t asked = lab_->app().requested_revision;
      until([&] {
        const auto& snapshot = lab_->app().snapshot;
        return snapshot && snapshot->revision >= asked;
      });
      seconds.push_back(since(begin));
    }
    print("slider of the temperature to the picture", spread_text(seconds), "under 50 ms");
  }

  // The loop of the program, which closes it in the end, with nothing to do.
  void idle() {
    lab_.reset();  // there is one window at a time
    open();
    until([this] { return whole(); });
    settle();
    double share = 0;
    std::jthread watching([&] {
      const auto sleep = [](double seconds) {
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
      };
      sleep(2);  // the loop draws a few frames when it begins
      const double before = processor_seconds();
      const auto begin = Clock::now();
      sleep(seconds_ + 2);
      share = 100 * (processor_seconds() - before) / since(begin);
      lab_->window().close();
    });
    lab_->run();
    watching.join();
    char text[64];
    std::snprintf(text, sizeof text, "%.2f %% of a core", share);
    print("idle", text, "under 1 %");
  }

  // Beside the time that a frame takes, that on the processor, which does not depend on what else
  // the machine does: of its own thread, and of all others, which draw the picture before and
  // compute.
  void print_frames(const std::string& what) {
    std::vector<double> seconds;
    std::vector<double> on_processor;
    std::vector<double> elsewhere;
    const auto end = Clock::now();
    while (since(end) < seconds_) {
      const double all_before = processor_seconds();
      const double thread_before = processor_seconds(RUSAGE_THREAD);
      lab_->window().wait(1.0 / 60);
      const auto begin = Clock::now();
      const double before = processor_seconds(RUSAGE_THREAD);
      lab_->frame();
      const double own = processor_seconds(RUSAGE_THREAD) - thread_before;
      elsewhere.push_back(processor_seconds() - all_before - own);
      on_processor.push_back(processor_seconds(RUSAGE_THREAD) - before);
      seconds.push_back(since(begin));
    }
    print(what, spread_text(std::move(seconds)), "under 33 ms");
    print("  all other threads, mean", milliseconds(mean(elsewhere)));
    print("  its thread on the processor", spread_text(std::move(on_processor)));
  }

  void frames_while_training() {
    lab_->session().send(NewRunCommand{.recipe = {}, .seed = 1});
    lab_->session().send(PlayCommand{.stop_at = 1'000'000'000});
    until([this] { return lab_->app().status.step > 20; });
    for (const int items : {16, 1024, 16384}) {
      lab_->app().view.focused_items = items;
      print_frames("a frame while training, n = " + std::to_string(items));
    }
    set_shape(lab_->app().view, GridShape::kFour);
    print_frames("a frame while training, four views");
    set_shape(lab_->app().view, GridShape::kOne);
  }

  double steps_per_second(bool drawing) {
    const std::int64_t before = lab_->app().status.step;
    const auto begin = Clock::now();
    while (since(begin) < seconds_ + 1) {
      lab_->window().wait(1.0 / 15);
      if (drawing) {
        lab_->frame();
      } else {
        receive(lab_->app(), lab_->session());
      }
    }
    return static_cast<double>(lab_->app().status.step - before) / since(begin);
  }

  // The same steps without any window, in the same run.
  double steps_alone() {
    lab_->session().send(PauseCommand{});
    until([this] { return lab_->app().status.phase == RunPhase::kPaused; });
    const auto backend = make_cpu_backend();
    backend->load({}, {start_training({}, 1)});
    std::vector<StepRecord> records;
    int steps = 0;
    const auto begin = Clock::now();
    for (; since(begin) < seconds_ + 1; steps += 20)
      backend->train(20, records);
    return steps / since(begin);
  }

  void steps() {
    const double drawn = steps_per_second(true);
    send_changes(lab_->app(), lab_->session(), false);
    const double hidden = steps_per_second(false);
    const double alone = steps_alone();
    char text[96];
    std::snprintf(text, sizeof text, "%.0f with pictures, %.0f hidden, %.0f alone", drawn, hidden,
                  alone);
    print("training steps per second", text);
  }

  double seconds_;
  std::unique_ptr<Lab> lab_;
};

}  // namespace
}  // namespace dispersion::bench

int main(int argc, char** argv) {
  dispersion::bench::WindowBench(argc > 1 ? std::strtod(argv[1], nullptr) : 5).run();
  return 0;
}
