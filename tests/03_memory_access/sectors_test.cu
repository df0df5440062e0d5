// Grades 03_memory_access/sectors: the nine numbers, then the rule for any request and any launch, compared with marks on every byte.
// sanitizer.all: no kernel of the student runs
#include <functional>

#include "01_error_handling/failing_calls.hpp"
#include "03_memory_access/model.hpp"

namespace {

using namespace memory_access_test;
using memory_access::Traffic;

void by_hand(kit::Case& test, const Named& named) {
    const int got = test.call([&] { return memory_access::by_hand(named.pattern); });
    const int want = sectors_of(request_of(named));
    test.check(got == want, std::string("by_hand(Pattern::") + named.name + ") is " + std::to_string(got) +
                                ", expected " + std::to_string(want) +
                                ": count the sectors that the 32 lanes touch" + kit::task(1));
}

/// Requests of all widths: dense, shifted, strided, scattered, with inactive lanes, and with a few lanes that share an address.
std::vector<Request> requests(kit::Random& random) {
    std::vector<Request> all;
    for (const Named& named : patterns) all.push_back(request_of(named));
    for (int k = 0; k < 400; ++k) {
        Request request = {};
        const auto bytes = std::uint64_t{1} << random.integer(0, 4);
        request.bytes = static_cast<int>(bytes);
        const auto first = static_cast<std::uint64_t>(random.integer(0, 40));
        const auto stride = static_cast<std::uint64_t>(random.integer(0, 12));
        const bool scattered = k % 4 == 0, shared = k % 4 == 1;
        const std::int64_t off = k % 3 == 0 ? random.integer(0, 9) : 0;  // inactive lanes, in tenths
        const std::uint64_t far = k % 5 == 0 ? std::uint64_t{1} << 40 : 0;
        for (std::uint64_t l = 0; l < static_cast<std::uint64_t>(kLanes); ++l) {
            std::uint64_t element = first + l * stride;
            if (scattered) element = static_cast<std::uint64_t>(random.integer(0, 500));
            if (shared) element = first + l / 3 * stride;
            request.address[l] = far + element * bytes;
            request.active[l] = random.integer(0, 9) >= off;
            // The address of an inactive lane must not count. If it did, it would add a sector here.
            if (!request.active[l]) request.address[l] = (l + 1) << 20;
        }
        all.push_back(request);
    }
    Request none = {};
    none.bytes = 4;
    all.push_back(none);
    return all;
}

/// Checks one rule for all requests. Called before the traffic of launches is checked, because launches consist of requests.
void expect_rule(kit::Case& test, const char* name, int (*of)(const Request&), int (*want_of)(const Request&),
                 int task) {
    for (const Request& request : requests(test.random())) {
        const int got = test.call([&] { return of(request); });
        const int want = want_of(request);
        test.check(
            got == want,
            std::string(name) + " is " + std::to_string(got) + ", expected " + std::to_string(want) +
                (name == std::string("ideal")
                     ? ": count the sectors that hold the different bytes of all active lanes without a gap"
                     : ": count each sector once, however many active lanes touch it") +
                kit::task(task) + ". The request: " + describe(request),
            kit::Diagnosis::part);
        if (got != want) return;
    }
}

/// Computes the traffic of a launch warp by warp, from the marks on bytes.
Traffic traffic_of(std::size_t n, std::size_t first, std::size_t stride, int bytes) {
    Traffic all = {};
    Request request = {};
    request.bytes = bytes;
    for (std::size_t i = 0; i < n; ++i) {
        request.active[i % 32] = true;
        request.address[i % 32] = (first + i * stride) * static_cast<std::size_t>(bytes);
        if (i % 32 != 31 && i + 1 != n) continue;
        ++all.requests;
        all.sectors += static_cast<unsigned long long>(sectors_of(request));
        request = {};
        request.bytes = bytes;
    }
    return all;
}

/// Returns whether the prediction is correct. `why` gives a possible reason if it is not.
bool expect_traffic_of(kit::Case& test, std::size_t n, std::size_t first, std::size_t stride, int bytes,
                       const std::string& why = "") {
    const Traffic got = test.call([&] { return memory_access::traffic(n, first, stride, bytes); });
    const Traffic want = traffic_of(n, first, stride, bytes);
    const bool right = got.requests == want.requests && got.sectors == want.sectors;
    test.check(right, "traffic is " + kit::count_of(got.requests, "request") + " and " +
                          kit::count_of(got.sectors, "sector") + ", expected " +
                          std::to_string(want.requests) + " and " + std::to_string(want.sectors) +
                          " for n=" + std::to_string(n) + ", first " + std::to_string(first) + ", stride " +
                          std::to_string(stride) + ", " + kit::count_of(bytes, "byte") +
                          (why.empty() ? ": check the addresses of each warp" : why) + kit::task(4));
    return right;
}

void expect_traffic(kit::Case& test, std::size_t n) {
    const auto first_of_all = static_cast<std::size_t>(test.random().integer(9, 1000));
    for (const int bytes : {1, 2, 4, 8, 16})
        for (const std::size_t first : {std::size_t{0}, std::size_t{1}, std::size_t{3}, first_of_all})
            for (const std::size_t stride : {0, 1, 2, 3, 5, 8, 9, 32})
                if (!expect_traffic_of(test, n, first, stride, bytes)) return;
}

/// `first` and `stride` are std::size_t: uses elements at distances that 32 bits cannot count, in elements or in bytes.
void expect_far_traffic(kit::Case& test) {
    constexpr std::size_t billion = 1u << 30;
    const auto odd = static_cast<std::size_t>(test.random().integer(1, 50));
    for (const int bytes : {1, 2, 4, 8, 16})
        for (const auto& [first, stride] : {std::pair<std::size_t, std::size_t>{0, billion + odd},
                                            {2 * billion - odd, 1},
                                            {4 * billion - odd, 1},
                                            {4 * billion + odd, 3},
                                            {odd, 4 * billion},
                                            {odd, 64 * billion + 1},
                                            {billion / 4 - odd, 2}})
            if (!expect_traffic_of(test, 75, first, stride, bytes,
                                   ": compute with 64 bits, because 32 bits are too few for these addresses"))
                return;
}

#ifdef KIT_CPU
/// Compares the student's prediction of the loads with the executor's counters.
template <class T>
void expect_counted(kit::Case& test, std::size_t n, std::size_t first, std::size_t stride) {
    auto in = test.input("in", std::vector<T>(first + n * stride + 1));
    auto out = test.output<T>("out", n);
    const kit::Counts counts =
        test.counts([&] { memory_access::read_once(in.data(), n, first, stride, out.data()); });
    if (counts.loads.requests == 0) test.skip("the checks of the executor are off, so nothing was counted");
    const Traffic got = test.call([&] { return memory_access::traffic(n, first, stride, sizeof(T)); });
    if (!counts.counted) return;
    test.demand("sectors",
                got.requests == counts.loads.requests ? kit::exactly(got.sectors, counts.loads.sectors)
                                                      : kit::exactly(got.requests, counts.loads.requests),
                "traffic is " + kit::count_of(got.requests, "request") + " and " +
                    kit::count_of(got.sectors, "sector") + ", but the kernel had " +
                    std::to_string(counts.loads.requests) + " and " + std::to_string(counts.loads.sectors) +
                    " for n=" + std::to_string(n) + ", first " + std::to_string(first) + ", stride " +
                    std::to_string(stride) + ", " + kit::count_of(sizeof(T), "byte") +
                    ": check the addresses of each warp" + kit::task(4));
}
#endif

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("03_memory_access", "sectors", argc, argv);
    grader.host_may_compute();
    for (const Named& named : patterns)
        grader.add(std::string("by hand, ") + named.name, [=](kit::Case& test) { by_hand(test, named); });
    grader.add("sectors",
               [](kit::Case& test) { expect_rule(test, "sectors", memory_access::sectors, sectors_of, 2); });
    grader.add("ideal",
               [](kit::Case& test) { expect_rule(test, "ideal", memory_access::ideal, ideal_of, 3); });
    for (const std::size_t n : {0, 1, 31, 32, 33, 256, 1000})
        grader.add("traffic, n=" + std::to_string(n), [n](kit::Case& test) { expect_traffic(test, n); });
    grader.add("traffic, far addresses", expect_far_traffic);
#ifdef KIT_CPU
    grader.add("traffic, counted", [](kit::Case& test) {
        const auto first = static_cast<std::size_t>(test.random().integer(1, 40));
        expect_counted<float>(test, 1000, 0, 1);
        expect_counted<float>(test, 1001, first, 1);
        expect_counted<float>(test, 500, first, 3);
        expect_counted<double>(test, 500, 0, 2);
        expect_counted<double>(test, 333, first, 1);
    });
#endif
    error_handling::check_failing_calls(grader, argc, argv, {"traffic, counted"});
    return grader.run();
}
