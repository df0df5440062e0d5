// The members of kit::Case that are templates.
#pragma once

#include <exception>
#include <grader/case.hpp>

namespace kit {

template <class T>
std::shared_ptr<detail::Buffer> Case::make(const std::string& name, detail::Space space, detail::Role role,
                                           const std::vector<T>* values, std::size_t size) {
    const T pattern = detail::poison<T>();
    const std::vector<T> fresh(values ? 0 : size, pattern);
    auto buffer = std::make_shared<detail::Buffer>(
        name, space, role, detail::bytes_of(values ? values->data() : fresh.data(), size),
        detail::bytes_of(&pattern, 1), detail::elements_of<T>);
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
            if (!detail::calls_are_spared()) function();
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

namespace detail {

/// True if results like these do not coincide by chance: a fraction, or several values that are not all alike.
template <class T>
bool is_telling(const std::vector<T>& values) {
    if constexpr (std::is_floating_point_v<T>)
        for (const T value : values)
            if (value != std::floor(value)) return true;
    constexpr std::size_t several = 4;
    return values.size() >= several &&
           std::any_of(values.begin(), values.end(), [&](const T& value) { return !(value == values[0]); });
}

}  // namespace detail

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
    if (before != expectations_.end() && detail::is_telling(got) && equals(before->second)) {
        return {Diagnosis::second_call, "this is the result of the call before: " +
                                            std::string(detail::sentence(Diagnosis::second_call))};
    }
    return {Diagnosis::wrong_value, ""};
}

template <class T>
void Case::compare(const std::string& name, const std::vector<T>& got, const std::vector<T>& want,
                   const Tolerance& tolerance, Shape shape) {
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
            if constexpr (std::is_arithmetic_v<T>) {
                if (first_failure) outcome_.got.push_back(static_cast<double>(got[i]));
            }
        }
        if (first_failure) outcome_.wrong = comparison.count;
        explain_wrong_values();
        add_failure(verdict.first,
                    std::to_string(comparison.count) + " of " + detail::count_of(want.size(), "value") +
                        " of " + quoted + (comparison.count == 1 ? " differs" : " differ"),
                    std::move(details), verdict.second);
    }
    mistakes_.clear();
    expectations_[name + typeid(T).name()] = std::make_shared<std::vector<T>>(want);
}

// For the types of most arrays these are compiled once, with the grader: KIT_CASE_FOR(extern, float) says so here, and
// implementation.cu makes them.
#define KIT_CASE_FOR(storage, T)                                                                             \
    storage template std::shared_ptr<detail::Buffer> Case::make<T>(                                          \
        const std::string&, detail::Space, detail::Role, const std::vector<T>*, std::size_t);                \
    storage template void Case::compare<T>(const std::string&, const std::vector<T>&, const std::vector<T>&, \
                                           const Tolerance&, Shape);                                         \
    storage template void Case::mistake<T>(Diagnosis, const std::vector<T>&, std::string);                   \
    storage template class detail::Pattern<T>;                                                               \
    storage template class Input<T>;                                                                         \
    storage template class Output<T>;

#ifdef KIT_GRADER_COMPILED
KIT_CASE_FOR(extern, float)
KIT_CASE_FOR(extern, double)
KIT_CASE_FOR(extern, int)
KIT_CASE_FOR(extern, unsigned int)
#endif

}  // namespace kit
