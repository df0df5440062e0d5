// Measures the versions of a ladder or a sweep on a GPU. On the CPU executor, count.cu counts instead.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "../kit.cuh"
#include "../roofs.hpp"
#include "state.hpp"
#include "times.hpp"

namespace kit::demo {

bool is_right(const Version& version, long long n) {
    if (version.right == nullptr) return true;
    CUDA_CHECK(cudaDeviceSynchronize());
    return version.right(n);
}

std::vector<Version> wanted(const Demo& demo, const std::vector<Version>& versions) {
    std::vector<Version> kept;
    for (const Version& version : versions) {
        if (demo.wants(version.id)) kept.push_back(version);
    }
    // The library comes first, because the other versions are compared with it.
    std::stable_partition(kept.begin(), kept.end(), [](const Version& version) { return version.library; });
    return kept;
}

#ifndef KIT_CPU
namespace {

constexpr double noisy_from = 0.10;  // rows with a larger spread get a mark

struct Sample {
    double us = 0, host_us = 0, spread = 0;
    int repetitions = 0;
    bool valid = true;
    std::string reason;
};

double quartile(const std::vector<double>& sorted, int quarter) {
    return sorted[std::min(sorted.size() * static_cast<std::size_t>(quarter) / 4, sorted.size() - 1)];
}

/// Measures the time from the first call to the end of a wait.
Sample by_host_clock(const Version& version, long long n, int repetitions) {
    std::vector<double> whole, calls;
    for (int i = -3; i < repetitions; ++i) {
        CUDA_CHECK(cudaDeviceSynchronize());
        const auto start = std::chrono::steady_clock::now();
        version.run(n);
        const std::chrono::duration<double, std::micro> called = std::chrono::steady_clock::now() - start;
        CUDA_CHECK(cudaDeviceSynchronize());
        const std::chrono::duration<double, std::micro> done = std::chrono::steady_clock::now() - start;
        if (i < 0) continue;
        whole.push_back(done.count());
        calls.push_back(called.count());
    }
    std::sort(whole.begin(), whole.end());
    std::sort(calls.begin(), calls.end());
    const double median = quartile(whole, 2);
    return {median, quartile(calls, 2), (quartile(whole, 3) - quartile(whole, 1)) / median, repetitions, true,
            ""};
}

Sample by_events(const Version& version, long long n, double bytes, bool cold_l2, int repetitions) {
    TimeOptions options;
    options.repetitions = repetitions;
    options.cold_l2 = cold_l2;
    const Timing timing = time([&] { version.run(n); }, bytes, options);
    return {timing.median_ms * 1e3, 0, timing.spread, repetitions, timing.valid, timing.reason};
}

/// Measures twice, with half of the repetitions each time. A difference between the two results counts as
/// spread.
Sample measure(const Version& version, const Work& work, long long n, int repetitions) {
    const double bytes = version.bytes > 0 ? version.bytes : work.bytes;
    const int half = std::max(1, (repetitions + 1) / 2);
    const auto once = [&] {
        return work.host_clock ? by_host_clock(version, n, half)
                               : by_events(version, n, bytes, work.cold_l2, half);
    };
    const Sample a = once(), b = once();
    Sample both = b;
    both.us = (a.us + b.us) / 2;
    both.host_us = (a.host_us + b.host_us) / 2;
    both.spread = std::max({a.spread, b.spread, std::fabs(a.us - b.us) / std::max(both.us, 1e-9)});
    both.repetitions = 2 * half;
    if (!a.valid) both.valid = false, both.reason = a.reason;
    return both;
}

/// The minimum time that the device needs, and the limit (of bandwidth or arithmetic) that determines it.
struct Bound {
    double us;
    const char* name;
};

Bound bound_of(const Version& version, const Work& work) {
    const double bytes = version.bytes > 0 ? version.bytes : work.bytes;
    const double flops = version.flops > 0 ? version.flops : work.flops;
    if (bytes <= 0 && flops <= 0) return {0, ""};
    const double copy_us = bytes / roofs().copy_gb_per_s * 1e-3,
                 fp32_us = flops / roofs().fp32_tflop_per_s * 1e-6;
    return copy_us >= fp32_us ? Bound{copy_us, "copy"} : Bound{fp32_us, "fp32"};
}

/// Returns the fields of a row with times, for ladders and sweeps.
std::vector<Field> timed_fields(const Version& version, const Work& work, long long n, const Sample& sample,
                                bool right) {
    std::vector<Field> fields = {{"version", version.name},
                                 {"n", n},
                                 {"us", sample.us},
                                 {"spread", sample.spread},
                                 {"repetitions", sample.repetitions}};
    const auto add_flag = [&](const char* name, bool flag) {
        Value value(flag ? 1 : 0);
        value.text = flag ? "true" : "false";
        fields.push_back({name, value});
    };
    add_flag("valid", sample.valid && right);
    add_flag("noisy", sample.spread > noisy_from);
    add_flag("library", version.library);
    if (!right) fields.push_back({"reason", "the output is wrong"});
    if (right && !sample.valid) fields.push_back({"reason", sample.reason});
    if (work.host_clock) fields.push_back({"host_us", sample.host_us});
    const double bytes = version.bytes > 0 ? version.bytes : work.bytes;
    if (bytes > 0) fields.push_back({"gb_per_s", bytes / sample.us * 1e-3});
    const Bound bound = bound_of(version, work);
    if (bound.us > 0) {
        fields.push_back({"bound", bound.name});
        fields.push_back({"bound_us", bound.us});
        fields.push_back({"of_bound", bound.us / sample.us});
    }
    if (version.facts != nullptr) {
        for (Field& fact : version.facts()) fields.push_back(std::move(fact));
    }
    return fields;
}

const char* note_on(const Sample& sample, bool right) {
    return !right ? "WRONG" : !sample.valid ? "INVALID" : sample.spread > noisy_from ? "noisy" : "";
}

}  // namespace
#endif

void Demo::State::show_roofs() {
#ifndef KIT_CPU
    if (roofs_shown) return;
    roofs_shown = true;
    const Roofs& r = roofs();
    ask_driver(machine);
    out.say(format(
        "measured: copy %.0f GB/s, shared %.0f GB/s, fp32 %.1f TFLOP/s, launch %.1f us, with a wait %.1f us",
        r.copy_gb_per_s, r.shared_gb_per_s, r.fp32_tflop_per_s, r.launch_us, r.launch_and_wait_us));
#endif
}

std::vector<long long> Demo::sizes(double bytes_per_element) {
    std::size_t free = 0, total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    std::vector<long long> all;
    for (int power = 10; power <= 30; power += 2) {
        const long long n = 1ll << power;
        if (static_cast<double>(n) * bytes_per_element < static_cast<double>(free) / 2) all.push_back(n);
    }
    return all;
}

#ifndef KIT_CPU

std::vector<Field> counts_of(const std::function<void()>& run) {
    run();
    return {};
}

void Demo::ladder(const std::string& table, const std::string& title, const Work& work,
                  const std::vector<Version>& versions) {
    if (!part(table)) return;
    State& s = *state_;
    s.open(table, title, "ladder");
    s.show_roofs();
    const bool has_rate = work.bytes > 0, has_bound = bound_of(Version{}, work).us > 0 || has_rate;
    const std::vector<Version> kept = wanted(*this, versions);
    const bool has_library = !kept.empty() && kept.front().library;
    LadderOfTimes ladder(s.out, {work.host_clock, has_rate, has_bound, has_library, work.piece},
                         widest_label(kept));
    double before = 0, library_us = 0;
    for (const Version& version : kept) {
        const std::string label = label_of(version, kept);
        if (s.options.explain && !version.change.empty()) s.out.say("  " + version.change);
        s.out.progress(label + "  measuring ...");
        const int repetitions =
            this->repetitions(version.repetitions > 0 ? version.repetitions : work.repetitions);
        const Sample sample = measure(version, work, work.n, repetitions);
        const bool right = is_right(version, work.n);
        s.wrong = s.wrong || !right;
        std::vector<Field> fields = timed_fields(version, work, work.n, sample, right);
        Times times;
        times.us = sample.us, times.spread = sample.spread, times.host_us = sample.host_us;
        times.is_library = version.library;
        if (!work.piece.empty()) {
            const long long pieces = version.pieces != nullptr ? version.pieces()
                                     : work.pieces > 0         ? work.pieces
                                                               : work.n;
            times.each_us = sample.us / static_cast<double>(std::max(pieces, 1ll));
            fields.push_back({"pieces", pieces});
            fields.push_back({"us_each", times.each_us});
        }
        times.gb_per_s = (version.bytes > 0 ? version.bytes : work.bytes) / sample.us * 1e-3;
        times.of_bound = bound_of(version, work).us / sample.us;
        if (version.library) {
            library_us = sample.us;
        } else {
            times.speed_up = before > 0 ? before / sample.us : 1;
            fields.push_back({"speed_up", times.speed_up});
            before = sample.us;
        }
        if (has_library) {
            times.of_library = library_us / sample.us;
            fields.push_back({"of_library", times.of_library});
        }
        ladder.row(label, times, note_on(sample, right));
        s.tables.back().rows.push_back(json_row(version.id, fields));
        s.write_record(false);
    }
    if (s.options.explain) {
        s.out.say(
            std::string("us: median; spread: the middle half, or what moved between two rounds; speed-up: "
                        "over the version before") +
            (has_bound ? "; bound: the time of a copy of as many bytes, or of the multiply-adds" : "") +
            (has_library ? "; library: its time over this one" : ""));
    } else {
        say_changes(versions);
    }
}

void Demo::sweep(const std::string& table, const std::string& title, const std::vector<long long>& sizes,
                 const std::function<Work(long long)>& work, const std::vector<Version>& versions) {
    if (!part(table)) return;
    State& s = *state_;
    s.open(table, title, "sweep");
    const std::vector<Version> kept = wanted(*this, versions);
    std::vector<std::string> ids;
    std::string legend;
    for (const Version& version : kept) {
        ids.push_back(version.id);
        legend += "; " + version.id + ": " + version.name;
    }
    const Work first = work(sizes.empty() ? 1 : sizes.front());
    using Beside = SweepOfTimes::Beside;
    const bool has_bound = !kept.empty() && bound_of(kept.front(), first).us > 0;
    const Beside beside = has_bound ? Beside::of_bound : first.host_clock ? Beside::host_us : Beside::nothing;
    const char* what = has_bound          ? "; bound: percent of the bound"
                       : first.host_clock ? "; calls: how many of them until the calls have returned"
                                          : "";
    s.out.say(std::string("microseconds") + what + legend);
    SweepOfTimes shown(s.out, ids, beside);
    for (const long long n : sizes) {
        std::vector<TimesAtSize> measured;
        for (const Version& version : kept) {
            shown.progress(n, measured, version.id);
            const Work one = work(n);
            const Sample sample = measure(version, one, n, repetitions(one.repetitions));
            const bool right = is_right(version, n);
            s.wrong = s.wrong || !right;
            measured.push_back(
                {sample.us, has_bound ? bound_of(version, one).us / sample.us : sample.host_us, right});
            s.tables.back().rows.push_back(
                json_row(version.id + "@" + std::to_string(n), timed_fields(version, one, n, sample, right)));
        }
        shown.row(n, measured);
        s.write_record(false);
    }
}

#endif

}  // namespace kit::demo
