// Linked where memory is watched: the drivers of OpenGL, which are unloaded with every window, stay
// loaded. What they keep for as long as the process lives is then no leak; that of an unloaded
// library is one, and of unknown origin.

#include <dlfcn.h>

extern "C" int dlclose(void* /*library*/) noexcept {
  return 0;
}
