// The events that the executor reports to an observer: the only thing that it knows about the checks.
//
// The checks (checks/) observe a program that was compiled to be checked. Other programs have no observer, and their events are ignored.
// Most events only report. The observer answers these:
//   should_wait                       whether other threads run first, before an atomic load
//   access                            whether an atomic load returns the value before the last store (OlderValue); a faulty access stops the kernel
//   shuffle_begins                    whether the lane's value is undefined
//   extreme_of_undefined              whether an operand of min or max is undefined, and which value stands for the result
//   family_begins, child_launched     notes, which the executor keeps but does not read
// The first two make a missing acquire or release show in every schedule. They choose only among results that a GPU may also give.
#pragma once

#include <cstdint>
#include <kit_cpu/async_copy.hpp>
#include <kit_cpu/thread.hpp>
#include <map>
#include <memory>

namespace kit::cpu {

class Block;
struct Grid;
struct Worker;

/// The threads that an atomic operation or a fence affects.
enum class Scope : std::uint8_t { block, device, system };

/// An acquiring load that is not ordered after the last store may return the value before that store. The observer decides whether it does.
struct OlderValue {
    bool given = false;
    alignas(8) char bytes[8] = {};
};

/// One load, store or atomic.
struct Access {
    const char* address = nullptr;
    unsigned bytes = 0;
    bool write = false;
    bool read = true;     ///< false for an atomic that is only a store
    bool natural = true;  ///< whether it must be aligned to its size
    bool whole = false;   ///< may be a struct with padding
    bool atomic = false;
    bool acquires = false, releases = false, sequential = false;  ///< memory order of an atomic
    bool awaits =
        false;  ///< a wait for a signal: it orders the thread's later writes, but not its later loads
    bool drops_old = false;    ///< an exchange whose old value is not used
    bool discards = false;     ///< a write of unknown values
    bool of_barrier = false;   ///< words of a cuda::barrier, whose access a GPU does not count
    bool is_volatile = false;  ///< how host and kernels communicate through memory that both may access
    Scope scope = Scope::device;
    OlderValue* older = nullptr;  ///< set for an atomic that is only a load
    const void* instruction = nullptr;
    const void* frame = nullptr;   ///< start of the stack frame of the function that contains the instruction
    const Place* place = nullptr;  ///< place of a call that accesses the memory; null: the instruction's
    std::uint64_t signal = 0;      ///< number of the put whose signal this is, see Put
};

/// A copy into another PE's memory. It is in flight from its start until a fence, its signal or a wait completes it.
struct Put {
    char* to = nullptr;
    const char* from = nullptr;  ///< null for a value passed by the call, and for a signal alone
    std::size_t bytes = 0;
    bool has_signal = false;
    bool reads_later = false;  ///< whether the copy also uses the source until then
    unsigned rank = 0;         ///< rank of the thread
    std::uint64_t number = 0;
    Place place;
};

/// Data that an observer keeps for a block, a cluster, or a grid of a family. These own it, but do not read it.
struct Notes {};
using NotesPtr = std::shared_ptr<Notes>;

/// One step at one barrier. If a thread takes the step, it is the running thread of the block.
struct BarrierStep {
    enum class Of {
        block,
        warp,
        exchange,  ///< a shuffle or a vote of a warp, which orders no memory
        grid,
        cluster,
        object
    } of;
    enum class Step {
        arrived,   ///< a thread has arrived; for the grid: all threads of the block have
        complete,  ///< everything that the barrier waits for has arrived
        passed     ///< a thread has waited; for the grid: the block continues
    } step;
    Block& block;
    unsigned warp = 0;
    std::uint32_t lanes = 0;       ///< lanes of the warp that meet
    const void* object = nullptr;  ///< the cuda::barrier
    unsigned phase = 0;            ///< phase of the object
};

/// A grid, or a copy, that the running thread of a kernel has launched.
struct ChildLaunch {
    const NotesPtr& parent;
    bool tail;             ///< whether it is launched into cudaStreamTailLaunch
    std::uint64_t stream;  ///< number of the device stream
    std::uint64_t number;  ///< number of the launch
    const std::map<std::uint64_t, std::uint64_t>&
        before;  ///< the siblings that end before it starts, by stream
};

/// Rows of memory that a copy or a fill is about to touch.
struct RowsTouched {
    const char* what;  ///< name of the called function
    Place place;
    const void* begin;
    std::size_t pitch, width, height;
    bool write;
};

/// The start of another round of a loop.
struct Round {
    unsigned function;  ///< number of the function; 0 for kernels
    unsigned level;     ///< level of the loop, 1 if it is not inside another loop of the function
    const void* instruction;
    const void* frame;
};

class Observer {
  public:
    // A launch by the host, and all launches that result from it. The functions return the notes of the first grid, and of the child.
    virtual NotesPtr family_begins() { return nullptr; }
    virtual NotesPtr child_launched(const ChildLaunch&) { return nullptr; }
    virtual void family_ended() {}

    virtual void kernel_begins(const Grid&) {}
    virtual void kernel_ended() {}
    /// The kernel waits for other kernels, which run in the meantime, and then continues.
    virtual void kernel_paused(const Grid&) {}
    virtual void kernel_resumed(const Grid&) {}
    /// A block gets the memory of one that has ended, with its old content and its notes.
    virtual void block_begins(Block&) {}
    virtual void block_ended(Block&) {}

    // These events come from the running thread.
    virtual void access(Worker&, const Access&) {}
    /// A load or store of 4, 8 or 16 bytes that is neither atomic nor volatile. Returns false if access() must be called for it.
    virtual bool plain_access(Worker&, const char* /*address*/, unsigned /*bytes*/, bool /*write*/,
                              const void* /*instruction*/) {
        return true;
    }
    virtual void fence(Worker&, Scope) {}
    virtual void round(Worker&, const Round&) {}
    /// A warp has multiplied two matrices.
    virtual void product(const Block&, const void* /*instruction*/, std::uint64_t /*multiplications*/) {}
    /// Before an atomic load: returns whether other threads should run first, because one of them may write the value that it waits for.
    virtual bool should_wait(Worker&, const Access&) { return false; }
    /// The running thread calls notify_one() or notify_all() of the word at this address.
    virtual void notified(Worker&, const char*) {}
    virtual void barrier(const BarrierStep&) {}
    /// A shuffle before the lanes meet: the observer fills in what it knows about the lane's value.
    virtual void shuffle_begins(const Block&, ShuffleInput&) {}
    /// The same shuffle afterwards, with an undefined value that the lane had or has received.
    virtual void shuffle_ended(const Block&, const ShuffleInput&, const void* /*taken*/) {}
    /// The running thread computes a minimum or maximum of a value that looks undefined (kit_cpu/undefined.hpp).
    virtual bool extreme_of_undefined(const Block&, const void* /*operand*/, void* /*result*/,
                                      unsigned /*bytes*/, bool /*larger*/) {
        return false;
    }

    // Asynchronous copies, or the part of one that a thread starts. The events come from that thread; when the bytes have arrived, from a
    // thread that waits or arrives last; and when the phase of the barrier ends without the copy.
    virtual void copy_begins(Worker&, const AsyncCopy&) {}
    virtual void copy_landed(Block&, const AsyncCopy&) {}
    virtual void copy_stays(Block&, const AsyncCopy&) {}
    /// The block ends while bulk copies still read its shared memory.
    virtual void copy_outlives(Block&, const AsyncCopy&) {}

    // Puts. The events come from the thread that starts one, and from the thread of its block that orders it before what it sends later;
    // `complete`: that thread also waits for it.
    virtual void put_begins(Worker&, const Put&) {}
    virtual void puts_ordered(Worker&, bool /*complete*/) {}

    /// An access of host code, if there is a reason to observe it (run/host_watch.hpp).
    virtual void host_access(const Access&) {}

    // Device memory that the host, copies, or the runtime in a kernel use.
    virtual void allocated(const char* /*begin*/, std::size_t /*bytes*/) {}
    virtual void freed() {}
    virtual void touches(const RowsTouched&) {}
    /// A library computes with the values of these rows, so they must have been written.
    virtual void uses(const RowsTouched&) {}
    virtual void written(const char* /*begin*/, std::size_t /*bytes*/) {}
    virtual void copied(const char* /*to*/, const char* /*from*/, std::size_t /*bytes*/) {}

  protected:
    ~Observer() = default;
};

/// Sets the observer for the rest of the process.
void observe(Observer& observer);

/// A function of the runtime has been called. The observer does not change after that.
extern bool runtime_used;

extern Observer* observer_now;  ///< never null

inline Observer& observer() {
    return *observer_now;
}

extern const Observer* const no_observer;

/// Returns whether there is an observer. Then a grid runs on one core, so that its events have one order.
inline bool observed() {
    return observer_now != no_observer;
}

}  // namespace kit::cpu
