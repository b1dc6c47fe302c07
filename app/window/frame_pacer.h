#pragma once

namespace dispersion {

// Decides when the next frame is due, so that an idle window costs nothing, input is answered at
// once, and drawing does not take more time from training than the eye needs. Times in seconds of
// one steady clock.
class FramePacer {
 public:
  // The user pressed or moved something: draw now, and a few frames more, because a click shows its
  // effect in the frame after; then a frame now and then for tooltips, which wait for the pointer
  // to rest.
  void input(double now);
  // The worker has published a result: draw soon.
  void update_arrived() { update_arrived_ = true; }
  // Something on screen moves by itself until this time.
  void animate_until(double time);
  // Something on screen changes by itself once, at this time.
  void draw_at(double time);
  void drawn(double now);
  // What was drawn is not final: draw once more, however long that took.
  void another_frame();

  bool due(double now) const;
  // How long to sleep before the next frame could be due.
  double sleep(double now) const;

 private:
  double next_frame(double now) const;

  double last_frame_ = -1e9;
  double last_input_ = -1e9;
  double animation_end_ = -1e9;
  double draw_at_ = -1e9;
  int owed_frames_ = 3;
  bool update_arrived_ = false;
};

}  // namespace dispersion
