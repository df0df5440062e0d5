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

/// How far an atomic operation or a fence reaches.
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
    bool read = true;     ///< of an atomic: false for a mere store
    bool natural = true;  ///< must be aligned to its size
    bool whole = false;   ///< may be a struct with padding
    bool atomic = false;
    bool acquires = false, releases = false, sequential = false;  ///< of an atomic: its memory order
    bool awaits =
        false;  ///< a wait for a signal: it orders what the thread writes later, but not what it loads later
    bool drops_old = false;    ///< an exchange whose old value is not used
    bool discards = false;     ///< a write of values that nobody knows
    bool of_barrier = false;   ///< words of a cuda::barrier: on a GPU no load or store
    bool is_volatile = false;  ///< how host and kernels talk through memory that both may touch
    Scope scope = Scope::device;
    OlderValue* older = nullptr;  ///< of a mere atomic load
    const void* instruction = nullptr;
    const void* frame = nullptr;   ///< where the stack of the function begins that holds the instruction
    const Place* place = nullptr;  ///< of a call that does it for the thread; null: the instruction's
    std::uint64_t signal = 0;      ///< it is the signal of a put with that number, see Put
};

/// A copy into another PE's memory. It is in flight from its start until a fence, its signal or a wait completes it.
struct Put {
    char* to = nullptr;
    const char* from = nullptr;  ///< null: a value that the call has brought, or nothing but a signal
    std::size_t bytes = 0;
    bool has_signal = false;
    bool reads_later = false;  ///< the source, too, belongs to it until then
    unsigned rank = 0;         ///< of the thread
    std::uint64_t number = 0;
    Place place;
};

/// What an observer keeps for a block, a cluster, or a grid of a family. They own it, but they do not read it.
struct Notes {};
using NotesPtr = std::shared_ptr<Notes>;

/// One step at one barrier, by the running thread of the block where a thread takes it.
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
        arrived,   ///< a thread; of the grid: all threads of the block
        complete,  ///< all are there that the barrier waits for
        passed     ///< a thread has waited; of the grid: the block goes on
    } step;
    Block& block;
    unsigned warp = 0;
    std::uint32_t lanes = 0;       ///< of the warp, that meet
    const void* object = nullptr;  ///< a cuda::barrier
    unsigned phase = 0;            ///< of the object
};

/// A grid, or a copy, that the running thread of a kernel has launched.
struct ChildLaunch {
    const NotesPtr& parent;
    bool tail;             ///< into cudaStreamTailLaunch
    std::uint64_t stream;  ///< number of the device stream
    std::uint64_t number;  ///< of the launch
    const std::map<std::uint64_t, std::uint64_t>&
        before;  ///< by stream: the siblings that end before it begins
};

/// Rows of memory that a copy or a fill is about to touch.
struct RowsTouched {
    const char* what;  ///< the function that was called
    Place place;
    const void* begin;
    std::size_t pitch, width, height;
    bool write;
};

/// Another round of a loop begins.
struct Round {
    unsigned function;  ///< its number; 0 for kernels
    unsigned level;     ///< of the loop, from 1 for one that is in no other loop of the function
    const void* instruction;
    const void* frame;
};

class Observer {
  public:
    // A launch by the host and all that comes of it. The notes are those of the first grid, and of the child.
    virtual NotesPtr family_begins() { return nullptr; }
    virtual NotesPtr child_launched(const ChildLaunch&) { return nullptr; }
    virtual void family_ended() {}

    virtual void kernel_begins(const Grid&) {}
    virtual void kernel_ended() {}
    /// It waits for others, which run meanwhile; and goes on.
    virtual void kernel_paused(const Grid&) {}
    virtual void kernel_resumed(const Grid&) {}
    /// A block gets the memory of one that has ended, which still is as that one left it; its notes are there, too.
    virtual void block_begins(Block&) {}
    virtual void block_ended(Block&) {}

    // By the running thread.
    virtual void access(Worker&, const Access&) {}
    /// A load or store of 4, 8 or 16 bytes that is neither atomic nor volatile. Returns false if access() must be called for it.
    virtual bool plain_access(Worker&, const char* /*address*/, unsigned /*bytes*/, bool /*write*/,
                              const void* /*instruction*/) {
        return true;
    }
    virtual void fence(Worker&, Scope) {}
    virtual void round(Worker&, const Round&) {}
    /// Before an atomic load: returns whether other threads should run first, because one of them may write the value that it waits for.
    virtual bool should_wait(Worker&, const Access&) { return false; }
    /// notify_one() or notify_all() of the word at this address.
    virtual void notified(Worker&, const char*) {}
    virtual void barrier(const BarrierStep&) {}
    /// A shuffle: before the lanes meet, the observer says what is known of the value that the lane brings ...
    virtual void shuffle_begins(const Block&, ShuffleInput&) {}
    /// ... and after that it is shown an undefined value that the lane had or has taken.
    virtual void shuffle_ended(const Block&, const ShuffleInput&, const void* /*taken*/) {}
    /// The running thread computes a minimum or maximum of a value that looks undefined (kit_cpu/undefined.hpp).
    virtual bool extreme_of_undefined(const Block&, const void* /*operand*/, void* /*result*/,
                                      unsigned /*bytes*/, bool /*larger*/) {
        return false;
    }

    // Asynchronous copies, or the part of one that a thread began: by that thread; when its bytes have come, by who waits or is
    // the last to arrive; and when the phase of its barrier ends without it.
    virtual void copy_begins(Worker&, const AsyncCopy&) {}
    virtual void copy_landed(Block&, const AsyncCopy&) {}
    virtual void copy_stays(Block&, const AsyncCopy&) {}
    /// The block ends while bulk copies still read its shared memory.
    virtual void copy_outlives(Block&, const AsyncCopy&) {}

    // Puts, by the thread that begins one, and by the thread of its block that orders it before what it sends later; `complete`:
    // and waits for it.
    virtual void put_begins(Worker&, const Put&) {}
    virtual void puts_ordered(Worker&, bool /*complete*/) {}

    /// Host code, while there is a reason to look (run/host_watch.hpp).
    virtual void host_access(const Access&) {}

    // Device memory, by the host, copies, and the runtime in a kernel.
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
