// Grades 06_histogram/aggregated: letters in registers, bytes with a counter per lane; any alignment.
// sanitizer.case: n=
#include <cstdio>

#include "06_histogram/counting.hpp"

namespace {

using namespace histogram_test;

void letters(const char* text, std::size_t n, unsigned int* bins) {
    histogram::aggregated_letters(text, n, bins);
}

void bytes(const unsigned char* data, std::size_t n, unsigned int* bins) {
    histogram::aggregated_bytes(data, n, bins);
}

/// Uses a grid of one block, so that each thread has many rounds and a counter that is too small overflows.
void letters_in_one_block(const char* text, std::size_t n, unsigned int* bins) {
    histogram::aggregated_letters(text, n, bins, 1);
}

void bytes_in_one_block(const unsigned char* data, std::size_t n, unsigned int* bins) {
    histogram::aggregated_bytes(data, n, bins, 1);
}

#ifdef KIT_CPU
void count_atomics(kit::Case& test) {
    const auto text = make<char>(test.random(), 60000, Kind::letters);
    auto in = test.input("text", text);
    auto bins = test.output<unsigned int>("bins", histogram::kLetterBins);
    kit::cpu::reset_counters();
    test.call([&] { letters(in.data(), text.size(), bins.data()); });
    const auto atomics = kit::cpu::counters().atomics;
    test.demand("atomics", kit::at_most(atomics, text.size() / 16),
                kit::count_of(atomics, "atomic addition") + " for " + kit::count_of(text.size(), "letter") +
                    ": count in registers, and combine only the sums");
    test.expect(bins, count_letters(text, 0, text.size()));
}

/// With one private counter per value and lane, no two lanes use the same counter, even if all bytes are equal.
void count_contention(kit::Case& test) {
    const auto data = make<unsigned char>(test.random(), 30000, Kind::single);
    auto in = test.input("data", data);
    auto bins = test.output<unsigned int>("bins", histogram::kByteBins);
    kit::cpu::reset_counters();
    test.call([&] { bytes_in_one_block(in.data(), data.size(), bins.data()); });
    const auto worst = kit::cpu::counters().worst_contention;
    test.demand("contention", kit::at_most(worst, data.size() / 8),
                std::to_string(worst) + " of " + kit::count_of(data.size(), "equal byte") +
                    " are counted in one counter: give each lane its own counter" + kit::task(5));
    test.expect(bins, count_values(data, 0, data.size(), histogram::kByteBins));
}
#else
/// Shows the times, which are never graded, and checks the counts of the timed runs.
template <class T, class Function>
void tell_speed(kit::Case& test, Function function, Kind kind, std::size_t bin_count) {
    constexpr std::size_t n = std::size_t{1} << 26;
    const auto piece = make<T>(test.random(), 1000003, kind);
    std::vector<T> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = piece[i % piece.size()];
    kit::DeviceBuffer<T> in(values);
    auto bins = test.output<unsigned int>("bins", bin_count);
    kit::Timing timing;
    test.call([&] { timing = kit::time([&] { function(in.data(), n, bins.data()); }, n); });
    if constexpr (std::is_same_v<T, char>) {
        test.expect(bins, count_letters(values, 0, n));
    } else {
        test.expect(bins, count_values(values, 0, n, bin_count));
    }
    char text[120];
    std::snprintf(text, sizeof text, "%.1f us, %.0f GB/s, %.0f%% of the bandwidth of a copy",
                  timing.median_ms * 1e3, timing.gb_per_s, timing.fraction_of_copy * 100);
    test.note(timing.valid ? text : std::string("not a valid time: ") + timing.reason);
}
#endif

void add_letters(kit::Grader& grader) {
    add_letter_cases(grader, letters, "letters: ", large);
    for (int offset : {1, 7, 15}) {
        grader.add(
            "letters: text is " + kit::count_of(offset, "byte") + " past a multiple of 16, n=0 to 8209",
            [offset](kit::Case& test) {
                for (int n : {0, 1, 2, 9, 15, 16, 17, 31, 33, 1000, 8209}) {
                    judge_letters(test, letters, make<char>(test.random(), n, Kind::printable), offset);
                }
            });
    }
    // 8192 letters give each thread of a block one vector. After 1, 2 and 3 vectors, the counts are in different words.
    for (int n : {8192, 2 * 8192, 3 * 8192}) {
        grader.add("letters: one block, one single value, n=" + std::to_string(n), [n](kit::Case& test) {
            judge_letters(test, letters_in_one_block, make<char>(test.random(), n, Kind::single));
        });
    }
    grader.add(
        "letters: one block, one single value, n=200003",
        [](kit::Case& test) {
            judge_letters(test, letters_in_one_block, make<char>(test.random(), 200003, Kind::single), 3);
        },
        large);
#ifdef KIT_CPU
    grader.add("letters: atomics, counted", count_atomics);
#else
    add_case_beyond_int(grader, letters);
    for (Kind kind : {Kind::printable, Kind::single}) {
        grader.add(
            std::string("letters: the speed of 2^26, ") + name_of(kind),
            [kind](kit::Case& test) { tell_speed<char>(test, letters, kind, histogram::kLetterBins); },
            large);
    }
#endif
}

void add_bytes(kit::Grader& grader) {
    add_byte_cases(grader, bytes, "bytes: ", large);
    for (int offset : {1, 7, 15}) {
        grader.add(
            "bytes: data is " + kit::count_of(offset, "byte") + " past a multiple of 16, n=0 to 8209",
            [offset](kit::Case& test) {
                for (int n : {0, 1, 2, 9, 15, 16, 17, 31, 33, 1000, 8209}) {
                    judge_bytes(test, bytes, make<unsigned char>(test.random(), n, Kind::any_byte), offset);
                }
            },
            large);
    }
    grader.add(
        "bytes: one block, one single value, n=50003",
        [](kit::Case& test) {
            judge_bytes(test, bytes_in_one_block, make<unsigned char>(test.random(), 50003, Kind::single), 3);
        },
        large);
#ifdef KIT_CPU
    grader.add("bytes: lanes that meet, counted", count_contention, large);
#else
    for (Kind kind : {Kind::any_byte, Kind::single}) {
        grader.add(
            std::string("bytes: the speed of 2^26, ") + name_of(kind),
            [kind](kit::Case& test) { tell_speed<unsigned char>(test, bytes, kind, histogram::kByteBins); },
            large);
    }
#endif
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("06_histogram", "aggregated", argc, argv);
    const kit::About letters = kit::About().output("bins").values(histogram::kLetterBins),
                     bytes = kit::About().output("bins").values(histogram::kByteBins);
    for (int task : {1, 2, 3, 4}) grader.task(task, letters);
    grader.task(6, kit::About().diagnosis(kit::Diagnosis::tail).values(histogram::kByteBins));
    for (int task : {5, 6}) grader.task(task, bytes);
    grader.task(0, kit::About().diagnosis(kit::Diagnosis::out_of_bounds).on("text"));  // given code reads it
    grader.task(6, kit::About().rule(kit::facts::Rule::misaligned));
    grader.task(4, {kit::Diagnosis::constant_output});
    grader.task(5, {kit::Diagnosis::out_of_bounds});
    grader.task(6, {kit::Diagnosis::race, kit::Diagnosis::constant_output, kit::Diagnosis::uninitialised});
    add_letters(grader);
    add_bytes(grader);
    return grader.run();
}
