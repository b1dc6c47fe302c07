#include "app/window/frame_pacer.h"

#include <algorithm>

namespace dispersion {
namespace {

// In seconds.
constexpr double kIdleSleep = 1.0;
constexpr double kFrame = 1.0 / 60;        // while the user acts or something moves
constexpr double kUpdateFrame = 1.0 / 15;  // while training
constexpr double kRestingFrame = 0.1;      // for a while after input, so that tooltips appear
constexpr double kResting = 0.8;           // that while
constexpr int kFramesAfterInput = 3;

}  // namespace

void FramePacer::input(double now) {
  last_input_ = now;
  owed_frames_ = kFramesAfterInput;
}

void FramePacer::animate_until(double time) {
  animation_end_ = std::max(animation_end_, time);
}

void FramePacer::draw_at(double time) {
  draw_at_ = time;
}

void FramePacer::drawn(double now) {
  last_frame_ = now;
  update_arrived_ = false;
  at_once_ = false;
  if (owed_frames_ > 0) --owed_frames_;
}

void FramePacer::another_frame() {
  owed_frames_ = std::max(owed_frames_, 1);
}

double FramePacer::next_frame(double now) const {
  if (at_once_) return now;
  double next = now + kIdleSleep;
  if (update_arrived_) next = std::min(next, last_frame_ + kUpdateFrame);
  if (now < last_input_ + kResting) next = std::min(next, last_frame_ + kRestingFrame);
  if (last_frame_ < draw_at_) next = std::min(next, draw_at_);
  if (owed_frames_ > 0 || last_frame_ < animation_end_) next = std::min(next, last_frame_ + kFrame);
  return next;
}

bool FramePacer::due(double now) const {
  return next_frame(now) <= now;
}

double FramePacer::sleep(double now) const {
  return std::max(0.0, next_frame(now) - now);
}

}  // namespace dispersion
