// The events that the executor reports to an observer. The executor knows nothing else about the checks.
//
// The checks (checks/) observe programs that were compiled to be checked. Other programs have no observer,
// and their events are ignored. Most events only report something. The observer returns an answer to these:
//   should_wait           whether other threads run before an atomic load
//   access                whether an atomic load returns the value before the last store (OlderValue);
//                         a faulty access stops the kernel
//   shuffle_begins        whether the lane's value is undefined
//   extreme_of_undefined  whether an operand of min or max is undefined, and which value represents the result
//   family_begins, child_launched   notes, which the executor keeps for the observer
// should_wait and access make a missing acquire or release show in every schedule. Both choose only among
// results that are also possible on a GPU.
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

/// The value before the last store. An acquiring load that is not ordered after that store may return it; the
/// observer decides whether it does.
struct OlderValue {
    bool given = false;
    alignas(8) char bytes[8] = {};
};

/// One load, store or atomic.
struct Access {
    const char* address = nullptr;
    unsigned bytes = 0;
    bool write = false;
    bool read = true;     ///< false for an atomic store
    bool natural = true;  ///< whether the address must be aligned to the size of the access
    bool whole = false;   ///< the access may be to a struct that contains padding
    bool atomic = false;
    bool acquires = false, releases = false, sequential = false;  ///< memory order of an atomic access
    bool awaits = false;  ///< a wait for a signal orders the thread's later writes, but not its later loads
    bool drops_old = false;    ///< an atomic exchange whose old value is not used
    bool discards = false;     ///< a write of unknown values
    bool of_barrier = false;   ///< an access to the words of a cuda::barrier, which the counters ignore as on
                               ///< a GPU
    bool is_volatile = false;  ///< host and kernels communicate with volatile accesses through memory that
                               ///< both can access
    Scope scope = Scope::device;
    OlderValue* older = nullptr;  ///< set only for an atomic load
    const void* instruction = nullptr;
    const void* frame = nullptr;   ///< start of the stack frame of the function that contains the instruction
    const Place* place = nullptr;  ///< place of the call that accesses the memory; null: the place of the
                                   ///< instruction
    std::uint64_t signal = 0;      ///< number of the put that stores this signal (see Put)
};

/// A copy into the memory of another PE. The copy is in flight until a fence, its signal or a wait completes
/// it.
struct Put {
    char* to = nullptr;
    const char* from = nullptr;  ///< null for a value that the call passes, and for a put that only stores a
                                 ///< signal
    std::size_t bytes = 0;
    bool has_signal = false;
    bool reads_later = false;  ///< whether the copy reads its source as long as it is in flight
    unsigned rank = 0;         ///< rank of the thread that starts the copy
    std::uint64_t number = 0;
    Place place;
};

/// The observer's data about a block, a cluster or a grid. The executor stores it there, but does not read
/// it.
struct Notes {};
using NotesPtr = std::shared_ptr<Notes>;

/// An event of a barrier. If a thread causes it, that thread is the running thread of the block.
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
        arrived,   ///< a thread has arrived; for a grid barrier: all threads of a block have arrived
        complete,  ///< all threads for which the barrier waits have arrived
        passed     ///< a thread continues after the barrier; for a grid barrier: a block continues
    } step;
    Block& block;
    unsigned warp = 0;
    std::uint32_t lanes = 0;              ///< lanes of the warp that take part
    const void* object = nullptr;         ///< the cuda::barrier
    unsigned phase = 0;                   ///< phase of the cuda::barrier
    const char* what = nullptr;           ///< function by which lanes exchange values
    const void* const* passed = nullptr;  ///< by lane: the argument of this function
};

/// A grid or a copy that the running thread of a kernel has launched.
struct ChildLaunch {
    const NotesPtr& parent;
    bool tail;             ///< whether the launch is into cudaStreamTailLaunch
    std::uint64_t stream;  ///< number of the device stream
    std::uint64_t number;  ///< number of the launch
    const std::map<std::uint64_t, std::uint64_t>&
        before;  ///< the sibling in each stream that must end before this launch starts
};

/// Rows of memory that a copy or a fill will access.
struct RowsTouched {
    const char* what;  ///< name of the called function
    Place place;
    const void* begin;
    std::size_t pitch, width, height;
    bool write;
};

/// The start of the next round of a loop.
struct Round {
    unsigned function;  ///< number of the function; 0 for kernels
    unsigned level;     ///< nesting depth of the loop in its function, 1 for an outer loop
    const void* instruction;
    const void* frame;
};

class Observer {
  public:
    // A launch by the host, and the launches by its kernels. The functions return the observer's notes about
    // the first grid and about the child.
    virtual NotesPtr family_begins() { return nullptr; }
    virtual NotesPtr child_launched(const ChildLaunch&) { return nullptr; }
    virtual void family_ended() {}

    virtual void kernel_begins(const Grid&) {}
    virtual void kernel_ended() {}
    /// The kernel waits for other kernels, which run until it continues.
    virtual void kernel_paused(const Grid&) {}
    virtual void kernel_resumed(const Grid&) {}
    /// A block starts. The block's shared memory still has the contents and the notes of a previous block.
    virtual void block_begins(Block&) {}
    virtual void block_ended(Block&) {}

    // The running thread causes the following events.
    virtual void access(Worker&, const Access&) {}
    /// A load or store of 4, 8 or 16 bytes that is neither atomic nor volatile. Returns false if access() must be called for it.
    virtual bool plain_access(Worker&, const char* /*address*/, unsigned /*bytes*/, bool /*write*/,
                              const void* /*instruction*/) {
        return true;
    }
    virtual void fence(Worker&, Scope) {}
    virtual void round(Worker&, const Round&) {}
    /// Called when an operation of a warp has set the elements of a fragment of one of its threads, and when a fragment of the running thread ends.
    virtual void fragment_set(Block&, unsigned /*rank*/, const char* /*begin*/, unsigned /*bytes*/,
                              unsigned /*element_bytes*/) {}
    virtual void fragment_gone(Block&, const char* /*begin*/) {}
    /// Called when a warp has multiplied two matrices.
    virtual void product(const Block&, const void* /*instruction*/, std::uint64_t /*multiplications*/) {}
    /// Called before an atomic load. Returns whether other threads should run first, because one of them may
    /// write the value for which it waits.
    virtual bool should_wait(Worker&, const Access&) { return false; }
    /// The running thread has called notify_one() or notify_all() for the word at this address.
    virtual void notified(Worker&, const char*) {}
    virtual void barrier(const BarrierStep&) {}
    /// A lane calls a shuffle and has not met the other lanes yet. The observer fills in what it knows about
    /// the lane's value.
    virtual void shuffle_begins(const Block&, ShuffleInput&) {}
    /// The same shuffle has finished, and the lane's own value or the value that it received is undefined.
    virtual void shuffle_ended(const Block&, const ShuffleInput&, const void* /*taken*/) {}
    /// The running thread computes a minimum or maximum, and an operand looks like an undefined value
    /// (kit_cpu/undefined.hpp).
    virtual bool extreme_of_undefined(const Block&, const void* /*operand*/, void* /*result*/,
                                      unsigned /*bytes*/, bool /*larger*/) {
        return false;
    }

    // Events of asynchronous copies, or of a thread's part of a copy: when the thread starts it; when the
    // bytes have arrived, from a thread that waits or arrives last; and when the phase of the barrier ends
    // without the copy.
    virtual void copy_begins(Worker&, const AsyncCopy&) {}
    virtual void copy_landed(Block&, const AsyncCopy&) {}
    virtual void copy_stays(Block&, const AsyncCopy&) {}
    /// The block has ended, and bulk copies still read its shared memory.
    virtual void copy_outlives(Block&, const AsyncCopy&) {}

    // Events of puts (NVSHMEM): when a thread starts one, and when a thread of the block orders its puts
    // before later ones. With `complete`, that thread also waits for the puts.
    virtual void put_begins(Worker&, const Put&) {}
    virtual void puts_ordered(Worker&, bool /*complete*/) {}

    /// Host code accesses memory while there is a reason to observe it (run/host_watch.hpp).
    virtual void host_access(const Access&) {}

    // Device memory is allocated, written or copied by the host, by copies, or by runtime functions in a
    // kernel.
    virtual void allocated(const char* /*begin*/, std::size_t /*bytes*/) {}
    virtual void freed() {}
    virtual void touches(const RowsTouched&) {}
    /// A library computes with the values in these rows, so they must be initialized.
    virtual void uses(const RowsTouched&) {}
    virtual void written(const char* /*begin*/, std::size_t /*bytes*/) {}
    virtual void copied(const char* /*to*/, const char* /*from*/, std::size_t /*bytes*/) {}

  protected:
    ~Observer() = default;
};

/// Sets the observer for the rest of the process.
void observe(Observer& observer);

/// Whether a function of the runtime has been called. After that, the observer no longer changes.
extern bool runtime_used;

extern Observer* observer_now;  ///< never null

inline Observer& observer() {
    return *observer_now;
}

extern const Observer* const no_observer;

/// Returns whether there is an observer. If so, a grid runs on one core, so that its events have one order.
inline bool observed() {
    return observer_now != no_observer;
}

}  // namespace kit::cpu
