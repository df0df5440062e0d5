// Grades 18_multi_gpu/bucketed_allreduce: the sums, the order of the work, and the same in a graph.
// sanitizer.case: in buckets of
// sanitizer.memcheck: NCCL itself makes calls that fail, and the tool counts them
// sanitizer.initcheck: in NCCL's kernels, it reports memory as never written that another GPU has written
// sanitizer.synccheck: it objects to barriers of NCCL's kernels
#include <memory>

#include "01_error_handling/failing_calls.hpp"
#include "18_multi_gpu/order.hpp"
#include "18_multi_gpu/ranks.hpp"

namespace {

using namespace multi_gpu_test;
using multi_gpu::Buckets;

/// The values of all ranks, before and after each step.
struct Model {
    Values gradient, weights;
    std::vector<Values> delta;  ///< delta of each rank

    void backward(const Buckets& buckets) {
        gradient.assign(gradient.size(), 0);
        for (int bucket = buckets.count() - 1; bucket >= 0; --bucket)
            for (std::size_t i = 0; i < static_cast<std::size_t>(buckets.size(bucket)); ++i)
                for (Values& own : delta) {
                    own[i] = 2654435761u * own[i] + 12345u;
                    gradient[static_cast<std::size_t>(buckets.begin(bucket)) + i] += own[i] >> 8;
                }
    }
    void update() {
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] -= gradient[i];
    }
};

/// One rank's streams, events and memory.
struct Rank {
    Rank(kit::Case& test, int device, ncclComm_t comm, const Model& model, int buckets)
        : device(device), comm(comm), compute(device), communicate(device), reduced(device) {
        for (int bucket = 0; bucket < buckets; ++bucket) {
            events.push_back(std::make_unique<Event>(device));
            made.push_back(events.back()->handle);
        }
        const OnDevice here(device);
        const std::string of = " of rank " + std::to_string(device);
        arrays.push_back(test.inout("delta" + of, model.delta[static_cast<std::size_t>(device)]));
        arrays.push_back(test.output<unsigned>("gradient" + of, model.gradient.size()));
        arrays.push_back(test.inout("weights" + of, model.weights));
    }
    multi_gpu::Worker worker() {
        return {device,          comm,           compute,          communicate,
                made.data(),     reduced.handle, arrays[0].data(), arrays[1].data(),
                arrays[2].data()};
    }

    int device;
    ncclComm_t comm;
    Stream compute, communicate;
    Event reduced;
    std::vector<std::unique_ptr<Event>> events;
    std::vector<cudaEvent_t> made;
    std::vector<kit::Output<unsigned>> arrays;  ///< delta, gradient, weights
};

struct Ranks {
    Ranks(kit::Case& test, const Buckets& buckets, int count) : buckets(buckets) {
        const auto n = static_cast<std::size_t>(buckets.n);
        for (int rank = 0; rank < count; ++rank)
            model.delta.push_back(random_values(test.random(), static_cast<std::size_t>(buckets.width)));
        model.gradient.resize(n);
        model.weights = random_values(test.random(), n);
        const std::vector<ncclComm_t>& comms = communicators(test, count);
        for (int device = 0; device < count; ++device)
            ranks.push_back(
                std::make_unique<Rank>(test, device, comms[ranks.size()], model, buckets.count()));
        for (auto& rank : ranks) workers.push_back(rank->worker());
    }

    void backward() { multi_gpu::backward(workers.data(), count(), buckets); }
    void update() { multi_gpu::update(workers.data(), count(), buckets.n); }
    int count() const { return static_cast<int>(ranks.size()); }
    Rank& operator[](std::size_t rank) { return *ranks[rank]; }

    /// Compares with the values after `steps` further steps.
    void expect(kit::Case& test, int steps) {
        for (int step = 0; step < steps; ++step) {
            model.backward(buckets);
            model.update();
        }
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            test.expect(ranks[rank]->arrays[0], model.delta[rank], kit::exact());
            test.expect(ranks[rank]->arrays[1], model.gradient, kit::exact());
            test.expect(ranks[rank]->arrays[2], model.weights, kit::exact());
        }
    }

    Buckets buckets;
    Model model;
    std::vector<std::unique_ptr<Rank>> ranks;
    std::vector<multi_gpu::Worker> workers;
};

#ifdef KIT_CPU
/// Returns the missing order in one step, or an empty string if nothing is missing or the streams are used in a different way.
kit::Said missing_order(const QueuedOrder& order, std::size_t ranks, std::size_t buckets) {
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const auto kernels = order.of(2 * rank, QueuedOrder::Kind::kernel),
                   sums = order.of(2 * rank + 1, QueuedOrder::Kind::collective);
        if (sums.size() == buckets && order.of(2 * rank + 1, QueuedOrder::Kind::kernel).size() == 1)
            return "`subtract` is in worker.communicate: launch it into worker.compute, where the next "
                   "kernels run after it" +
                   kit::task(3);
        if (kernels.size() == buckets && sums.size() == buckets)
            return "update() launches no kernel for rank " + std::to_string(rank) +
                   ": change the weights of every rank, after its sums" + kit::task(3);
        if (kernels.size() != buckets + 1 || sums.size() != buckets) return "";
        for (std::size_t i = 0; i < buckets; ++i)
            if (!order.comes_after(sums[i], kernels[i]))
                return "the all-reduce of a bucket does not wait for its kernel: record made[bucket] after "
                       "the launch, and let worker.communicate wait for it" +
                       kit::task(1);
        for (const std::size_t sum : sums)
            if (!order.comes_after(kernels[buckets], sum))
                return "the weights do not wait for all sums: record `reduced` in worker.communicate, and "
                       "let worker.compute wait for it" +
                       kit::task(3);
    }
    return "";
}

/// Explains a race. If no order is missing, an all-reduce has elements of a different bucket.
kit::Said cause_of(const QueuedOrder& order, std::size_t ranks, std::size_t buckets) {
    const kit::Said missing = missing_order(order, ranks, buckets);
    if (!missing.empty() || order.of(1, QueuedOrder::Kind::collective).size() != buckets) return missing;
    return "the all-reduce has elements that are not in its bucket: pass it `size` elements, starting at "
           "`begin`" +
           kit::task(2);
}
#endif

void steps(kit::Case& test, int wanted, const Buckets& buckets, int count) {
    const int ranks = devices_of(test, wanted);
    Ranks all(test, buckets, ranks);
    const auto one_step = [&] {
        without_waiting(test, "backward()", kit::named_task(2), [&] { all.backward(); });
        expect_device(test, 0, "backward()");
        without_waiting(test, "update()", kit::named_task(3), [&] { all.update(); });
        expect_device(test, 0, "update()");
    };
#ifdef KIT_CPU
    QueuedOrder order;
    test.explain(kit::Diagnosis::uninitialised, [](const kit::facts::Finding& found) -> kit::Said {
        return found.memory.name.compare(0, 8, "gradient") == 0
                   ? "the kernels write to a different place: start the elements of a bucket at `begin`" +
                         kit::task(1)
                   : "";
    });
    test.explain(kit::Diagnosis::race, [&](const kit::facts::Finding&) {
        return cause_of(order, static_cast<std::size_t>(ranks), static_cast<std::size_t>(buckets.count()));
    });
#endif
    test.call([&] {
        for (int step = 0; step < count; ++step) {
#ifdef KIT_CPU
            if (step == 0) {
                std::vector<cudaStream_t> streams;
                for (std::size_t rank = 0; rank < static_cast<std::size_t>(ranks); ++rank) {
                    streams.push_back(all[rank].compute);
                    streams.push_back(all[rank].communicate);
                }
                order.note(test, streams, {}, one_step);
                if (const auto elsewhere = order.launched_elsewhere("current device"))
                    test.add_failure(*elsewhere);
                else
                    test.demand("current device", true, "");
                continue;
            }
#endif
            one_step();
        }
        wait_for(test, ranks);
    });
    all.expect(test, count);
}

void kernels_run_on(kit::Case& test, int wanted) {
    Ranks all(test, {5000, 1000}, devices_of(test, wanted));
    test.call([&] {
        std::vector<std::unique_ptr<Gate>> gates;
        for (auto& rank : all.ranks) gates.push_back(std::make_unique<Gate>(rank->communicate));
        all.backward();
        bool pass = true;
        for (std::size_t rank = 0; rank < gates.size(); ++rank)
            pass = gates[rank]->lets_pass(test, all[rank].compute) && pass;
        test.demand(
            "kernels wait for collectives", pass,
            "worker.compute waits for worker.communicate in backward(): remove this wait, because the kernel "
            "of the next bucket does not depend on an all-reduce" +
                kit::task(2));
        for (auto& gate : gates) gate->open();
        all.update();
        wait_for(test, all.count());
    });
    all.expect(test, 1);
}

/// Judges a single step. Returns false if a bucket is not reduced while the next one is computed. The executor records the order.
bool travels_at_once(kit::Case& test, Ranks& all) {
    bool host_waits = false;
    const kit::Timeline timeline = kit::timeline(test, [&] {
        host_waits = !without_waiting(test, "backward()", kit::named_task(2), [&] { all.backward(); });
        all.update();
        wait_for(test, all.count());
    });
    const unsigned enough = 1 + static_cast<unsigned>(all.buckets.count()) + 1;
    test.demand("steps", kit::at_most(timeline.steps, enough),
                "the work takes " + kit::count_of(timeline.steps, "step") + ", but " +
                    std::to_string(enough) + " are enough: reduce a bucket while the next bucket is computed",
                kit::Diagnosis::wrong_value, drawn_rows(timeline));
    const auto buckets = static_cast<unsigned>(all.buckets.count()),
               ranks = static_cast<unsigned>(all.count());
    test.demand(
        "collectives", kit::unless(!timeline.noted, kit::exactly(timeline.collectives, ranks * buckets)),
        std::to_string(ranks) + " ranks take part in " + kit::count_of(timeline.collectives, "collective") +
            " for " + std::to_string(buckets) + (buckets == 1 ? " bucket" : " buckets") +
            ": add up each bucket with one all-reduce of all ranks" + kit::task(2));
    all.expect(test, 1);
    return !host_waits && timeline.steps <= enough;
}

/// Judges a step that is captured as one graph: every stream that the functions fork must be joined again.
void captured(kit::Case& test, int wanted, const Buckets& buckets) {
    Ranks all(test, buckets, devices_of(test, wanted));
    if (!travels_at_once(test, all)) return;
    Event fork(0);
    std::vector<std::unique_ptr<Event>> joins;
    for (int device = 1; device < all.count(); ++device) joins.push_back(std::make_unique<Event>(device));
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    test.call([&] {
        const cudaStream_t first = all[0].compute;
        test.cuda(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
        test.cuda(cudaEventRecord(fork.handle, first));
        for (std::size_t rank = 1; rank < all.ranks.size(); ++rank)
            test.cuda(cudaStreamWaitEvent(all[rank].compute, fork.handle, 0));
        all.backward();
        all.update();
        for (std::size_t rank = 1; rank < all.ranks.size(); ++rank) {
            const OnDevice here(all[rank].device);
            test.cuda(cudaEventRecord(joins[rank - 1]->handle, all[rank].compute));
            test.cuda(cudaStreamWaitEvent(first, joins[rank - 1]->handle, 0));
        }
        test.cuda(cudaStreamEndCapture(first, &graph));
    });
    test.cuda(cudaGraphInstantiate(&exec, graph, 0));
    for (int launch = 0; launch < 2; ++launch) {
        test.call([&] {
            test.cuda(cudaGraphLaunch(exec, all[0].compute));
            test.cuda(cudaStreamSynchronize(all[0].compute));
        });
        all.expect(test, 1);
    }
    test.cuda(cudaGraphExecDestroy(exec));
    test.cuda(cudaGraphDestroy(graph));
}

void one_step_in_probe(const std::function<void()>& begin) {
    constexpr int device = 0;
    ncclComm_t comm = nullptr;
    ncclCommInitAll(&comm, 1, &device);
    Stream compute(device), communicate(device);
    Event made(device), reduced(device);
    cudaEvent_t events[] = {made.handle};
    kit::DeviceBuffer<unsigned> delta(Values(100, 1)), gradient(Values(100, 1)), weights(Values(100, 1));
    const multi_gpu::Worker worker = {device,         comm,         compute,         communicate,   events,
                                      reduced.handle, delta.data(), gradient.data(), weights.data()};
    begin();
    multi_gpu::backward(&worker, 1, {100, 100});
    multi_gpu::update(&worker, 1, 100);
}

}  // namespace

int main(int argc, char** argv) {
    if (error_handling::probe_asked(argc, argv)) return error_handling::failing_calls_main(one_step_in_probe);
    kit::Grader grader("18_multi_gpu", "bucketed_allreduce", argc, argv);
    for (const int task : {1, 2})  // the fork is missing or too early, or the bucket is wrong
        grader.task(task, kit::About()
                              .fix(kit::facts::Fix::stream)
                              .fix(kit::facts::Fix::stream_of_kernels)
                              .kernel("make_bucket"));
    grader.task(3, kit::About()
                       .fix(kit::facts::Fix::stream)
                       .fix(kit::facts::Fix::stream_of_kernels)
                       .kernel("subtract"));  // the join is missing
    grader.task(1, kit::About().demand("steps"));
    grader.task(2, kit::About().demand("steps"));
    grader.task(2, kit::About().diagnosis(kit::Diagnosis::out_of_bounds));
    grader.task(3, kit::About().rule(kit::facts::Rule::capture_event_from_outside));
    grader.task(1, kit::About().output("delta"));
    for (const int task : {2, 1}) grader.task(task, kit::About().output("gradient"));
    grader.task(3, kit::About().output("weights"));  // the gradients are correct
    const std::vector<int> counts = device_counts();
    const auto add_steps = [&](int count, const Buckets& buckets, int number) {
        grader.add("n=" + std::to_string(buckets.n) + " in buckets of " + std::to_string(buckets.width) +
                       ", " + kit::count_of(number, "step") + ", " + devices_in_words(count),
                   [=](kit::Case& test) { steps(test, count, buckets, number); });
    };
    for (const Buckets& buckets : {Buckets{1, 1}, Buckets{256, 256}, Buckets{257, 256}, Buckets{1000, 300},
                                   Buckets{5003, 700}, Buckets{4096, 512}})
        for (const int number : {1, 3}) add_steps(counts[0], buckets, number);
    add_steps(1, {2000, 600}, 2);
    for (const int count : counts) {
        const std::string devices = devices_in_words(count);
        if (count != counts[0]) add_steps(count, {2000, 600}, 2);
        grader.add("kernels continue while collectives are held back, " + devices,
                   [count](kit::Case& test) { kernels_run_on(test, count); });
        for (const Buckets& buckets : {Buckets{100, 100}, Buckets{1000, 300}, Buckets{4000, 500}})
            grader.add("a bucket travels while the next one is made, " +
                           kit::count_of(buckets.count(), "bucket") + ", " + devices,
                       [buckets, count](kit::Case& test) {
                           Ranks all(test, buckets, devices_of(test, count));
                           travels_at_once(test, all);
                       });
        grader.add("in a graph, launched twice, " + devices, [count](kit::Case& test) {
            captured(test, count, {1000, 300});
        });
    }
#ifndef KIT_CPU
    grader.add("n=67108859 in 16 buckets, 3 steps, all devices",
               [](kit::Case& test) {
                   steps(test, all_devices, {67108859, 1 << 22}, 3);
               },
               {60, true});
#endif
    error_handling::add_failing_calls(grader, "");
    return grader.run();
}
