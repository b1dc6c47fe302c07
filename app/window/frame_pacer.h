#pragma once

namespace dispersion {

// Decides when the next frame is due: an idle window is hardly drawn, input is answered at once,
// and during training frames are rare enough to leave the processor to it. Times are in seconds of
// one steady clock.
class FramePacer {
 public:
  // The user pressed or moved something. The next frame is due now, and a few more after it,
  // because a click shows its effect one frame later; then some at intervals, because tooltips
  // appear only when the pointer has rested.
  void input(double now);
  // A worker has published a result, which is drawn soon.
  void update_arrived() { update_arrived_ = true; }
  // Something on screen moves by itself until this time.
  void animate_until(double time);
  // Something on screen changes once without input, at this time.
  void draw_at(double time);
  // A frame was drawn.
  void drawn(double now);
  // The frame that was just drawn was not final, so another is due, however long it took.
  void another_frame();
  // The frame that was just drawn has not seen all of the input: the next one is due now.
  void another_frame_at_once() { at_once_ = true; }

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
  bool at_once_ = false;
};

}  // namespace dispersion
