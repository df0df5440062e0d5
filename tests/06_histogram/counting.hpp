// Shared by the tests of 06_histogram: inputs, references, known mistakes, and which thread reads which character.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "06_histogram/06_histogram.hpp"
#include "06_histogram/texts.hpp"
#include "grader.cuh"
#include "kit.cuh"

#ifdef KIT_CPU
#include <words/names.hpp>
#endif

namespace histogram_test {

using Counts = std::vector<unsigned int>;

/// Options of cases with many elements: one run is enough, because other cases vary the order of threads.
constexpr kit::CaseOptions large = {30, true};

// ---- Inputs ---------------------------------------------------------------------------------------------

/// Distribution of the values. `single` reveals atomics that collide at one address; `sorted` reveals races that
/// equally likely values would hide.
enum class Kind { any_byte, printable, letters, single, sorted, skewed, text };

inline const char* name_of(Kind kind) {
    switch (kind) {
        case Kind::any_byte:
            return "all 256 values";
        case Kind::printable:
            return "capitals, digits and punctuation among the letters";
        case Kind::letters:
            return "letters only";
        case Kind::single:
            return "one single value";
        case Kind::sorted:
            return "sorted";
        case Kind::skewed:
            return "skewed";
        case Kind::text:
            return "real text";
    }
    return "";
}

template <class T>
std::vector<T> make(kit::Random& random, std::size_t n, Kind kind) {
    std::vector<T> values(n);
    const char one = static_cast<char>(random.integer('a', 'z'));
    const std::string& text = real_text();
    const std::size_t start = random.next() % (text.size() / 2);
    for (std::size_t i = 0; i < n; ++i) {
        int value = one;
        if (kind == Kind::any_byte || kind == Kind::sorted) value = static_cast<int>(random.integer(0, 255));
        if (kind == Kind::printable) value = static_cast<int>(random.integer(' ', '~'));
        if (kind == Kind::letters) value = static_cast<int>(random.integer('a', 'z'));
        if (kind == Kind::skewed && random.unit() < 0.1) value = static_cast<int>(random.integer(0, 255));
        if (kind == Kind::text) value = text[(start + i) % text.size()];
        values[i] = static_cast<T>(value);
    }
    if (kind == Kind::sorted) std::sort(values.begin(), values.end());
    return values;
}

// ---- Letters --------------------------------------------------------------------------------------------

inline Counts count_letters(const std::vector<char>& text, std::size_t first, std::size_t count,
                            bool capitals = false, bool behind_z = false) {
    Counts bins(histogram::kLetterBins, 0);
    for (std::size_t i = first; i < first + count; ++i) {
        const char c = text[i];
        if (c >= 'a' && c <= 'z') ++bins[(c - 'a') / 4];
        if (capitals && c >= 'A' && c <= 'Z') ++bins[(c - 'A') / 4];
        if (behind_z && (c == '{' || c == '|')) ++bins[histogram::kLetterBins - 1];
    }
    return bins;
}

/// Returns the counts that result if the bins are not cleared and start with the grader's pattern.
inline Counts on_top_of_poison(Counts counts) {
    for (unsigned int& count : counts) count += 0xababababu;
    return counts;
}

/// The task that launches the kernel; 1 if the launch is given.
inline int task_of_launch = 1;

/// Calls `function(text, n, bins)` on a text that starts `offset` characters into an array, and compares.
/// The characters before it are letters, so that reading them is detected.
template <class Function>
void judge_letters(kit::Case& test, Function function, std::vector<char> text, int offset = 0) {
    const std::size_t n = text.size();
    text.insert(text.begin(), offset, 'e');
    auto in = test.input("text", text);
    auto bins = test.output<unsigned int>("bins", histogram::kLetterBins);
    test.call([&] { function(in.data() + offset, n, bins.data()); });
    const Counts want = count_letters(text, offset, n);
    auto if_gives = [&](const Counts& gives, kit::Diagnosis diagnosis, const char* sentence) {
        if (gives != want) test.mistake(diagnosis, gives, sentence);
    };
    if_gives(on_top_of_poison(want), kit::Diagnosis::uninitialised,
             "the counts were added to the old contents of the bins: set the bins to 0 first");
    if_gives(count_letters(text, offset, n, true), kit::Diagnosis::wrong_value,
             "capital letters are counted: count only 'a' to 'z'");
    if_gives(count_letters(text, offset, n, false, true), kit::Diagnosis::wrong_value,
             "'{' and '|', which follow 'z', are counted as letters of the last group: exclude them");
    const std::size_t head = std::min<std::size_t>(n, (16 - offset % 16) % 16);
    const std::size_t tail = (n - head) % 16;
    if_gives(
        count_letters(text, offset + head, n - head), kit::Diagnosis::tail,
        "the first characters are left out: count those before the first address that is a multiple of 16");
    if_gives(count_letters(text, offset, n - tail), kit::Diagnosis::tail,
             "the last characters are left out: count those after the last multiple of 16");
    test.expect(bins, want);
    if (n > 0) test.by_kernels(kit::named_task(task_of_launch));
}

/// Adds cases of all kinds and sizes for a function (text, n, bins). `options` are those of the cases about kinds.
template <class Function>
void add_letter_cases(kit::Grader& grader, Function function, const std::string& prefix = "",
                      kit::CaseOptions options = {}) {
    for (int n : kit::sizes(histogram::kBlock, 40000)) {
        grader.add(prefix + "n=" + std::to_string(n), [=](kit::Case& test) {
            judge_letters(test, function, make<char>(test.random(), n, Kind::printable));
        });
    }
    for (Kind kind : {Kind::any_byte, Kind::letters, Kind::single, Kind::sorted, Kind::text}) {
        grader.add(
            prefix + name_of(kind) + ", n=20011",
            [=](kit::Case& test) { judge_letters(test, function, make<char>(test.random(), 20011, kind)); },
            options);
    }
    grader.add(prefix + "two calls", [=](kit::Case& test) {
        for (int n : {5003, 4001})
            judge_letters(test, function, make<char>(test.random(), n, Kind::printable));
    });
}

// ---- Bytes ----------------------------------------------------------------------------------------------

template <class T>
Counts count_values(const std::vector<T>& values, std::size_t first, std::size_t count,
                    std::size_t bin_count) {
    Counts bins(bin_count, 0);
    for (std::size_t i = first; i < first + count; ++i) {
        if (values[i] < bin_count) ++bins[values[i]];
    }
    return bins;
}

template <class Function>
void judge_bytes(kit::Case& test, Function function, std::vector<unsigned char> data, int offset = 0) {
    const std::size_t n = data.size();
    data.insert(data.begin(), offset, 77);
    auto in = test.input("data", data);
    auto bins = test.output<unsigned int>("bins", histogram::kByteBins);
    test.call([&] { function(in.data() + offset, n, bins.data()); });
    const Counts want = count_values(data, offset, n, histogram::kByteBins);
    test.mistake(kit::Diagnosis::uninitialised, on_top_of_poison(want),
                 "the counts were added to the old contents of the bins: set the bins to 0 first");
    const std::size_t head = std::min<std::size_t>(n, (16 - offset % 16) % 16);
    const std::size_t tail = (n - head) % 16;
    if (tail > 0) {
        test.mistake(kit::Diagnosis::tail, count_values(data, offset, n - tail, histogram::kByteBins),
                     "the last bytes are left out: count those after the last multiple of 16");
    }
    test.expect(bins, want);
    if (n > 0) test.by_kernels(kit::named_task(1));
}

/// Adds the same cases for bytes.
template <class Function>
void add_byte_cases(kit::Grader& grader, Function function, const std::string& prefix = "",
                    kit::CaseOptions options = {}) {
    for (int n : kit::sizes(histogram::kBlock, 40000)) {
        grader.add(prefix + "n=" + std::to_string(n), [=](kit::Case& test) {
            judge_bytes(test, function, make<unsigned char>(test.random(), n, Kind::any_byte));
        });
    }
    for (Kind kind : {Kind::single, Kind::sorted, Kind::skewed, Kind::text}) {
        grader.add(
            prefix + name_of(kind) + ", n=20011",
            [=](kit::Case& test) {
                judge_bytes(test, function, make<unsigned char>(test.random(), 20011, kind));
            },
            options);
    }
    grader.add(prefix + "two calls", [=](kit::Case& test) {
        for (int n : {5003, 4001}) {
            judge_bytes(test, function, make<unsigned char>(test.random(), n, Kind::any_byte));
        }
    });
}

// ---- Checks of only one backend -------------------------------------------------------------------------

#ifdef KIT_CPU
/// Returns the thread and block that read text[place], in the executor's words. The character is marked as uninitialized, so the
/// executor reports the read.
template <class Function>
std::string reader_of(kit::Case& test, Function function, int n, int place) {
    kit::DeviceBuffer<char> text(std::vector<char>(n, 'k'));
    kit::DeviceBuffer<unsigned int> bins(histogram::kLetterBins);
    kit::cpu::take_findings();
    kit::cpu::mark_uninitialised(text.data() + place, 1);
    function(text.data(), static_cast<std::size_t>(n), bins.data());
    test.cuda(cudaDeviceSynchronize());
    for (const kit::cpu::Finding& finding : kit::cpu::take_findings()) {
        if (finding.rule != kit::facts::Rule::unwritten) continue;
        kit::facts::Who reader = finding.who;
        reader.name.clear();  // the kernel's name
        return kit::words::text_of(reader);
    }
    return "nobody";
}
#else
/// More than 2^31 characters, with letters only at both ends, which an index of type int cannot reach.
template <class Function>
void judge_beyond_int(kit::Case& test, Function function) {
    constexpr std::size_t n = (std::size_t{1} << 31) + 1003;
    std::size_t available = 0, total = 0;
    test.cuda(cudaMemGetInfo(&available, &total));
    if (available < n + n / 8) test.skip("needs 2.3 GB of device memory");
    kit::DeviceBuffer<char> text(n);
    test.cuda(cudaMemset(text.data(), '.', n));
    const auto ends = make<char>(test.random(), 1000, Kind::letters);
    test.cuda(cudaMemcpy(text.data(), ends.data(), 500, cudaMemcpyHostToDevice));
    test.cuda(cudaMemcpy(text.data() + n - 500, ends.data() + 500, 500, cudaMemcpyHostToDevice));
    test.cuda(cudaDeviceSynchronize());  // a student's stream need not wait for this
    auto bins = test.output<unsigned int>("bins", histogram::kLetterBins);
    test.call([&] { function(text.data(), n, bins.data()); });
    test.expect(bins, count_letters(ends, 0, ends.size()));
}

template <class Function>
void add_case_beyond_int(kit::Grader& grader, Function function) {
    grader.add(
        "more than 2^31 characters", [=](kit::Case& test) { judge_beyond_int(test, function); },
        kit::CaseOptions{60, true});
}
#endif

}  // namespace histogram_test
