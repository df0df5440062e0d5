// Grades 18_multi_gpu/allreduce_graph: the collectives alone, the graph of a step, and steps one after another.
// sanitizer.memcheck: NCCL itself makes calls that fail, and the tool counts them
// sanitizer.initcheck: in NCCL's kernels, it reports memory as never written that another GPU has written
// sanitizer.synccheck: it objects to barriers of NCCL's kernels
#include <algorithm>
#include <memory>
#include <tuple>

#include "01_error_handling/failing_calls.hpp"
#include "18_multi_gpu/order.hpp"
#include "18_multi_gpu/ranks.hpp"
#include "remembered.hpp"

namespace {

using namespace multi_gpu_test;

/// The values of all ranks, before and after each step.
struct Model {
    Values weights, gradient;
    std::vector<Values> samples;  ///< samples of each rank
    unsigned largest = 0;

    void step() {
        const std::size_t n = weights.size();
        gradient.assign(n, 0);
        largest = 0;
        for (std::size_t i = 0; i < n; ++i)
            for (const Values& own : samples) {
                const unsigned local = (2654435761u * (weights[i] ^ own[i])) >> 12;
                gradient[i] += local;
                largest = std::max(largest, local);
            }
        for (std::size_t i = 0; i < n; ++i) weights[i] -= gradient[i] / (1 + largest / 1024);
    }
};

/// One rank's stream, event and memory.
struct Rank {
    Rank(kit::Case& test, int device, ncclComm_t comm, const Model& model)
        : device(device), comm(comm), stream(device), event(device) {
        const OnDevice here(device);
        const std::string of = " of rank " + std::to_string(device);
        const auto number = static_cast<std::size_t>(device);
        samples.push_back(test.input("samples" + of, model.samples[number]));
        gradient_before = random_values(test.random(), model.weights.size());
        largest_before = random_values(test.random(), 1);
        arrays.push_back(test.inout("weights" + of, model.weights));
        arrays.push_back(test.inout("gradient" + of, gradient_before));
        arrays.push_back(test.inout("largest" + of, largest_before));
    }
    multi_gpu::Replica replica() {
        return {device,
                comm,
                stream,
                event.handle,
                samples[0].data(),
                arrays[0].data(),
                arrays[1].data(),
                arrays[2].data()};
    }
    kit::Output<unsigned>& weights() { return arrays[0]; }
    kit::Output<unsigned>& gradient() { return arrays[1]; }
    kit::Output<unsigned>& largest() { return arrays[2]; }

    int device;
    ncclComm_t comm;
    Stream stream;
    Event event;
    Values gradient_before, largest_before;
    std::vector<kit::Input<unsigned>> samples;
    std::vector<kit::Output<unsigned>> arrays;
};

struct Ranks {
    Ranks(kit::Case& test, int n, int count) {
        const auto size = static_cast<std::size_t>(n);
        model.weights = random_values(test.random(), size);
        for (int rank = 0; rank < count; ++rank) model.samples.push_back(random_values(test.random(), size));
        const std::vector<ncclComm_t>& comms = communicators(test, count);
        for (int device = 0; device < count; ++device)
            ranks.push_back(std::make_unique<Rank>(test, device, comms[ranks.size()], model));
        for (auto& rank : ranks) replicas.push_back(rank->replica());
    }

    /// `why`: a further reason if they differ.
    void expect(kit::Case& test, kit::Output<unsigned>& (Rank::*array)(), const Values& want,
                const kit::Said& why) {
        for (auto& rank : ranks) {
            kit::Output<unsigned>& got = ((*rank).*array)();
            if (got.values() != want) test.mistake(kit::Diagnosis::wrong_value, got.values(), why);
            test.expect(got, want, kit::exact());
        }
    }

    Model model;
    std::vector<std::unique_ptr<Rank>> ranks;
    std::vector<multi_gpu::Replica> replicas;
};

/// Mistakes found in earlier cases: the cases of the collectives alone come first, then a recorded step.
struct Earlier {
    bool sums_are_wrong = false, step_is_wrong = false;
};
const kit::Remembered<Earlier> earlier;

const kit::Said of_sums =
    "after all_reduce() alone, some ranks do not have the sums and the maximum of all ranks: check its "
    "buffers and "
    "operations" +
    kit::task(1);
kit::Said of_step() {
    return earlier->sums_are_wrong
               ? of_sums
               : "all_reduce() is correct, but the recorded step is not: check what else the step must do" +
                     kit::task(3);
}

void sum(kit::Case& test, int wanted, int n, int used) {
    const int ranks = devices_of(test, wanted);
    Ranks all(test, n, ranks);
    std::vector<Values> want;
    unsigned largest = 0;
    for (const auto& rank : all.ranks) {
        want.push_back(rank->gradient_before);
        largest = std::max(largest, rank->largest_before[0]);
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(used); ++i) {
        unsigned total = 0;
        for (const Values& own : want) total += own[i];
        for (Values& own : want) own[i] = total;
    }
    test.call([&] {
        without_waiting(test, "all_reduce()", kit::named_task(1),
                        [&] { multi_gpu::all_reduce(all.replicas.data(), ranks, used); });
        expect_device(test, 0, "all_reduce()");
        wait_for(test, ranks);
    });
    for (std::size_t rank = 0; rank < want.size(); ++rank) {
        kit::Output<unsigned>& got = all.ranks[rank]->gradient();
        if (got.values() != want[rank]) {
            earlier->sums_are_wrong = true;
            test.mistake(kit::Diagnosis::wrong_value, got.values(), of_sums);
        }
        test.expect(got, want[rank], kit::exact());
        if (all.ranks[rank]->largest().values() != Values{largest}) earlier->sums_are_wrong = true;
    }
    all.expect(test, &Rank::largest, {largest}, of_sums);
}

/// Nothing may run while a step is recorded. The whole step must run at each launch of the graph.
void record(kit::Case& test, int wanted, int n) {
    const int ranks = devices_of(test, wanted);
    Ranks all(test, n, ranks);
    kit::Calls calls;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    const Values weights = all.model.weights;
    test.call([&] {
        without_waiting(test, "record_step()", "", [&] {
            calls.in([&] { graph = multi_gpu::record_step(all.replicas.data(), ranks, n); });
        });
        expect_device(test, 0, "record_step()");
        for (auto& rank : all.ranks) {
            cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
            test.cuda(cudaStreamIsCapturing(rank->stream, &status));
            test.check(status == cudaStreamCaptureStatusNone,
                       "the stream of rank " + std::to_string(rank->device) +
                           " is still capturing: join it before the capture ends" + kit::task(4));
        }
        wait_for(test, ranks);
    });
    test.demand("captures", kit::exactly(calls.captures, 1),
                "record_step() captures " + kit::count_of(calls.captures, "time") +
                    ": record all ranks in one capture" + kit::task(2));
    test.check(graph != nullptr,
               "record_step() returns no graph: end the capture, and return its graph" + kit::task(4));
    if (!graph) return;
    for (auto& rank : all.ranks)
        test.check(rank->weights().values() == weights,
                   "record_step() changes the weights of rank " + std::to_string(rank->device) +
                       ": queue all work into streams that are capturing" + kit::task(2));
    test.cuda(cudaGraphInstantiate(&exec, graph, 0));
    for (int launch = 0; launch < 2; ++launch) {
        test.call([&] {
            test.cuda(cudaGraphLaunch(exec, all.ranks[0]->stream));
            test.cuda(cudaStreamSynchronize(all.ranks[0]->stream));
        });
        all.model.step();
        for (auto& rank : all.ranks)
            if (rank->gradient().values() != all.model.gradient ||
                rank->weights().values() != all.model.weights)
                earlier->step_is_wrong = true;
        all.expect(test, &Rank::gradient, all.model.gradient, of_step());
        all.expect(test, &Rank::largest, {all.model.largest}, of_step());
        all.expect(test, &Rank::weights, all.model.weights, of_step());
    }
    test.cuda(cudaGraphExecDestroy(exec));
    test.cuda(cudaGraphDestroy(graph));
}

void train(kit::Case& test, int wanted, int n, int steps) {
    const int ranks = devices_of(test, wanted);
    Ranks all(test, n, ranks);
    kit::Calls calls;
    test.call([&] {
        const auto call = [&] {
            without_waiting(test, "train()", kit::named_task(5), [&] {
                calls.in([&] { multi_gpu::train(all.replicas.data(), ranks, n, steps); });
            });
        };
#ifdef KIT_CPU
        QueuedOrder order;
        std::vector<std::unique_ptr<Event>> ends;
        std::vector<cudaEvent_t> events;
        for (int rank = 1; rank < ranks; ++rank) {
            ends.push_back(std::make_unique<Event>(rank));
            events.push_back(ends.back()->handle);
        }
        order.note(test, {}, events, [&] {
            call();
            for (int rank = 1; rank < ranks; ++rank) {
                const OnDevice here(rank);
                const auto at = static_cast<std::size_t>(rank);
                test.cuda(cudaEventRecord(events[at - 1], all.ranks[at]->stream));
            }
        });
        for (std::size_t other = 0; other < events.size(); ++other)
            test.demand("launches", !order.marks_any(other),
                        "a step is launched in the stream of rank " + std::to_string(other + 1) +
                            ": launch all steps in the stream of rank 0, so that they run one after another" +
                            kit::task(5));
#else
        call();
#endif
        expect_device(test, 0, "train()");
        test.cuda(cudaStreamSynchronize(all.ranks[0]->stream));
    });
    const auto counted = [&](const char* what, int count, int want, const kit::Said& why) {
        test.demand(what, kit::exactly(count, want),
                    "train() with " + kit::count_of(steps, "step") + ": " + std::to_string(count) + " " +
                        what + ", expected " + std::to_string(want) + ": " + why);
    };
    counted("instances", calls.instances, 1, "create one instance and launch it repeatedly" + kit::task(5));
    counted("launches", calls.launches, steps, "launch the graph once for each step" + kit::task(5));
    counted("instances destroyed", calls.instances_destroyed, calls.instances,
            "destroy every instance that you create" + kit::task(5));
    counted("graphs destroyed", calls.graphs_destroyed, calls.graphs_made,
            "destroy every graph, because ncclCommDestroy waits for graphs that still hold its collectives" +
                kit::task(5));
    for (int step = 0; step < steps; ++step) all.model.step();
    all.expect(test, &Rank::weights, all.model.weights,
               earlier->sums_are_wrong || earlier->step_is_wrong
                   ? of_step()
                   : "a single recorded step is correct, but several launches are not: check the order of "
                     "the launches" +
                         kit::task(5));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("18_multi_gpu", "allreduce_graph", argc, argv);
    grader.task(2, kit::About()
                       .rule(kit::facts::Rule::capture_event_from_outside)
                       .rule(kit::facts::Rule::capture_merges_two)
                       .rule(kit::facts::Rule::ranks_only_recorded));
    grader.task(4, kit::About().rule(kit::facts::Rule::capture_not_joined));
    using Position = kit::facts::Memory::Position;
    grader.task(1, kit::About().on("gradient").position(Position::after));  // the kernels check n
    for (const int task : {1, 3}) grader.task(task, kit::About().on("largest").position(Position::after));
    const std::vector<int> counts = device_counts();
    for (const int count : counts) {
        const std::string devices = devices_in_words(count);
        for (const auto& [n, used] :
             std::vector<std::pair<int, int>>{{1, 1}, {256, 256}, {1000, 999}, {5003, 5003}})
            if (count == counts[0] || n == 1000)
                grader.add(
                    "all_reduce of " + std::to_string(used) + " of " + std::to_string(n) + ", " + devices,
                    [n = n, used = used, count](kit::Case& test) { sum(test, count, n, used); });
    }
    const auto add_record = [&](int count, int n) {
        grader.add("a recorded step, n=" + std::to_string(n) + ", " + devices_in_words(count),
                   [n, count](kit::Case& test) { record(test, count, n); });
    };
    const auto add_train = [&](int count, int n, int steps) {
        grader.add(kit::count_of(steps, "step") + ", n=" + std::to_string(n) + ", " + devices_in_words(count),
                   [n, steps, count](kit::Case& test) { train(test, count, n, steps); });
    };
    for (const int n : {1, 255, 256, 257, 4099}) add_record(counts[0], n);
    for (const int count : counts)
        if (count != counts[0]) add_record(count, 700);
    add_record(1, 700);
    for (const auto& [n, steps] : std::vector<std::pair<int, int>>{{1000, 1}, {257, 7}, {2048, 0}, {5003, 3}})
        add_train(counts[0], n, steps);
    for (const int count : counts)
        if (count != counts[0]) add_train(count, 900, 4);
    add_train(1, 900, 4);
#ifndef KIT_CPU
    grader.add("100 steps, n=16777213, all devices",
               [](kit::Case& test) { train(test, all_devices, 16777213, 100); }, {60, true});
#endif
    const std::string first = devices_in_words(counts[0]);
    error_handling::check_failing_calls(
        grader, argc, argv, {"all_reduce of 256 of 256, " + first, "a recorded step, n=256, " + first},
        error_handling::Checked::all);
    return grader.run();
}
