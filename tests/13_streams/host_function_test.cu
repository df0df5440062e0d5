// Grades 13_streams/host_function: the batches and totals that are reported, their order and time, and that the host never waits.
#include <algorithm>
#include <memory>

#include "01_error_handling/failing_calls.hpp"
#include "13_streams/queues.hpp"

namespace {

using namespace streams_test;

/// Records the reports of the host function.
struct Listener {
    struct Told {
        int batch;
        unsigned long long total;
    };
    std::vector<Told> told;

    static void tell(void* context, int batch, unsigned long long total) {
        static_cast<Listener*>(context)->told.push_back({batch, total});
    }
};

/// The function that a host function finds if it uses a description that no longer exists.
void tell_nobody(void*, int, unsigned long long) {}

void run(kit::Case& test, int n, int batches) {
    Stream stream;
    const auto values = kit::integers<int>(test.random(), n * batches, 0, 2000000000);
    auto in = test.input("in", values);
    auto totals = test.output<unsigned long long>("totals", batches);
    Pinned<unsigned long long> host_totals(batches);
    std::vector<unsigned long long> want(batches);
    for (int i = 0; i < n * batches; ++i) want[i / n] += values[i];
    for (int call = 0; call < 2; ++call) {
        totals.reset();
        constexpr unsigned long long before = 77;
        std::fill(host_totals.data, host_totals.data + batches, before);
        Listener listener;
        kit::Calls calls;
        auto description = std::make_unique<streams::Batches>(streams::Batches{
            in.data(), n, batches, totals.data(), host_totals.data, Listener::tell, &listener});
        const streams::Batches ended = {nullptr, 0, 0, nullptr, nullptr, tell_nobody, nullptr};
        const kit::NotedWork work;
        test.call([&] {
#ifdef KIT_CPU
            kit::cpu::begin_host_blocks();
#endif
            calls.in([&] { streams::sum_batches(*description, stream); });
#ifdef KIT_CPU
            kit::cpu::end_host_blocks();
#endif
            *description = ended;  // the contract allows this: the description need not outlive the call
        });
        const kit::Timeline timeline = work.take();
        test.expect(totals, want, kit::exact());
        test.expect("host_totals",
                    std::vector<unsigned long long>(host_totals.data, host_totals.data + batches), want,
                    kit::exact());
        std::vector<int> numbers, all;
        std::vector<unsigned long long> told;
        for (const Listener::Told& one : listener.told) {
            numbers.push_back(one.batch);
            told.push_back(one.total);
        }
        for (int batch = 0; batch < batches; ++batch) all.push_back(batch);
        test.equal("calls of tell()", numbers.size(), all.size(),
                   "queue a host function for each batch, and let it call tell() once" + kit::task(2));
        test.expect("the reported batches, in order", numbers, all, kit::exact());
        const bool of_no_batch = std::none_of(told.begin(), told.end(), [&](unsigned long long total) {
            return total == before || std::find(want.begin(), want.end(), total) != want.end();
        });
        test.check(
            told.empty() || !of_no_batch,
            "the host function reports " + std::to_string(told.empty() ? 0 : told[0]) +
                ", which is not the total of a batch, although all totals are on the host: read the total "
                "when the function runs, through the pointer in its message" +
                kit::task(1),
            kit::Diagnosis::part);
        test.expect("the reported totals", told, want, kit::exact());
        waits_at_most(test, 0, calls);
#ifdef KIT_CPU
        // The second call may reuse memory that the first call has kept, so it must not keep as much again.
        const std::vector<std::string> left = kit::cpu::host_blocks_left();
        if (call == 1)
            test.demand("leaks", kit::at_most(left.size(), batches - 1),
                        std::to_string(left.size()) +
                            (left.size() == 1 ? " block of host memory is" : " blocks of host memory are") +
                            " never freed (" + (left.empty() ? "" : left[0]) +
                            "): let the host function delete its message" + kit::task(1));
#endif
        test.demand("host functions",
                    kit::unless(!timeline.noted, kit::exactly(timeline.host_functions, batches)),
                    kit::count_of(timeline.host_functions, "host function", "are") + " queued for " +
                        kit::count_of(batches, "batch") + ": queue one for each batch, after its copy" +
                        kit::task(2));
    }
}

void sum_in_probe(const std::function<void()>& begin) {
    Stream stream;
    kit::DeviceBuffer<int> in(std::vector<int>(200, 1));
    kit::DeviceBuffer<unsigned long long> totals(2);
    Pinned<unsigned long long> host_totals(2);
    begin();
    streams::sum_batches({in.data(), 100, 2, totals.data(), host_totals.data, tell_nobody, nullptr}, stream);
}

}  // namespace

int main(int argc, char** argv) {
    if (error_handling::probe_asked(argc, argv)) return error_handling::failing_calls_main(sum_in_probe);
    kit::Grader grader("13_streams", "host_function", argc, argv);
    grader.task(2, {kit::Diagnosis::wrong_value, kit::Diagnosis::race, kit::Diagnosis::crash,
                    kit::Diagnosis::constant_output, kit::Diagnosis::tail, kit::Diagnosis::not_written});
    // The kernel and its copy are given. A missing order therefore means that the host function is queued in the wrong place. The pointers
    // in its message come from there, too.
    grader.task(2, kit::About().rule(kit::facts::Rule::race));
    grader.task(2, kit::About().rule(kit::facts::Rule::touched_by_host));
    grader.task(2, kit::About().diagnosis(kit::Diagnosis::crash));
    struct Size {
        int n, batches;
    };
    for (const Size& size :
         {Size{1, 1}, Size{255, 2}, Size{256, 3}, Size{257, 7}, Size{1009, 12}, Size{20011, 3}})
        grader.add(kit::count_of(size.batches, "batch") + " of " + std::to_string(size.n),
                   [size](kit::Case& test) { run(test, size.n, size.batches); });
#ifndef KIT_CPU
    grader.add("9 batches of 5000011", [](kit::Case& test) { run(test, 5000011, 9); }, {60, true});
#endif
    error_handling::add_failing_calls(grader, kit::named_task(2));
    return grader.run();
}
