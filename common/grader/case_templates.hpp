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
        facts::Failure failure = detail::failure_of(facts::Fault::threw, Diagnosis::crash);
        failure.error.text = error.what();
        add_failure(std::move(failure));
        throw detail::StopCase{};
    } catch (...) {
        add_failure(detail::failure_of(facts::Fault::threw, Diagnosis::crash));
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
    facts::Note measured;
#ifdef KIT_CPU
    measured.kind = facts::Note::Kind::timed_on_cpu;
#else
    measured.kind = facts::Note::Kind::timed;
    measured.milliseconds = timing.median_ms, measured.spread = timing.spread;
    measured.gb_per_s = timing.gb_per_s, measured.of_copy = timing.fraction_of_copy;
#endif
    measured.times = options.repetitions;
    outcome_.notes.push_back(measured);
    if (!timing.valid) {
        facts::Note doubt;
        doubt.kind = facts::Note::Kind::time_not_valid;
        doubt.text = timing.reason;
        outcome_.notes.push_back(doubt);
    }
    return timing;
}

template <class T>
bool Case::is_known_mistake(const std::vector<T>& got, const Tolerance& tolerance, facts::Failure& failure) {
    const auto equals = [&](const std::shared_ptr<void>& other) {
        const auto& values = *static_cast<const std::vector<T>*>(other.get());
        return values.size() == got.size() && detail::compare<T>(got, values, tolerance).count == 0;
    };
    for (const Mistake& mistake : mistakes_) {
        if (*mistake.type != typeid(T) || !equals(mistake.gives)) continue;
        failure.diagnosis = mistake.diagnosis;
        failure.because = mistake.sentence.text;
        detail::take_facts(failure, mistake.sentence);
        if (mistake.sentence.empty()) {
            failure.pattern = facts::Pattern::as_diagnosed;
            failure.mistake = mistake.diagnosis;
        }
        return !mistake.sentence.empty() || mistake.diagnosis != Diagnosis::wrong_value;
    }
    const auto before = expectations_.find(failure.difference.what + typeid(T).name());
    const bool all_alike = std::all_of(got.begin(), got.end(), [&](const T& one) { return one == got[0]; });
    if (before == expectations_.end() || all_alike || !equals(before->second))
        return false;  // a single value can be equal by chance
    failure.diagnosis = Diagnosis::second_call;
    failure.pattern = facts::Pattern::of_call_before;
    return true;
}

template <class T>
void Case::compare(const std::string& name, const std::vector<T>& got, const std::vector<T>& want,
                   const Tolerance& tolerance, Shape shape) {
    ++outcome_.checks;
    facts::Failure unsound = detail::unsound<T>(want, tolerance);
    unsound.difference.what = name;
    if (unsound.fault != facts::Fault::none) add_failure(std::move(unsound));
    if (got.size() != want.size()) {
        facts::Failure failure = detail::failure_of(facts::Fault::size, Diagnosis::wrong_value);
        failure.difference.what = name;
        failure.difference.wrong = got.size(), failure.difference.of = want.size();
        add_failure(std::move(failure));
        return;
    }
    const detail::Comparison comparison = detail::compare<T>(got, want, tolerance);
    if (comparison.count > 0) {
        detail::Patterns<T> patterns(name, got, want, comparison, tolerance, shape);
        facts::Failure failure = patterns.values();
        const bool is_known = is_known_mistake<T>(got, tolerance, failure);
        if (timed_) {
            failure = patterns.values();
            failure.diagnosis = Diagnosis::second_call;
            failure.pattern = facts::Pattern::when_timed;
        } else if (!is_known) {
            failure = patterns.failure();
        }
        if constexpr (std::is_arithmetic_v<T>) {
            for (const facts::Element& element : failure.difference.elements)
                if (outcome_.status == detail::Status::pass)
                    outcome_.got.push_back(static_cast<double>(got[element.at]));
        }
        explain_wrong_values();
        if (failure.tasks.empty() && failure.diagnosis != Diagnosis::second_call)
            failure.tasks = tasks_of_values_;
        add_failure(std::move(failure));
    }
    mistakes_.clear();
    expectations_[name + typeid(T).name()] = std::make_shared<std::vector<T>>(want);
}

// For the usual element types, these members are compiled only once, with the grader: KIT_CASE_FOR(extern,
// float) declares them here, and implementation.cu instantiates them.
#define KIT_CASE_FOR(storage, T)                                                                             \
    storage template std::shared_ptr<detail::Buffer> Case::make<T>(                                          \
        const std::string&, detail::Space, detail::Role, const std::vector<T>*, std::size_t);                \
    storage template void Case::compare<T>(const std::string&, const std::vector<T>&, const std::vector<T>&, \
                                           const Tolerance&, Shape);                                         \
    storage template void Case::mistake<T>(Diagnosis, const std::vector<T>&, Said);                          \
    storage template class detail::Patterns<T>;                                                              \
    storage template class Input<T>;                                                                         \
    storage template class Output<T>;

#ifdef KIT_GRADER_COMPILED
KIT_CASE_FOR(extern, float)
KIT_CASE_FOR(extern, double)
KIT_CASE_FOR(extern, int)
KIT_CASE_FOR(extern, unsigned int)
#endif

}  // namespace kit
