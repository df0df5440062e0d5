// Grades 10_memory_model/message_passing: the values that block 1 writes, and that the flags are ready for the next call.
#include <string>
#include <utility>

#include "10_memory_model/10_memory_model.hpp"
#include "grader.cuh"

namespace {

using memory_model::kBlock;

/// Explains a race on a flag with a plain access: a load polls it, signal() sets it, or the end of the kernel resets it.
kit::Said why_it_races(const kit::facts::Finding& found) {
    const bool on_flag = found.memory.name == "mail.sent" || found.memory.name == "mail.taken";
    if (!on_flag || found.accesses.size() != 2 || found.accesses[0].atomic == found.accesses[1].atomic)
        return "";
    const kit::facts::Access& plain = found.accesses[found.accesses[0].atomic ? 1 : 0];
    if (!plain.write)
        return "a plain load polls the flag, which the compiler may execute only once: poll with an atomic" +
               kit::task(2);
    return plain.at.caller.line > 0
               ? "a plain store sets the flag that another block polls: signal with an atomic" + kit::task(1)
               : "a flag is reset while a block may still poll it: wait until this block has polled it for "
                 "the "
                 "last time" +
                     kit::task(3);
}

#ifdef KIT_CPU
/// Block 0 sets `sent` once per round. If it sets it more often, a flag was reset before block 1 had seen the last signal.
kit::Said why_it_waits(const int* sent, int rounds) {
    int sets = 0;
    for (const kit::cpu::TracedAccess& access : kit::cpu::take_trace())
        sets += access.write && access.address == reinterpret_cast<const char*>(sent);
    if (sets > rounds)
        return "block 0 resets `mail.sent` before block 1 has seen its last signal, so block 1 polls "
               "forever: wait for the last answer first" +
               kit::task(3);
    return sets == 0
               ? "block 0 never sets `mail.sent`, so block 1 polls forever: send a signal after each letter"
               : "";
}
#endif

void pass(kit::Case& test, const std::vector<int>& calls) {
    auto letters = test.output<int>("mail.letters", kBlock);
    auto sent = test.inout<int>("mail.sent", {0});
    auto taken = test.inout<int>("mail.taken", {0});
    for (int rounds : calls) {
        const auto values = kit::integers<int>(test.random(), rounds * kBlock, -100000, 100000);
        auto in = test.input("in", values);
        auto out = test.output<int>("out", values.size());
        test.explain(
            kit::Diagnosis::uninitialised,
            "block 1 reads a letter before block 0 has written one, because poll() returned too early: poll "
            "until the flag has the value" +
                kit::task(2));
        test.explain(kit::Diagnosis::race, why_it_races);
#ifdef KIT_CPU
        kit::cpu::trace_thread(0, 0);
        test.explain(kit::Diagnosis::timeout,
                     [&, rounds](const kit::facts::Finding&) { return why_it_waits(sent.data(), rounds); });
#endif
        test.call([&] {
            memory_model::message_passing(in.data(), rounds, {letters.data(), sent.data(), taken.data()},
                                          out.data());
        });
        std::vector<int> want(values.size());
        for (std::size_t i = 0; i < values.size(); ++i)
            want[i] = values[i / kBlock * kBlock + kBlock - 1 - i % kBlock];
        test.expect(out, want);
        if (rounds > 0) test.by_kernels(kit::named_task(1));
        for (const auto& [name, flag] : {std::pair{"mail.sent", &sent}, {"mail.taken", &taken}}) {
            const int left = flag->values()[0];
            test.check(
                left == 0,
                kit::subject(name) + " is " + std::to_string(left) +
                    " after the call, expected 0: reset it, or the next call waits forever or not at all",
                kit::Diagnosis::second_call);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("10_memory_model", "message_passing", argc, argv);
    grader.task(3, {kit::Diagnosis::second_call});
    grader.task(1, kit::About::writers_half());
    grader.task(2, kit::About::readers_half());
    grader.task(2, kit::About().rule(kit::facts::Rule::race).on("mail.letters"));  // poll() has not waited
#ifdef KIT_CPU
    constexpr double seconds = 3;  // processor time; the executor stops a kernel after a third of it
#else
    constexpr double seconds = 10;
#endif
    const kit::CaseOptions waits{
        seconds, false,
        "a block polls a flag that never gets the value: set the flag to the value that the other block "
        "polls for, and poll with an atomic, because the compiler may execute a plain load only once"};
    grader.add(
        "one round", [](kit::Case& test) { pass(test, {1}); }, waits);
    grader.add(
        "no round", [](kit::Case& test) { pass(test, {0}); }, waits);
    grader.add(
        "20 rounds", [](kit::Case& test) { pass(test, {20}); }, waits);
    grader.add(
        "several calls, one mailbox",
        [](kit::Case& test) {
            pass(test, {3, 1, 0, 7});
        },
        waits);
#ifndef KIT_CPU
    grader.add("20000 rounds", [](kit::Case& test) { pass(test, {20000}); }, {60, true});
#endif
    return grader.run();
}
