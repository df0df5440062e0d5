// The contract of topic 18_multi_gpu: what the exercises must provide and the tests call.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <functional>

typedef struct ncclComm* ncclComm_t;  // as in nccl.h, which only some exercises need

/// Topic 18: several GPUs. Copies between them that overlap with kernels, collectives, and one-sided communication.
///
/// Unless stated otherwise, pointers are *device* memory, sizes are at least 1, and an error of a CUDA call ends the program
/// (CUDA_CHECK). Streams are non-blocking. Each stream and each event belongs to the device that its comment names. The work that a
/// function queues may wait for the work that the caller has queued in the same stream; the functions themselves do not wait. The
/// device that was current before a call is current after it. When a kernel is launched into a stream, the stream's device is
/// current.
///
/// What is counted, besides the values (waits: on the CPU backend):
///   - peer_copy: copies, current device, kernels wait for copies, source of the copies, steps, stream of the copies, waits
///   - halo_exchange: current device, the exchange waits for the interior, the interior waits for the exchange, time steps, waits
///   - allreduce_graph: captures, graphs destroyed, instances, instances destroyed, launches, waits
///   - rank_process: instances, launches
///   - bucketed_allreduce: collectives, current device, kernels wait for collectives, steps, waits
///   - work_steal: tasks of its own, tasks of others, tasks of the next PE
///
/// What the host may compute: nothing. Results count only if kernels have computed them.
namespace multi_gpu {

/// Threads per block of every kernel of the topic.
constexpr int kBlock = 256;

// ---- peer_copy ----

/// One link of a chain of devices, with the streams, events and memory that it needs.
struct Link {
    int from, to;           ///< two different devices
    cudaStream_t copy;      ///< stream of `from` for copies to `to`
    cudaStream_t consumer;  ///< stream of `to`
    cudaEvent_t* sent;      ///< events of `from`, one for each piece; the array is in *host* memory
    unsigned* arrived;      ///< n values on `to`
    unsigned* used;         ///< n values on `to`
};

/// A chain of devices. Values are produced on its first device, and they travel from link to link.
struct Chain {
    int first;              ///< the device that produces the values
    cudaStream_t compute;   ///< stream of `first` for kernels
    cudaEvent_t* produced;  ///< events of `first`, one for each piece; the array is in *host* memory
    const Link*
        links;  ///< in *host* memory; the first link begins at `first`, every other link where the previous one ends
    int count;  ///< number of links, at least 1; no device occurs twice
};

/// Enables the kernels of each of the devices 0 to `devices` - 1 to access the memory of all others. A second call is not an error,
/// and leaves no error behind for cudaGetLastError().
///
/// @param devices 2 to 8
/// @return  false if the hardware does not support this for every pair of devices; in that case nothing has changed
bool open_all_ways(int devices);

/// Produces n values on chain.first, sends them along the chain, and uses them on every other device, in pieces: a piece travels
/// while the next one is computed, and crosses a link while an earlier piece crosses the next link.
///
/// With f(x) = 2654435761 x + 12345 (in 32 bits): a kernel on chain.first computes made[i] = f(in[i]). The first link copies `made` to
/// its `arrived`, and every other link copies the `arrived` of the previous link. On link.to, one kernel computes used[i] =
/// f(arrived[i]) when all pieces have arrived there.
///
/// The kernels of chain.first run in chain.compute and wait for no copy. The copies of a link run in link.copy, one for each piece.
/// Each of them waits for the kernel, or for the copy of the previous link, that completes its piece, and for no later one. The last
/// kernel of a device runs in link.consumer and waits for no later link.
///
/// @param chain  its devices have been passed to open_all_ways; its streams are empty
/// @param in     n values on chain.first, not modified
/// @param made   n values on chain.first
/// @param n      1 or more
/// @param pieces at least 1; every piece has ceil(n / pieces) values, but the last pieces may have fewer or none
void produce_and_send(const Chain& chain, const unsigned* in, unsigned* made, int n, int pieces);

// ---- halo_exchange ----

/// The sides of a part at which it may have a neighbour.
enum Side { kAbove = 0, kBelow = 1 };

/// One device's part of a plane of cells. The last row of a part is adjacent to the first row of the part below it.
///
/// There are two copies of the plane, which are used alternately. Rows 1 to `rows` belong to the part. Row 0 and row rows + 1 are its
/// **halo**: copies of the adjacent rows of its neighbours. At the top and at the bottom of the whole plane, the halo never changes.
struct Part {
    int device;
    unsigned* plane[2];     ///< (rows + 2) * columns cells each
    int rows, columns;      ///< rows is at least 3
    cudaStream_t interior;  ///< stream of `device` for the cells that no neighbour needs
    cudaStream_t edge
        [2];  ///< by side: stream of `device` for the row next to the neighbour on that side, and its copy
    cudaEvent_t inside;   ///< event of `device`
    cudaEvent_t sent[2];  ///< by side: event of `device`
};

/// Executes `steps` steps of
///
///     next[r][c] = 3 * now[r][c] + now[r - 1][c] + now[r + 1][c] + now[r][c - 1] + now[r][c + 1]   (in 32 bits)
///
/// for rows 1 to `rows` of all parts; cells beyond the first and the last column count as 0. Step s reads plane[s % 2] and writes
/// the other copy, including the halo rows of the neighbours, so that all parts are correct after every step.
///
/// A step sends one row to each neighbour while cells away from the borders are computed. In part.interior, the interior of step s
/// waits for the cells that step s - 1 has computed, and for nothing of its own step. part.edge[side] has the border row of that side
/// and its copy. A stream without a neighbour has no work.
///
/// @param parts from top to bottom, in host memory, each on a different device; all have the same number of columns
/// @param count number of parts, at least 1
/// @param steps 0 or more
void relax(const Part* parts, int count, int steps);

/// Creates part.interior and both part.edge, three different non-blocking streams of part.device. If blocks of several streams are
/// ready, the device starts those of part.edge first, as far as it can distinguish streams in this way. The caller destroys the streams.
///
/// @param part  only `device` has a value; the function sets `interior` and `edge`
void open_streams(Part& part);

// ---- allreduce_graph ----

/// Data of one rank. All ranks train the same model: each rank has all weights and its own samples. Rank r is element r of an array
/// of replicas, and rank r of its communicator, which has been used before.
struct Replica {
    int device;               ///< a different device for each rank
    ncclComm_t comm;          ///< communicator of `device`
    cudaStream_t stream;      ///< stream of `device`
    cudaEvent_t event;        ///< event of `device`
    const unsigned* samples;  ///< n values, not modified
    unsigned* weights;        ///< n values, the same on all ranks
    unsigned* gradient;       ///< n values
    unsigned* largest;        ///< 1 value
};

/// Sums the gradients of all ranks, and finds the maximum of their `largest`. Afterwards, all ranks have the same values in both
/// arrays. Queues two collectives per rank, in the stream of that rank, from this one host thread. The calls can be captured.
/// Source: NVIDIA, NCCL User Guide, "Group Calls".
///
/// @param replicas one for each rank, in host memory
/// @param ranks    at least 1
/// @param n        values per rank, at least 1
void all_reduce(const Replica* replicas, int ranks, int n);

/// Records one step of training of all ranks as one graph, and runs nothing:
///
///     local = (2654435761 * (weights[i] ^ samples[i])) >> 12    (in 32 bits; the kernel leaves it in gradient, its maximum in largest)
///     gradient[i], largest = the sum, and the maximum, over all ranks
///     weights[i] -= gradient[i] / (1 + largest / 1024)
///
/// After the call, no stream is capturing.
///
/// @param replicas one for each rank, in host memory; must outlive the graph
/// @param ranks    at least 1
/// @param n        values per rank, at least 1
/// @return         the graph; the caller destroys it
cudaGraph_t record_step(const Replica* replicas, int ranks, int n);

/// Executes `steps` steps with one graph and one instance of it, which is launched once per step in the stream of rank 0. Destroys
/// the graph and the instance, even though the launches may not have finished.
///
/// @param replicas one for each rank, in host memory; their streams are empty
/// @param ranks    at least 1
/// @param n        values per rank, at least 1
/// @param steps    0 or more
void train(const Replica* replicas, int ranks, int n, int steps);

// ---- rank_process ----

/// The number of a process among all processes of a program, and among those of its host.
struct Rank {
    int rank, ranks;  ///< rank is 0 to ranks - 1
    int local;        ///< number on the host, and number of its device
};

/// Copies bytes of rank 0 to all ranks, which call it together.
using Share = std::function<void(void* data, std::size_t bytes)>;

/// Returns the rank of this process, from the environment variables that its launcher has set:
///
///     launcher             rank                  ranks                 local
///     mpirun of Open MPI   OMPI_COMM_WORLD_RANK  OMPI_COMM_WORLD_SIZE  OMPI_COMM_WORLD_LOCAL_RANK
///     srun of SLURM        SLURM_PROCID          SLURM_NTASKS          SLURM_LOCALID
///     torchrun             RANK                  WORLD_SIZE            LOCAL_RANK
///
/// If a script in a SLURM job calls mpirun, its processes have the variables of both. Then those of mpirun are valid, because SLURM's
/// describe the script. Without any of these variables, the process is rank 0 of 1, and 0 on its host.
Rank find_rank();

/// Creates the communicator of this rank for device rank.local, which is current afterwards. All ranks call it together.
///
/// @param rank  this process: its number, the number of ranks, its number on the host
/// @param share copies the data that all ranks need from rank 0
/// @return      the communicator; the caller destroys it
ncclComm_t join_ranks(const Rank& rank, const Share& share);

/// Queues `steps` steps of this rank's training (see record_step). The process records a step of its own rank in own.stream, as one
/// graph, and launches one instance of it once per step. Destroys the graph and the instance. Source: NVIDIA, NCCL User Guide, "Using
/// NCCL with CUDA Graphs".
///
/// @param own   own.device is current, own.stream is empty, own.event is not used
/// @param n     values per rank, at least 1
/// @param steps 0 or more
void train_rank(const Replica& own, int n, int steps);

/// Waits until all work in own.stream has finished. Meanwhile it asks the communicator for errors.
///
/// @param seconds how long the work may take
/// @return ncclSuccess (0) if the work has finished. Otherwise the communicator has been aborted, and the result is the error that it has
///         reported, or ncclSystemError if the time is over. After that, own.comm must not be used.
/// @param own     this rank: its stream and its communicator
int wait_or_abort(const Replica& own, double seconds);

// ---- bucketed_allreduce ----

/// Data of one rank of a model whose gradients are computed from the last bucket to the first. Rank r is element r of an array of
/// workers, and rank r of its communicator, which has been used before.
struct Worker {
    int device;                ///< a different device for each rank
    ncclComm_t comm;           ///< communicator of `device`
    cudaStream_t compute;      ///< stream of `device` for kernels
    cudaStream_t communicate;  ///< stream of `device` for collectives
    cudaEvent_t* made;         ///< events of `device`, one for each bucket; the array is in *host* memory
    cudaEvent_t reduced;       ///< event of `device`
    unsigned* delta;     ///< `width` values; each bucket changes them and passes them to the next bucket
    unsigned* gradient;  ///< n values
    unsigned* weights;   ///< n values, the same on all ranks
};

/// Division of n gradients into buckets of `width` each; the last bucket may have fewer.
struct Buckets {
    int n, width;  ///< at least 1

    int count() const { return (n + width - 1) / width; }
    int begin(int bucket) const { return bucket * width; }
    int size(int bucket) const { return n - begin(bucket) < width ? n - begin(bucket) : width; }
};

/// Computes the gradients of all ranks and sums them over the ranks. A bucket is reduced while the next bucket is computed.
///
/// From the last bucket to the first, a kernel in worker.compute computes for each rank and bucket
///
///     delta[i] = 2654435761 * delta[i] + 12345,  gradient[begin(bucket) + i] = delta[i] >> 8,   for all i < size(bucket)
///
/// After it, one all-reduce of this bucket runs in worker.communicate; then all ranks have the sum. The kernels wait for no
/// collective, and a collective waits for no kernel except that of its bucket. Here, neither the host nor worker.compute waits for
/// worker.communicate: update() is the first call that lets worker.compute wait for it. Source: Li et al., "PyTorch Distributed:
/// Experiences on Accelerating Data Parallel Training", VLDB 2020.
///
/// @param workers one for each rank, in host memory
/// @param ranks   at least 1
/// @param buckets the same for all ranks
void backward(const Worker* workers, int ranks, const Buckets& buckets);

/// Computes weights[i] -= gradient[i] on all ranks, in worker.compute, when all buckets of the previous backward() have been reduced.
///
/// backward() and update() can be called repeatedly, and can be captured.
///
/// @param workers one for each rank, in host memory
/// @param ranks   at least 1
/// @param n       gradients
void update(const Worker* workers, int ranks, int n);

// ---- put_signal ----

/// Slots between two neighbours.
constexpr int kSlots = 2;

/// Symmetric memory of one PE of a ring. All PEs have allocated the same pieces together, and each has its own pointers.
/// The right neighbour of the last PE is PE 0.
struct Ring {
    unsigned* slots;         ///< kSlots * kBlock values that the left neighbour writes
    std::uint64_t* arrived;  ///< one signal per slot: number of pieces that have arrived there
    std::uint64_t*
        freed;  ///< one signal per slot of the *right* neighbour: number of times that it has been given back
};

/// Sends `mine` to the right neighbour, piece by piece, and computes out[i] = 3 * left[i] + 1 from the values of the left neighbour.
///
/// All PEs call it together with the same n. Each piece has kBlock values, except that the last may have fewer. Piece k passes through
/// slot k % kSlots of the right neighbour.
///
/// @param ring   all signals are 0, at all PEs, when the first PE calls
/// @param mine   n values in symmetric memory, not modified
/// @param out    n values on the PE's device
/// @param n      0 or more
/// @param stream of the PE's device
void shift_right(const Ring& ring, const unsigned* mine, unsigned* out, int n, cudaStream_t stream);

// ---- work_steal ----

/// Threads of a block that takes tasks.
constexpr int kTakers = 64;

/// The tasks of one PE, in symmetric memory: all PEs have allocated the same pieces, and each has its own tasks there.
struct Tasks {
    int* tickets;           ///< 1 value, initially 0: the next ticket
    const unsigned* steps;  ///< one value per task: the argument of work()
    const int* count;       ///< 1 value: how many tasks this PE has
    unsigned* results;      ///< one value per task
};

/// Executes all tasks of all PEs, each once, and writes the result to the PE that the task belongs to.
///
/// All PEs call it, with any number of blocks each, and no PE waits for a different PE. A thread first takes tasks of its own PE, and
/// then tasks of the next PEs around the ring. A thread or a warp may take several tasks at once. The results are visible after the next nvshmem_barrier_all() that follows the stream's work.
///
/// @param tasks  tickets are 0 at all PEs when the first PE calls
/// @param done   for each PE, the number of its tasks that this PE has executed; initially 0, on this PE's device
/// @param blocks number of blocks of kTakers threads, at least 1
/// @param stream of the PE's device
void run_tasks(const Tasks& tasks, int* done, int blocks, cudaStream_t stream);

}  // namespace multi_gpu
