// Makes the failures of a case from the results of its run: a finding, an error of CUDA, a sentence of the test, a number beyond its limit.
#pragma once

#include <cuda_runtime.h>

#include <facts/outcome.hpp>
#include <grader/said.hpp>
#include <utility>

namespace kit {

namespace detail {

using facts::Status;

inline facts::Failure failure_of(facts::Fault fault, Diagnosis diagnosis) {
    facts::Failure failure;
    failure.fault = fault;
    failure.diagnosis = diagnosis;
    return failure;
}

/// Returns a failure about a finding of the executor.
inline facts::Failure failure_of(facts::Finding finding) {
    const FindingRow* const row = finding_row(finding.kind.c_str());
    facts::Failure failure = failure_of(facts::Fault::finding, row ? row->diagnosis : Diagnosis::wrong_value);
    failure.finding = std::move(finding);
    return failure;
}

/// Copies everything from a sentence except its text.
inline void take_facts(facts::Failure& failure, const Said& sentence) {
    failure.tasks = sentence.tasks, failure.subject = sentence.subject;
    failure.written_at = {sentence.file, sentence.line, ""};
}

/// Returns a failure with a sentence by the author of the test.
inline facts::Failure failure_of(Diagnosis diagnosis, const Said& sentence) {
    facts::Failure failure = failure_of(facts::Fault::stated, diagnosis);
    failure.sentence = sentence.text;
    take_facts(failure, sentence);
    return failure;
}

inline facts::Failure failure_of(facts::Fault fault, cudaError_t error) {
    facts::Failure failure = failure_of(fault, Diagnosis::cuda_error);
    failure.error = {cudaGetErrorName(error), cudaGetErrorString(error)};
    return failure;
}

/// Returns the outcome of a case that fails in this way.
inline facts::Outcome failed(facts::Failure failure) {
    facts::Outcome outcome;
    outcome.status = Status::fail;
    static_cast<facts::Failure&>(outcome) = std::move(failure);
    return outcome;
}

}  // namespace detail

/// Returns a Count: a number that a test has counted, and its limit (see Case::demand).
template <class Number, class Limit>
facts::Count counted(facts::Count::Bound bound, Number actual, Limit required) {
    facts::Count count;
    count.actual = static_cast<double>(actual), count.required = static_cast<double>(required);
    count.bound = bound;
    count.is_known = true;
    return count;
}
template <class Number, class Limit>
facts::Count at_most(Number actual, Limit limit) {
    return counted(facts::Count::Bound::at_most, actual, limit);
}
template <class Number, class Limit>
facts::Count at_least(Number actual, Limit limit) {
    return counted(facts::Count::Bound::at_least, actual, limit);
}
template <class Number, class Limit>
facts::Count exactly(Number actual, Limit wanted) {
    return counted(facts::Count::Bound::exactly, actual, wanted);
}
template <class Number, class Least, class Most>
facts::Count between(Number actual, Least least, Most most) {
    const facts::Count above = at_least(actual, least);
    return above.holds() ? at_most(actual, most) : above;
}
/// Returns a count whose demand is also met if `excused` is true.
inline facts::Count unless(bool excused, facts::Count count) {
    if (excused) count.required = count.actual;
    return count;
}

}  // namespace kit
