#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <list>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "app/window/image_clipboard.h"

namespace dispersion {
namespace {

using Clock = std::chrono::steady_clock;
using Bytes = std::shared_ptr<const std::string>;

constexpr auto kPatience = std::chrono::seconds(10);  // with a program that stops taking its pieces
constexpr std::size_t kMostPiece = 200'000;           // bytes in one request

struct DisplayCloser {
  void operator()(Display* display) const { XCloseDisplay(display); }
};
using DisplayHandle = std::unique_ptr<Display, DisplayCloser>;

// Windows of other programs go at any time, and Xlib's own answer to a request about one that is
// gone is to end the program. The handler is the process's, so it is put in place once; GLFW puts
// its own over it for a moment now and then, and that ignores other displays too.
int ignore_error(Display*, XErrorEvent*) {
  return 0;
}

// ICCCM, section 2.
struct Atoms {
  explicit Atoms(Display* display) {
    constexpr std::array<const char*, 6> kNames = {"CLIPBOARD", "TARGETS", "TIMESTAMP",
                                                   "image/png", "INCR",    "DISPERSION_TIME"};
    std::array<Atom, kNames.size()> atoms{};
    XInternAtoms(display, const_cast<char**>(kNames.data()), kNames.size(), False, atoms.data());
    clipboard = atoms[0];
    targets = atoms[1];
    timestamp = atoms[2];
    png = atoms[3];
    incr = atoms[4];
    time = atoms[5];
  }
  Atom clipboard, targets, timestamp, png, incr, time;
};

// A picture that is handed over in pieces, one for every time that the other side takes the last.
struct Transfer {
  ::Window to;
  Atom property;
  Bytes bytes;
  std::size_t sent = 0;
  Clock::time_point last = Clock::now();
};

class Selection {
 public:
  Selection(Display* display, int wake_signal)
      : display_(display),
        wake_signal_(wake_signal),
        atoms_(display),
        window_(XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0)),
        piece_(std::min(kMostPiece, static_cast<std::size_t>(XMaxRequestSize(display)) * 4 - 256)) {
    XSelectInput(display_, window_, PropertyChangeMask);
    XFlush(display_);
  }

  // From any thread; the caller notifies the wake signal.
  void offer(Bytes bytes) {
    std::lock_guard lock(mutex_);
    next_ = std::move(bytes);
  }

  void run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      handle_events();
      forget_the_silent();
      XFlush(display_);
      wait();
      ask_for_the_time();
    }
    if (owned_since_ != 0 && XGetSelectionOwner(display_, atoms_.clipboard) == window_)
      XSetSelectionOwner(display_, atoms_.clipboard, None, owned_since_);
    XDestroyWindow(display_, window_);
    XSync(display_, False);
  }

 private:
  void wait() {
    std::array<pollfd, 2> sources = {
        {{ConnectionNumber(display_), POLLIN, 0}, {wake_signal_, POLLIN, 0}}};
    poll(sources.data(), sources.size(), transfers_.empty() ? -1 : 1000);
    std::uint64_t rings = 0;
    if ((sources[1].revents & POLLIN) != 0 && read(wake_signal_, &rings, sizeof rings) < 0) return;
  }

  // A selection is owned from a moment of the server's clock on, which a change of a property
  // tells.
  void ask_for_the_time() {
    {
      std::lock_guard lock(mutex_);
      if (!next_) return;
      offered_ = std::exchange(next_, nullptr);
    }
    XChangeProperty(display_, window_, atoms_.time, XA_STRING, 8, PropModeAppend, nullptr, 0);
  }

  void handle_events() {
    while (XPending(display_) > 0) {
      XEvent event;
      XNextEvent(display_, &event);
      switch (event.type) {
        case PropertyNotify:
          handle_property(event.xproperty);
          break;
        case SelectionRequest:
          answer(event.xselectionrequest);
          break;
        case DestroyNotify:
          std::erase_if(transfers_, [&](const Transfer& transfer) {
            return transfer.to == event.xdestroywindow.window;
          });
          break;
        case SelectionClear:
          if (event.xselectionclear.selection == atoms_.clipboard) forget();
          break;
        default:
          break;
      }
    }
  }

  void handle_property(const XPropertyEvent& event) {
    if (event.window == window_) {
      if (event.atom != atoms_.time || !offered_) return;
      held_ = std::exchange(offered_, nullptr);
      owned_since_ = event.time;
      XSetSelectionOwner(display_, atoms_.clipboard, window_, owned_since_);
      return;
    }
    if (event.state != PropertyDelete) return;
    const auto found = std::ranges::find_if(transfers_, [&](const Transfer& transfer) {
      return transfer.to == event.window && transfer.property == event.atom;
    });
    if (found != transfers_.end() && send_piece(*found)) end(found);
  }

  void forget() {
    held_ = nullptr;
    owned_since_ = 0;
  }

  // Returns whether that was the last: one of no bytes.
  bool send_piece(Transfer& transfer) {
    const std::size_t size = std::min(piece_, transfer.bytes->size() - transfer.sent);
    put(transfer.to, transfer.property, transfer.bytes->data() + transfer.sent, size);
    transfer.sent += size;
    transfer.last = Clock::now();
    return size == 0;
  }

  void put(::Window to, Atom property, const char* data, std::size_t size) {
    XChangeProperty(display_, to, property, atoms_.png, 8, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(data), static_cast<int>(size));
  }

  void end(std::list<Transfer>::iterator transfer) {
    XSelectInput(display_, transfer->to, NoEventMask);
    transfers_.erase(transfer);
  }

  void forget_the_silent() {
    for (auto i = transfers_.begin(); i != transfers_.end();) {
      const auto next = std::next(i);
      if (Clock::now() - i->last > kPatience) end(i);
      i = next;
    }
  }

  void answer(const XSelectionRequestEvent& request) {
    // Programs from before the convention name no property and mean the target.
    const Atom property = request.property == None ? request.target : request.property;
    XSelectionEvent note = {};
    note.type = SelectionNotify;
    note.requestor = request.requestor;
    note.selection = request.selection;
    note.target = request.target;
    note.time = request.time;
    note.property = held_ && hand_over(request, property) ? property : None;
    XSendEvent(display_, request.requestor, False, NoEventMask, reinterpret_cast<XEvent*>(&note));
  }

  bool hand_over(const XSelectionRequestEvent& request, Atom property) {
    if (request.target == atoms_.targets) {
      const std::array<Atom, 3> all = {atoms_.targets, atoms_.timestamp, atoms_.png};
      XChangeProperty(display_, request.requestor, property, XA_ATOM, 32, PropModeReplace,
                      reinterpret_cast<const unsigned char*>(all.data()), all.size());
      return true;
    }
    if (request.target == atoms_.timestamp) {
      const long time = static_cast<long>(owned_since_);
      XChangeProperty(display_, request.requestor, property, XA_INTEGER, 32, PropModeReplace,
                      reinterpret_cast<const unsigned char*>(&time), 1);
      return true;
    }
    if (request.target != atoms_.png) return false;
    if (held_->size() <= piece_) {
      put(request.requestor, property, held_->data(), held_->size());
      return true;
    }
    // A window that is gone may have left its number to this one.
    std::erase_if(transfers_, [&](const Transfer& old) {
      return old.to == request.requestor && old.property == property;
    });
    XSelectInput(display_, request.requestor, PropertyChangeMask | StructureNotifyMask);
    const long size = static_cast<long>(held_->size());
    XChangeProperty(display_, request.requestor, property, atoms_.incr, 32, PropModeReplace,
                    reinterpret_cast<const unsigned char*>(&size), 1);
    transfers_.push_back({request.requestor, property, held_});
    return true;
  }

  Display* display_;
  int wake_signal_;
  Atoms atoms_;
  ::Window window_;
  std::size_t piece_;
  std::mutex mutex_;
  Bytes next_;     // from the window's thread
  Bytes offered_;  // until the server has told the time
  Bytes held_;     // what the clipboard holds
  Time owned_since_ = 0;
  std::list<Transfer> transfers_;
};

class X11ImageClipboard : public ImageClipboard {
 public:
  X11ImageClipboard(DisplayHandle display, int wake_signal)
      : display_(std::move(display)),
        wake_signal_(wake_signal),
        selection_(display_.get(), wake_signal) {
    handler_before_ = XSetErrorHandler(ignore_error);
    thread_ = std::jthread([this](const std::stop_token& stop) { selection_.run(stop); });
  }

  ~X11ImageClipboard() override {
    thread_.request_stop();
    notify();
    thread_.join();
    XSetErrorHandler(handler_before_);
    close(wake_signal_);
  }

  bool put(const Bytes& png) override {
    selection_.offer(png);
    return notify();
  }

 private:
  bool notify() const {
    const std::uint64_t one = 1;
    return write(wake_signal_, &one, sizeof one) == sizeof one;
  }

  DisplayHandle display_;  // used by the thread alone, once that runs
  int wake_signal_;
  Selection selection_;
  XErrorHandler handler_before_ = nullptr;
  std::jthread thread_;
};

}  // namespace

std::unique_ptr<ImageClipboard> x11_image_clipboard() {
  DisplayHandle display(XOpenDisplay(nullptr));
  if (!display) return nullptr;
  const int wake_signal = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake_signal < 0) return nullptr;
  return std::make_unique<X11ImageClipboard>(std::move(display), wake_signal);
}

}  // namespace dispersion
