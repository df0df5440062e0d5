// Measures the versions of a ladder or a sweep: times on a GPU, counts on the CPU executor.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "../kit.cuh"
#include "../roofs.hpp"
#include "state.hpp"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace kit::demo {
namespace {

[[maybe_unused]] constexpr double noisy_from = 0.10;  // a larger spread is marked

std::string name_of(const Version& version) {
    return format("%-6s %-28s", version.id.c_str(), version.name.c_str());
}

/// Runs the version once and looks at what it left. Fails for wrong output.
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
    // The mark to beat comes first: the others are held against it.
    std::stable_partition(kept.begin(), kept.end(), [](const Version& version) { return version.library; });
    return kept;
}

#ifndef KIT_CPU

struct Sample {
    double us = 0, host_us = 0, spread = 0;
    int repetitions = 0;
    bool valid = true;
    std::string reason;
};

double quartile(const std::vector<double>& sorted, int quarter) {
    return sorted[std::min(sorted.size() * static_cast<std::size_t>(quarter) / 4, sorted.size() - 1)];
}

/// From the first call to the end of a wait.
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

/// Measured twice, half of the repetitions each: what moves between the two belongs to the spread.
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

/// The time that the device needs at least, and what limits it.
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

/// The fields of a timed row, for ladders and sweeps alike.
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

const char* after(const Sample& sample, bool right) {
    return !right ? "  WRONG" : !sample.valid ? "  INVALID" : sample.spread > noisy_from ? "  noisy" : "";
}

#endif

}  // namespace

void Demo::State::show_roofs() {
#ifndef KIT_CPU
    if (roofs_shown) return;
    roofs_shown = true;
    const Roofs& r = roofs();
    ask_driver(machine);
    out.line(
        format("measured here: copy %.0f GB/s, shared memory %.0f GB/s, %.1f TFLOP/s (fp32), launch %.1f us, "
               "with a wait %.1f us",
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

#ifdef KIT_CPU

std::vector<Field> counts_of(const std::function<void()>& run) {
    CUDA_CHECK(cudaDeviceSynchronize());  // what was queued before is not counted
    cpu::reset_counters();
    run();
    CUDA_CHECK(cudaDeviceSynchronize());
    const cpu::Counters c = cpu::counters();
    const double blocks = static_cast<double>(std::max<std::uint64_t>(c.blocks, 1));
    return {{"launches", c.kernels},
            {"blocks", c.blocks},
            {"threads", c.threads},
            {"barriers", c.block_barriers},
            {"barriers_per_block", static_cast<double>(c.block_barriers) / blocks},
            {"warp_operations", c.warp_collectives},
            {"atomics", c.atomics},
            {"worst_contention", c.worst_contention},
            {"global_loads", c.global_loads},
            {"global_stores", c.global_stores},
            {"global_bytes", c.global_bytes_loaded + c.global_bytes_stored},
            {"shared_accesses", c.shared_loads + c.shared_stores},
            {"synchronisations", c.synchronizations - 1},  // the wait above is ours
            {"copied_bytes", c.copied_bytes}};
}

namespace {

/// What a ladder shows of the counts.
constexpr struct {
    const char* heading;
    const char* field;
    int width;
} shown_counts[] = {
    {"launches", "launches", 8},    {"waits", "synchronisations", 5},     {"blocks", "blocks", 7},
    {"threads", "threads", 8},      {"barriers", "barriers", 8},          {"warp ops", "warp_operations", 8},
    {"atomics", "atomics", 8},      {"meet most", "worst_contention", 9}, {"loads", "global_loads", 8},
    {"stores", "global_stores", 8}, {"bytes", "global_bytes", 10},
};

}  // namespace

void Demo::ladder(const std::string& table, const std::string& title, const Work& work,
                  const std::vector<Version>& versions) {
    if (!part(table)) return;
    State& s = *state_;
    s.open(table, title + ", counted", "counts");
    std::string heading = format("%-35s", "version");
    for (const auto& column : shown_counts) heading += format(" %*s", column.width, column.heading);
    s.out.line(heading);
    for (const Version& version : wanted(*this, versions)) {
        if (s.options.explain && !version.change.empty()) s.out.line("  " + version.change);
        std::vector<Field> fields = {{"version", version.name}, {"n", work.n}};
        const std::vector<Field> counts = counts_of([&] { version.run(work.n); });
        const bool right = is_right(version, work.n);
        s.wrong = s.wrong || !right;
        std::string text = name_of(version);
        for (const auto& column : shown_counts) {
            const auto at = std::find_if(counts.begin(), counts.end(),
                                         [&](const Field& field) { return field.name == column.field; });
            text += format(" %*s", column.width, at->value.text.c_str());
        }
        s.out.line(text + (right ? "" : "  WRONG"));
        fields.insert(fields.end(), counts.begin(), counts.end());
        if (version.facts != nullptr) {
            for (Field& fact : version.facts()) fields.push_back(std::move(fact));
        }
        s.tables.back().rows.push_back(json_row(version.id, fields));
        s.write_record(false);
    }
    if (s.counts_explained) return;
    s.counts_explained = true;
    s.out.line(
        "Counted, not timed: the executor's times would say nothing about a GPU. barriers: one per block;");
    s.out.line(
        "warp ops (shuffles, votes, warp barriers): one per warp; atomics, loads and stores of global "
        "memory:");
    s.out.line("one per thread; meet most: atomics of one launch at one address; bytes: of global memory.");
}

void Demo::sweep(const std::string&, const std::string&, const std::vector<long long>&,
                 const std::function<Work(long long)>&, const std::vector<Version>& versions) {
    for (const Version& version : versions) wants(version.id);  // counts at many sizes tell nothing new
}

#else

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
    std::string heading = format("%-35s %10s %7s", "version", "us", "spread");
    if (work.host_clock) heading += format(" %10s", "host us");
    if (!work.piece.empty()) heading += format(" %12s", ("us/" + work.piece).c_str());
    if (has_rate) heading += format(" %8s", "GB/s");
    if (has_bound) heading += format(" %9s", "of bound");
    heading += format(" %9s", "speed-up");
    const std::vector<Version> kept = wanted(*this, versions);
    const bool has_library = !kept.empty() && kept.front().library;
    if (has_library) heading += format(" %9s", "library");
    s.out.line(heading);
    double before = 0, library_us = 0, mark = 0;
    for (const Version& version : kept) {
        if (s.options.explain && !version.change.empty()) s.out.line("  " + version.change);
        s.out.progress(name_of(version) + "  measuring ...");
        const int repetitions =
            this->repetitions(version.repetitions > 0 ? version.repetitions : work.repetitions);
        const Sample sample = measure(version, work, work.n, repetitions);
        const bool right = is_right(version, work.n);
        s.wrong = s.wrong || !right;
        std::vector<Field> fields = timed_fields(version, work, work.n, sample, right);
        std::string text =
            format("%s %10.1f %6.1f%%", name_of(version).c_str(), sample.us, sample.spread * 100);
        if (work.host_clock) text += format(" %10.2f", sample.host_us);
        if (!work.piece.empty()) {
            const long long pieces = version.pieces != nullptr ? version.pieces()
                                     : work.pieces > 0         ? work.pieces
                                                               : work.n;
            const double each = sample.us / static_cast<double>(std::max(pieces, 1ll));
            text += format(" %12.3f", each);
            fields.push_back({"pieces", pieces});
            fields.push_back({"us_each", each});
        }
        if (has_rate) {
            const double bytes = version.bytes > 0 ? version.bytes : work.bytes;
            text += format(" %8.0f", bytes / sample.us * 1e-3);
        }
        const Bound bound = bound_of(version, work);
        const double of_bound = bound.us / sample.us;
        if (has_bound) text += bound.us > 0 ? format(" %8.0f%%", of_bound * 100) : format(" %9s", "-");
        if (version.library) {
            library_us = sample.us;
            mark = of_bound;
            text += format(" %9s", "-");
        } else {
            const double speed_up = before > 0 ? before / sample.us : 1;
            text += format(" %8.2fx", speed_up);
            fields.push_back({"speed_up", speed_up});
            before = sample.us;
        }
        if (has_library) {
            text += version.library ? format(" %9s", "the mark") : format(" %8.2fx", library_us / sample.us);
            fields.push_back({"of_library", library_us / sample.us});
        }
        const double length = bound.us > 0 ? of_bound : library_us > 0 ? library_us / sample.us : 0;
        s.out.line(text + after(sample, right), length > 0 ? bar(length, bound.us > 0     ? mark
                                                                         : library_us > 0 ? 1
                                                                                          : 0)
                                                           : "");
        s.tables.back().rows.push_back(json_row(version.id, fields));
        s.write_record(false);
    }
    if (s.options.explain) {
        s.out.line(
            std::string("us: median; spread: the middle half, or what moved between two rounds; speed-up: "
                        "over the version "
                        "before") +
            (has_bound ? "; bound: the time of a copy of as many bytes, or of the multiply-adds" : "") +
            (has_library ? "; library: its time over this one" : ""));
    } else {
        for (const Version& version : versions) {
            if (!version.change.empty() && wants(version.id))
                s.out.line(format("  %-4s %s", version.id.c_str(), version.change.c_str()));
        }
    }
}

void Demo::sweep(const std::string& table, const std::string& title, const std::vector<long long>& sizes,
                 const std::function<Work(long long)>& work, const std::vector<Version>& versions) {
    if (!part(table)) return;
    State& s = *state_;
    s.open(table, title, "sweep");
    const std::vector<Version> kept = wanted(*this, versions);
    std::string heading = format("%14s", "n"), legend;
    for (const Version& version : kept) {
        heading += format(" %20s", version.id.c_str());
        legend += (legend.empty() ? "" : ", ") + version.id + ": " + version.name;
    }
    const Work first = work(sizes.empty() ? 1 : sizes.front());
    const bool has_bound = !kept.empty() && bound_of(kept.front(), first).us > 0;
    const char* beside = has_bound          ? ", and percent of the bound"
                         : first.host_clock ? ", and how many of them until the calls have returned"
                                            : "";
    s.out.line(std::string("microseconds") + beside + "; " + legend);
    s.out.line(heading);
    for (const long long n : sizes) {
        std::string text = format("%14s", with_commas(n).c_str());
        for (const Version& version : kept) {
            s.out.progress(text + "  measuring ...");
            const Work one = work(n);
            const Sample sample = measure(version, one, n, repetitions(one.repetitions));
            const bool right = is_right(version, n);
            s.wrong = s.wrong || !right;
            const Bound bound = bound_of(version, one);
            if (bound.us > 0) {
                text += format(" %13.2f  %3.0f%%", sample.us, bound.us / sample.us * 100);
            } else if (one.host_clock) {
                text += format(" %10.2f %8.2f", sample.us, sample.host_us);
            } else {
                text += format(" %19.2f", sample.us);
            }
            text += right ? " " : "!";
            s.tables.back().rows.push_back(
                json_row(version.id + "@" + std::to_string(n), timed_fields(version, one, n, sample, right)));
        }
        s.out.line(text);
        s.write_record(false);
    }
}

#endif

}  // namespace kit::demo
