// Grades 11_async_copy/tma_bulk: the function must refuse a device without bulk copies, and otherwise use one copy per tile.
#include "11_async_copy/rings.hpp"

using namespace staging_test;

namespace {

bool device_has_bulk_copies(kit::Case& test) {
    int device = 0, major = 0;
    test.cuda(cudaGetDevice(&device));
    test.cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    return major >= 9;
}

/// While it exists, the executor acts as a device without bulk copies. It does not change a GPU.
struct OlderDevice {
#ifdef KIT_CPU
    OlderDevice() {
        kit::cpu::set_device("a100");
    }
    ~OlderDevice() {
        kit::cpu::set_device(nullptr);
    }
#endif
};

void refuse_on_older_device(kit::Case& test) {
    [[maybe_unused]] const OlderDevice device;
    if (device_has_bulk_copies(test)) test.skip("this device has bulk copies");
    for (const std::size_t n : {2048, 0, 5}) {
        auto in = test.input("in", make(test.random(), n));
        const Values before = make(test.random(), n);
        auto out = test.inout("out", before);
        bool done = true;
        test.call([&] { done = staging::tma_bulk(in.data(), n, out.data(), 3); });
        test.check(!done,
                   "the function returned true for n=" + std::to_string(n) +
                       " on a device without bulk copies: return false there" + kit::task(1),
                   kit::Diagnosis::cuda_error);
        test.check(
            out.values() == before,
            "`out` was changed on a device without bulk copies: return before you launch" + kit::task(1),
            kit::Diagnosis::cuda_error);
    }
}

void demand_bulk([[maybe_unused]] kit::Case& test, [[maybe_unused]] std::size_t n) {
#ifdef KIT_CPU
    const std::size_t wide = n / 4 * 4, tiles = kit::ceil_div(wide, std::size_t{staging::kTile});
    const auto copies = kit::cpu::counters().async_copies;
    const bool are_others = copies > tiles && kit::cpu::counters().async_bytes >= wide * sizeof(unsigned int);
    test.method("bulk", !are_others && (copies > 0 || wide == 0),
                {"one bulk copy for each tile",
                 "you started " + kit::count_of(copies, "copy") + " for " + kit::count_of(tiles, "tile"),
                 "One thread describes a bulk copy, and the hardware moves the whole tile. The other threads "
                 "issue no instruction for it.",
                 2});
    test.demand("bulk", kit::unless(are_others || copies == 0, kit::exactly(copies, tiles)),
                kit::count_of(copies, "copy") + " for " + kit::count_of(tiles, "tile") +
                    ": let one thread start one bulk copy of the whole tile");
#endif
}

kit::Said why_it_races_in_bulk(const kit::facts::Finding& found, std::size_t n) {
#ifdef KIT_CPU
    const kit::cpu::Counters seen = kit::cpu::counters();
    const std::uint64_t tiles = kit::ceil_div(n, std::size_t{staging::kTile});
    if (seen.barrier_arrivals > tiles && seen.async_bytes <= n * sizeof(unsigned int))
        return kit::count_of(seen.barrier_arrivals, "arrival") + " for " + std::to_string(tiles) +
               (tiles == 1 ? " tile" : " tiles") +
               ": let only thread 0 arrive, together with its bytes, because any other "
               "arrival ends a phase before its copy" +
               kit::task(2);
    if (seen.async_expected < seen.async_bytes)
        return "the barrier expects " + std::to_string(seen.async_expected) + " of " +
               kit::count_of(seen.async_bytes, "byte") +
               " that are copied, so its phase ends too early: expect all of them" + kit::task(2);
#endif
    return why_it_races(found, n, kit::named_task(2), "");
}

void judge_bulk(kit::Case& test, std::size_t n, int window) {
    const bool possible = device_has_bulk_copies(test);
    bool done = false;
    test.explain(kit::Diagnosis::barrier,
                 "the phase ends after one arrival and the expected bytes: let only thread 0 arrive, and "
                 "expect the bytes of the copy" +
                     kit::task(2));
    judge(
        test, n, window_sums, window, kit::named_task(2),
        [&](const unsigned int* in, std::size_t count, unsigned int* out, int width) {
            test.explain(Diagnosis::race, [=](const kit::facts::Finding& found) {
                return why_it_races_in_bulk(found, count);
            });
            done = staging::tma_bulk(in, count, out, width);
            if (!possible) test.skip("this device has no bulk copies: they came with sm_90");
        },
        "", n % 4);
    test.check(done,
               "the function returned false on a device with bulk copies: copy there, and return true" +
                   kit::task(1),
               kit::Diagnosis::cuda_error);
    demand_bulk(test, n);
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("11_async_copy", "tma_bulk", argc, argv);
    grader.task(1, {kit::Diagnosis::cuda_error, kit::Diagnosis::exited});
    grader.task(2, {kit::Diagnosis::uninitialised, kit::Diagnosis::out_of_bounds, kit::Diagnosis::barrier,
                    kit::Diagnosis::part, kit::Diagnosis::wrong_value, kit::Diagnosis::first_block_only,
                    kit::Diagnosis::block_offset, kit::Diagnosis::shifted, kit::Diagnosis::tail});
    grader.task(3, {kit::Diagnosis::race});
    grader.task(2, kit::About().has("expected bytes"));
    grader.task(2, kit::About().on("tile").diagnosis(kit::Diagnosis::uninitialised));
    grader.task(2, kit::About().on("tile").fix(kit::facts::Fix::barrier));  // stores after the arrival
    grader.task(3, kit::About().fix(kit::facts::Fix::copys_begin).fix(kit::facts::Fix::copys_end));
    grader.add("an older device is refused", refuse_on_older_device);
    for (std::size_t n : {0, 1, 4, 1023, 1024, 1026, 1028, 5003}) {
        for (int window : {1, 5}) {
            grader.add("n=" + std::to_string(n) + ", window " + std::to_string(window),
                       [n, window](kit::Case& test) { judge_bulk(test, n, window); });
        }
    }
    return grader.run();
}
