// Grades 13_streams/dependencies: values that depend on the caller's earlier work and feed its later work, waits, and
// the number of steps.
#include <algorithm>
#include <tuple>
#include <utility>

#include "01_error_handling/failing_calls.hpp"
#include "13_streams/queues.hpp"

namespace {

using namespace streams_test;

using Values = std::vector<unsigned int>;

/// Returns `out` after the rounds.
Values after_rounds(const Values& seed, Values out, int rounds) {
    const std::size_t n = seed.size();
    for (int round = 0; round < rounds; ++round) {
        Values slot(n);
        for (std::size_t i = 0; i < n; ++i)
            slot[i] = (seed[i] ^ (2654435761u * static_cast<unsigned>(round))) * 31 + seed[n - 1 - i];
        for (std::size_t i = 0; i < n; ++i) out[i] = 3 * out[i] + slot[n - 1 - i];
    }
    return out;
}

#ifdef KIT_CPU
/// Finds the missing order between `produce` and `consume`: a wait, or the record that it waits for. Consume of round r must come after
/// produce of round r, and produce of round r after consume of round r - 2. The two kernels are in different streams.
kit::Said why_slots_race(const kit::facts::Finding& found, const std::vector<kit::cpu::QueuedPiece>& pieces) {
    if (found.memory.name.compare(0, 4, "slot") != 0) return "";
    std::vector<std::size_t> produced, consumed;
    std::vector<int> round_of(pieces.size(), -1);
    for (std::size_t i = 0; i < pieces.size(); ++i)
        for (auto& [name, list] : {std::pair("produce", &produced), std::pair("consume", &consumed)})
            if (kit::unqualified(pieces[i].label.what) == name)
                round_of[i] = static_cast<int>(list->size()), list->push_back(i);
    if (produced.size() < 5 || consumed.size() < 5) return "";
    const int caller = pieces[0].label.stream;
    for (const auto& [list, name, task] : {std::tuple(&produced, "produce", kit::named_task(2)),
                                           std::tuple(&consumed, "consume", kit::named_task(3))}) {
        const int stream = pieces[(*list)[0]].label.stream;
        if (stream == caller || stream == 0)
            return std::string("`") + name + "` is queued in " +
                   (stream == 0 ? "the default stream" : "the stream of the caller") +
                   ": queue it in its own stream (" + task + ")";
    }
    // Returns the latest round of the other kernel that an event orders before this piece, or -1.
    const auto latest = [&](std::size_t piece, const std::string& other) {
        int round = -1;
        for (const kit::cpu::CameAfter& after : pieces[piece].after)
            if (kit::unqualified(pieces[after.piece].label.what) == other)
                round = std::max(round, round_of[after.piece]);
        return round;
    };
    const int filled = latest(consumed[4], "produce"), emptied = latest(produced[4], "consume");
    if (filled < 0)
        return "`consume` does not wait until its slot is full: let its stream wait for the event of "
               "`produce`" +
               kit::task(3);
    if (filled < 4)
        return "`consume` of a round waits for an event that is recorded before `produce` of this round is "
               "queued: record the event after `produce`" +
               kit::task(2);
    if (emptied < 0)
        return "`produce` does not wait until its slot has been read: let its stream wait for the event of "
               "`consume`" +
               kit::task(2);
    if (emptied < 2)
        return "`produce` waits for an event that is recorded before `consume` of two rounds ago is queued: "
               "record the "
               "event after `consume`" +
               kit::task(3);
    return "";
}

/// Names the task in which the host waits, by the work that is queued next.
kit::Said task_that_waits(const kit::Timeline& timeline) {
    if (timeline.host_waited_for == "produce") return kit::task(2);
    return timeline.host_waited_for == "consume" ? kit::task(3) : kit::task(4);
}
#else
kit::Said task_that_waits(const kit::Timeline&) {
    return " (" + kit::named_task(2) + ", " + kit::named_task(3) + " or " + kit::named_task(4) + ")";
}
#endif

void run(kit::Case& test, int n, int rounds) {
    Stream caller, producer, consumer;
    Event begin, end, filled[2], emptied[2];
    const streams::Stages stages = {
        producer, consumer, begin, end, {filled[0], filled[1]}, {emptied[0], emptied[1]}};
    const std::size_t bytes = n * sizeof(unsigned int);
    Pinned<unsigned int> host_seed(n), host_out(n), result(n);
    auto seed = test.output<unsigned int>("seed", n);
    auto out = test.output<unsigned int>("out", n);
    auto slot0 = test.output<unsigned int>("slot[0]", n);
    auto slot1 = test.output<unsigned int>("slot[1]", n);
    const streams::Exchange exchange = {seed.data(), {slot0.data(), slot1.data()}, out.data(), n};
    for (int call = 0; call < 2; ++call) {
        const auto seeds = kit::integers<unsigned int>(test.random(), n, 0u, 4000000000u);
        const auto first = kit::integers<unsigned int>(test.random(), n, 0u, 4000000000u);
        std::copy(seeds.begin(), seeds.end(), host_seed.data);
        std::copy(first.begin(), first.end(), host_out.data);
        kit::Calls calls;
        kit::Timeline timeline;
        const auto work = [&] {
            test.cuda(cudaMemcpyAsync(out.data(), host_out.data, bytes, cudaMemcpyHostToDevice, caller));
            test.cuda(cudaMemcpyAsync(seed.data(), host_seed.data, bytes, cudaMemcpyHostToDevice, caller));
            calls.in([&] { streams::run_rounds(exchange, rounds, stages, caller); });
            test.cuda(cudaMemcpyAsync(result.data, out.data(), bytes, cudaMemcpyDeviceToHost, caller));
            // Everything must have finished when the caller's stream is done, because its memory is used again.
            test.cuda(cudaMemsetAsync(slot0.data(), 0, bytes, caller));
            test.cuda(cudaMemsetAsync(slot1.data(), 0, bytes, caller));
        };
#ifdef KIT_CPU
        std::vector<kit::cpu::QueuedPiece> pieces;
        test.explain(kit::Diagnosis::race,
                     [&](const kit::facts::Finding& found) { return why_slots_race(found, pieces); });
        test.call([&] {
            kit::cpu::begin_timeline();
            work();
            pieces = kit::cpu::take_timeline();
            timeline = kit::detail::timeline_of(pieces);
        });
#else
        test.call(work);
#endif
        test.expect("out, copied after the rounds", Values(result.data, result.data + n),
                    after_rounds(seeds, first, rounds), kit::exact());
        waits_at_most(test, 0, calls, task_that_waits(timeline));
        // The test adds two copies in, a copy out and two fills to the rounds.
        steps_at_most(test, 2 + static_cast<unsigned>(rounds) + 1 + 3 + 1, timeline, 2);
    }
}

void rounds_in_probe(const std::function<void()>& begin) {
    Stream caller, producer, consumer;
    Event begun, end, filled[2], emptied[2];
    kit::DeviceBuffer<unsigned int> values(std::vector<unsigned int>(400, 1));
    unsigned int* const at = values.data();
    begin();
    streams::run_rounds({at, {at + 100, at + 200}, at + 300, 100}, 3,
                        {producer, consumer, begun, end, {filled[0], filled[1]}, {emptied[0], emptied[1]}},
                        caller);
}

}  // namespace

int main(int argc, char** argv) {
    if (error_handling::probe_asked(argc, argv)) return error_handling::failing_calls_main(rounds_in_probe);
    kit::Grader grader("13_streams", "dependencies", argc, argv);
    grader.task(2, {kit::Diagnosis::wrong_value, kit::Diagnosis::out_of_bounds});
    grader.task(1, kit::About()
                       .rule(kit::facts::Rule::race)
                       .on("seed"));  // the producer reads data that the caller has copied
    grader.task(4, kit::About().function("cudaMemsetAsync"));  // queued by the caller afterwards
    for (const int task : {2, 3}) grader.task(task, kit::About().rule(kit::facts::Rule::race).on("slot"));
    grader.task(4, kit::About().read_by("cudaMemcpyAsync"));     // also queued afterwards
    grader.task(1, kit::About().written_by("cudaMemcpyAsync"));  // queued by the caller before
    for (const int task : {1, 4}) grader.task(task, kit::About().rule(kit::facts::Rule::race).on("out"));
    grader.task(3, {kit::Diagnosis::race});
    // The first size has enough rounds to determine which work an event marks.
    struct Size {
        int n, rounds;
    };
    for (const Size& size :
         {Size{257, 8}, Size{1, 1}, Size{255, 2}, Size{256, 3}, Size{1009, 13}, Size{20011, 9}, Size{100, 0}})
        grader.add("n=" + std::to_string(size.n) + ", " + kit::count_of(size.rounds, "round"),
                   [size](kit::Case& test) { run(test, size.n, size.rounds); });
#ifndef KIT_CPU
    grader.add("n=17000003, 9 rounds", [](kit::Case& test) { run(test, 17000003, 9); }, {120, true});
#endif
    error_handling::add_failing_calls(grader, "");
    return grader.run();
}
