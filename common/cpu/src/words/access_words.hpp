// The sentences about accesses that nothing orders, and about bytes that nobody has written.
#pragma once

#include <kit_cpu/executor.hpp>
#include <string>

namespace kit::cpu {

/// One access of two that race.
struct Deed {
    std::string who;  ///< "thread (1,0,0) of block (0,0,0)", "host code", "cudaMemcpyAsync"
    bool write, atomic;
    Place place, caller;  ///< caller: of a line in a helper; unknown otherwise
    unsigned bytes = 0;   ///< of an atomic, where the other one has more or fewer
    bool discards = false;
    bool puts = false;    ///< by a put to another PE; of one that is under way nobody is named
    bool copies = false;  ///< by an asynchronous copy; of one that is under way nobody is named
};

/// What would have ordered the two.
enum class Missing {
    wider_scope,   ///< both are atomic
    system_scope,  ///< both are atomic, on two devices
    one_size,      ///< likewise
    second_atomic,
    release,                ///< a message was read, and its writer's side orders nothing
    wider_release,          ///< likewise: it reaches the writer's block only
    acquire,                ///< likewise: the reader's side orders nothing
    wider_acquire,          ///< likewise: it reaches the reader's block only
    fences_around_atomic,   ///< one is atomic: a block hands on a value to another one
    barrier_beside_atomic,  ///< one is atomic: two lines in one block
    cluster_barrier,
    copys_begin,          ///< an asynchronous copy is begun now
    copys_end,            ///< one is under way
    puts_end,             ///< a put is under way
    puts_source,          ///< likewise: its source is used
    one_put,              ///< two puts into one place
    signal,               ///< two PEs
    fence_behind_signal,  ///< likewise: the reader has waited for the signal, and no more
    message,              ///< a block hands on a value to another one
    own_elements,         ///< two blocks of one kernel
    own_place,            ///< one line writes twice
    atomic_update,        ///< one line reads and writes
    barrier,
    stream_of_siblings,  ///< two kernels of a family
    parents_patience,    ///< a parent looks at what its child writes
    sight_of_child,      ///< a child looks at what its parent does meanwhile
    waiting_host,
    edge,  ///< two nodes of a graph
    stream_of_kernels,
    stream
};

struct Race {
    std::string memory;  ///< "`tile[128]` (shared)"
    std::string kernel;  ///< of both, empty when they are not of one
    Deed now, earlier;
    Missing missing;
    std::string between{};  ///< who was queued where, of two pieces of queued work
};
Finding in_words(const Race& race);

/// Why bytes have no value: nobody has written them, unless one of these is known.
struct WhyUnwritten {
    const UndefinedLane* lane;  ///< they are made of what a shuffle took there
    Place discarded;            ///< the line that has discarded them
};

/// `reader`: "thread (1,0,0) of block (0,0,0) of `sum`"
Finding unwritten_in_words(const std::string& reader, const std::string& memory, Place here, Place caller,
                           const WhyUnwritten& why);
Finding unwritten_copy_in_words(const std::string& copied_from, Place here, const WhyUnwritten& why);

/// What a thread stores is made of what a shuffle took from that lane.
Finding undefined_store_in_words(const std::string& thread, Place here, const UndefinedLane& lane);

/// A block's shared memory was used by another one of its cluster, which nothing makes finish first.
Finding outlived_in_words(const Deed& visit, const std::string& memory, const std::string& block);

/// With "(seen 3 times)" where it was more than once.
Finding seen_times(Finding finding, std::uint64_t times);

}  // namespace kit::cpu
