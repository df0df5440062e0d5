// The members of kit::Case that are not templates, such as the checks after every call.
#pragma once

#include <grader/case.hpp>
#include <grader/cause.hpp>

#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace kit {

namespace detail {

/// Returns a limit for a number that only the finding knows, if there is one.
template <class Limit>
facts::Count limit_of(facts::Count::Bound bound, Limit limit) {
    facts::Count count = counted(bound, 0, limit);
    count.is_known = false;
    return count;
}

}  // namespace detail

KIT_GRADER_FUNCTION void Case::begin_call() {
    cudaGetLastError();
#ifdef KIT_CPU
    cpu::take_findings();
    cpu::take_remarks();
    const cpu::Counters before = cpu::counters();
    kernels_before_ = kernels_ = before.kernels, bytes_stored_ = before.global_bytes_stored,
    bytes_loaded_ = before.global_bytes_loaded;
#endif
    if (detail::before_call) detail::before_call();
}

KIT_GRADER_FUNCTION void Case::finish_unchecked() {
    if (detail::after_call) detail::after_call();
#ifdef KIT_CPU
    cpu::take_findings();
#endif
}

KIT_GRADER_FUNCTION void Case::finish_call() {
    if (detail::after_call) detail::after_call();
    const cudaError_t left_behind = cudaGetLastError();
    const cudaError_t execution = cudaDeviceSynchronize();
    cudaGetLastError();
    std::fflush(nullptr);
    outcome_.called = true;
#ifdef KIT_CPU
    const cpu::Counters now = cpu::counters();
    kernels_ = now.kernels - kernels_, bytes_stored_ = now.global_bytes_stored - bytes_stored_,
    bytes_loaded_ = now.global_bytes_loaded - bytes_loaded_;
    outcome_.kernel_ran = outcome_.kernel_ran || kernels_ > 0;
#else
    outcome_.kernel_ran = true;
#endif
    const bool found = collect_findings(true);
    if (execution != cudaSuccess)
        add_failure(detail::failure_of(facts::Fault::kernel_error, execution));
    else if (left_behind != cudaSuccess)
        add_failure(detail::failure_of(facts::Fault::unchecked_error, left_behind));
    if (found || execution != cudaSuccess || left_behind != cudaSuccess) throw detail::StopCase{};
    bool damaged = false;
    for (const auto& buffer : buffers_) {
        const std::optional<facts::Failure> damage = buffer->damage();
        cuda(buffer->error());
        if (!damage) continue;
        add_failure(*damage);
        damaged = true;
    }
    if (damaged) throw detail::StopCase{};
}

KIT_GRADER_FUNCTION void Case::fail(Diagnosis diagnosis, const Said& sentence) {
    add_failure(detail::failure_of(diagnosis, sentence));
}

KIT_GRADER_FUNCTION void Case::demand(const std::string& counted, const facts::Count& count, bool holds,
                                      facts::Failure failure) {
    begin_demand(counted, count);
    // When the judge checks a worker's values again, its own kernels run, so counts do not show what the
    // worker did.
    if (!holds && !detail::is_judging_worker() && !detail::follows_from_values(outcome_, failure, count))
        add_failure(std::move(failure));
    demanded_ = {};
}

KIT_GRADER_FUNCTION void Case::demand_of_grader(const std::string& counted, const facts::Count& count,
                                                facts::Fault fault, const Said& addition) {
    facts::Failure failure = detail::failure_of(fault, Diagnosis::wrong_value);
    failure.sentence = addition.text;
    detail::take_facts(failure, addition);
    demand(counted, count, count.holds(), std::move(failure));
}

KIT_GRADER_FUNCTION void Case::method(const std::string& counted, bool condition, Method method) {
    begin_demand(counted);
    demanded_ = {};
    method.counted = counted;
    if (condition || detail::is_judging_worker()) return;
    if (outcome_.status == detail::Status::fail)
        fail_with_method(method);
    else if (!outcome_.method)
        outcome_.method = std::move(method);
}

KIT_GRADER_FUNCTION void Case::fail_with_method(const Method& method) {
    facts::Failure failure = detail::failure_of(Diagnosis::wrong_value, method.did);
    failure.tasks = {method.task};
    failure.count.name = method.counted;
    add_failure(std::move(failure));
}

KIT_GRADER_FUNCTION void Case::sectors_at_most(double limit, const Counts& counts, Way way) {
    demand_units(false, limit, counts, way);
}

KIT_GRADER_FUNCTION void Case::wavefronts_at_most(double limit, const Counts& counts, Way way) {
    demand_units(true, limit, counts, way);
}

KIT_GRADER_FUNCTION void Case::active_lanes_at_least(double limit, [[maybe_unused]] const Counts& counts,
                                                     [[maybe_unused]] Way way) {
    begin_demand("active lanes", detail::limit_of(facts::Count::Bound::at_least, limit));
#ifdef KIT_CPU
    if (!detail::is_judging_worker())
        cpu::demand_lanes_at_least(
            limit, way == Way::loads ? cpu::RequestKind::load : cpu::RequestKind::store, counts.kernels);
#endif
    end_demand();
}

KIT_GRADER_FUNCTION void Case::divergent_branches_at_most(std::uint64_t limit,
                                                          [[maybe_unused]] const Counts& counts) {
    begin_demand("divergent branches", detail::limit_of(facts::Count::Bound::at_most, limit));
#ifdef KIT_CPU
    if (!detail::is_judging_worker()) cpu::demand_divergent_at_most(limit, counts.kernels);
#endif
    end_demand();
}

KIT_GRADER_FUNCTION void Case::by_kernels([[maybe_unused]] const Said& task) {
#ifdef KIT_CPU
    demand_of_grader("kernels", at_least(kernels_, 1), facts::Fault::no_kernel, task);
#endif
}

KIT_GRADER_FUNCTION void Case::stored_at_most([[maybe_unused]] std::size_t bytes,
                                              [[maybe_unused]] const Said& task) {
#ifdef KIT_CPU
    work_is_repeated_ = work_is_repeated_ || bytes_stored_ > bytes;
    demand_of_grader("stores", at_most(bytes_stored_, bytes), facts::Fault::too_many_stores, task);
#endif
}

KIT_GRADER_FUNCTION void Case::loaded_at_most([[maybe_unused]] std::size_t bytes,
                                              [[maybe_unused]] const Said& task) {
#ifdef KIT_CPU
    work_is_repeated_ = work_is_repeated_ || bytes_loaded_ > bytes;
    demand_of_grader("loads", at_most(bytes_loaded_, bytes), facts::Fault::too_many_loads, task);
#endif
}

KIT_GRADER_FUNCTION void Case::watch_loads([[maybe_unused]] std::size_t bytes) {
#ifdef KIT_CPU
    work_is_repeated_ = work_is_repeated_ || bytes_loaded_ > bytes;
#endif
}

KIT_GRADER_FUNCTION void Case::skip_if_work_is_repeated() {
    if (!work_is_repeated_) return;
    outcome_.status = detail::Status::skip;
    outcome_.fault = facts::Fault::work_is_repeated;
    throw detail::StopCase{};
}

KIT_GRADER_FUNCTION void Case::end_demand() {
    if (!detail::is_judging_worker()) collect_findings(true);
    demanded_ = {};
}

KIT_GRADER_FUNCTION void Case::demand_units(bool shared, double limit, [[maybe_unused]] const Counts& counts,
                                            [[maybe_unused]] Way way) {
    begin_demand(shared ? "wavefronts" : "sectors", detail::limit_of(facts::Count::Bound::at_most, limit));
#ifdef KIT_CPU
    using Kind = cpu::RequestKind;
    const Kind load = shared ? Kind::shared_load : Kind::load,
               store = shared ? Kind::shared_store : Kind::store;
    if (!detail::is_judging_worker())
        cpu::demand_at_most(limit, way == Way::loads ? load : store, counts.kernels);
#endif
    end_demand();
}

KIT_GRADER_FUNCTION void Case::cuda(cudaError_t error) {
    if (error == cudaSuccess) return;
    collect_findings(true);  // findings, which explain why the call failed, come before its error
    add_failure(detail::failure_of(facts::Fault::test_error, error));
    throw detail::StopCase{};
}

KIT_GRADER_FUNCTION facts::Failure Case::explained(const facts::Finding& finding) {
    facts::Failure failure = detail::failure_of(finding);
    if (!running_) return failure;
    const auto found = running_->explanations_.find(failure.diagnosis);
    Said because;
    if (finding.about_places() && !running_->places_.empty())
        because = running_->places_;
    else if (found != running_->explanations_.end())
        because = found->second(finding);
    failure.because = because.text;
    detail::take_facts(failure, because);
    return failure;
}

KIT_GRADER_FUNCTION void Case::add_finding(const facts::Finding& finding) {
    add_failure(explained(finding));
}

KIT_GRADER_FUNCTION bool Case::collect_findings(bool report) {
    bool found = false;
#ifdef KIT_CPU
    for (const cpu::Finding& finding : cpu::take_findings()) {
        found = true;
        if (report) add_finding(finding);
    }
#else
    (void)report;
#endif
    return found;
}

KIT_GRADER_FUNCTION void Case::explain_wrong_values() {
#ifdef KIT_CPU
    for (const cpu::Finding& remark : cpu::take_remarks()) add_finding(remark);
#endif
}

KIT_GRADER_FUNCTION void Case::add_failure(facts::Failure failure) {
    constexpr std::size_t most_others = 8;  // the elements and lines of other failures must also fit on a
                                            // screen
    if (!demanded_.name.empty()) failure.count = demanded_;
    if (failure.finding && !demanded_.name.empty() && !demanded_.is_known)
        if (const facts::Value* const actual =
                failure.finding->value("all"))  // a finding about requests of warps
            failure.count.actual = actual->number, failure.count.is_known = true;
    if (outcome_.status != detail::Status::fail) {
        outcome_.status = detail::Status::fail;
        static_cast<facts::Failure&>(outcome_) = std::move(failure);
        return;
    }
    const std::size_t shown = outcome_.difference.elements.size() + outcome_.lines.size();
    if (shown + outcome_.also.size() < most_others) outcome_.also.push_back(std::move(failure));
}

KIT_GRADER_FUNCTION detail::Outcome Case::finish() {
    if (outcome_.status == detail::Status::pass && outcome_.checks == 0) {
        add_failure(detail::failure_of(facts::Fault::no_check, Diagnosis::no_check));
    }
    if (outcome_.status == detail::Status::fail && outcome_.method) {
        fail_with_method(*outcome_.method);
        outcome_.method.reset();
    }
    buffers_.clear();
    cudaGetLastError();
#ifdef KIT_CPU  // a call that was ended by an error of the test itself was not finished
    outcome_.kernel_ran = outcome_.kernel_ran || cpu::counters().kernels > kernels_before_;
#endif
    outcome_.device_lost = cudaDeviceSynchronize() != cudaSuccess;
    cudaGetLastError();
    return std::move(outcome_);
}

}  // namespace kit
