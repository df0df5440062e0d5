// Grades 11_async_copy/replace_copy: window sums of tiles that were copied asynchronously.
#include "11_async_copy/rings.hpp"

using namespace staging_test;

namespace {

/// Demands that a wait ends in each block while the second half of its tile is in flight. Uses full tiles only.
void demand_halves([[maybe_unused]] kit::Case& test, [[maybe_unused]] std::size_t n) {
#ifdef KIT_CPU
    const std::size_t tiles = n / staging::kTile;
    const auto overlaps = kit::cpu::counters().async_overlaps;
    test.demand("overlap", kit::at_least(overlaps, tiles),
                kit::count_of(overlaps, "wait") + " ended while a copy was in flight, but there are " +
                    kit::count_of(tiles, "full tile") +
                    ": start both copies, then wait only for the first half" + kit::task(4));
#endif
}

/// Returns the number of windows that are ready, found by trying each element of each window.
int ready_by_trying(int count, int arrived, int window) {
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < window; ++k)
            if ((i + k) % count >= arrived) return i;
    return count;
}

/// Blames windows_ready() for sums of elements that have not arrived, or outside the tile, if its value for the first tile is wrong.
void blame_ready(kit::Case& test, int n, int window) {
    const int count = std::min(n, staging::kTile), half = std::min(count, staging::kTile / 2);
    if (n == 0) return;
    const int got = staging::windows_ready(count, half, window), want = ready_by_trying(count, half, window);
    if (got == want) return;
    const kit::Said why = "windows_ready(" + std::to_string(count) + ", " + std::to_string(half) + ", " +
                          std::to_string(window) + ") is " + std::to_string(got) + ", expected " +
                          std::to_string(want) +
                          ": check which outputs need only the elements that have arrived" + kit::task(3);
    for (const Diagnosis kind : {Diagnosis::race, Diagnosis::out_of_bounds})
        test.explain(kind, [why](const kit::facts::Finding&) { return why; });
}

void count_ready(kit::Case& test) {
    for (const int count : {1, 2, 7, 8, 13}) {
        for (int arrived = 0; arrived <= count; ++arrived) {
            for (const int window : {1, 2, 3, 7, 8, 20}) {
                const int want = ready_by_trying(count, arrived, window);
                const int got = test.call([&] { return staging::windows_ready(count, arrived, window); });
                test.check(got == want, "windows_ready(" + std::to_string(count) + ", " +
                                            std::to_string(arrived) + ", " + std::to_string(window) +
                                            ") is " + std::to_string(got) + ", expected " +
                                            std::to_string(want) +
                                            ": count the windows that need only elements that have arrived" +
                                            kit::task(3));
            }
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("11_async_copy", "replace_copy", argc, argv);
    grader.task(1, {kit::Diagnosis::uninitialised, kit::Diagnosis::out_of_bounds, kit::Diagnosis::part,
                    kit::Diagnosis::wrong_value, kit::Diagnosis::first_block_only,
                    kit::Diagnosis::block_offset, kit::Diagnosis::shifted, kit::Diagnosis::tail});
    grader.task(2, {kit::Diagnosis::race});
    grader.task(4, kit::About().kernel("half_by_half_v6"));
    grader.task(2, kit::About().fix(kit::facts::Fix::copys_begin).fix(kit::facts::Fix::copys_end));
    grader.add("windows that are ready", count_ready);
    for (int n : {0, 1, 3, 255, 1023, 1024, 1025, 4096, 5003}) {
        for (int window : {1, 5, 1500}) {
            if (window == 1500 && n > 1100) continue;
            grader.add("n=" + std::to_string(n) + ", window " + std::to_string(window),
                       [n, window](kit::Case& test) {
                           judge(test, n, window_sums, window, kit::named_task(1), staging::replace_copy);
                       });
        }
    }
    for (int n : {0, 1, 3, 511, 512, 513, 1024, 1025, 4096, 5003}) {
        for (int window : {1, 5, 600, 1500}) {
            if (window > 5 && n > 1100) continue;
            grader.add("half by half: n=" + std::to_string(n) + ", window " + std::to_string(window),
                       [n, window](kit::Case& test) {
                           judge(
                               test, n, window_sums, window, kit::named_task(4),
                               [&](const unsigned int* in, std::size_t count, unsigned int* out, int width) {
                                   blame_ready(test, n, window);
                                   staging::half_by_half(in, count, out, width);
                               });
                           demand_halves(test, n);
                       });
        }
    }
    return grader.run();
}
