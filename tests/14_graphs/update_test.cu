// Grades 14_graphs/update: the results of many different batches, and the number of instances that they needed.
// sanitizer.case: of any size
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "01_error_handling/failing_calls.hpp"
#include "14_graphs/shape.hpp"

namespace {

using namespace graphs_test;

struct Request {
    int n;
    bool clamp;
};

/// A batch with its memory and its expected values.
struct OneBatch {
    OneBatch(kit::Case& test, Request request, const std::string& name)
        : values(kit::uniform<float>(test.random(), request.n, -4, 4)),
          scale(static_cast<float>(0.5 + 2 * test.random().unit())),
          clamp(request.clamp),
          in(test.input("input of " + name, values)),
          out(test.output<float>("output of " + name, request.n)) {}

    graphs::Batch batch() const {
        return {in.data(), out.data(), static_cast<int>(values.size()), scale, clamp};
    }

    std::vector<float> want() const {
        std::vector<float> wanted;
        for (float value : values) wanted.push_back(clamp ? std::min(value * scale, 1.0f) : value * scale);
        return wanted;
    }
    void expect(kit::Case& test) const { test.expect(out, want(), kit::exact()); }
    bool is_right() const { return out.values() == want(); }

    std::vector<float> values;
    float scale;
    bool clamp;
    kit::Input<float> in;
    kit::Output<float> out;
};

std::vector<std::unique_ptr<OneBatch>> make(kit::Case& test, const std::vector<Request>& requests,
                                            const std::string& what = "batch ") {
    std::vector<std::unique_ptr<OneBatch>> all;
    for (const Request& request : requests)
        all.push_back(std::make_unique<OneBatch>(test, request, what + std::to_string(all.size())));
    return all;
}

/// Returns the number of instances that are needed: one for the first batch, and one for each change of the number of kernels.
int instances_needed(const std::vector<Request>& requests) {
    int needed = 0;
    for (std::size_t i = 0; i < requests.size(); ++i)
        needed += i == 0 || requests[i].clamp != requests[i - 1].clamp;
    return needed;
}

/// Calls one(i) for each batch, and compares after each call or after all calls. why(served) returns a possible reason if a value is
/// wrong after this many batches, or an empty string.
template <class Batches, class One>
void call_for_each(
    kit::Case& test, const Batches& batches, bool wait_between, One one,
    const std::function<kit::Said(int served)>& why = [](int) { return kit::Said(); }) {
    const auto compare = [&](const OneBatch& batch, std::size_t served) {
        const kit::Said reason = batch.is_right() ? "" : why(static_cast<int>(served));
        test.check(reason.empty(), reason, kit::Diagnosis::part);
        batch.expect(test);
    };
    if (wait_between) {
        for (std::size_t i = 0; i < batches.size(); ++i) {
            test.call([&] { one(i); });
            compare(*batches[i], i + 1);
        }
    } else {
        test.call([&] {
            for (std::size_t i = 0; i < batches.size(); ++i) one(i);
        });
        for (const auto& batch : batches) compare(*batch, batches.size());
    }
}

void serve_all(kit::Case& test, const std::vector<Request>& requests, bool wait_between) {
    Stream stream;
    auto batches = make(test, requests);
    graphs::Server server;
    kit::Calls calls;
    const auto why = [&](int batches_served) -> kit::Said {
        if (calls.captures >= batches_served && calls.launches >= batches_served && calls.instances == 1 &&
            batches_served > 1)
            return "the instance has the arguments of an earlier batch: update it" + kit::task(2);
        if (calls.captures == 0 || calls.captures >= batches_served) return "";
        return count_of(calls.captures, "capture") + " for " + kit::count_of(batches_served, "batch") +
               ": capture each batch, or it gets the arguments of an earlier one" + kit::task(1);
    };
    test.explain(kit::Diagnosis::out_of_bounds, [&](const kit::facts::Finding&) {
        const kit::Said reason = why(static_cast<int>(requests.size()));
        return reason.empty() ? "the instance has the arguments of an earlier batch: update it" + kit::task(2)
                              : reason;
    });
    call_for_each(
        test, batches, wait_between,
        [&](std::size_t i) { calls.in([&] { graphs::serve(server, batches[i]->batch(), stream); }); }, why);
    const int needed = instances_needed(requests), served = static_cast<int>(requests.size());
    test.demand("instances", kit::exactly(calls.instances, needed),
                kit::count_of(calls.instances, "instance", "were") + " made for " +
                    kit::count_of(served, "batch") + ", expected " + std::to_string(needed) +
                    ": make an instance only when an update of the existing one is not possible" +
                    kit::task(2));
    test.demand("graph launches", kit::exactly(calls.launches, served),
                kit::count_of(calls.launches, "launch") + " of a graph for " + std::to_string(served) +
                    (served == 1 ? " batch" : " batches") + ": launch the graph once for each batch" +
                    kit::task(3));
    test.demand("graphs", kit::exactly(calls.graphs_destroyed, calls.graphs_made),
                count_of(calls.graphs_destroyed, "graph") + " of " + std::to_string(calls.graphs_made) +
                    " were destroyed: destroy each captured graph" + kit::task(3));
    test.demand("waits", kit::exactly(calls.waits, 0),
                "serve() waits: return without waiting, because the caller waits");
    test.call([&] { calls.in([&] { graphs::close(server); }); });
    test.demand(
        "instances", kit::exactly(calls.instances_destroyed, calls.instances),
        "your code did not destroy every instance: destroy it in close(), and before you make a new one" +
            kit::task(2));
}

void retarget_all(kit::Case& test, const std::vector<int>& sizes, bool wait_between) {
    Stream stream;
    std::vector<Request> requests;
    for (int n : sizes) requests.push_back({n, false});
    auto batches = make(test, requests, "launch ");
    graphs::OneNode one = test.call([&] { return graphs::prepare(batches[0]->batch()); });
    kit::Calls calls;
    call_for_each(test, batches, wait_between, [&](std::size_t i) {
        if (i > 0) calls.in([&] { graphs::retarget(one, batches[i]->batch()); });
        test.cuda(cudaGraphLaunch(one.exec, stream));
    });
    test.demand("instances", kit::exactly(calls.instances, 0),
                "retarget() makes an instance: change the arguments of the existing one" + kit::task(4));
    test.demand("captures", kit::exactly(calls.captures, 0),
                "retarget() captures: change the arguments of the existing node" + kit::task(4));
    cudaGraphExecDestroy(one.exec);
    cudaGraphDestroy(one.graph);
}

/// Copies a batch in its stream, without another wait: its launch was queued in this stream.
void copied_in_the_stream(kit::Case& test) {
    Stream stream;
    const OneBatch one(test, {5003, true}, "a batch that is copied in its stream");
    graphs::Server server;
    const kit::Said why =
        "the batch is not ready when `stream` has done its work: launch the instance into `stream`" +
        kit::task(3);
    test.explain(kit::Diagnosis::race, why);
    test.explain(kit::Diagnosis::uninitialised, why);
    std::vector<float> copied(one.values.size());
    test.call([&] {
        graphs::serve(server, one.batch(), stream);
        test.cuda(cudaMemcpyAsync(copied.data(), one.out.data(), copied.size() * sizeof(float),
                                  cudaMemcpyDeviceToHost, stream));
        test.cuda(cudaStreamSynchronize(stream));
    });
    test.check(copied == one.want(), why, kit::Diagnosis::part);
    test.call([&] { graphs::close(server); });
}

void serve_in_probe(const std::function<void()>& begin) {
    Stream stream;
    kit::DeviceBuffer<float> in(std::vector<float>(300, 1)), out(300);
    graphs::Server server;
    begin();
    for (const bool clamp : {false, true})
        graphs::serve(server, {in.data(), out.data(), 300, 2, clamp}, stream);
}

}  // namespace

int main(int argc, char** argv) {
    if (error_handling::probe_asked(argc, argv)) return error_handling::failing_calls_main(serve_in_probe);
    kit::Grader grader("14_graphs", "update", argc, argv);
    grader.task(4, kit::About().on("output of launch"));
    grader.task(4, {kit::Diagnosis::out_of_bounds});
    grader.task(2, {kit::Diagnosis::exited, kit::Diagnosis::cuda_error, kit::Diagnosis::wrong_value});
    const std::vector<Request> sizes = {{1000, false}, {1, false}, {257, false}, {5003, false}, {256, false}};
    const std::vector<Request> clamped = {{300, true}, {2000, true}, {17, true}};
    const std::vector<Request> mixed = {{500, false}, {700, false}, {700, true},
                                        {90, true},   {90, false},  {3000, false}};
    grader.add("one batch", [](kit::Case& test) { serve_all(test, {{777, false}}, true); });
    grader.add("batches of any size", [sizes](kit::Case& test) { serve_all(test, sizes, true); });
    grader.add("batches of any size, clamped",
               [clamped](kit::Case& test) { serve_all(test, clamped, true); });
    grader.add("batches queued one after another",
               [sizes](kit::Case& test) { serve_all(test, sizes, false); });
#ifndef KIT_CPU
    // More than 65,535 blocks, which is the limit of a grid's y and z dimensions, and more than one round of any grid.
    grader.add("17,000,003 values and few, in turn",
               [](kit::Case& test) {
                   serve_all(test, {{17000003, false}, {5, false}, {17000003, true}}, true);
               },
               {60, true});
#endif
    grader.add("another shape now and then", [mixed](kit::Case& test) { serve_all(test, mixed, true); });
    grader.add("another shape now and then, queued",
               [mixed](kit::Case& test) { serve_all(test, mixed, false); });
    grader.add("one node, batches of any size", [](kit::Case& test) {
        retarget_all(test, {1000, 257, 5003, 1, 256}, true);
    });
    grader.add("one node, queued one after another", [](kit::Case& test) {
        retarget_all(test, {1000, 257, 5003, 1, 256}, false);
    });
    grader.afterwards("batches of any size", copied_in_the_stream);
    error_handling::add_failing_calls(grader, "");
    return grader.run();
}
