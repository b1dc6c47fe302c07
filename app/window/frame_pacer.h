#pragma once

namespace dispersion {

// Decides when the next frame is due, so that an idle window costs nothing, a hand on the mouse is
// answered at once, and training does not pay for more pictures than an eye needs. Times in seconds
// of one steady clock.
class FramePacer {
 public:
  // The user did something: draw now, and a few frames more, because a click shows its effect in
  // the frame after; then look now and then for tooltips that wait for a resting pointer.
  void input(double now);
  // The worker has news: draw soon.
  void update_arrived() { update_arrived_ = true; }
  // Something on screen moves by itself until this time.
  void animate_until(double time);
  // Something on screen changes by itself once, at this time.
  void draw_at(double time);
  void drawn(double now);
  // What was drawn is not the last of it: once more, however long that took.
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
