#pragma once

namespace dispersion {

// Lowers the priority of the calling thread, and of the threads that it starts from now on, so that
// the window and the threads that draw it come first where processors are few.
void give_way_to_window();

}  // namespace dispersion
