// Grades 14_graphs/capture: one capture, one instance, and iterations that read memory when they run.
#include <string>
#include <vector>

#include "01_error_handling/failing_calls.hpp"
#include "14_graphs/shape.hpp"

namespace {

using namespace graphs_test;
using Values = std::vector<unsigned int>;

unsigned int coefficient(std::size_t i) {
    return (static_cast<unsigned int>(i % 256) * 2654435761u) | 1u;
}

/// Computes the reference. `frozen`: every iteration uses this number as its round.
Values simulate(Values a, unsigned int round, int iterations, const unsigned int* frozen = nullptr) {
    Values b(a.size());
    for (int k = 0; k < iterations; ++k) {
        unsigned int r = frozen != nullptr ? *frozen : round + static_cast<unsigned int>(k);
        for (std::size_t i = 0; i < a.size(); ++i) b[i] = a[i] + a[(i + 1) % a.size()];
        for (std::size_t i = 0; i < a.size(); ++i) {
            unsigned int c = b[i] * coefficient(i) + r;
            a[i] = c ^ (c >> 7);
        }
    }
    return a;
}

Values random_values(kit::Random& random, int n) {
    Values values(static_cast<std::size_t>(n));
    for (unsigned int& value : values) value = static_cast<unsigned int>(random.next());
    return values;
}

/// A state in device memory, with its expected values.
struct Simulation {
    Simulation(kit::Case& test, int n)
        : values(random_values(test.random(), n)),
          round(static_cast<unsigned int>(test.random().integer(1, 1000))),
          a(test.inout("a", values)),
          b(test.output<unsigned int>("b", values.size())),
          c(test.output<unsigned int>("c", values.size())),
          counter(test.inout("round", Values{round})) {}

    graphs::State state() {
        return {a.data(), b.data(), c.data(), counter.data(), static_cast<int>(values.size())};
    }

    /// `of_extra`: where an iteration too many comes from.
    void expect_after(kit::Case& test, int iterations,
                      const kit::Said& of_extra = "warm up without an iteration") {
        if (iterations == 0) {
            test.mistake(kit::Diagnosis::wrong_value, simulate(values, round, 1),
                         "an iteration has run although none was requested: " + of_extra);
        } else {
            test.mistake(
                kit::Diagnosis::wrong_value, simulate(values, round, iterations - 1),
                "one iteration is missing: launch the graph for it, because a capture does not run anything");
            test.mistake(kit::Diagnosis::wrong_value, simulate(values, round, iterations, &recorded),
                         "every launch uses the value that `round` had during the capture: let the kernels "
                         "read the round "
                         "from memory, because a capture copies kernel arguments");
        }
        values = simulate(values, round, iterations);
        round += static_cast<unsigned int>(iterations);
        test.expect(a, values, kit::exact());
        test.expect(counter, {round}, kit::exact());
    }

    Values values;
    unsigned int round;
    const unsigned int recorded = round;  ///< value when record() was called, in the cases that use it
    kit::Output<unsigned int> a, b, c, counter;
};

void expect_calls(kit::Case& test, const std::string& counted, const kit::Said& what, int got, int want,
                  const kit::Said& advice) {
    test.demand(counted, kit::exactly(got, want),
                what + ": " + std::to_string(got) + ", expected " + std::to_string(want) + ". " + advice);
}

void run(kit::Case& test, int n, const std::vector<int>& iterations) {
    Stream stream;
    Simulation simulation(test, n);
    kit::Calls recorded, replayed, discarded;
    graphs::Recording recording =
        test.call([&] { return recorded.in([&] { return graphs::record(simulation.state(), stream); }); });
    test.check(recording.graph != nullptr && recording.exec != nullptr,
               "record() returned no graph or no instance: return both");
    if (recording.graph == nullptr || recording.exec == nullptr) return;
    const Shape shape(test, recording.graph);
    test.check(shape.nodes.size() == 3 && shape.count(test, cudaGraphNodeTypeKernel) == 3,
               "the graph has " + count_of(shape.nodes.size(), "node") +
                   ", expected 3 kernels: capture each kernel once" + kit::task(2));
    test.check(shape.from.size() == 2, "the graph has " + count_of(shape.from.size(), "edge") +
                                           ", expected 2: launch the kernels into one stream");
    simulation.expect_after(test, 0,
                            recorded.launches > 0 ? "do not launch the graph in record()" + kit::task(2)
                                                  : "warm up without an iteration" + kit::task(1));
    test.method("captures", recorded.captures > 0,
                {"recording work with a capture", "you built the graph node by node",
                 "A capture also records the kernels of a library, whose names and arguments you do not "
                 "know. explicit_dag is the exercise for graphs that are built by hand.",
                 2});
    if (recorded.captures > 0)
        expect_calls(test, "captures", "captures", recorded.captures, 1, "Capture once" + kit::task(2));
    expect_calls(test, "instances", "instances made by record()", recorded.instances, 1,
                 "Instantiate the graph once" + kit::task(2));
    int launches = 0;
    for (int count : iterations) {
        test.call([&] { replayed.in([&] { graphs::replay(recording, count, stream); }); });
        launches += count;
        expect_calls(
            test, "graph launches", "graph launches", replayed.launches, launches,
            "Launch the graph once per iteration, because a capture does not run anything" + kit::task(3));
        simulation.expect_after(test, count);
    }
    expect_calls(test, "captures", "captures", recorded.captures + replayed.captures,
                 recorded.captures > 0 ? 1 : 0, "Capture only in record()");
    expect_calls(test, "instances", "instances made", recorded.instances + replayed.instances, 1,
                 "Launch the instance of record() each time" + kit::task(3));
    expect_calls(test, "graph launches", "graph launches", recorded.launches + replayed.launches, launches,
                 "Launch the graph once per iteration" + kit::task(3));
    expect_calls(test, "waits", "calls of replay() that wait", replayed.waits, 0,
                 "Return without waiting; the caller waits" + kit::task(3));
    test.call([&] {
        discarded.in([&] { graphs::discard(recording); });
        expect_calls(test, "instances", "instances destroyed",
                     recorded.instances_destroyed + discarded.instances_destroyed, 1,
                     "Destroy each instance once" + kit::task(4));
        expect_calls(test, "graphs", "graphs destroyed",
                     recorded.graphs_destroyed + replayed.graphs_destroyed + discarded.graphs_destroyed,
                     recorded.graphs_made + replayed.graphs_made, "Destroy each graph once" + kit::task(4));
    });
}

void other_contents(kit::Case& test) {
    Stream stream;
    Simulation simulation(test, 1000);
    graphs::Recording recording = test.call([&] { return graphs::record(simulation.state(), stream); });
    for (int round = 0; round < 3; ++round) {
        simulation.values = random_values(test.random(), 1000);
        simulation.round = static_cast<unsigned int>(test.random().integer(1, 1 << 20));
        overwrite(test, simulation.a.data(), simulation.values);
        overwrite(test, simulation.counter.data(), {simulation.round});
        test.call([&] { graphs::replay(recording, 2, stream); });
        simulation.expect_after(test, 2);
    }
    test.call([&] { graphs::discard(recording); });
}

/// When the stream has finished its work, all iterations are complete: none was launched into another stream.
void in_the_stream(kit::Case& test) {
    Stream stream;
    Simulation simulation(test, 5003);
    graphs::Recording recording = test.call([&] { return graphs::record(simulation.state(), stream); });
    std::vector<unsigned int> copied(simulation.values.size());
    test.call([&] {
        graphs::replay(recording, 4, stream);
        test.cuda(cudaMemcpyAsync(copied.data(), simulation.a.data(), copied.size() * sizeof(unsigned int),
                                  cudaMemcpyDeviceToHost, stream));
        test.cuda(cudaStreamSynchronize(stream));
    });
    test.expect("a, copied in the stream after replay()", copied,
                simulate(simulation.values, simulation.round, 4), kit::exact());
    test.call([&] { graphs::discard(recording); });
}

/// The launches are queued after the stream's earlier work, and run even though the instance has been destroyed.
void discarded_at_once(kit::Case& test) {
    Stream stream;
    Simulation simulation(test, 3000);
    graphs::Recording recording = test.call([&] { return graphs::record(simulation.state(), stream); });
    test.call([&] {
        graphs::replay(recording, 3, stream);
        graphs::discard(recording);
    });
    simulation.expect_after(test, 3);
}

void two_recordings(kit::Case& test) {
    Stream first, second;
    Simulation one(test, 700), two(test, 513);
    graphs::Recording a = test.call([&] { return graphs::record(one.state(), first); });
    graphs::Recording b = test.call([&] { return graphs::record(two.state(), second); });
    test.call([&] {
        for (int i = 0; i < 3; ++i) {
            graphs::replay(a, 1, first);
            graphs::replay(b, 2, second);
        }
    });
    one.expect_after(test, 3);
    two.expect_after(test, 6);
    test.call([&] {
        graphs::discard(a);
        graphs::discard(b);
    });
}

void record_in_probe(const std::function<void()>& begin) {
    Stream stream;
    kit::DeviceBuffer<unsigned int> values(Values(301, 1));
    unsigned int* const at = values.data();
    begin();
    const graphs::Recording recording = graphs::record({at, at + 100, at + 200, at + 300, 100}, stream);
    graphs::replay(recording, 2, stream);
}

}  // namespace

int main(int argc, char** argv) {
    if (error_handling::probe_asked(argc, argv)) return error_handling::failing_calls_main(record_in_probe);
    kit::Grader grader("14_graphs", "capture", argc, argv);
    grader.task(1, {kit::Diagnosis::exited, kit::Diagnosis::cuda_error});
    grader.task(1, kit::About().function("cudaMalloc"));  // called by coefficients() at its first call
    grader.task(2, {kit::Diagnosis::wrong_value});
    grader.task(3, kit::About().output("a, copied in the stream"));
    grader.task(3, {kit::Diagnosis::race});
    for (int n : {1, 255, 256, 257, 5003}) {
        grader.add("n=" + std::to_string(n), [n](kit::Case& test) { run(test, n, {1, 0, 4}); });
    }
    grader.add("n=1000, 100 iterations", [](kit::Case& test) { run(test, 1000, {100}); });
#ifndef KIT_CPU
    // More than 65,535 blocks, which is the limit of a grid's y and z dimensions, and more than one round of any grid.
    grader.add("n=17000003", [](kit::Case& test) { run(test, 17000003, {1, 2}); }, {60, true});
#endif
    grader.add("a copy after the iterations, in their stream", in_the_stream);
    grader.add("other contents at every launch", other_contents);
    grader.add("discarded while launches are queued", discarded_at_once);
    grader.add("two recordings, two streams", two_recordings);
    error_handling::add_failing_calls(grader, "");
    return grader.run();
}
