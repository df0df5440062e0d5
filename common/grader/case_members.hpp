// The members of kit::Case that are no templates: what is looked at after every call.
#pragma once

#include <grader/case.hpp>

#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace kit {

KIT_GRADER_FUNCTION void Case::begin_call() {
    cudaGetLastError();
#ifdef KIT_CPU
    cpu::take_findings();
    cpu::take_remarks();
    const cpu::Counters before = cpu::counters();
    kernels_before_ = kernels_ = before.kernels, bytes_stored_ = before.global_bytes_stored,
    bytes_loaded_ = before.global_bytes_loaded;
#endif
}

KIT_GRADER_FUNCTION void Case::finish_unchecked() {
#ifdef KIT_CPU
    cpu::take_findings();
#endif
}

KIT_GRADER_FUNCTION void Case::finish_call() {
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
    if (execution != cudaSuccess) {
        fail_with(execution, "CUDA error " + detail::error_text(execution) + " while the kernels ran");
    } else if (left_behind != cudaSuccess) {
        fail_with(left_behind, "CUDA error " + detail::error_text(left_behind) +
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

KIT_GRADER_FUNCTION void Case::fail(Diagnosis diagnosis, const std::string& sentence) {
    add_failure(diagnosis, sentence, {}, "");
}

KIT_GRADER_FUNCTION void Case::fail_with(cudaError_t error, const std::string& sentence) {
    detail::Outcome failure;
    failure.diagnosis = Diagnosis::cuda_error;
    failure.headline = sentence;
    failure.error = cudaGetErrorName(error);
    add_failure(std::move(failure));
}

KIT_GRADER_FUNCTION void Case::sectors_at_most(double limit, const Counts& counts, Way way) {
    demand_units(false, limit, counts, way);
}

KIT_GRADER_FUNCTION void Case::wavefronts_at_most(double limit, const Counts& counts, Way way) {
    demand_units(true, limit, counts, way);
}

KIT_GRADER_FUNCTION void Case::active_lanes_at_least([[maybe_unused]] double limit,
                                                     [[maybe_unused]] const Counts& counts,
                                                     [[maybe_unused]] Way way) {
    begin_demand("active lanes");
#ifdef KIT_CPU
    if (!detail::is_judging_worker())
        cpu::demand_lanes_at_least(
            limit, way == Way::loads ? cpu::RequestKind::load : cpu::RequestKind::store, counts.kernels);
#endif
    end_demand();
}

KIT_GRADER_FUNCTION void Case::divergent_branches_at_most([[maybe_unused]] std::uint64_t limit,
                                                          [[maybe_unused]] const Counts& counts) {
    begin_demand("divergent branches");
#ifdef KIT_CPU
    if (!detail::is_judging_worker()) cpu::demand_divergent_at_most(limit, counts.kernels);
#endif
    end_demand();
}

KIT_GRADER_FUNCTION void Case::by_kernels([[maybe_unused]] const std::string& task) {
#ifdef KIT_CPU
    demand(
        "kernels", kernels_ > 0,
        "no kernel ran: the host did the work, and this exercise is about what a kernel does (" + task + ")");
#endif
}

KIT_GRADER_FUNCTION void Case::stored_at_most([[maybe_unused]] std::size_t bytes,
                                              [[maybe_unused]] const std::string& task) {
#ifdef KIT_CPU
    work_is_repeated_ = work_is_repeated_ || bytes_stored_ > bytes;
    demand("stores", bytes_stored_ <= bytes,
           std::to_string(bytes_stored_) + " bytes were stored to global memory, and the results have " +
               std::to_string(bytes) +
               ": each element must be written once, so several threads do the same work (" + task + ")");
#endif
}

KIT_GRADER_FUNCTION void Case::loaded_at_most([[maybe_unused]] std::size_t bytes,
                                              [[maybe_unused]] const std::string& task) {
#ifdef KIT_CPU
    work_is_repeated_ = work_is_repeated_ || bytes_loaded_ > bytes;
    demand("loads", bytes_loaded_ <= bytes,
           std::to_string(bytes_loaded_) + " bytes were loaded from global memory, at most " +
               std::to_string(bytes) + " are needed: several threads load the same elements (" + task + ")");
#endif
}

KIT_GRADER_FUNCTION void Case::watch_loads([[maybe_unused]] std::size_t bytes) {
#ifdef KIT_CPU
    work_is_repeated_ = work_is_repeated_ || bytes_loaded_ > bytes;
#endif
}

KIT_GRADER_FUNCTION void Case::skip_if_work_is_repeated() {
    if (work_is_repeated_) skip("not run: smaller cases show that work is repeated");
}

KIT_GRADER_FUNCTION void Case::end_demand() {
    if (!detail::is_judging_worker()) collect_findings(true);
    demanded_.clear();
}

KIT_GRADER_FUNCTION void Case::demand_units(bool shared, [[maybe_unused]] double limit,
                                            [[maybe_unused]] const Counts& counts, [[maybe_unused]] Way way) {
    begin_demand(shared ? "wavefronts" : "sectors");
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
    collect_findings(true);  // why the call failed comes before that it did
    fail(Diagnosis::cuda_error, "a CUDA call of the test failed: " + detail::error_text(error));
    throw detail::StopCase{};
}

KIT_GRADER_FUNCTION detail::Outcome Case::explained(const facts::Finding& finding) {
    detail::Outcome failure = detail::outcome_of(finding);
    if (!running_) return failure;
    const auto found = running_->explanations_.find(failure.diagnosis);
    if (finding.about_places() && !running_->places_.empty())
        failure.meaning = running_->places_;
    else if (found != running_->explanations_.end())
        failure.meaning = found->second(finding);
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

KIT_GRADER_FUNCTION void Case::add_failure(Diagnosis diagnosis, const std::string& headline,
                                           std::vector<std::string> details, const std::string& meaning) {
    detail::Outcome failure;
    failure.diagnosis = diagnosis;
    failure.headline = headline;
    failure.details = std::move(details);
    failure.meaning = meaning;
    add_failure(std::move(failure));
}

KIT_GRADER_FUNCTION void Case::add_failure(detail::Outcome failure) {
    constexpr std::size_t most_others = 8;  // with the details, which a screen must have room for
    failure.status = detail::Status::fail;
    failure.demand = demanded_;
    if (outcome_.status == detail::Status::fail) {
        if (outcome_.details.size() + outcome_.also.size() < most_others)
            outcome_.also.push_back(std::move(failure));
        return;
    }
    outcome_.status = failure.status;
    outcome_.diagnosis = failure.diagnosis;
    outcome_.demand = failure.demand;
    outcome_.headline = failure.headline;
    outcome_.details = std::move(failure.details);
    outcome_.meaning = failure.meaning;
    outcome_.finding = std::move(failure.finding);
    outcome_.error = failure.error;
    outcome_.tasks = std::move(failure.tasks);
}

KIT_GRADER_FUNCTION detail::Outcome Case::finish() {
    if (outcome_.status == detail::Status::pass && outcome_.checks == 0) {
        fail(Diagnosis::no_check, detail::sentence(Diagnosis::no_check));
    }
    buffers_.clear();
    cudaGetLastError();
#ifdef KIT_CPU  // a call that an error of the test has ended was not finished
    outcome_.kernel_ran = outcome_.kernel_ran || cpu::counters().kernels > kernels_before_;
#endif
    outcome_.device_lost = cudaDeviceSynchronize() != cudaSuccess;
    cudaGetLastError();
    return std::move(outcome_);
}

}  // namespace kit
