// Grades 22_unified_memory/first_touch: predicted moves, the number of samples below a limit, and the pages that moved.
#include "01_error_handling/failing_calls.hpp"
#include "22_unified_memory/pages.hpp"

namespace {

using namespace unified_memory_test;
using unified_memory::Moves;
using unified_memory::Processor;
using unified_memory::Touch;

/// Returns the moves of one page, from the processors that touch it in this order.
Moves moves_of_page(const std::vector<Processor>& by) {
    Moves moves = {};
    for (std::size_t i = 0; i < by.size(); ++i) {
        const bool host = by[i] == Processor::host;
        if (i == 0)
            (host ? moves.created_on_host : moves.created_on_device) = 1;
        else if (by[i] != by[i - 1])
            ++(host ? moves.to_host : moves.to_device);
    }
    return moves;
}

Moves expected(const std::vector<Touch>& touches, int pages) {
    Moves all = {};
    for (int page = 0; page < pages; ++page) {
        std::vector<Processor> by;
        for (const Touch& touch : touches)
            if (page >= touch.first && page - touch.first < touch.pages) by.push_back(touch.by);
        const Moves one = moves_of_page(by);
        all.created_on_host += one.created_on_host;
        all.created_on_device += one.created_on_device;
        all.to_host += one.to_host;
        all.to_device += one.to_device;
    }
    return all;
}

std::string text_of(const std::vector<Touch>& touches) {
    std::string text;
    for (const Touch& touch : touches)
        text += (text.empty() ? "" : ", ") + std::string(touch.by == Processor::host ? "host " : "device ") +
                std::to_string(touch.first) + " to " + std::to_string(touch.first + touch.pages - 1);
    return text;
}

void expect_moves(kit::Case& test, const std::vector<Touch>& touches, int pages) {
    const Moves got = test.call([&] { return unified_memory::predict(touches, pages); });
    const Moves want = expected(touches, pages);
    const auto check = [&](const char* what, int number, int right) {
        test.check(number == right, std::string("predict() returns ") + std::to_string(number) + " as `" +
                                        what + "`, expected " + std::to_string(right) +
                                        ". The pages touched: " + text_of(touches) + kit::task(1));
    };
    check("created_on_host", got.created_on_host, want.created_on_host);
    check("created_on_device", got.created_on_device, want.created_on_device);
    check("to_host", got.to_host, want.to_host);
    check("to_device", got.to_device, want.to_device);
}

void few_touches(kit::Case& test) {
    expect_moves(test, {}, 4);
    expect_moves(test, {{Processor::host, 0, 8}}, 8);
    expect_moves(test, {{Processor::host, 0, 8}, {Processor::device, 0, 8}}, 8);
    expect_moves(test, {{Processor::device, 0, 8}, {Processor::host, 7, 1}, {Processor::device, 0, 8}}, 8);
    expect_moves(test, {{Processor::device, 2, 0}, {Processor::host, 3, 1}, {Processor::host, 3, 1}}, 8);
}

void many_touches(kit::Case& test) {
    std::vector<Touch> touches;
    for (int i = 0; i < 200; ++i) {
        const int first = static_cast<int>(test.random().integer(0, 99));
        touches.push_back({test.random().integer(0, 1) ? Processor::host : Processor::device, first,
                           static_cast<int>(test.random().integer(0, 100 - first))});
    }
    expect_moves(test, touches, 100);
}

void count_samples(kit::Case& test, int n, bool concurrent) {
    const FollowedPages followed(concurrent);
    const auto seed = static_cast<unsigned>(test.random().integer(1, 1'000'000));
    constexpr float limit = 0.3f;
    int want = 0;
    for (int i = 0; i < n; ++i) want += unified_memory::sample(seed, static_cast<unsigned>(i)) < limit;
    Pages::reset();
    test.values_are_of({2, 3});
    const int got = test.call([&] { return unified_memory::count_below(seed, n, limit); });
    test.equal("the number of samples below the limit", got, want);
    test.by_kernels(kit::named_task(2));
    const Pages pages;
    if (!concurrent) return;
    test.demand(
        "pages to the device", kit::at_most(pages.counts.to_device, 1),
        kit::count_of(pages.counts.to_device, "page") +
            " moved from the host to the device, expected at most 1: let a kernel touch the samples first" +
            kit::task(2));
    test.demand("pages to the host", kit::at_most(pages.counts.to_host, 1),
                kit::count_of(pages.counts.to_host, "page") + " moved to the host, expected at most 1" +
                    host_fault_line() + ": let the host read only the result" + kit::task(3));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("22_unified_memory", "first_touch", argc, argv);
    grader.task(3, {kit::Diagnosis::race, kit::Diagnosis::out_of_bounds});
    grader.add("few touches", few_touches);
    grader.add("many touches", many_touches);
    for (const int n : {1, 255, 10'000})
        grader.add("n=" + std::to_string(n), [n](kit::Case& test) { count_samples(test, n, true); });
    grader.add("n=100000", [](kit::Case& test) { count_samples(test, 100'000, true); });
#ifdef KIT_CPU
    grader.add("n=10000, no concurrent access", [](kit::Case& test) { count_samples(test, 10'000, false); });
#endif
    error_handling::check_failing_calls(grader, argc, argv, {"n=255"});
    return grader.run();
}
