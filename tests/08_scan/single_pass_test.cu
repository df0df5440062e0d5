// Grades 08_scan/single_pass: any size and alignment, repeated calls, and its parts separately. Shows how
// fast it is.
#include <cmath>
#include <cstdio>
#include <ctime>

#include "08_scan/tile_scans.hpp"
#include "kit.cuh"

namespace {

using scan::kPassTile;
using scan::Status;
using scan::Word;
using scan_test::Kind;

/// Scratch memory in a state that the contract allows: all 0, or the state after `past_calls` calls, with the words `say`.
#ifdef KIT_CPU
constexpr std::uint64_t most_kernels = 4;  // enough for any number of tiles: sum, scan the sums, scan

/// Returns whether a few launches have ordered the tiles, so that no block has looked back.
bool demand_one_launch(kit::Case& test, std::uint64_t kernels) {
    const bool several = kernels > 1 && kernels <= most_kernels;
    test.method("kernels", !several,
                {"decoupled look-back in a single launch",
                 "you launched " + kit::count_of(kernels, "kernel") + ", which order the tiles",
                 "Between two launches, every element goes through memory once more. A single pass reads and "
                 "writes each element once.",
                 5});
    return several;
}
#endif

class CheckedWorkspace {
  public:
    CheckedWorkspace(kit::Case& test, int largest_n, Word past_calls = 0, Word say = 0)
        : before_(static_cast<std::size_t>(scan::pass_words(largest_n)), say),
          ticket_before_(past_calls << 32),
          words_(test.inout<Word>("workspace.words", before_)),
          ticket_(test.inout<Word>("workspace.ticket", {ticket_before_})) {}

    scan::PassWorkspace get() const {
#ifdef KIT_CPU
        kernels_ = kit::cpu::counters().kernels;
#endif
        return {words_.data(), ticket_.data()};
    }

    /// Checks the workspace after a call of single_pass. If launches order the tiles, the workspace may be unused, even for one tile.
    void expect_used(kit::Case& test, unsigned int calls) {
#ifdef KIT_CPU
        const std::uint64_t kernels = kit::cpu::counters().kernels - kernels_;
        if (demand_one_launch(test, kit::detail::passed("kernels of the call", kernels))) several_ = true;
#endif
        const bool is_untouched = ticket_.values()[0] == ticket_before_ && words_.values() == before_;
        if (!several_ && !is_untouched) expect_ready(test, calls);
    }

    void expect_ready(kit::Case& test, unsigned int calls) const {
        const Word ticket = ticket_.values()[0];
        const auto drawn = static_cast<unsigned int>(ticket), past = static_cast<unsigned int>(ticket >> 32);
        test.check(drawn == 0,
                   "the lower half of *workspace.ticket is " + std::to_string(drawn) +
                       " after the call, so the next call begins with that tile: reset it to 0",
                   kit::Diagnosis::second_call);
        test.check(past == calls,
                   "the upper half of *workspace.ticket is " + std::to_string(past) + " after " +
                       std::to_string(calls) + (calls == 1 ? " call" : " calls") +
                       ": increment it in each call, or the next call uses the words of this call",
                   kit::Diagnosis::second_call);
    }

  private:
    std::vector<Word> before_;
    Word ticket_before_;
    kit::Output<Word> words_, ticket_;
    mutable std::uint64_t kernels_ = 0;  ///< kernels that had run before the last call
    bool several_ = false;               ///< launches for one call
};

void name_mistakes(kit::Case& test, const std::vector<int>& values) {
    scan_test::name_mistakes(test, values, Kind::exclusive, 0);
    if (values.size() <= kPassTile) return;
    test.mistake(kit::Diagnosis::first_block_only, scan_test::reference(values, Kind::exclusive, kPassTile),
                 "every tile is scanned separately: add the sum of the earlier tiles");
    auto one_before = scan_test::reference(values, Kind::exclusive, kPassTile);
    const auto in_tiles = one_before;
    for (std::size_t i = kPassTile; i < values.size(); ++i) {
        const std::size_t last = i / kPassTile * kPassTile - 1;
        one_before[i] += in_tiles[last] + values[last];
    }
    test.mistake(
        kit::Diagnosis::wrong_value, one_before,
        "a tile gets the sum of the previous tile, not of all earlier tiles: publish as a prefix the sum "
        "of all tiles up to its own" +
            kit::task(5));
}

/// Judges arrays that start `in_offset` and `out_offset` elements after a multiple of 256 bytes. The values before
/// the input must not be read.
void judge(kit::Case& test, const std::vector<int>& values, int in_offset = 0, int out_offset = 0) {
    const int n = static_cast<int>(values.size());
    std::vector<int> all(in_offset, 1 << 30);
    all.insert(all.end(), values.begin(), values.end());
    auto in = test.input("in", all);
    auto out = test.output<int>("out", values.size() + out_offset);
    CheckedWorkspace workspace(test, n);
    test.call([&] { scan::single_pass(in.data() + in_offset, n, out.data() + out_offset, workspace.get()); });
    std::vector<int> got = out.values();
    const std::vector<int> before(got.begin(), got.begin() + out_offset);
    got.erase(got.begin(), got.begin() + out_offset);
    name_mistakes(test, values);
    test.expect<int>("out", got, scan_test::reference(values, Kind::exclusive, 0));
    for (int value : before) {
        test.check(value == kit::detail::poison<int>(),
                   "your code wrote before the beginning of `out`: check the first element of each tile",
                   kit::Diagnosis::out_of_bounds);
    }
    workspace.expect_used(test, n == 0 ? 0 : 1);
}

/// Judges the calls before, at and after number 2^30. A word has room for 30 bits of the number, and the upper half of the ticket for
/// 32. The words are those of the previous call.
void judge_call_numbers(kit::Case& test, Word past_calls) {
    constexpr int n = 3 * kPassTile + 77;
    const auto number = (static_cast<unsigned int>(past_calls) - 1) & 0x3fffffffu;
    CheckedWorkspace workspace(test, n, past_calls, scan::make_word(number, Status::prefix, 4711));
    for (unsigned int call = 1; call <= 3; ++call) {
        const auto values = kit::integers<int>(test.random(), n, -1000, 1000);
        auto in = test.input("in", values);
        auto out = test.output<int>("out", n);
        test.call([&] { scan::single_pass(in.data(), n, out.data(), workspace.get()); });
        name_mistakes(test, values);
        test.expect(out, scan_test::reference(values, Kind::exclusive, 0));
        workspace.expect_used(test, static_cast<unsigned int>(past_calls) + call);
    }
}

std::vector<int> numbers(kit::Case& test, std::size_t n) {
    return kit::integers<int>(test.random(), n, -1000, 1000);
}

void judge_several_calls(kit::Case& test) {
    CheckedWorkspace workspace(test, 30000);
    unsigned int calls = 0;
    for (int n : {20000, 100, 0, 30000, 1, 20000}) {
        const auto values = numbers(test, n);
        auto in = test.input("in", values);
        auto out = test.output<int>("out", n);
        test.call([&] { scan::single_pass(in.data(), n, out.data(), workspace.get()); });
        if (n > 0) ++calls;
        name_mistakes(test, values);
        test.expect(out, scan_test::reference(values, Kind::exclusive, 0));
        workspace.expect_used(test, calls);
    }
}

/// Judges more blocks than fit on the executor at the same time. The blocks with the highest index start first, so a block that
/// takes its index as its tile waits for blocks that cannot start.
void judge_start_order(kit::Case& test) {
    constexpr int tiles = 130;
    const auto values = numbers(test, tiles * kPassTile + 5);
#ifdef KIT_CPU
    // The executor limits processor time. A tenth of the work, in the usual order, shows how much time is enough.
    kit::cpu::set_schedule(kit::cpu::Order::forward);
    const std::clock_t begin = std::clock();
    judge(test, std::vector<int>(values.begin(), values.begin() + tiles / 10 * kPassTile));
    const double usual = 10.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    kit::cpu::set_schedule(kit::cpu::Order::reverse);
    kit::cpu::set_kernel_time_limit(1 + std::ceil(3 * usual));
#endif
    judge(test, values);
#ifdef KIT_CPU
    kit::cpu::set_kernel_time_limit(10);
#endif
}

/// Words of the tiles before `tile`: a prefix at tile `prefix` (-1: none), aggregates after it, and a random mix before it.
struct Told {
    int tile;
    int prefix;
    int late;  ///< tile whose word arrives after the warp has started to look; -1: none
};

void judge_look_back(kit::Case& test, Told told) {
    constexpr unsigned int call = 41;
    std::vector<Word> words(told.tile + 1);
    const auto sums = numbers(test, told.tile + 1);
    int sum = 0;
    for (int i = 0; i < told.tile; ++i) {
        sum += sums[i];
        const bool prefix = i == told.prefix || (i < told.prefix && test.random().next() % 3 == 0);
        words[i] = scan::make_word(call, prefix ? Status::prefix : Status::aggregate, prefix ? sum : sums[i]);
    }
    words[told.tile] = scan::make_word(call, Status::prefix, 999999);  // its own word, which must not be read
    Word late_word = 0;
    if (told.late >= 0) std::swap(words[told.late], late_word);
    if (told.late >= 0) words[told.late] = scan::make_word(call - 1, Status::prefix, 5555);
    auto memory = test.inout<Word>("words", words);
    auto exclusive = test.output<int>("exclusive", 1);
    test.call(
        [&] { scan::look_back(memory.data(), told.tile, call, told.late, late_word, exclusive.data()); });
    const int got = exclusive.values()[0];
    int near = 0, everything = 0;
    for (int i = std::max(told.tile - 32, 0); i < told.tile; ++i) {
        near += sums[i];
        everything += scan::value_of(i == told.late ? late_word : words[i]);
    }
    const std::string found = "the sum of the earlier tiles is " + std::to_string(sum) +
                              ", but look_back() stored " + std::to_string(got);
    std::string why;
    if (told.tile > 32 && got == near)
        why = ": continue with earlier windows, because only the 32 tiles directly before are counted";
    if (told.prefix >= 0 && got == everything)
        why = ": stop at the first prefix, because it includes all earlier tiles";
    if (told.late >= 0 && why.empty())
        why = ": perhaps you used a word of an earlier call, so compare its call number";
    test.check(got == sum, found + why + kit::task(2), kit::Diagnosis::part);
}

/// Judges a window of 32 words or fewer. The words of tiles after `nearest` must not be used.
void judge_window(kit::Case& test, int nearest, int late) {
    constexpr unsigned int call = 41;
    const auto sums = numbers(test, nearest + 3);
    std::vector<Word> words;
    for (int i = 0; i < nearest + 3; ++i)
        words.push_back(scan::make_word(call,
                                        test.random().next() % 2 == 0 ? Status::prefix : Status::aggregate,
                                        sums[static_cast<std::size_t>(i)]));
    std::vector<Word> want;
    for (int lane = 0; lane < 32; ++lane) {
        const int tile = nearest - lane;
        want.push_back(tile < 0 ? scan::make_word(call, Status::prefix, 0)
                                : words[static_cast<std::size_t>(tile)]);
    }
    Word late_word = 0;
    if (late >= 0) {
        late_word = words[static_cast<std::size_t>(late)];
        words[static_cast<std::size_t>(late)] = scan::make_word(call - 1, Status::prefix, 5555);
    }
    auto memory = test.inout<Word>("words", words);
    auto told = test.output<Word>("told", 32);
    test.call([&] { scan::ask_window(memory.data(), nearest, call, late, late_word, told.data()); });
    const auto got = told.values();
    for (int lane = 0; lane < 32; ++lane) {
        const auto l = static_cast<std::size_t>(lane);
        const bool old = got[l] == scan::make_word(call - 1, Status::prefix, 5555);
        test.check(got[l] == want[l],
                   "lane " + std::to_string(lane) + " did not get the word that tile " +
                       std::to_string(nearest - lane) + " has published: " +
                       (old ? "perhaps you used a word of an earlier call, so compare its call number"
                            : "poll until the word is there, and return the whole word") +
                       kit::task(1),
                   kit::Diagnosis::part);
    }
}

/// Judges the tickets: every block gets a different tile, all its threads get the same one, and the workspace is ready again.
void judge_tickets(kit::Case& test, int blocks, Word past_calls) {
    CheckedWorkspace workspace(test, 1, past_calls);
    for (unsigned int call = 1; call <= 3; ++call) {
        const std::size_t threads = static_cast<std::size_t>(blocks) * scan::kPassThreads;
        auto tiles = test.output<int>("tiles", threads);
        auto calls = test.output<unsigned int>("calls", threads);
#ifdef KIT_CPU
        kit::cpu::set_schedule(kit::cpu::Order::reverse);
#endif
        test.call([&] { scan::draw_tickets(workspace.get(), blocks, tiles.data(), calls.data()); });
        const auto tile = tiles.values();
        const auto number = calls.values();
        const auto want = static_cast<unsigned int>((past_calls + call - 1) & 0x3fffffffu);
        std::vector<int> drawn;
        std::size_t other_tiles = 0, other_calls = 0;
        for (std::size_t i = 0; i < threads; ++i) {
            const std::size_t first = i / scan::kPassThreads * scan::kPassThreads;
            if (i == first) drawn.push_back(tile[i]);
            other_tiles += tile[i] != tile[first];
            other_calls += number[i] != want;
        }
        test.check(other_tiles == 0,
                   kit::count_of(other_tiles, "thread") +
                       " got a different tile from thread 0 of their block: draw one ticket per "
                       "block, and share it" +
                       kit::task(3),
                   kit::Diagnosis::part);
        test.check(other_calls == 0,
                   kit::count_of(other_calls, "thread") + " got a call number other than " +
                       std::to_string(want) + ": share the call number with the ticket" + kit::task(3),
                   kit::Diagnosis::part);
#ifdef KIT_CPU
        // The block with the highest index draws first.
        const bool by_index = blocks > 1 && std::is_sorted(drawn.begin(), drawn.end());
        test.check(
            !by_index,
            "each block has the tile of its index, but the blocks did not draw in that order: use the ticket "
            "as the tile" +
                kit::task(3),
            kit::Diagnosis::part);
#endif
        std::sort(drawn.begin(), drawn.end());
        for (int i = 0; i < blocks; ++i) {
            if (drawn[static_cast<std::size_t>(i)] == i) continue;
            test.check(
                false,
                "tile " + std::to_string(i) + " of " + std::to_string(blocks) +
                    " was drawn by no block, or by several: draw each ticket with one atomic operation" +
                    kit::task(3),
                kit::Diagnosis::part);
            break;
        }
        workspace.expect_ready(test, static_cast<unsigned int>(past_calls) + call);
    }
}

void judge_segment(kit::Case& test) {
    const auto values = numbers(test, scan::kPassSegment);
    auto in = test.input("in", values);
    auto out = test.output<int>("segment", values.size());
    auto sum = test.output<int>("sum", 32);
    test.call([&] { scan::scan_segment(in.data(), out.data(), sum.data()); });
    const auto want = scan_test::reference(values, Kind::exclusive, 0), got = out.values();
    const int sum_wanted = want.back() + values.back();
    const auto place =
        static_cast<std::size_t>(std::mismatch(got.begin(), got.end(), want.begin()).first - got.begin());
    if (place < want.size()) {
        const std::string where = "the scan of a warp's segment is wrong starting at element " +
                                  std::to_string(place) + ", in row " + std::to_string(place / 128);
        test.check(false,
                   where + ": got " + std::to_string(got[place]) + ", expected " +
                       std::to_string(want[place]) + ". Check what is carried from row to row" + kit::task(4),
                   kit::Diagnosis::part);
    }
    for (int lane_sum : sum.values()) {
        test.check(lane_sum == sum_wanted,
                   "scan_rows() returned " + std::to_string(lane_sum) + ", but the sum is " +
                       std::to_string(sum_wanted) + kit::task(4),
                   kit::Diagnosis::part);
    }
}

/// Shows the time, which is never graded, and checks the result of the timed run.
#ifndef KIT_CPU
void tell_speed(kit::Case& test) {
    constexpr int n = 1 << 26;
    const auto piece = kit::integers<int>(test.random(), 1000003, -9, 9);
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[i] = piece[i % piece.size()];
    kit::DeviceBuffer<int> in(values), out(n);
    kit::DeviceBuffer<Word> words(scan::pass_words(n)), ticket(1);
    words.clear();
    ticket.clear();
    kit::Timing timing;
    test.call([&] {
        timing = kit::time(
            [&] {
                scan::single_pass(in.data(), n, out.data(), {words.data(), ticket.data()});
            },
            2.0 * n * sizeof(int));
    });
    test.expect<int>("out", out.to_vector(), scan_test::reference(values, Kind::exclusive, 0));
    char text[120];
    std::snprintf(text, sizeof text, "%.1f us, %.0f GB/s read and written, %.0f%% of the bandwidth of a copy",
                  timing.median_ms * 1e3, timing.gb_per_s, timing.fraction_of_copy * 100);
    test.note(timing.valid ? text : std::string("not a valid time: ") + timing.reason);
}
#else
void count_operations(kit::Case& test) {
    constexpr int tiles = 6;
    const auto values = numbers(test, tiles * kPassTile);
    auto in = test.input("in", values);
    auto out = test.output<int>("out", values.size());
    CheckedWorkspace workspace(test, tiles * kPassTile);
    kit::cpu::reset_counters();
    test.call([&] { scan::single_pass(in.data(), tiles * kPassTile, out.data(), workspace.get()); });
    const auto counters = kit::cpu::counters();
    demand_one_launch(test, counters.kernels);
    test.demand("kernels", kit::at_most(counters.kernels, most_kernels),
                kit::count_of(counters.kernels, "kernel", "were") +
                    " launched, but only one is allowed: do all work in it");
    test.demand("blocks", kit::at_least(counters.blocks, tiles),
                "there are fewer blocks than tiles: give each tile its own block");
    test.expect(out, scan_test::reference(values, Kind::exclusive, 0));
}
#endif

/// Options of cases with many elements: one run is enough, because other cases vary the order of threads.
constexpr kit::CaseOptions large = {30, true};

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("08_scan", "single_pass", argc, argv);
    grader.task(3, kit::About().diagnosis(kit::Diagnosis::race).on("drawn"));
    grader.task(1, {kit::Diagnosis::barrier});
    grader.task(5, kit::About().diagnosis(kit::Diagnosis::first_block_only));
    grader.task(3, {kit::Diagnosis::second_call, kit::Diagnosis::timeout});
    grader.task(5, {kit::Diagnosis::wrong_value, kit::Diagnosis::shifted, kit::Diagnosis::tail,
                    kit::Diagnosis::not_written, kit::Diagnosis::race, kit::Diagnosis::out_of_bounds});
    for (const auto& [nearest, late] : std::vector<std::pair<int, int>>{
             {-1, -1}, {0, -1}, {20, -1}, {31, -1}, {32, -1}, {75, -1}, {20, 0}, {31, 31}, {75, 60}}) {
        grader.add("asking 32 tiles, from " + std::to_string(nearest) + " on" +
                       (late >= 0 ? ", tile " + std::to_string(late) + " late" : ""),
                   [n = nearest, l = late](kit::Case& test) { judge_window(test, n, l); });
    }
    for (const Told told :
         {Told{0, -1, -1}, Told{1, 0, -1}, Told{20, 19, -1}, Told{20, 3, -1}, Told{20, -1, -1},
          Told{32, -1, -1}, Told{33, -1, -1}, Told{64, 31, -1}, Told{100, 2, -1}, Told{20, 3, 12},
          Told{20, 3, 3}, Told{100, 40, 50}, Told{100, -1, 0}}) {
        std::string name = "looking back from tile " + std::to_string(told.tile);
        if (told.prefix >= 0) name += ", prefix at " + std::to_string(told.prefix);
        if (told.late >= 0) name += ", tile " + std::to_string(told.late) + " late";
        grader.add(name, [told](kit::Case& test) { judge_look_back(test, told); });
    }
    for (int blocks : {1, 2, 77}) {
        grader.add("tickets for " + std::to_string(blocks) + (blocks == 1 ? " block" : " blocks"),
                   [blocks](kit::Case& test) { judge_tickets(test, blocks, 0); });
    }
    grader.add("tickets, after 1073741823 other calls",
               [](kit::Case& test) { judge_tickets(test, 5, (Word{1} << 30) - 1); });
    grader.add("a warp's segment", judge_segment);
    for (int n : kit::sizes(kPassTile, 25000)) {
        grader.add("n=" + std::to_string(n), [n](kit::Case& test) { judge(test, numbers(test, n)); });
    }
    grader.add("n=25013, spikes at the edges of the tiles",
               [](kit::Case& test) { judge(test, kit::spikes<int>(test.random(), 25013, kPassTile)); });
    for (int offset = 1; offset < 4; ++offset) {
        grader.add("in is " + kit::count_of(4 * offset, "byte") + " past a multiple of 16",
                   [=](kit::Case& test) {
                       for (int n : {1, 1003, kPassTile, 10007})
                           judge(test, numbers(test, n), offset, offset == 3 ? 3 : 0);
                   });
    }
    grader.add("out is 8 bytes past a multiple of 16",
               [](kit::Case& test) { judge(test, numbers(test, 2 * kPassTile), 0, 2); });
    grader.add("several calls, one workspace", judge_several_calls);
    for (Word past : {(Word{1} << 30) - 2, (Word{1} << 32) - 2}) {
        grader.add("several calls, after " + std::to_string(past) + " others",
                   [past](kit::Case& test) { judge_call_numbers(test, past); });
    }
    grader.add("blocks that start in reverse order, n=1597445", judge_start_order, large);
#ifdef KIT_CPU
    grader.add("launches, counted", count_operations);
#else
    grader.add("the speed of 2^26 values", tell_speed, {60});
#endif
    return grader.run();
}
