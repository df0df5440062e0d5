// Grades 18_multi_gpu/peer_copy: devices can access each other's memory, and pieces travel along a chain while others are computed.
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

/// A kernel on each device reads memory of each other device.
void look_into_each_other(kit::Case& test, int wanted, bool twice) {
    const int count = devices_of(test, wanted);
    const std::string opens = "open_all_ways(" + std::to_string(count) + ")";
    for (int round = 0; round < (twice ? 2 : 1); ++round) {
        cudaGetLastError();
        const bool opened = test.call_unchecked([&] { return multi_gpu::open_all_ways(count); });
        test.check(opened,
                   opens +
                       " is false, but all directions are possible: query cudaDeviceCanAccessPeer() for "
                       "each of them" +
                       kit::task(1));
        test.check(cudaPeekAtLastError() == cudaSuccess,
                   "open_all_ways() leaves an error behind for cudaGetLastError(): clear the error of access "
                   "that is already enabled" +
                       kit::task(2));
        expect_device(test, 0, "open_all_ways()");
    }
    for (int device = 0; device < count; ++device)
        for (int peer = 0; peer < count; ++peer) {
            if (peer == device) continue;
            const OnDevice here(device);
            test.check(cudaDeviceEnablePeerAccess(peer, 0) == cudaErrorPeerAccessAlreadyEnabled,
                       "device " + std::to_string(device) + " cannot access the memory of device " +
                           std::to_string(peer) + " after " + opens +
                           ": enable the access of each device to all others" + kit::task(2));
            cudaGetLastError();
        }
    for (int device = 0; device < count; ++device) {
        const Values values = random_values(test.random(), 500);
        const OnDevice there((device + 1) % count);
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
/// Simulates hardware that does not support one direction: the function must return false and change nothing.
void refuses(kit::Case& test, int count, int from, int to) {
    devices_of(test, count);
    struct AsBefore {
        int from, to;
        ~AsBefore() { kit::cpu::set_peer_possible(from, to, true); }
    } as_before{from, to};
    for (int device = 0; device < count;
         ++device)  // a call also takes back access that an earlier case has opened
        for (int peer = 0; peer < count; ++peer)
            kit::cpu::set_peer_possible(device, peer, device != from || peer != to);
    cudaGetLastError();
    const std::string opens = "open_all_ways(" + std::to_string(count) + ")";
    const bool opened = test.call_unchecked([&] { return multi_gpu::open_all_ways(count); });
    test.check(!opened, opens + " is true, but device " + std::to_string(from) +
                            " cannot access the memory of device " + std::to_string(to) +
                            ": query both directions of each pair" + kit::task(1));
    test.check(cudaPeekAtLastError() == cudaSuccess,
               "open_all_ways() leaves an error behind for cudaGetLastError(): do not enable access that is "
               "not possible" +
                   kit::task(1));
    cudaGetLastError();
    expect_device(test, 0, "open_all_ways()");
    for (int device = 0; device < count; ++device)
        for (int peer = 0; peer < count; ++peer) {
            if (peer == device) continue;
            const OnDevice here(device);
            test.check(cudaDeviceDisablePeerAccess(peer) != cudaSuccess,
                       opens +
                           " is false, but it has opened a direction that is possible: query all of them "
                           "before you change anything" +
                           kit::task(1));
            cudaGetLastError();
        }
}
#endif

/// A chain of devices, with its streams, events and memory.
struct Transfer {
    /// One link of the chain.
    struct Way {
        Way(kit::Case& test, int from, int to, std::size_t n, std::size_t pieces)
            : from(from), to(to), copy(from), consumer(to) {
            for (std::size_t piece = 0; piece < pieces; ++piece) {
                events.push_back(std::make_unique<Event>(from));
                sent.push_back(events.back()->handle);
            }
            const OnDevice there(to);
            const std::string of = " of device " + std::to_string(to);
            arrays.push_back(test.output<unsigned>("arrived" + of, n));
            arrays.push_back(test.output<unsigned>("used" + of, n));
        }
        int from, to;
        Stream copy, consumer;
        std::vector<std::unique_ptr<Event>> events;
        std::vector<cudaEvent_t> sent;
        std::vector<kit::Output<unsigned>> arrays;  ///< arrived, used
    };

    Transfer(kit::Case& test, const std::vector<int>& route, int n, int pieces)
        : first(route[0]), n(n), pieces(pieces), compute(route[0]) {
        const auto size = static_cast<std::size_t>(n);
        values = random_values(test.random(), size);
        const OnDevice here(first);
        in.push_back(test.input("in", values));
        made.push_back(test.output<unsigned>("made", size));
        for (int piece = 0; piece < pieces; ++piece) {
            events.push_back(std::make_unique<Event>(first));
            produced.push_back(events.back()->handle);
        }
        for (std::size_t i = 0; i + 1 < route.size(); ++i) {
            ways.push_back(
                std::make_unique<Way>(test, route[i], route[i + 1], size, static_cast<std::size_t>(pieces)));
            Way& way = *ways.back();
            links.push_back({way.from, way.to, way.copy, way.consumer, way.sent.data(), way.arrays[0].data(),
                             way.arrays[1].data()});
        }
    }
    void send() {
        multi_gpu::produce_and_send(
            {first, compute, produced.data(), links.data(), static_cast<int>(links.size())}, in[0].data(),
            made[0].data(), n, pieces);
    }
#ifdef KIT_CPU
    /// Returns how many pieces have values.
    std::size_t some() const {
        const int most = kit::ceil_div(n, pieces);
        return static_cast<std::size_t>(most ? kit::ceil_div(n, most) : 0);
    }
#endif

    int first, n, pieces;
    Values values;
    Stream compute;
    std::vector<std::unique_ptr<Event>> events;
    std::vector<cudaEvent_t> produced;
    std::vector<kit::Input<unsigned>> in;
    std::vector<kit::Output<unsigned>> made;
    std::vector<std::unique_ptr<Way>> ways;
    std::vector<multi_gpu::Link> links;
};

#ifdef KIT_CPU
/// Streams of a chain in the order that missing_order() expects: the kernels', then copy and consumer of each link.
std::vector<cudaStream_t> streams_of(const Transfer& t) {
    std::vector<cudaStream_t> streams = {t.compute};
    for (const auto& way : t.ways) streams.insert(streams.end(), {way->copy, way->consumer});
    return streams;
}
/// Events of a chain: `produced` of all pieces, then `sent` of all pieces for each link.
std::vector<cudaEvent_t> events_of(const Transfer& t) {
    std::vector<cudaEvent_t> events = t.produced;
    for (const auto& way : t.ways) events.insert(events.end(), way->sent.begin(), way->sent.end());
    return events;
}

/// Returns the missing order, or an empty string if nothing is missing or the streams are used in a different way.
kit::Said missing_order(const QueuedOrder& order, std::size_t links, std::size_t pieces, std::size_t events) {
    auto sources = order.of(0, QueuedOrder::Kind::kernel);
    if (sources.size() != pieces) return "";
    for (std::size_t link = 0; link < links; ++link) {
        const auto copies = order.of(1 + 2 * link, QueuedOrder::Kind::copy),
                   uses = order.of(2 + 2 * link, QueuedOrder::Kind::kernel);
        if (copies.size() != pieces || uses.size() != 1) return "";
        const std::string of_link = links == 1 ? "" : " of link " + std::to_string(link);
        for (std::size_t piece = 0; piece < pieces; ++piece) {
            const std::string number = std::to_string(piece);
            if (order.comes_after(copies[piece], sources[piece])) continue;
            if (order.marks(link * events + piece, sources[piece]))
                return "link.copy" + of_link + " does not wait for piece " + number + ": let it wait for " +
                       (link == 0 ? "chain.produced" : "`sent` of the previous link") + " of this piece" +
                       kit::task(4);
            return link == 0
                       ? "chain.produced[" + number +
                             "] does not mark the kernel of its piece: record it in chain.compute, after "
                             "the kernel" +
                             kit::task(3)
                       : "link.sent[" + number +
                             "] does not mark the copy of its piece: record it in link.copy, after the "
                             "copy" +
                             kit::task(4);
        }
        for (std::size_t piece = 0; piece < pieces; ++piece) {
            if (order.comes_after(uses[0], copies[piece])) continue;
            return order.marks((link + 1) * events + piece, copies[piece])
                       ? "link.consumer" + of_link +
                             " does not wait for all copies: let it wait for `sent` of the last piece" +
                             kit::task(5)
                       : "link.sent[" + std::to_string(piece) +
                             "] does not mark the copy of its piece: record it in link.copy, after the copy" +
                             kit::task(4);
        }
        sources = copies;
    }
    return "";
}
#endif

enum class Look { values, kernels_run_on, copies_in_their_stream, later_links, steps };

using Pairs = std::vector<std::pair<int, int>>;

/// The devices of a chain, in ascending or descending order.
enum class Route { up, down };

void send(kit::Case& test, int wanted, Route direction, int n, int pieces, Look look) {
    const int count = devices_of(test, wanted);
    std::vector<int> route;
    for (int i = 0; i < count; ++i) route.push_back(direction == Route::up ? i : count - 1 - i);
    Transfer t(test, route, n, pieces);
#ifdef KIT_CPU
    QueuedOrder order;
    const std::size_t some = t.some(), links = t.ways.size();
    test.explain(
        kit::Diagnosis::race, [&order, some, links, pieces](const kit::facts::Finding& race) -> kit::Said {
            const kit::Said missing = missing_order(order, links, some, static_cast<std::size_t>(pieces));
            if (!missing.empty()) return missing;
            if (race.memory.name == "made")
                return "a piece overwrites another piece: start each piece at `begin`" + kit::task(3);
            return "";
        });
    test.explain(kit::Diagnosis::uninitialised, [](const kit::facts::Finding& found) -> kit::Said {
        if (found.memory.name.compare(0, 7, "arrived") == 0)
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
            t.send();
            wait_for(test, count);
        });
        // The last piece crosses each link after its kernel, and the last kernel runs after these copies.
        const auto enough = static_cast<unsigned>(pieces + count);
        test.demand("steps", kit::at_most(timeline.steps, enough),
                    "the work on " + kit::count_of(pieces, "piece") + " takes " +
                        kit::count_of(timeline.steps, "step") + ", but " + std::to_string(enough) +
                        " are enough: copy a piece while the next piece is computed",
                    kit::Diagnosis::wrong_value, drawn_rows(timeline));
    }
    if (look != Look::steps)
        test.call([&] {
            Transfer::Way& first = *t.ways.front();
            Gate gate(first.copy);
            if (look == Look::values) gate.open();
            const auto send = [&] {
                without_waiting(test, "produce_and_send()", kit::named_task(5) + " or " + kit::named_task(4),
                                [&] { t.send(); });
            };
#ifdef KIT_CPU
            order.note(test, streams_of(t), events_of(t), send);
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
                            "chain.compute waits for link.copy: remove this wait, because the kernel of the "
                            "next piece "
                            "does not depend on a copy" +
                                kit::task(4));
            if (look == Look::copies_in_their_stream)
                test.demand(
                    "stream of the copies", gate.holds(test, first.consumer),
                    "the last kernel does not wait for link.copy: queue the copies in link.copy, and let the "
                    "kernel wait for them" +
                        kit::task(4));
            if (look == Look::later_links)
                test.demand("source of the copies", gate.holds(test, t.ways.back()->consumer),
                            "values reach the last device while the copies of the first link are held back: "
                            "let each link send what has arrived over the previous link" +
                                kit::task(4));
#ifdef KIT_CPU
            for (std::size_t link = 0; link < links && look == Look::copies_in_their_stream; ++link) {
                const std::size_t sent = order.of(1 + 2 * link, QueuedOrder::Kind::copy).size();
                if (sent > 0)
                    test.demand("copies", kit::exactly(sent, some),
                                "copies in link.copy: " + std::to_string(sent) +
                                    ", pieces: " + std::to_string(some) +
                                    ". Send each piece with one copy in link.copy" + kit::task(4));
            }
#endif
            gate.open();
            wait_for(test, count);
        });
    const Values made_values = transformed(t.values), used_values = transformed(made_values);
    test.expect(t.made[0], made_values, kit::exact());
    for (auto& way : t.ways) {
        test.expect(way->arrays[0], made_values, kit::exact());
        test.expect(way->arrays[1], used_values, kit::exact());
    }
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
    const std::vector<int> counts = device_counts();
    for (const int count : counts) {
        const std::string devices = devices_in_words(count);
        grader.add("each of " + devices + " reads the others' memory",
                   [count](kit::Case& test) { look_into_each_other(test, count, false); });
        grader.add("opened twice, " + devices,
                   [count](kit::Case& test) { look_into_each_other(test, count, true); });
#ifdef KIT_CPU
        for (const auto& [from, to] :
             count == 2 ? Pairs{{1, 0}, {0, 1}} : Pairs{{1, 0}, {0, count - 1}, {2, 1}})
            grader.add("device " + std::to_string(from) + " of " + devices +
                           " cannot touch the memory of device " + std::to_string(to),
                       [count, from = from, to = to](kit::Case& test) { refuses(test, count, from, to); });
#endif
        for (const auto& [n, pieces] : std::vector<std::pair<int, int>>{
                 {1, 1}, {256, 1}, {257, 2}, {1000, 4}, {5003, 7}, {3, 5}, {65536, 8}}) {
            if (count != counts[0] && n != 1000 && n != 5003) continue;
            const std::string name = "n=" + std::to_string(n) + ", " + kit::count_of(pieces, "piece");
            grader.add(name + ", " + devices, [n = n, pieces = pieces, count](kit::Case& test) {
                send(test, count, Route::up, n, pieces, Look::values);
            });
        }
        grader.add("n=4099, 3 pieces, " + devices + ", from the last to the first",
                   [count](kit::Case& test) { send(test, count, Route::down, 4099, 3, Look::values); });
        grader.add("kernels continue while copies are held back, " + devices,
                   [count](kit::Case& test) { send(test, count, Route::up, 4096, 4, Look::kernels_run_on); });
        grader.add("the last kernel waits for the copies, " + devices, [count](kit::Case& test) {
            send(test, count, Route::down, 4096, 4, Look::copies_in_their_stream);
        });
        grader.add("each link waits for the previous one, " + devices,
                   [count](kit::Case& test) { send(test, count, Route::up, 4096, 4, Look::later_links); });
        grader.add("a piece travels while the next one is made, " + devices,
                   [count](kit::Case& test) { send(test, count, Route::up, 4096, 6, Look::steps); });
    }
#ifndef KIT_CPU
    grader.add("n=67108869, 16 pieces, all devices",
               [](kit::Case& test) { send(test, all_devices, Route::up, 67108869, 16, Look::values); },
               {60, true});
#endif
    error_handling::check_failing_calls(grader, argc, argv,
                                        {"n=257, 2 pieces, " + devices_in_words(counts[0])},
                                        error_handling::Checked::all);
    return grader.run();
}
