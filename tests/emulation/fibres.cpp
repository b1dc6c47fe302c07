#include "fibres.h"

#include <ucontext.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include "cuda_runtime.h"
#include "early_launch.h"
#include "memory.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

thread_local dim3 threadIdx;
thread_local dim3 blockIdx;
thread_local dim3 blockDim;
thread_local dim3 gridDim;

// The bounds of the section that __shared__ puts its variables in; the linker makes them, if there
// is one.
extern "C" {
extern char __start_emulated_shared[] __attribute__((weak));
extern char __stop_emulated_shared[] __attribute__((weak));
}

namespace emulation {
namespace {

constexpr std::size_t kStackBytes = 128 * 1024;

// Where a fibre, or the scheduler, goes on.
struct Context {
  ucontext_t start;     // until it has begun
  void* place[5] = {};  // from then on, of __builtin_setjmp
  bool begun = false;
};

enum class State { kNew, kReady, kAtBarrier, kAtExchange, kAtKernelBefore, kDone };

struct Fibre {
  Context context;
  std::vector<char> stack;
  void* sanitizer_stack = nullptr;
  State state = State::kNew;
  dim3 index;
  unsigned lanes = 0;  // of the exchange it waits for
  alignas(16) unsigned char arriving[kExchangeBytes];
  alignas(16) unsigned char value[kExchangeBytes];
};

struct Scheduler {
  std::vector<Fibre> fibres;
  Context context;
  void* sanitizer_stack = nullptr;
  const void* stack_bottom = nullptr;
  std::size_t stack_size = 0;
  int count = 0;
  int current = -1;
  const std::function<void()>* thread = nullptr;
  std::exception_ptr failure;
  std::vector<unsigned char> shared;
  std::vector<ChangedByte> kernel_before;
  bool before_it = false;  // memory is as before that kernel
};

Scheduler scheduler;  // one grid runs at a time
Order order = Order::kForward;
std::uint32_t order_seed = 1;

// The sanitizer follows stacks; it must be told of every change.
void start_switch([[maybe_unused]] void** save, [[maybe_unused]] const void* bottom,
                  [[maybe_unused]] std::size_t size) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(save, bottom, size);
#endif
}

void finish_switch([[maybe_unused]] void* saved, [[maybe_unused]] const void** bottom,
                   [[maybe_unused]] std::size_t* size) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(saved, bottom, size);
#endif
}

// Without a call of the system but at the first start of a fibre: swapcontext makes two, and a
// sanitizer clears a whole stack for each. It is told of every change by others (start_switch,
// start_fibre).
[[noreturn, gnu::noinline, gnu::no_sanitize_address]] void go_on(Context& to) {
  __builtin_longjmp(to.place, 1);
}

[[gnu::noinline, gnu::no_sanitize_address]] void switch_context(Context& from, Context& to) {
  if (__builtin_setjmp(from.place) != 0) return;
  from.begun = true;
  if (to.begun) go_on(to);
  setcontext(&to.start);
}

// When a thread is through, its fibre gives up what the sanitizer keeps of it: the next may be
// resumed by another thread of the host. These two have no variables there.
[[gnu::no_sanitize_address]] void to_scheduler(bool done) {
  Fibre& self = scheduler.fibres[static_cast<std::size_t>(scheduler.current)];
  start_switch(done ? nullptr : &self.sanitizer_stack, scheduler.stack_bottom,
               scheduler.stack_size);
  switch_context(self.context, scheduler.context);
  finish_switch(done ? nullptr : self.sanitizer_stack, &scheduler.stack_bottom,
                &scheduler.stack_size);
}

void run_thread() {
  try {
    (*scheduler.thread)();
  } catch (...) {
    scheduler.failure = std::current_exception();
  }
}

// One thread after another: a new start costs as much as a short kernel.
[[gnu::no_sanitize_address]] void fibre_main() {
  finish_switch(nullptr, &scheduler.stack_bottom, &scheduler.stack_size);
  while (true) {
    run_thread();
    scheduler.fibres[static_cast<std::size_t>(scheduler.current)].state = State::kDone;
    to_scheduler(true);
  }
}

void resume(int index) {
  Fibre& fibre = scheduler.fibres[static_cast<std::size_t>(index)];
  scheduler.current = index;
  threadIdx = fibre.index;
  start_switch(&scheduler.sanitizer_stack, fibre.stack.data(), fibre.stack.size());
  switch_context(scheduler.context, fibre.context);
  finish_switch(scheduler.sanitizer_stack, nullptr, nullptr);
  scheduler.current = -1;
}

std::string place(const Fibre& fibre) {
  return "thread " + std::to_string(fibre.index.x) + " of block " + std::to_string(blockIdx.x) +
         ", " + std::to_string(blockIdx.y);
}

// All lanes that `fibre` waits for have come to the same exchange.
bool complete(int index) {
  const Fibre& fibre = scheduler.fibres[static_cast<std::size_t>(index)];
  const int first = index / kWarpLanes * kWarpLanes;
  for (int l = 0; l < kWarpLanes; ++l) {
    if (((fibre.lanes >> l) & 1u) == 0) continue;
    if (first + l >= scheduler.count) return false;
    const Fibre& other = scheduler.fibres[static_cast<std::size_t>(first + l)];
    if (other.state != State::kAtExchange || other.lanes != fibre.lanes) return false;
  }
  return true;
}

void release_exchange(int index) {
  const unsigned lanes = scheduler.fibres[static_cast<std::size_t>(index)].lanes;
  const int first = index / kWarpLanes * kWarpLanes;
  for (int l = 0; l < kWarpLanes; ++l) {
    if (((lanes >> l) & 1u) == 0) continue;
    Fibre& other = scheduler.fibres[static_cast<std::size_t>(first + l)];
    std::memcpy(other.value, other.arriving, kExchangeBytes);
    other.state = State::kReady;
  }
}

// Lets those go on that have all they waited for. False when nobody can, which is the end or a
// fault.
bool release() {
  bool any = false;
  int at_barrier = 0;
  for (int i = 0; i < scheduler.count; ++i) {
    const State state = scheduler.fibres[static_cast<std::size_t>(i)].state;
    if (state == State::kAtBarrier) ++at_barrier;
    if (state == State::kAtExchange && complete(i)) {
      release_exchange(i);
      any = true;
    }
  }
  if (at_barrier == scheduler.count) {
    for (int i = 0; i < scheduler.count; ++i)
      scheduler.fibres[static_cast<std::size_t>(i)].state = State::kReady;
    any = true;
  }
  return any;
}

void exchange_memory() {
  for (ChangedByte& byte : scheduler.kernel_before)
    std::swap(*byte.at, byte.other);
  scheduler.before_it = !scheduler.before_it;
}

// The kernel before is through when nobody can go on without it. False when it was already.
bool finish_kernel_before() {
  if (!scheduler.before_it) return false;
  exchange_memory();
  for (int i = 0; i < scheduler.count; ++i) {
    State& state = scheduler.fibres[static_cast<std::size_t>(i)].state;
    if (state == State::kAtKernelBefore) state = State::kReady;
  }
  return true;
}

void check_all_done() {
  for (int i = 0; i < scheduler.count; ++i) {
    const Fibre& fibre = scheduler.fibres[static_cast<std::size_t>(i)];
    if (fibre.state == State::kAtBarrier) {
      throw std::logic_error(place(fibre) + " waits at a barrier that not all threads reach");
    }
    if (fibre.state == State::kAtExchange) {
      throw std::logic_error(place(fibre) + " waits for lanes that do not come to its exchange");
    }
  }
}

std::vector<int> sequence(int count, std::uint32_t stream) {
  std::vector<int> indices(static_cast<std::size_t>(count));
  std::iota(indices.begin(), indices.end(), 0);
  if (order == Order::kBackward) std::reverse(indices.begin(), indices.end());
  if (order == Order::kShuffled) {
    std::mt19937 random(order_seed + stream);
    std::shuffle(indices.begin(), indices.end(), random);
  }
  return indices;
}

// At its beginning, wherever it was left.
void start_fibre(Fibre& fibre) {
  if (fibre.stack.empty()) {
    fibre.stack.resize(kStackBytes);
    getcontext(&fibre.context.start);
  }
#if defined(__SANITIZE_ADDRESS__)
  // Whoever was on it before left without returning.
  __asan_unpoison_memory_region(fibre.stack.data(), fibre.stack.size());
#endif
  ucontext_t& start = fibre.context.start;
  start.uc_stack.ss_sp = fibre.stack.data();
  start.uc_stack.ss_size = fibre.stack.size();
  start.uc_link = nullptr;
  makecontext(&start, fibre_main, 0);
  fibre.context.begun = false;
}

void prepare_fibre(int index) {
  Fibre& fibre = scheduler.fibres[static_cast<std::size_t>(index)];
  if (fibre.state != State::kDone) start_fibre(fibre);
  fibre.state = State::kReady;
  const unsigned i = static_cast<unsigned>(index);
  fibre.index = dim3(i % blockDim.x, i / blockDim.x % blockDim.y, i / (blockDim.x * blockDim.y));
}

void run_block(std::uint32_t number) {
  if (__start_emulated_shared != nullptr) {
    std::memset(__start_emulated_shared, kRubbish,
                static_cast<std::size_t>(__stop_emulated_shared - __start_emulated_shared));
  }
  std::fill(scheduler.shared.begin(), scheduler.shared.end(), kRubbish);
  for (int i = 0; i < scheduler.count; ++i)
    prepare_fibre(i);
  const std::vector<int> turns = sequence(scheduler.count, number);
  if (!scheduler.kernel_before.empty()) exchange_memory();
  do {
    for (const int i : turns) {
      if (scheduler.fibres[static_cast<std::size_t>(i)].state == State::kReady) resume(i);
      if (scheduler.failure) std::rethrow_exception(std::exchange(scheduler.failure, nullptr));
    }
  } while (release() || finish_kernel_before());
  check_all_done();
}

}  // namespace

void set_order(Order wanted, std::uint32_t seed) {
  order = wanted;
  order_seed = seed;
}

void run_grid(const Shape& shape, const std::function<void()>& thread) {
  gridDim = dim3(shape.grid[0], shape.grid[1], shape.grid[2]);
  blockDim = dim3(shape.block[0], shape.block[1], shape.block[2]);
  scheduler.count = static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
  if (scheduler.fibres.size() < static_cast<std::size_t>(scheduler.count)) {
    scheduler.fibres = std::vector<Fibre>(static_cast<std::size_t>(scheduler.count));
  }
  scheduler.thread = &thread;
  scheduler.shared.assign(shape.shared_bytes, kRubbish);
  const int blocks = static_cast<int>(gridDim.x * gridDim.y * gridDim.z);
  for (const int b : sequence(blocks, 0)) {
    const unsigned i = static_cast<unsigned>(b);
    blockIdx = dim3(i % gridDim.x, i / gridDim.x % gridDim.y, i / (gridDim.x * gridDim.y));
    run_block(i + 1);
  }
}

int lane() {
  return scheduler.current % kWarpLanes;
}

void set_kernel_before(std::vector<ChangedByte> changes) {
  scheduler.kernel_before = std::move(changes);
  scheduler.before_it = false;
}

void wait_for_kernel_before() {
  if (!scheduler.before_it) return;
  scheduler.fibres[static_cast<std::size_t>(scheduler.current)].state = State::kAtKernelBefore;
  to_scheduler(false);
}

void wait_for_block() {
  scheduler.fibres[static_cast<std::size_t>(scheduler.current)].state = State::kAtBarrier;
  to_scheduler(false);
}

void exchange(unsigned lanes, const void* value, std::size_t bytes) {
  Fibre& self = scheduler.fibres[static_cast<std::size_t>(scheduler.current)];
  if (((lanes >> lane()) & 1u) == 0) {
    throw std::logic_error(place(self) + " takes part in an exchange that does not name its lane");
  }
  if (bytes > 0) std::memcpy(self.arriving, value, bytes);
  self.lanes = lanes;
  self.state = State::kAtExchange;
  to_scheduler(false);
}

const void* exchanged(unsigned lanes, int from) {
  if (from < 0 || from >= kWarpLanes || ((lanes >> from) & 1u) == 0) {
    throw std::logic_error("a lane reads from lane " + std::to_string(from) +
                           ", which is not part of the exchange");
  }
  const int first = scheduler.current / kWarpLanes * kWarpLanes;
  return scheduler.fibres[static_cast<std::size_t>(first + from)].value;
}

void* dynamic_shared() {
  return scheduler.shared.data();
}

}  // namespace emulation
