// Grades 18_multi_gpu/rank_process: variables of launchers, one graph per process, and ranks that end or are late.
// sanitizer.all: ranks are separate processes, which the tool does not see
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "18_multi_gpu/begin_ranks.hpp"
#include "18_multi_gpu/devices.hpp"
#include "grader/calls.hpp"

namespace {

using namespace multi_gpu_test;
using ranks::Words;

/// What happens to one of the ranks.
enum class Fate : unsigned { trains, ends, is_late };

/// The first words of a rank's input. Its samples and its weights follow.
struct Order {
    unsigned n, steps, fate, milliseconds;  ///< milliseconds: the limit for wait_or_abort()
};

/// The first words of a rank's output. Its weights follow, if it has trained.
struct Report {
    unsigned joined = 0, result = 0, waited_ms = 0, aborted = 0, instances = 0, launches = 0, left = 0;
};
constexpr std::size_t head = sizeof(Report) / sizeof(unsigned);

Words in_words(const Report& report) {
    return {report.joined,    report.result,   report.waited_ms, report.aborted,
            report.instances, report.launches, report.left};
}

/// Owns n values on the current device.
class Values32 {
  public:
    explicit Values32(const Words& values) : n_(values.size()) {
        cudaMalloc(&data_, std::max<std::size_t>(n_, 1) * sizeof(unsigned));
        cudaMemcpy(data_, values.data(), n_ * sizeof(unsigned), cudaMemcpyHostToDevice);
    }
    ~Values32() { cudaFree(data_); }
    Values32(const Values32&) = delete;
    Values32& operator=(const Values32&) = delete;
    unsigned* data() const { return data_; }
    Words get() const {
        Words values(n_);
        cudaMemcpy(values.data(), data_, n_ * sizeof(unsigned), cudaMemcpyDeviceToHost);
        return values;
    }

  private:
    std::size_t n_;
    unsigned* data_ = nullptr;
};

#ifdef KIT_CPU
constexpr int warm_up_ms = 300;
#else
constexpr int warm_up_ms = 5000;  // NCCL connects the ranks at the first use
#endif

Words job(int rank, int count, const multi_gpu::Share& share, const Words& input) {
    const Order order = {input[0], input[1], input[2], input[3]};
    const auto begin = input.begin() + 4, middle = begin + order.n;
    Report report;
    const ncclComm_t comm = multi_gpu::join_ranks({rank, count, rank}, share);
    int size = 0, device = -1, current = -1;
    report.joined = comm && ncclCommCount(comm, &size) == ncclSuccess && size == count &&
                    ncclCommCuDevice(comm, &device) == ncclSuccess && device == rank &&
                    cudaGetDevice(&current) == cudaSuccess && current == rank;
    if (!report.joined) return in_words(report);
    const Values32 samples({begin, middle}), weights({middle, input.end()}), gradient(Words(order.n, 7)),
        largest(Words(1, 0));
    const Stream stream(rank);
    cudaDeviceSynchronize();
    // The contract promises that the communicator has been used.
    ncclAllReduce(largest.data(), largest.data(), 1, ncclUint32, ncclMax, comm, stream);
    for (int i = 0; i < warm_up_ms && cudaStreamQuery(stream) == cudaErrorNotReady; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));  // another rank may have failed to join
    const auto fate = static_cast<Fate>(order.fate);
    if (fate == Fate::ends) return in_words(report);
    if (fate == Fate::is_late) std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const multi_gpu::Replica own = {rank,           comm,           stream,          nullptr,
                                    samples.data(), weights.data(), gradient.data(), largest.data()};
    kit::Calls calls;
#ifdef KIT_CPU
    static std::mutex one_after_another;  // the executor counts the calls of all threads together
    std::unique_lock counted(one_after_another);
#endif
    calls.in([&] { multi_gpu::train_rank(own, static_cast<int>(order.n), static_cast<int>(order.steps)); });
#ifdef KIT_CPU
    counted.unlock();
#endif
    report.instances = static_cast<unsigned>(calls.instances);
    report.launches = static_cast<unsigned>(calls.launches);
    report.left = static_cast<unsigned>(calls.instances - calls.instances_destroyed + calls.graphs_made -
                                        calls.graphs_destroyed);
    const auto start = std::chrono::steady_clock::now();
    report.result = static_cast<unsigned>(multi_gpu::wait_or_abort(own, order.milliseconds / 1000.0));
    report.waited_ms = static_cast<unsigned>(
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start)
            .count());
    report.aborted = report.result != ncclSuccess;
#ifdef KIT_CPU
    report.aborted =
        ncclCommCount(comm, &size) != ncclSuccess;  // the executor knows which communicators exist
#endif
    const bool finished = cudaStreamQuery(stream) == cudaSuccess;
    Words output = in_words(report);
    if (finished || report.aborted) {
        cudaStreamSynchronize(stream);
        const Words got = weights.get();
        output.insert(output.end(), got.begin(), got.end());
    }
    return output;
}

/// The weights after some steps of all ranks.
Words trained(Words weights, const std::vector<Words>& samples, unsigned steps) {
    for (unsigned step = 0; step < steps; ++step) {
        Words gradient(weights.size());
        unsigned largest = 0;
        for (std::size_t i = 0; i < weights.size(); ++i)
            for (const Words& own : samples) {
                const unsigned local = (2654435761u * (weights[i] ^ own[i])) >> 12;
                gradient[i] += local;
                largest = std::max(largest, local);
            }
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] -= gradient[i] / (1 + largest / 1024);
    }
    return weights;
}

Report report_in(const Words& output) {
    if (output.size() < head) return {};
    return {output[0], output[1], output[2], output[3], output[4], output[5], output[6]};
}

void train(kit::Case& test, int wanted, unsigned n, unsigned steps, Fate fate) {
    const int count = devices_of(test, wanted);
    const unsigned limit_ms = fate == Fate::ends ? 400 : 20000;
    const Words weights = random_values(test.random(), n);
    std::vector<Words> samples, inputs, outputs;
    for (int rank = 0; rank < count; ++rank) {
        samples.push_back(random_values(test.random(), n));
        const bool is_last = rank == count - 1;
        inputs.push_back({n, steps, static_cast<unsigned>(is_last ? fate : Fate::trains), limit_ms});
        inputs.back().insert(inputs.back().end(), samples.back().begin(), samples.back().end());
        inputs.back().insert(inputs.back().end(), weights.begin(), weights.end());
    }
#ifdef KIT_CPU
    if (fate == Fate::ends)
        test.explain(kit::Diagnosis::barrier,
                     "this rank has ended, so wait_or_abort() must call ncclCommAbort()" + kit::task(5));
#endif
    test.call([&] { outputs = ranks::begin(job, inputs).value_or(std::vector<Words>(inputs.size())); });
    bool all_joined = true;
    for (int rank = 0; rank < count; ++rank) {
        const Report report = report_in(outputs[static_cast<std::size_t>(rank)]);
        const std::string who = "rank " + std::to_string(rank);
        test.check(report.joined,
                   "join_ranks() of " + who + " returns no communicator of " + std::to_string(count) +
                       " ranks for device " + std::to_string(rank) +
                       ": share the unique id of rank 0, and make device rank.local current first" +
                       kit::task(2));
        all_joined = all_joined && report.joined;
    }
    if (!all_joined) return;
    const Words want = trained(weights, samples, steps);
    for (int rank = 0; rank < count; ++rank) {
        const Words& output = outputs[static_cast<std::size_t>(rank)];
        const Report report = report_in(output);
        const std::string who = "rank " + std::to_string(rank);
        if (fate == Fate::ends && rank == count - 1) continue;
        test.demand("instances", kit::exactly(report.instances, 1),
                    "train_rank() creates " + kit::count_of(report.instances, "instance") +
                        ": create one, and launch it once per step" + kit::task(4));
        test.demand("launches", kit::exactly(report.launches, steps),
                    "train_rank() launches " + kit::count_of(report.launches, "graph") + " for " +
                        kit::count_of(steps, "step") + ": launch the instance once per step" + kit::task(4));
        test.check(report.left == 0,
                   "train_rank() leaves a graph or an instance behind: destroy both" + kit::task(4));
        if (fate == Fate::ends) {
            test.check(
                report.result != ncclSuccess,
                "wait_or_abort() of " + who +
                    " returns ncclSuccess, although another rank has ended before its first step: return "
                    "the error" +
                    kit::task(5));
            test.check(report.aborted, "wait_or_abort() of " + who +
                                           " gives up without ncclCommAbort(), so its work can never end: "
                                           "abort the communicator" +
                                           kit::task(5));
            continue;
        }
        test.check(report.result == ncclSuccess && !report.aborted,
                   "wait_or_abort() of " + who + " gives up after " + std::to_string(report.waited_ms) +
                       " ms, but the limit is " + std::to_string(limit_ms) +
                       " ms: a rank may be late, so wait until the time is over" + kit::task(5));
        test.check(output.size() == head + n,
                   "wait_or_abort() of " + who +
                       " returns while the work is still running: ask until cudaStreamQuery() returns "
                       "cudaSuccess" +
                       kit::task(5));
        if (output.size() == head + n)
            test.expect("weights of " + who, Words(output.begin() + head, output.end()), want, kit::exact());
    }
}

constexpr const char* variables[] = {"OMPI_COMM_WORLD_RANK",
                                     "OMPI_COMM_WORLD_SIZE",
                                     "OMPI_COMM_WORLD_LOCAL_RANK",
                                     "SLURM_PROCID",
                                     "SLURM_NTASKS",
                                     "SLURM_LOCALID",
                                     "RANK",
                                     "WORLD_SIZE",
                                     "LOCAL_RANK"};

/// Sets variables as launchers do, and checks what find_rank() returns. Numbers below 0: the launcher has not set them.
void variables_of(kit::Case& test, const std::vector<int>& values, const multi_gpu::Rank& want) {
    for (std::size_t i = 0; i < std::size(variables); ++i) {
        const int value = i < values.size() ? values[i] : -1;
        if (value < 0)
            unsetenv(variables[i]);
        else
            setenv(variables[i], std::to_string(value).c_str(), 1);
    }
    multi_gpu::Rank got = {-1, -1, -1};
    test.call([&] { got = multi_gpu::find_rank(); });
    test.equal("rank", got.rank, want.rank,
               "read the variables of the launcher nearest to the process" + kit::task(1));
    test.equal("ranks", got.ranks, want.ranks, "read the number of all processes" + kit::task(1));
    test.equal("local", got.local, want.local,
               "read the number on the host: on the second host, it is not the rank" + kit::task(1));
}

}  // namespace

int main(int argc, char** argv) {
    if (ranks::is_rank(job)) return 0;
    kit::Grader grader("18_multi_gpu", "rank_process", argc, argv);
    struct Launched {
        const char* by;
        std::vector<int> values;
        multi_gpu::Rank want;
    };
    for (const Launched& one : std::vector<Launched>{
             {"no launcher", {}, {0, 1, 0}},
             {"mpirun, rank 3 of 4", {3, 4, 3}, {3, 4, 3}},
             {"mpirun, rank 0 of 4", {0, 4, 0}, {0, 4, 0}},
             {"srun, rank 9 of 16 on two hosts", {-1, -1, -1, 9, 16, 1}, {9, 16, 1}},
             {"srun, rank 0 of 2", {-1, -1, -1, 0, 2, 0}, {0, 2, 0}},
             {"mpirun in a job of SLURM, rank 10 of 16", {10, 16, 2, 0, 1, 0}, {10, 16, 2}},
             {"torchrun, rank 5 of 8 on two hosts", {-1, -1, -1, -1, -1, -1, 5, 8, 1}, {5, 8, 1}}})
        grader.add(std::string("variables of ") + one.by,
                   [one](kit::Case& test) { variables_of(test, one.values, one.want); });
    const std::vector<int> counts = device_counts();
    constexpr kit::CaseOptions limits{60};
    for (const int count : counts) {
        const std::string devices = devices_in_words(count);
        for (const auto& [n, steps] : std::vector<std::pair<unsigned, unsigned>>{{1, 1}, {1000, 4}, {257, 0}})
            if (count == counts[0] || n == 1000)
                grader.add(
                    kit::count_of(steps, "step") + ", n=" + std::to_string(n) + ", " + devices,
                    [n = n, steps = steps, count](kit::Case& test) {
                        train(test, count, n, steps, Fate::trains);
                    },
                    limits);
        grader.add(
            "the last rank is late, " + devices,
            [count](kit::Case& test) { train(test, count, 300, 2, Fate::is_late); }, limits);
        grader.add(
            "the last rank ends before its first step, " + devices,
            [count](kit::Case& test) { train(test, count, 300, 2, Fate::ends); }, limits);
    }
    return grader.run();
}
