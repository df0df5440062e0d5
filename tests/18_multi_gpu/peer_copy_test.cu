// Grades 18_multi_gpu/peer_copy: both devices can access each other's memory, and pieces are copied while others are computed.
// sanitizer.case: pieces,
#include <memory>

#include "01_error_handling/failing_calls.hpp"
#include "18_multi_gpu/order.hpp"

namespace {

using namespace multi_gpu_test;

Values transformed(Values values) {
    for (unsigned& value : values) value = 2654435761u * value + 12345u;
    return values;
}

__global__ void copy_all(const unsigned* in, unsigned* out, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) out[i] = in[i];
}

/// A kernel on each device reads memory of the other device.
void look_into_each_other(kit::Case& test, bool twice) {
    if (!has_two_devices(test)) return;
    for (int round = 0; round < (twice ? 2 : 1); ++round) {
        cudaGetLastError();
        const bool opened = test.call_unchecked([&] { return multi_gpu::open_both_ways(0, 1); });
        test.check(opened,
                   "open_both_ways(0, 1) is false, but both directions are possible: query "
                   "cudaDeviceCanAccessPeer() for each" +
                       kit::task(1));
        test.check(cudaPeekAtLastError() == cudaSuccess,
                   "open_both_ways() leaves an error behind for cudaGetLastError(): clear the error of "
                   "access that is already enabled" +
                       kit::task(2));
        expect_device(test, 0, "open_both_ways()");
    }
    for (int device = 0; device < 2; ++device) {
        const OnDevice here(device);
        test.check(cudaDeviceEnablePeerAccess(1 - device, 0) == cudaErrorPeerAccessAlreadyEnabled,
                   "device " + std::to_string(device) + " cannot access the memory of device " +
                       std::to_string(1 - device) + " after open_both_ways(0, 1): enable both directions" +
                       kit::task(2));
        cudaGetLastError();
    }
    for (int device = 0; device < 2; ++device) {
        const Values values = random_values(test.random(), 500);
        const OnDevice there(1 - device);
        auto in = test.input("in", values);
        const OnDevice here(device);
        auto out = test.output<unsigned>("out", values.size());
        test.call([&] {
            copy_all<<<2, 256>>>(in.data(), out.data(), 500);
            test.cuda(cudaDeviceSynchronize());
        });
        test.expect(out, values, kit::exact());
    }
}

#ifdef KIT_CPU
/// Simulates hardware that supports only some directions: the function must return false and change nothing.
void refuses(kit::Case& test, bool forth, bool back) {
    struct AsBefore {
        ~AsBefore() { kit::cpu::set_peer_possible(0, 1, true), kit::cpu::set_peer_possible(1, 0, true); }
    } as_before;
    kit::cpu::set_peer_possible(0, 1, forth);
    kit::cpu::set_peer_possible(1, 0, back);
    cudaGetLastError();
    const bool opened = test.call_unchecked([&] { return multi_gpu::open_both_ways(0, 1); });
    test.check(!opened,
               "open_both_ways(0, 1) is true, but one of the devices cannot access the other's memory: query "
               "both directions" +
                   kit::task(1));
    test.check(cudaPeekAtLastError() == cudaSuccess,
               "open_both_ways() leaves an error behind for cudaGetLastError(): do not enable access that is "
               "not possible" +
                   kit::task(1));
    cudaGetLastError();
    expect_device(test, 0, "open_both_ways()");
    for (int device = 0; device < 2; ++device) {
        const OnDevice here(device);
        test.check(cudaDeviceDisablePeerAccess(1 - device) != cudaSuccess,
                   "open_both_ways(0, 1) is false, but it has opened the direction that is possible: query "
                   "both before you change anything" +
                       kit::task(1));
        cudaGetLastError();
    }
}
#endif

/// A link with its memory.
struct Transfer {
    Transfer(kit::Case& test, int from, int n, int pieces)
        : from(from),
          to(1 - from),
          pieces(pieces),
          values(random_values(test.random(), static_cast<std::size_t>(n))),
          compute(from),
          copy(from),
          consumer(to),
          copied(from) {
        for (int piece = 0; piece < pieces; ++piece) {
            events.push_back(std::make_unique<Event>(from));
            produced.push_back(events.back()->handle);
        }
    }

    multi_gpu::Link link() { return {from, to, compute, copy, consumer, produced.data(), copied.handle}; }

    int from, to, pieces;
    Values values;
    Stream compute, copy, consumer;
    Event copied;
    std::vector<std::unique_ptr<Event>> events;
    std::vector<cudaEvent_t> produced;
};

#ifdef KIT_CPU
/// Returns the missing order, or an empty string if nothing is missing or the streams are used in a different way.
kit::Said missing_order(const QueuedOrder& order, std::size_t pieces) {
    const auto kernels = order.of(0, QueuedOrder::Kind::kernel),
               copies = order.of(1, QueuedOrder::Kind::copy), uses = order.of(2, QueuedOrder::Kind::kernel);
    if (kernels.size() != pieces || copies.size() != pieces || uses.size() != 1) return "";
    for (std::size_t piece = 0; piece < pieces; ++piece)
        if (!order.comes_after(copies[piece], kernels[piece]))
            return order.marks(piece, kernels[piece])
                       ? "link.copy does not wait for piece " + std::to_string(piece) +
                             ": let it wait for link.produced of this piece" + kit::task(4)
                       : "link.produced[" + std::to_string(piece) +
                             "] does not mark the kernel of its piece: record it in link.compute, after the "
                             "kernel" +
                             kit::task(3);
    for (const std::size_t copy : copies)
        if (!order.comes_after(uses[0], copy))
            return "link.consumer does not wait for all copies: record link.copied in link.copy, after "
                   "the last copy, and let link.consumer wait for it" +
                   kit::task(5);
    return "";
}
#endif

enum class Look { values, kernels_run_on, copies_in_their_stream, steps };

void send(kit::Case& test, int from, int n, int pieces, Look look) {
    if (!has_two_devices(test)) return;
    Transfer t(test, from, n, pieces);
    const auto size = static_cast<std::size_t>(n);
    const OnDevice there(t.to);
    auto arrived = test.output<unsigned>("arrived", size), used = test.output<unsigned>("used", size);
    const OnDevice here(from);
    auto in = test.input("in", t.values);
    auto made = test.output<unsigned>("made", size);
    const OnDevice first(0);
#ifdef KIT_CPU
    QueuedOrder order;
    const int most = kit::ceil_div(n, pieces);
    const auto some = static_cast<std::size_t>(most ? kit::ceil_div(n, most) : 0);
    test.explain(kit::Diagnosis::race, [&order, some](const kit::facts::Finding& race) -> kit::Said {
        const kit::Said missing = missing_order(order, some);
        if (!missing.empty()) return missing;
        if (race.memory.name == "made")
            return "a piece overwrites another piece: start each piece at `begin`" + kit::task(3);
        return "";
    });
    test.explain(kit::Diagnosis::uninitialised, [](const kit::facts::Finding& found) -> kit::Said {
        if (found.memory.name == "arrived")
            return "no copy has written it: copy `size` values of sizeof(unsigned) bytes for each piece" +
                   kit::task(4);
        if (found.memory.name == "made")
            return "no kernel has written it: let the kernel of each piece write all its values" +
                   kit::task(3);
        return "";
    });
    test.explain(kit::Diagnosis::out_of_bounds, [](const kit::facts::Finding& found) -> kit::Said {
        return found.rule == kit::facts::Rule::another_device && found.memory.name == "made"
                   ? "the last kernel reads memory of the sender: pass it `arrived`, on its own device" +
                         kit::task(5)
                   : "";
    });
#endif
    if (look == Look::steps) {
        const kit::Timeline timeline = kit::timeline(test, [&] {
            multi_gpu::produce_and_send(t.link(), in.data(), made.data(), arrived.data(), used.data(), n,
                                        pieces);
            wait_for_both(test);
        });
        // The last piece is copied after its kernel, and the last kernel runs after this copy.
        const auto enough = static_cast<unsigned>(pieces) + 2;
        test.demand("steps", kit::at_most(timeline.steps, enough),
                    "the work on " + kit::count_of(pieces, "piece") + " takes " +
                        kit::count_of(timeline.steps, "step") + ", but " + std::to_string(enough) +
                        " are enough: copy a piece while the next piece is computed",
                    kit::Diagnosis::wrong_value, drawn_rows(timeline));
    }
    if (look != Look::steps)
        test.call([&] {
            Gate gate(t.copy);
            if (look == Look::values) gate.open();
            const auto send = [&] {
                without_waiting(test, "produce_and_send()", kit::named_task(5) + " or " + kit::named_task(4),
                                [&] {
                                    multi_gpu::produce_and_send(t.link(), in.data(), made.data(),
                                                                arrived.data(), used.data(), n, pieces);
                                });
            };
#ifdef KIT_CPU
            std::vector<cudaEvent_t> events = t.produced;
            order.note(test, {t.compute, t.copy, t.consumer}, events, send);
            if (const auto elsewhere = order.launched_elsewhere("current device"))
                test.add_failure(*elsewhere);
            else
                test.demand("current device", true, "");
#else
            send();
#endif
            expect_device(test, 0, "produce_and_send()");
            if (look == Look::kernels_run_on)
                test.demand("kernels wait for copies", gate.lets_pass(test, t.compute),
                            "link.compute waits for link.copy: remove this wait, because the kernel of the "
                            "next piece "
                            "does not depend on a copy" +
                                kit::task(4));
            if (look == Look::copies_in_their_stream)
                test.demand(
                    "stream of the copies", gate.holds(test, t.consumer),
                    "the last kernel does not wait for link.copy: queue the copies in link.copy, and let the "
                    "kernel wait for them" +
                        kit::task(4));
#ifdef KIT_CPU
            const std::size_t sent = order.of(1, QueuedOrder::Kind::copy).size();
            if (look == Look::copies_in_their_stream && sent > 0)
                test.demand("copies", kit::exactly(sent, some),
                            "copies in link.copy: " + std::to_string(sent) +
                                ", pieces: " + std::to_string(some) +
                                ". Send each piece with one copy in link.copy" + kit::task(4));
#endif
            gate.open();
            wait_for_both(test);
        });
    const Values made_values = transformed(t.values);
    test.expect(made, made_values, kit::exact());
    test.expect(arrived, made_values, kit::exact());
    test.expect(used, transformed(made_values), kit::exact());
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("18_multi_gpu", "peer_copy", argc, argv);
    grader.task(2, {kit::Diagnosis::out_of_bounds});
    grader.task(3, kit::About().output("made"));
    grader.task(4, kit::About().output("arrived"));
    grader.task(5, kit::About().output("used"));
    for (const int task : {1, 2}) grader.task(task, kit::About().error("cudaErrorPeerAccessUnsupported"));
    for (const int task : {3, 4}) grader.task(task, kit::About().demand("steps"));
    grader.add("each device reads the other's memory",
               [](kit::Case& test) { look_into_each_other(test, false); });
    grader.add("opened twice", [](kit::Case& test) { look_into_each_other(test, true); });
#ifdef KIT_CPU
    grader.add("only device 0 can touch the other's memory",
               [](kit::Case& test) { refuses(test, true, false); });
    grader.add("only device 1 can touch the other's memory",
               [](kit::Case& test) { refuses(test, false, true); });
#endif
    for (const auto& [n, pieces] : std::vector<std::pair<int, int>>{
             {1, 1}, {256, 1}, {257, 2}, {1000, 4}, {5003, 7}, {3, 5}, {65536, 8}}) {
        const std::string name = "n=" + std::to_string(n) + ", " + kit::count_of(pieces, "piece");
        grader.add(name + ", from 0 to 1",
                   [n = n, pieces = pieces](kit::Case& test) { send(test, 0, n, pieces, Look::values); });
    }
    grader.add("n=4099, 3 pieces, from 1 to 0",
               [](kit::Case& test) { send(test, 1, 4099, 3, Look::values); });
    grader.add("kernels continue while copies are held back",
               [](kit::Case& test) { send(test, 0, 4096, 4, Look::kernels_run_on); });
    grader.add("the last kernel waits for the copies",
               [](kit::Case& test) { send(test, 1, 4096, 4, Look::copies_in_their_stream); });
    grader.add("a piece travels while the next one is made",
               [](kit::Case& test) { send(test, 0, 4096, 6, Look::steps); });
#ifndef KIT_CPU
    grader.add("n=67108869, 16 pieces, from 0 to 1",
               [](kit::Case& test) { send(test, 0, 67108869, 16, Look::values); }, {60, true});
#endif
    error_handling::check_failing_calls(grader, argc, argv, {"n=257, 2 pieces, from 0 to 1"},
                                        error_handling::Checked::all);
    return grader.run();
}
