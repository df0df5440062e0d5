// Grades 22_unified_memory/advise: the attributes of the three arrays, and the pages that move in several rounds.
// sanitizer.all: no kernel of the student runs
#include "22_unified_memory/pages.hpp"

namespace {

using namespace unified_memory_test;
using unified_memory::Arrays;

constexpr int kRounds = 4;

__global__ void add_up(const int* table, std::size_t entries, const int* inbox, std::size_t messages,
                       int* totals, std::size_t n) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) totals[i] += table[i % entries] + inbox[i * 37 % messages / 64 * 64];
}

/// The advice about all pages of an array, as the runtime reports it.
struct Advice {
    int read_mostly = 0, preferred = 0, accessed_by = 0;
};

Advice advice_about(kit::Case& test, const int* begin, std::size_t bytes) {
    Advice advice;
    test.cuda(cudaMemRangeGetAttribute(&advice.read_mostly, sizeof(int), cudaMemRangeAttributeReadMostly,
                                       begin, bytes));
    test.cuda(cudaMemRangeGetAttribute(&advice.preferred, sizeof(int), cudaMemRangeAttributePreferredLocation,
                                       begin, bytes));
    test.cuda(cudaMemRangeGetAttribute(&advice.accessed_by, sizeof(int), cudaMemRangeAttributeAccessedBy,
                                       begin, bytes));
    return advice;
}

bool is_none(const Advice& advice) {
    return !advice.read_mostly && advice.preferred == cudaInvalidDeviceId &&
           advice.accessed_by == cudaInvalidDeviceId;
}

struct Data {
    Data(kit::Case& test, std::size_t n)
        : table(test, kit::integers<int>(test.random(), n, -50, 50)),
          inbox(test, kit::integers<int>(test.random(), n, -50, 50)),
          totals(test, std::vector<int>(n)) {}
    Arrays arrays() const {
        return {table.data(), table.bytes(), inbox.data(), inbox.bytes(), totals.data(), totals.bytes()};
    }
    Managed<int> table, inbox, totals;
};

/// Runs the rounds of the program, and returns the sum of the totals that the host has read.
long long run_rounds(kit::Case& test, const Data& data) {
    long long sum = 0;
    const std::size_t n = data.totals.size();
    for (int round = 0; round < kRounds; ++round) {
        for (std::size_t i = 0; i < n; i += 64) data.inbox.data()[i] += round;
        for (std::size_t i = 0; i < n; i += 100) sum += data.table.data()[i];
        add_up<<<static_cast<unsigned>((n + 255) / 256), 256>>>(data.table.data(), n, data.inbox.data(), n,
                                                                data.totals.data(), n);
        test.cuda(cudaDeviceSynchronize());
        for (std::size_t i = 0; i < n; ++i) sum += data.totals.data()[i];
    }
    return sum;
}

void pages(kit::Case& test, std::size_t n) {
    const FollowedPages followed;
    const Data data(test, n);
    test.call([&] { unified_memory::advise(data.arrays(), 0); });
    Pages::reset();
    const long long sum = run_rounds(test, data);
    test.check(sum != 0, "the totals are all 0");
    const Pages moved;
    if (!Pages::counted()) return;
    const std::uint64_t table = data.table.pages(), totals = data.totals.pages();
    test.demand(
        "invalidated pages", kit::at_most(moved.counts.invalidated, 0),
        kit::count_of(moved.counts.invalidated, "copy", "copies") +
            " of pages became invalid, because a processor wrote them: give this advice only for the table" +
            kit::task(1));
    test.demand("copied pages", kit::exactly(moved.counts.duplicated, table),
                kit::count_of(moved.counts.duplicated, "page") + " were copied, expected the " +
                    std::to_string(table) + " of the table" + kit::task(1));
    test.demand("pages to the device", kit::at_most(moved.counts.to_device, kRounds * totals),
                kit::count_of(moved.counts.to_device, "page") + " moved to the device in " +
                    std::to_string(kRounds) + " rounds, expected the " + std::to_string(totals) +
                    " of the totals in each round" + kit::task(2));
    test.demand("device faults", kit::at_most(moved.counts.device_faults, kRounds * totals + table),
                kit::count_of(moved.counts.device_faults, "page fault") + " of the kernels in " +
                    std::to_string(kRounds) + " rounds, expected " +
                    std::to_string(kRounds * totals + table) +
                    ": let the device access the inbox without faults" + kit::task(2));
}

void attributes(kit::Case& test) {
    const FollowedPages followed;
    const Data data(test, Pages::counted() ? 5000 : 1 << 20);  // small arrays of a GPU can share a page
    const Arrays arrays = data.arrays();
    test.call([&] { unified_memory::advise(arrays, 0); });
    const Advice table = advice_about(test, arrays.table, arrays.table_bytes),
                 inbox = advice_about(test, arrays.inbox, arrays.inbox_bytes),
                 totals = advice_about(test, arrays.totals, arrays.totals_bytes);
    test.check(table.read_mostly, "the table is not read mostly" + kit::task(1));
    test.check(!inbox.read_mostly,
               "the inbox is read mostly, but the host writes it in every round" + kit::task(2));
    test.check(inbox.preferred == cudaCpuDeviceId,
               "the preferred location of the inbox is not the host" + kit::task(2));
    test.check(inbox.accessed_by == 0,
               "the device is not in the list of those that access the inbox" + kit::task(2));
    test.check(is_none(totals), "the totals have advice, which makes them slower" + kit::task(1, 2));
    test.call([&] { unified_memory::withdraw_advice(arrays, 0); });
    test.check(is_none(advice_about(test, arrays.table, arrays.table_bytes)) &&
                   is_none(advice_about(test, arrays.inbox, arrays.inbox_bytes)),
               "an array still has advice after withdraw_advice()" + kit::task(3));
}

void skip_without_access(kit::Case& test, void (*body)(kit::Case&)) {
    if (has_concurrent_access(test))
        body(test);
    else
        test.check(true, "");
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("22_unified_memory", "advise", argc, argv);
    grader.host_may_compute();
    grader.add("attributes", [](kit::Case& test) { skip_without_access(test, attributes); });
    grader.add("4 rounds, n=20000",
               [](kit::Case& test) { skip_without_access(test, [](kit::Case& t) { pages(t, 20'000); }); });
    return grader.run();
}
