// Handles signals in kernels. The handler records the fault, switches from the fiber to the scheduler, and
// never returns. The scheduler then creates the finding. The handler changes no register, so it works on
// every processor.
#include "faults.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <tuple>
#include <utility>

#include "device/lock.hpp"
#include "grid.hpp"
#include "memory/managed_pages.hpp"
#include "memory/memory.hpp"
#include "source/findings.hpp"
#include "source/source_lines.hpp"
#include "source/who.hpp"
#include "watchdog.hpp"
#include "worker.hpp"

namespace kit::cpu {
namespace {

const int interrupt_signal = SIGRTMIN + 3;
void (*fatal_callback)(const Finding&) = nullptr;
void (*crash_callback)(const facts::Line&, bool) = nullptr;

const void* program_counter(const void* context) {
    const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return reinterpret_cast<const void*>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return reinterpret_cast<const void*>(machine.pc);
#else
    (void)machine;
    return nullptr;  // reports then do not name a line
#endif
}

const void* stack_pointer(const void* context) {
    const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return reinterpret_cast<const void*>(machine.gregs[REG_RSP]);
#elif defined(__aarch64__)
    return reinterpret_cast<const void*>(machine.sp);
#else
    (void)machine;
    return nullptr;  // the stack is then not used again
#endif
}

/// Returns the line of a crash. A call through a bad pointer has no line, so its return address counts, which lies on the stack.
Place line_of_crash(const void* instruction, const void* stack) {
    const Place place = source_line(instruction);
    if (place.line || !stack) return place;
    return source_line(*static_cast<const char* const*>(stack) - 1);
}

/// Returns the line of the program that called the runtime, and the function that it called.
std::pair<Place, std::string> call_of_runtime() {
    void* frames[48];
    const int count = backtrace(frames, 48);
    std::string function;
    for (int i = 1; i < count; ++i) {
        if (const Place place = source_line(static_cast<const char*>(frames[i]) - 1); place.line)
            return {place, function};
        Dl_info frame = {};
        const bool known = dladdr(frames[i], &frame) && frame.dli_sname;
        function = known && std::strncmp(frame.dli_sname, "cuda", 4) == 0 ? frame.dli_sname : "";
    }
    return {};
}

/// Called when host code crashes. If the host code accessed device memory, reports that before the process
/// ends.
void host_fault(int signal, const void* address, const void* instruction, const void* stack) {
    std::signal(signal,
                SIG_DFL);  // when the handler returns, the instruction faults again and ends the process
    const ManagedUser* const user = signal == SIGSEGV ? managed_user(address) : nullptr;
    if (!user && (signal != SIGSEGV || !in_device_range(address))) {
        const Place place = crash_callback ? line_of_crash(instruction, stack) : Place();
        if (place.line) crash_callback(line_of(place), in_host_function());
        return;
    }
    Place place = source_line(instruction);
    std::string function;  // a function of the runtime that reads arguments of the program
    if (!place.line) std::tie(place, function) = call_of_runtime();
    const facts::Memory memory = place_near(address);
    Finding finding =
        kit::cpu::finding(is_known(memory) ? facts::Rule::touched_by_host : facts::Rule::touched_by_host_far,
                          place)
            .on(memory);
    if (!function.empty()) finding.with("function", function);
    if (user) {
        finding = kit::cpu::finding(facts::Rule::managed_in_use, place).on(memory).in(user->kernel);
        finding.launched = line_of(user->launched);
        finding.with("launched", finding.launched);
    }
    if (fatal_callback)
        fatal_callback(finding);
    else
        print_finding(finding);
}

/// Returns whether the instruction that faulted writes. Where this is unknown, a write causes a second fault.
bool is_write([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
    return static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & 2;
#else
    return false;
#endif
}

/// Makes a page of managed memory accessible. Returns false if the fault is an error.
bool move_page(const void* address, bool by_kernel, const void* context) {
    const int error = errno;
    const bool is_moved = managed_fault(address, is_write(context), by_kernel, program_counter(context));
    errno = error;
    return is_moved;
}

void on_signal(int signal, siginfo_t* info, void* context) {
    Worker* worker = this_worker;
    if (signal == SIGSEGV && move_page(info->si_addr, worker && worker->in_thread, context)) return;
    if (worker && worker->in_thread && worker->in_executor && signal == interrupt_signal) {
        worker->late = true;  // The executor may hold a lock of the C library, so the thread stops later,
                              // when it leaves the executor
        return;
    }
    if (worker && worker->in_thread) {
        worker->block->grid().fault_noted = true;
        worker->fault = {signal, info->si_addr, program_counter(context), stack_pointer(context)};
        worker->stop(stack_pointer(context));
    }
    if (signal != interrupt_signal)
        host_fault(signal, info->si_addr, program_counter(context), stack_pointer(context));
}

}  // namespace

void end_process(const Finding& finding) {
    if (fatal_callback)
        fatal_callback(finding);
    else
        print_finding(finding);
    std::abort();
}

void on_fatal_finding(void (*callback)(const Finding&)) {
    fatal_callback = callback;
    prepare_faults();
}

void on_host_crash(void (*callback)(const facts::Line&, bool)) {
    crash_callback = callback;
    prepare_faults();
}

void prepare_faults() {
    static const bool installed = [] {
        struct sigaction action {};
        action.sa_sigaction = on_signal;
        // SA_NODEFER: the handler leaves by a jump, so the signal must not stay blocked.
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
        for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, interrupt_signal})
            sigaction(signal, &action, nullptr);
        return true;
    }();
    (void)installed;
    static thread_local bool has_stack = false;
    if (std::exchange(has_stack, true)) return;
    constexpr std::size_t signal_stack_bytes = 64 * 1024;
    stack_t stack{};
    stack.ss_sp =
        mmap(nullptr, signal_stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack.ss_size = signal_stack_bytes;
    if (stack.ss_sp != MAP_FAILED) sigaltstack(&stack, nullptr);
}

void interrupt_worker(pthread_t os_thread) {
    pthread_kill(os_thread, interrupt_signal);
}

void stop_late_thread(Worker& worker) {
    worker.in_executor = true;
    worker.late = false;
    Block& block = *worker.block;
    const Place place = source_line(worker.at);
    stop_late(block.grid(), running_thread(), {place, worker.at, block.grid().launch.name}, &block);
    worker.stop();
}

void report_fault(Worker& worker) {
    const Fault fault = std::exchange(worker.fault, {});
    Block& block = *worker.block;
    Grid& grid = block.grid();
    const void* at = fault.instruction;
    if (!source_line(at).line && worker.at)
        at = worker.at;  // the thread was in the executor, which it had called at this line
    const Place place = source_line(at);
    const Spot spot(place, at, grid.launch.name);
    // In a loop that was compiled as one function, only a register holds the index of the thread.
    const bool known = turn.loop == Count{} || !grid.launch.body->loop;
    const facts::Who who =
        known ? block.who(block.rank()) : thread_of({}, index_of(block.index()), grid.launch.name);
    const auto stop = [&](cudaError_t error, facts::Rule rule) {
        grid.stop(error, finding(rule, spot).by(who));
    };
    if (fault.signal == interrupt_signal) return stop_late(grid, who, spot, &block);
    if (fault.signal == SIGFPE) return stop(cudaErrorLaunchFailure, facts::Rule::divided_by_zero);
    if (fault.signal == SIGILL) return stop(cudaErrorIllegalInstruction, facts::Rule::illegal_instruction);
    const Fiber* const fiber = worker.fibers.find(fault.stack);
    if (fiber && FiberPool::is_guard(*fiber, fault.address))
        return stop(cudaErrorLaunchFailure, facts::Rule::out_of_stack);
    constexpr std::uintptr_t near_null = 65536;
    const auto address = reinterpret_cast<std::uintptr_t>(fault.address);
    const facts::Memory memory = in_device_range(fault.address) ? place_near(fault.address) : facts::Memory{};
    const facts::Rule rule = address == 0          ? facts::Rule::null_pointer
                             : address < near_null ? facts::Rule::near_null_pointer
                             : is_known(memory)    ? facts::Rule::bad_address_near
                                                   : facts::Rule::bad_address;
    grid.stop(cudaErrorIllegalAddress, finding(rule, spot).by(who).on(memory).with("address", address));
}

}  // namespace kit::cpu
