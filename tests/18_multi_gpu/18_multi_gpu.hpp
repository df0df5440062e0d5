// The contract of topic 18_multi_gpu: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

typedef struct ncclComm* ncclComm_t;  // as in nccl.h, which only some exercises need

/// Topic 18: several GPUs. Copies between them, and kernels that work meanwhile.
///
/// Unless said otherwise pointers are *device* memory, sizes are at least 1, and an error of a CUDA call ends the program
/// (CUDA_CHECK). Streams are non-blocking, and each belongs to the device that its comment names; so does each event. What a
/// function queues may wait for what the caller has queued in the same stream; the functions themselves do not wait. The
/// device that was current before a call is current after it.
///
/// What is counted, besides the values (waits by the CPU backend, which sees them):
///   - peer_copy: waits, kernels wait for copies, steps, stream of the copies
///   - halo_exchange: waits, the interior waits for the exchange, the exchange waits for the interior, time steps
///   - allreduce_graph: waits, captures, instances, launches, graphs destroyed, instances destroyed
///   - bucketed_allreduce: waits, collectives, kernels wait for collectives, steps
///   - work_steal: tasks of its own, tasks of others, tasks of the next PE
///
/// What the host may compute: nothing. Results count only if kernels have computed them.
namespace multi_gpu {

/// Threads per block of every kernel of the topic.
constexpr int kBlock = 256;

// ---- peer_copy ----

/// Two devices, and what a transfer from the one to the other needs.
struct Link {
    int from, to;           ///< two different devices
    cudaStream_t compute;   ///< of `from`: kernels
    cudaStream_t copy;      ///< of `from`: copies to the other device
    cudaStream_t consumer;  ///< of `to`
    cudaEvent_t* produced;  ///< of `from`: one for each piece, in *host* memory
    cudaEvent_t copied;     ///< of `from`
};

/// Makes kernels of each of the two devices able to touch the other's memory. Calling it again is no error, and leaves none
/// behind for cudaGetLastError().
///
/// @return  false if the hardware cannot do this; then nothing has changed
bool open_both_ways(int a, int b);

/// Produces n values on link.from and uses them on link.to, in pieces, so that piece k travels while piece k + 1 is made.
///
/// With f(x) = 2654435761 x + 12345 (in 32 bits), made[i] = f(in[i]) by a kernel on link.from, arrived[i] = made[i] by a copy,
/// and used[i] = f(arrived[i]) by one kernel on link.to when all has arrived.
///
/// The kernels of link.from are in link.compute and wait for no copy; the copies are in link.copy, each behind the kernel of its
/// piece; the last kernel is in link.consumer.
///
/// @param link    opened both ways; nothing is queued in its streams
/// @param in      n values on link.from, not modified
/// @param made    n values on link.from
/// @param arrived n values on link.to
/// @param used    n values on link.to
/// @param n       0 or more
/// @param pieces  at least 1; every piece has ceil(n / pieces) values, but the last ones, which may have fewer or none
void produce_and_send(const Link& link, const unsigned* in, unsigned* made, unsigned* arrived, unsigned* used,
                      int n, int pieces);

// ---- halo_exchange ----

/// One device's half of a plane of cells. The top half's last row touches the bottom half's first row.
///
/// There are two copies of the plane, which take turns: rows 1 to `rows` are the half's own, row 0 and row rows + 1 are its
/// **halo**: what it needs to know of its neighbours. At the top and at the bottom of the whole plane the halo never changes.
struct Half {
    int device;
    unsigned* plane[2];     ///< (rows + 2) * columns cells each
    int rows, columns;      ///< rows is at least 2
    cudaStream_t interior;  ///< of `device`: what no neighbour needs to know
    cudaStream_t edge;      ///< of `device`: the row at the neighbour, and its way there
    cudaEvent_t inside;     ///< of `device`
    cudaEvent_t sent;       ///< of `device`
};

/// So many steps of
///
///     next[r][c] = 3 * now[r][c] + now[r - 1][c] + now[r + 1][c] + now[r][c - 1] + now[r][c + 1]   (in 32 bits)
///
/// for all own rows of both halves; cells beyond the first and the last column count as 0. Step s reads plane[s % 2] and
/// writes the other one, including the halo row at the neighbour, so that both are right after every step.
///
/// A step sends two rows, one in each direction, and what is not at the border is computed meanwhile: in half.interior the interior
/// of step s waits for what step s - 1 has computed and for nothing of its own step; half.edge has the border row and the copy.
///
/// @param top    on one device
/// @param bottom on another device, with the same number of columns
/// @param steps  0 or more
void relax(const Half& top, const Half& bottom, int steps);

// ---- allreduce_graph ----

/// What one rank has of a model that all ranks train together: each has all weights, and samples of its own. Rank r is element r
/// of an array of replicas, and the rank of its communicator, which has been used before.
struct Replica {
    int device;               ///< another one for each rank
    ncclComm_t comm;          ///< of `device`
    cudaStream_t stream;      ///< of `device`
    cudaEvent_t event;        ///< of `device`
    const unsigned* samples;  ///< n values, not modified
    unsigned* weights;        ///< n values, the same on all ranks
    unsigned* gradient;       ///< n values
    unsigned* largest;        ///< 1 value
};

/// Adds up the gradients of all ranks, and takes the largest of their `largest`: afterwards all ranks have the same in both
/// arrays. For each rank two collectives in its stream, called by this one host thread. It may be captured.
/// Source: NVIDIA, NCCL User Guide, "Group Calls".
///
/// @param replicas one for each rank, in host memory
/// @param ranks    at least 1
/// @param n        values per rank, at least 1
void all_reduce(const Replica* replicas, int ranks, int n);

/// Records one step of training of all ranks as one graph, and runs nothing:
///
///     local = (2654435761 * (weights[i] ^ samples[i])) >> 12    (in 32 bits; the kernel leaves it in gradient, its maximum in largest)
///     gradient[i], largest = the sum, and the largest, over all ranks
///     weights[i] -= gradient[i] / (1 + largest / 1024)
///
/// Afterwards no stream takes part in the capture any more.
///
/// @param replicas one for each rank, in host memory; they must outlive the graph
/// @param ranks    at least 1
/// @param n        values per rank, at least 1
/// @return         the graph, which belongs to the caller
cudaGraph_t record_step(const Replica* replicas, int ranks, int n);

/// So many steps: one graph, one instance of it, and a launch for each step, in the stream of rank 0. What it has made it
/// destroys, though the launches may still be under way.
///
/// @param replicas one for each rank, in host memory; nothing is queued in their streams
/// @param ranks    at least 1
/// @param n        values per rank, at least 1
/// @param steps    0 or more
void train(const Replica* replicas, int ranks, int n, int steps);

// ---- bucketed_allreduce ----

/// What one rank has of a model whose gradients are made from the last bucket to the first. Rank r is element r of an array of
/// workers, and the rank of its communicator, which has been used before.
struct Worker {
    int device;                ///< another one for each rank
    ncclComm_t comm;           ///< of `device`
    cudaStream_t compute;      ///< of `device`: kernels
    cudaStream_t communicate;  ///< of `device`: collectives
    cudaEvent_t* made;         ///< of `device`: one for each bucket, in *host* memory
    cudaEvent_t reduced;       ///< of `device`
    unsigned* delta;           ///< `width` values, which each bucket changes and hands to the next one
    unsigned* gradient;        ///< n values
    unsigned* weights;         ///< n values, the same on all ranks
};

/// How n gradients are cut into buckets of `width` each, but the last one, which may have fewer.
struct Buckets {
    int n, width;  ///< at least 1

    int count() const { return (n + width - 1) / width; }
    int begin(int bucket) const { return bucket * width; }
    int size(int bucket) const { return n - begin(bucket) < width ? n - begin(bucket) : width; }
};

/// Makes the gradients of all ranks and adds them up, so that a bucket is on its way while the next one is made.
///
/// From the last bucket to the first, in worker.compute, a kernel for each rank and bucket:
///
///     delta[i] = 2654435761 * delta[i] + 12345,  gradient[begin(bucket) + i] = delta[i] >> 8,   for all i < size(bucket)
///
/// and behind it, in worker.communicate, one all-reduce of this bucket: afterwards all ranks have the sum. The kernels wait for no
/// collective, and a collective for no kernel but that of its bucket. Neither the host nor worker.compute waits for
/// worker.communicate here: update() is the first that lets worker.compute wait. Source: Li et al., "PyTorch Distributed: Experiences on Accelerating Data Parallel Training", VLDB 2020.
///
/// @param workers one for each rank, in host memory
/// @param ranks   at least 1
/// @param buckets the same for all ranks
void backward(const Worker* workers, int ranks, const Buckets& buckets);

/// weights[i] -= gradient[i] on all ranks, in worker.compute, when all buckets of the backward() before it are there.
///
/// The two functions may be called again and again, and captured.
///
/// @param workers one for each rank, in host memory
/// @param ranks   at least 1
/// @param n       gradients
void update(const Worker* workers, int ranks, int n);

// ---- put_signal ----

/// Slots between two neighbours.
constexpr int kSlots = 2;

/// What a PE of a ring has in symmetric memory: all PEs have allocated the same pieces together, and each has its own pointers.
/// The right neighbour of the last PE is PE 0.
struct Ring {
    unsigned* slots;         ///< kSlots * kBlock values that the left neighbour writes
    std::uint64_t* arrived;  ///< a signal for each slot: how often a piece has arrived there
    std::uint64_t* freed;    ///< a signal for each slot of the *right* neighbour: how often it was given back
};

/// Sends `mine` to the right neighbour, piece by piece, and makes out[i] = 3 * left[i] + 1 of what comes from the left one.
///
/// All PEs call it together with the same n. Piece k has kBlock values, but the last one, which may have fewer; it goes through
/// slot k % kSlots of the right neighbour.
///
/// @param ring   all signals are 0, at all PEs, when the first PE calls
/// @param mine   n values in symmetric memory, not modified
/// @param out    n values on the PE's device
/// @param n      0 or more
/// @param stream of the PE's device
void shift_right(const Ring& ring, const unsigned* mine, unsigned* out, int n, cudaStream_t stream);

// ---- work_steal ----

/// Threads of a PE that take tasks.
constexpr int kTakers = 32;

/// The tasks of a PE, in symmetric memory: all PEs have allocated the same pieces, and each has tasks of its own there.
struct Tasks {
    int* tickets;           ///< 1 value, 0 at the beginning: the next ticket
    const unsigned* steps;  ///< a value for each task: what work() takes
    const int* count;       ///< 1 value: how many tasks this PE has
    unsigned* results;      ///< a value for each task
};

/// Does all tasks of all PEs, each once: its result is at the PE that the task came from.
///
/// All PEs call it together. A thread takes tasks of its own PE first, and then those of the PEs behind it, around the ring. How
/// many tasks it or its warp takes at once is free.
/// The results are there behind the next nvshmem_barrier_all() that comes after the stream's work.
///
/// @param tasks  tickets are 0 at all PEs when the first PE calls
/// @param done   for each PE how many of its tasks this PE has done; begins with 0, on this PE's device
/// @param stream of the PE's device
void run_tasks(const Tasks& tasks, int* done, cudaStream_t stream);

}  // namespace multi_gpu
