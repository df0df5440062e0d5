// For the demo of 06_histogram: what is counted, by which versions, and whether they are right.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

#include "06_histogram/06_histogram.hpp"
#include "06_histogram/texts.hpp"
#include "demo.hpp"
#include "half_counters.cuh"
#include "kit.cuh"
#ifndef KIT_CPU
#include <cub/device/device_histogram.cuh>

#include "wide.cuh"
#endif

namespace histogram_demo {

using kit::demo::Demo;
using kit::demo::Value;
using kit::demo::Version;
using kit::demo::Work;

inline const std::array<std::string, 4> inputs = {"uniform", "skewed", "single", "text"};

/// What is counted.
struct Problem {
    const char* name;
    int bins, bytes_per_element;
    unsigned int low, range,
        common;  ///< values start at `low`; nine of ten skewed values are among the first `common`
};
inline const Problem letters = {"letters", histogram::kLetterBins, 1, 'a', 26, 1};
inline const Problem bytes = {"bytes", histogram::kByteBins, 1, 0, 256, 1};
inline const Problem values = {"16-bit values", 65536, 2, 0, 65536, histogram::kPrivateBins};

/// Ends the program unless `holds`.
inline void require(bool holds, const std::string& otherwise) {
    if (holds) return;
    std::fprintf(stderr, "%s\n", otherwise.c_str());
    std::exit(EXIT_FAILURE);
}

/// The elements on the device, the bins, and the right answers.
struct Data {
    kit::DeviceBuffer<unsigned char> elements;
    kit::DeviceBuffer<unsigned int> bins;
    kit::DeviceBuffer<char> scratch;  ///< CUB's

    explicit Data(std::size_t size) : elements(size), bins(values.bins) {
        bins.clear();  // take() copies more bins than the first problem writes
        const std::string& words = histogram_test::real_text();
        text_ = kit::DeviceBuffer<char>(std::vector<char>(words.begin(), words.end()));
    }
    const char* text() const { return reinterpret_cast<const char*>(elements.data()); }
    unsigned short* values16() { return reinterpret_cast<unsigned short*>(elements.data()); }

    /// Makes the first n elements.
    void fill_with(const Problem& problem, const std::string& input, long long n) {
        if (problem_ == &problem && input_ == input && filled_ >= n) return;
        problem_ = &problem, input_ = input, filled_ = n;
        make(n);
    }

    /// Returns whether the bins are those of the first n elements, and overwrites them, so that the next result must be new.
    bool right(long long n) { return take() == want(n); }

    std::vector<unsigned int> take() {
        std::vector<unsigned int> got = bins.to_vector();
        got.resize(problem_->bins);
        CUDA_CHECK(cudaMemset(bins.data(), 0x55, bins.bytes()));
        return got;
    }

    const std::vector<unsigned int>& want(long long n) {
        std::vector<unsigned int>& known = known_[{problem_->name, input_, n}];
        if (known.empty()) known = count(n);
        return known;
    }

  private:
    void make(std::size_t n);                              // these two are in demo.cu, which has the kernels
    std::vector<unsigned int> occurrences(std::size_t n);  // 32 partial counts for each value

    std::vector<unsigned int> count(long long n) {
        const std::vector<unsigned int> parts = occurrences(n);
        require(std::accumulate(parts.begin(), parts.end(), 0ll) == n,
                "the reference has not counted all elements");
        std::vector<unsigned int> sums(problem_->bins);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const std::size_t value = i / 32;
            if (problem_ != &letters) {
                sums[value] += parts[i];
            } else if (value >= 'a' && value <= 'z') {
                sums[(value - 'a') / 4] += parts[i];
            }
        }
        return sums;
    }

    kit::DeviceBuffer<char> text_;
    const Problem* problem_ = nullptr;
    std::string input_;
    long long filled_ = 0;
    std::map<std::tuple<std::string, std::string, long long>, std::vector<unsigned int>> known_;
};

#ifndef KIT_CPU
/// CUB into equally wide bins from `low` to `high`.
template <class T>
Version cub_version(Data& d, const T* from, long long most, int bins, int low, int high) {
    const auto call = [&d, from, bins, low, high](void* scratch, std::size_t& size, long long n) {
        CUDA_CHECK(
            cub::DeviceHistogram::HistogramEven(scratch, size, from, d.bins.data(), bins + 1, low, high, n));
    };
    std::size_t size = 0;
    call(nullptr, size, most);
    if (size > d.scratch.size()) d.scratch = kit::DeviceBuffer<char>(size);
    const auto run = [&d, call](long long n) {
        std::size_t given = d.scratch.size();
        call(d.scratch.data(), given, n);
    };
    return {"cub", "CUB HistogramEven", "", run, [&d](long long n) { return d.right(n); }, true};
}
#endif

inline bool has_clusters() {
    int clusters = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&clusters, cudaDevAttrClusterLaunch, 0));
    return clusters != 0;
}

/// All versions of the three problems, for up to `most` elements.
inline std::vector<Version> versions_of(const Problem& problem, Data& d, [[maybe_unused]] long long most) {
    const auto right = [&d](long long n) { return d.right(n); };
    std::vector<Version> all;
    if (&problem == &letters) {
        const auto on_text = [&d](void (*function)(const char*, std::size_t, unsigned int*)) {
            return [&d, function](long long n) { function(d.text(), n, d.bins.data()); };
        };
        all = {
            {"v2", "sections", "A section of the text for each thread, an atomic addition for each letter.",
             on_text(histogram::sections), right},
            {"v3", "interleaved", "Neighbours read neighbours: a sector of 32 characters serves a warp.",
             on_text(histogram::interleaved), right},
            {"v4", "privatized", "Each block counts in shared memory, and adds seven numbers at the end.",
             [&d](long long n) { histogram::privatized(d.text(), n, d.bins.data(), histogram::kBlock); },
             right},
#ifndef KIT_CPU
            {"v4w", "privatized, wide loads", "As v4, but 16 characters per load; as many atomics.",
             [&d](long long n) {
                 launch_wide<histogram::kLetterBins, 1>(d.elements.data(), n, d.bins.data());
             },
             right},
#endif
            {"v8", "registers", "Four characters per instruction, counted in registers: hardly any atomics.",
             [&d](long long n) { histogram::aggregated_letters(d.text(), n, d.bins.data()); }, right}};
        all[0].repetitions = all[1].repetitions = 5;
#ifndef KIT_CPU
        all.push_back(cub_version(d, d.text(), most, problem.bins, 'a', 'a' + 4 * problem.bins));
#endif
    } else if (&problem == &bytes) {
        all = {
            {"v5", "a copy per warp", "256 bins; each warp of a block has a histogram of its own.",
             [&d](long long n) { histogram::byte_histogram(d.elements.data(), n, d.bins.data()); }, right},
#ifndef KIT_CPU
            {"v5w", "a copy per warp, wide loads", "As v5, but 16 bytes per load; as many atomics.",
             [&d](long long n) {
                 launch_wide<histogram::kByteBins, histogram::kCopies>(d.elements.data(), n, d.bins.data());
             },
             right},
#endif
            {"v9", "a counter per value and lane", "Lane l counts in bank l: no two lanes of a warp meet.",
             [&d](long long n) { histogram::aggregated_bytes(d.elements.data(), n, d.bins.data()); }, right}};
#ifndef KIT_CPU
        const unsigned char* from = d.elements.data();
        all.push_back(cub_version(d, from, most, problem.bins, 0, problem.bins));
#endif
    } else {
        const auto partly = [&d, &problem](int first) {
            return [&d, &problem, first](long long n) {
                histogram::partial_privatization(d.values16(), n, d.bins.data(), problem.bins, first);
            };
        };
        all = {{"v6", "bins 0 to 8191 private",
                "65,536 bins: a block holds 8192 of them, the others are far.", partly(0), right},
               {"v6b", "bins 24576 to 32767 private", "Another range: pairs that begin with a small letter.",
                partly(24576), right}};
        if (has_clusters())
            all.push_back({"v7", "spread over a cluster", "Eight blocks hold all bins together: none is far.",
                           [&d, &problem](long long n) {
                               histogram::cluster_histogram(d.values16(), n, d.bins.data(), problem.bins);
                           },
                           right});
        if (has_room_for_halves())
            all.push_back({"v10", "half a word each", "Two counters to a word: one block holds all bins.",
                           [&d](long long n) { half_counters(d.values16(), n, d.bins.data()); }, right});
#ifndef KIT_CPU
        const unsigned short* from = d.values16();
        all.push_back(cub_version(d, from, most, problem.bins, 0, problem.bins));
#endif
    }
    return all;
}

inline Work work_of(const Problem& problem, long long n) {
    Work work;
    work.n = n;
    work.bytes = static_cast<double>(problem.bytes_per_element) * static_cast<double>(n);
    return work;
}

/// As a ladder shows it.
inline std::string label_of(const Version& version) {
    return (version.id + "    ").substr(0, 5) + version.name;
}

/// The rows of the tables over all inputs: CUB has three of them.
inline std::string row_id(const Problem& problem, const Version& version) {
    return version.library ? version.id + "_" + (&problem == &values ? "values" : problem.name) : version.id;
}

}  // namespace histogram_demo
