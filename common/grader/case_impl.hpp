// The members of kit::Case that are too long for their declaration.
#pragma once

#include <exception>
#include <grader/case.hpp>

namespace kit {

#ifdef KIT_CPU
namespace detail {

inline Diagnosis diagnosis_of(const std::string& kind) {
    if (kind == "barrier" || kind == "deadlock" || kind == "warp") return Diagnosis::barrier;
    if (kind == "address" || kind == "constant" || kind == "host_pointer" || kind == "host_access" ||
        kind == "misaligned") {
        return Diagnosis::out_of_bounds;
    }
    if (kind == "timeout") return Diagnosis::timeout;
    if (kind == "race") return Diagnosis::race;
    if (kind == "uninitialised") return Diagnosis::uninitialised;
    if (kind == "stack" || kind == "assert") return Diagnosis::crash;
    return Diagnosis::cuda_error;
}

}  // namespace detail
#endif

template <class T>
std::shared_ptr<detail::Buffer> Case::make(const std::string& name, detail::Space space, detail::Role role,
                                           const std::vector<T>* values, std::size_t size) {
    const T pattern = detail::poison<T>();
    const std::vector<T> fresh(values ? 0 : size, pattern);
    auto buffer = std::make_shared<detail::Buffer>(
        name, space, role, detail::bytes_of(values ? values->data() : fresh.data(), size),
        detail::bytes_of(&pattern, 1));
    cuda(buffer->error());
    buffers_.push_back(buffer);
    return buffer;
}

template <class Function>
void Case::guarded(Function&& function) {
    try {
        function();
    } catch (const detail::StopCase&) {
        throw;
    } catch (const std::exception& error) {
        fail(Diagnosis::crash, std::string("your code threw an exception: ") + error.what());
        throw detail::StopCase{};
    } catch (...) {
        fail(Diagnosis::crash, "your code threw an exception");
        throw detail::StopCase{};
    }
}

inline void Case::begin_call() {
    cudaGetLastError();
#ifdef KIT_CPU
    cpu::take_findings();
    kernels_before_ = cpu::counters().kernels;
#endif
}

inline void Case::finish_unchecked() {
#ifdef KIT_CPU
    cpu::take_findings();
#endif
}

inline void Case::finish_call() {
    const cudaError_t left_behind = cudaGetLastError();
    const cudaError_t execution = cudaDeviceSynchronize();
    cudaGetLastError();
    std::fflush(nullptr);
    outcome_.called = true;
#ifdef KIT_CPU
    outcome_.kernel_ran = outcome_.kernel_ran || cpu::counters().kernels > kernels_before_;
#else
    outcome_.kernel_ran = true;
#endif
    const bool found = collect_findings(true);
    if (execution != cudaSuccess) {
        fail(Diagnosis::cuda_error, "CUDA error " + detail::error_text(execution) + " while the kernels ran");
    } else if (left_behind != cudaSuccess) {
        fail(Diagnosis::cuda_error, "CUDA error " + detail::error_text(left_behind) +
                                        ": a launch or a call failed and nobody looked at the error");
    }
    if (found || execution != cudaSuccess || left_behind != cudaSuccess) throw detail::StopCase{};
    bool damaged = false;
    for (const auto& buffer : buffers_) {
        const auto problem = buffer->damage();
        cuda(buffer->error());
        if (!problem) continue;
        fail(problem->diagnosis, problem->sentence);
        damaged = true;
    }
    if (damaged) throw detail::StopCase{};
}

template <class Function>
Timing Case::time(Function&& function, double bytes) {
    TimeOptions options;
#ifdef KIT_CPU
    options.warm_up = 1;
    options.repetitions = 2;
#endif
    int left = options.warm_up + options.repetitions;
    begin_call();
    Timing timing;
    guarded([&] {
        const auto launch = [&] {
            if (--left == 0) {
                for (const auto& buffer : buffers_) buffer->reset();
            }
            function();
        };
        timing = kit::time(launch, bytes, options);
    });
    finish_call();
    timed_ = true;
    char text[160];
#ifdef KIT_CPU
    std::snprintf(text, sizeof text, "timed %d times; a time on the CPU executor says nothing about a GPU",
                  options.repetitions);
#else
    std::snprintf(text, sizeof text, "%.4f ms (spread %.0f%%), %.0f GB/s, %.0f%% of a copy", timing.median_ms,
                  100 * timing.spread, timing.gb_per_s, 100 * timing.fraction_of_copy);
#endif
    note(text);
    if (!timing.valid) note(std::string("this time is not valid: ") + timing.reason);
    return timing;
}

inline bool Case::collect_findings(bool report) {
    bool found = false;
#ifdef KIT_CPU
    for (const cpu::Finding& finding : cpu::take_findings()) {
        if (report)
            add_failure(detail::diagnosis_of(finding.kind), finding.message, {}, "",
                        cpu::page_of(finding.kind));
        found = true;
    }
#else
    (void)report;
#endif
    return found;
}

inline void Case::add_failure(Diagnosis diagnosis, const std::string& headline,
                              std::vector<std::string> details, const std::string& meaning,
                              const std::string& page) {
    constexpr std::size_t most_details = 8;
    if (outcome_.status == detail::Status::fail) {
        if (outcome_.details.size() < most_details) outcome_.details.push_back("also: " + headline);
        return;
    }
    outcome_.status = detail::Status::fail;
    outcome_.diagnosis = diagnosis;
    outcome_.headline = headline;
    outcome_.details = std::move(details);
    outcome_.meaning = meaning;
    outcome_.page = page;
}

template <class T>
std::pair<Diagnosis, std::string> Case::known_mistake(const std::string& name, const std::vector<T>& got,
                                                      const Tolerance& tolerance) {
    const auto equals = [&](const std::shared_ptr<void>& other) {
        const auto& values = *static_cast<const std::vector<T>*>(other.get());
        return values.size() == got.size() && detail::compare<T>(got, values, tolerance).count == 0;
    };
    for (const Mistake& mistake : mistakes_) {
        if (*mistake.type == typeid(T) && equals(mistake.gives)) return {mistake.diagnosis, mistake.sentence};
    }
    const auto before = expectations_.find(name + typeid(T).name());
    if (before != expectations_.end() && equals(before->second)) {
        return {Diagnosis::second_call, "this is the result of the call before: " +
                                            std::string(detail::sentence(Diagnosis::second_call))};
    }
    return {Diagnosis::wrong_value, ""};
}

template <class T>
void Case::expect(const std::string& name, const std::vector<T>& got,
                  const std::vector<typename detail::Identity<T>::type>& want, const Tolerance& tolerance,
                  Shape shape) {
    ++outcome_.checks;
    const std::string quoted = "`" + name + "`";
    const std::string unsound = detail::unsound<T>(want, tolerance);
    if (!unsound.empty()) fail(Diagnosis::no_check, quoted + ": " + unsound + ": the test is at fault");
    if (got.size() != want.size()) {
        fail(Diagnosis::wrong_value, quoted + " has " + detail::count_of(got.size(), "value") +
                                         ", expected " + std::to_string(want.size()));
        return;
    }
    const detail::Comparison comparison = detail::compare<T>(got, want, tolerance);
    if (comparison.count > 0) {
        auto verdict = known_mistake<T>(name, got, tolerance);
        if (timed_) {
            verdict = {Diagnosis::second_call, "right when called once, wrong when timed"};
        } else if (verdict.second.empty()) {
            verdict = detail::Pattern<T>(name, got, want, comparison, tolerance, shape).verdict();
        }
        constexpr std::size_t most_shown = 5;
        std::vector<std::string> details;
        const bool first_failure = outcome_.status == detail::Status::pass;
        for (std::size_t i = comparison.first; i <= comparison.last && details.size() < most_shown; ++i) {
            if (!comparison.wrong[i]) continue;
            details.push_back(detail::mismatch_line<T>(i, got[i], want[i], tolerance));
            if (detail::is_poison<T>(got[i])) details.back() += ": never written";
            if constexpr (std::is_arithmetic_v<T>) {
                if (first_failure) outcome_.got.push_back(static_cast<double>(got[i]));
            }
        }
        if (first_failure) outcome_.wrong = comparison.count;
        add_failure(verdict.first,
                    std::to_string(comparison.count) + " of " + detail::count_of(want.size(), "value") +
                        " of " + quoted + (comparison.count == 1 ? " differs" : " differ"),
                    std::move(details), verdict.second);
    }
    mistakes_.clear();
    expectations_[name + typeid(T).name()] = std::make_shared<std::vector<T>>(want);
}

inline detail::Outcome Case::finish() {
    if (outcome_.status == detail::Status::pass && outcome_.checks == 0) {
        fail(Diagnosis::no_check, detail::sentence(Diagnosis::no_check));
    }
    buffers_.clear();
    cudaGetLastError();
    outcome_.device_lost = cudaDeviceSynchronize() != cudaSuccess;
    cudaGetLastError();
    return std::move(outcome_);
}

}  // namespace kit
