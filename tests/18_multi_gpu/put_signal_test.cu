// Grades 18_multi_gpu/put_signal: a ring of PEs, pieces through two slots.
// sanitizer.all: PEs are separate processes, which the tool does not see
#include "01_error_handling/failing_calls.hpp"
#include "18_multi_gpu/18_multi_gpu.hpp"
#include "18_multi_gpu/pes.hpp"
#include "remembered.hpp"

namespace {

using multi_gpu::kBlock;
using multi_gpu::kSlots;
using pes::Words;

/// The work of one PE. Returns the values that it has received, then the number of times that each slot was given back to it, then the
/// slots.
Words receive_from_left(int pe, int, const Words& input) {
    const auto n = static_cast<int>(input.size());
    pes::Symmetric<unsigned> slots(kSlots * kBlock), mine(input.size() + 1);
    pes::Symmetric<std::uint64_t> arrived(kSlots), freed(kSlots);
    mine.fill(input);
    kit::DeviceBuffer<unsigned> out(std::vector<unsigned>(input.size() + 1, 0xCBCBCBCBu));
    pes::name(slots, kSlots * kBlock, "slots");
    pes::name(arrived, kSlots, "arrived");
    pes::name(freed, kSlots, "freed");
    cudaStream_t stream = nullptr;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    nvshmem_barrier_all();
    pes::call(pe, [&] {
        multi_gpu::shift_right({slots.data(), arrived.data(), freed.data()}, mine.data(), out.data(), n,
                               stream);
    });
    cudaStreamSynchronize(stream);
    nvshmem_barrier_all();
    cudaStreamDestroy(stream);
    Words received = out.to_vector();
    received.resize(input.size());
    for (const std::uint64_t times : freed.values()) received.push_back(static_cast<unsigned>(times));
    for (const unsigned value : slots.values()) received.push_back(value);
    return received;
}

/// The inputs and the outputs of the PEs of a ring.
struct Ring {
    std::vector<Words> inputs, outputs;
    std::size_t n = 0;

    std::size_t pes() const { return inputs.size(); }
    std::size_t pieces() const { return (n + kBlock - 1) / kBlock; }
    /// Returns the number of pieces that pass through a slot.
    std::size_t uses(std::size_t slot) const { return (pieces() + kSlots - 1 - slot) / kSlots; }
    Words made_of(std::size_t pe) const {
        Words values = inputs[pe];
        for (unsigned& value : values) value = 3 * value + 1;
        return values;
    }
    Words received(std::size_t pe) const {
        return outputs[pe].size() < n
                   ? Words()
                   : Words(outputs[pe].begin(), outputs[pe].begin() + static_cast<std::ptrdiff_t>(n));
    }

    /// Returns a sentence about a slot that was given back more often than it was used, or an empty string.
    kit::Said given_back_too_often() const {
        for (std::size_t pe = 0; pe < outputs.size(); ++pe)
            for (std::size_t slot = 0; slot < kSlots && outputs[pe].size() >= n + kSlots; ++slot)
                if (const std::size_t times = outputs[pe][n + slot]; times > uses(slot))
                    return "freed[" + std::to_string(slot) + "] of PE " + std::to_string(pe) + " is " +
                           std::to_string(times) + " after " + kit::count_of(uses(slot), "piece") +
                           " in this slot: let one thread give a slot back, once for each piece" +
                           kit::task(4);
        return "";
    }
    /// Returns which piece of the same slot a PE has instead of the correct one: -1 an earlier piece, 1 a later piece, 0 neither.
    int piece_instead() const {
        for (std::size_t pe = 0; pe < outputs.size(); ++pe) {
            const Words got = received(pe), want = made_of((pe + pes() - 1) % pes());
            for (std::size_t i = 0; i < got.size(); ++i) {
                const std::size_t apart = kSlots * kBlock;
                if (got[i] == want[i]) continue;
                if (i >= apart && got[i] == want[i - apart]) return -1;
                if (i + apart < want.size() && got[i] == want[i + apart]) return 1;
            }
        }
        return 0;
    }
    /// Returns whether a PE has read fresh slots, which hold zeros, although in the end they hold the pieces of its left neighbour.
    bool reads_too_early() const {
        for (std::size_t pe = 0; pe < outputs.size() && pieces() <= kSlots && n > 1; ++pe) {
            const Words got = received(pe), &left = inputs[(pe + pes() - 1) % pes()];
            if (outputs[pe].size() < n + kSlots + n) continue;
            const auto slots = outputs[pe].begin() + static_cast<std::ptrdiff_t>(n + kSlots);
            const auto of_zero = [](unsigned value) { return value == 1; };
            if (std::equal(left.begin(), left.end(), slots) && std::all_of(got.begin(), got.end(), of_zero))
                return true;
        }
        return false;
    }
    /// Returns whether a PE has the values of its right neighbour.
    bool comes_from_the_right() const {
        for (std::size_t pe = 0; pe < outputs.size(); ++pe) {
            const Words got = received(pe), right = made_of((pe + 1) % pes());
            const std::size_t some = std::min<std::size_t>(n, 8);
            if (pes() > 2 && some > 0 && got.size() == n &&
                std::equal(right.begin(), right.begin() + static_cast<std::ptrdiff_t>(some), got.begin()))
                return true;
        }
        return false;
    }
};

const kit::Said to_the_left =
    "a PE receives the pieces of its right neighbour: let each PE put its pieces to the right" + kit::task(2);

/// Mistakes found in earlier cases.
struct Earlier {
    bool wrong_with_fresh_slots = false;  ///< wrong although no slot is used twice
    bool wrong_with_two = false;          ///< wrong with two PEs
};
const kit::Remembered<Earlier> earlier;

#ifdef KIT_CPU
/// Explains a race. As long as no slot is used twice, no PE waits for a slot, so giving slots back cannot be the cause.
kit::Said cause_of(const kit::facts::Finding& race, const Ring& ring) {
    using kit::facts::Fix;
    if (race.memory.name != "slots" || race.fix == Fix::fence_behind_signal) return "";
    if (ring.comes_from_the_right()) return to_the_left;
    if (ring.pieces() <= kSlots)
        return race.fix == Fix::one_put
                   ? "a piece is put more than once: let all threads of the block make one "
                     "call together, or let each put its own part" +
                         kit::task(2)
                   : "";
    if (const kit::Said too_often = ring.given_back_too_often(); !too_often.empty()) return too_often;
    if (earlier->wrong_with_fresh_slots) return "";
    if (!earlier->wrong_with_two && ring.pes() > 2)
        return "with two PEs, where both neighbours are the same PE, this does not happen: give a slot back "
               "to "
               "the PE that has written to it, your left neighbour" +
               kit::task(4);
    if (race.fix == Fix::one_put) {
        const int instead = ring.piece_instead();
        return instead < 0 ? "an earlier piece of the slot was read: wait until arrived[slot] is round + 1" +
                                 kit::task(3)
               : instead > 0
                   ? "a piece was overwritten before it was read: wait for freed[slot] before the put" +
                         kit::task(1)
                   : "nothing orders the pieces of a slot: let the put wait for freed[slot], and the "
                     "reader for one arrival more than the last time" +
                         kit::task(1, 3);
    }
    return "the slot is used again while threads still read it: wait for freed[slot] before the put, and "
           "give "
           "a slot back only after all threads of the block have read it" +
           kit::task(1, 4);
}
#endif

void ring(kit::Case& test, int wanted, int n) {
    const int count = pes::devices_of(test, wanted);
    Ring ring;
    ring.n = static_cast<std::size_t>(n);
    ring.inputs.assign(static_cast<std::size_t>(count), Words(ring.n));
    for (Words& input : ring.inputs)
        for (unsigned& value : input) value = static_cast<unsigned>(test.random().next());
#ifdef KIT_CPU
    test.explain(kit::Diagnosis::barrier, [&ring](const kit::facts::Finding& wait) -> kit::Said {
        if (wait.memory.name != "freed") return "";
        return ring.pieces() <= kSlots ? "no slot has been used before: wait until a slot was given back "
                                         "as many times as it was used, which is `round`" +
                                             kit::task(1)
                                       : "give a slot back each time after its piece has been read, and add "
                                         "1 to `freed` each time" +
                                             kit::task(4);
    });
    test.explain(kit::Diagnosis::race,
                 [&ring](const kit::facts::Finding& race) { return cause_of(race, ring); });
#endif
    bool unused = false;
    bool& wrong = ring.pieces() <= kSlots ? earlier->wrong_with_fresh_slots
                  : count == 2            ? earlier->wrong_with_two
                                          : unused;
    const bool before = wrong;
    wrong = true;  // until this case has passed
    test.call([&] { ring.outputs = pes::run(test, receive_from_left, ring.inputs); });
    test.check(!ring.comes_from_the_right(), to_the_left);
    const kit::Said too_often = ring.given_back_too_often();
    test.check(too_often.empty(), too_often);
    test.check(
        !ring.reads_too_early(),
        "a PE reads its slots before the pieces arrive, when they still hold zeros: the first piece of a "
        "slot sets arrived[slot] to 1, so wait until it is round + 1" +
            kit::task(3),
        kit::Diagnosis::part);
    bool all = true;
    for (std::size_t pe = 0; pe < ring.pes(); ++pe) {
        const Words got = ring.received(pe), want = ring.made_of((pe + ring.pes() - 1) % ring.pes());
        all = all && got == want;
        test.expect("out of PE " + std::to_string(pe), got, want, kit::exact());
    }
    wrong = before || !all;
}

}  // namespace

int main(int argc, char** argv) {
    if (pes::is_pe(receive_from_left)) return 0;
    kit::Grader grader("18_multi_gpu", "put_signal", argc, argv);
    using kit::facts::Fix;
    using kit::facts::Rule;
    grader.task(3, kit::About().rule(Rule::race).on("arrived"));
    for (const int task : {3, 2}) grader.task(task, kit::About().rule(Rule::waits_for_nobody).on("arrived"));
    for (const int task : {1, 2, 3})
        grader.task(task, kit::About().fix(Fix::one_put));  // no wait, or two threads put
    for (const int task : {2, 3}) grader.task(task, kit::About().fix(Fix::puts_end));
    grader.task(3, kit::About().fix(Fix::fence_behind_signal));
    grader.task(3, kit::About().fix(Fix::signal));
    const std::vector<int> counts = pes::device_counts();
    const auto add = [&](int count, int n) {
        grader.add(
            pes::in_words(count) + ", n=" + std::to_string(n),
            [count, n](kit::Case& test) { ring(test, count, n); }, pes::limits);
    };
    for (const int n : {1, 256, 257, 512, 1000, 2049}) add(counts[0], n);
    for (const int count : counts)
        for (const int n : {700, 1537})
            if (count != counts[0]) add(count, n);
    add(counts[0], 0);
#ifndef KIT_CPU
    grader.add("all devices, n=16777259",
               [](kit::Case& test) { ring(test, multi_gpu_test::all_devices, 16777259); }, {60, true});
#endif
    error_handling::check_failing_calls(grader, argc, argv, {pes::in_words(counts[0]) + ", n=1"});
    return grader.run();
}
