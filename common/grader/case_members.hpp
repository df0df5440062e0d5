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
    kernels_before_ = cpu::counters().kernels;
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

KIT_GRADER_FUNCTION void Case::fail(Diagnosis diagnosis, const std::string& sentence) {
    add_failure(diagnosis, sentence, {}, "");
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

#ifdef KIT_CPU
KIT_GRADER_FUNCTION void Case::add_finding(const cpu::Finding& finding) {
    if (!add_failure(finding_row(finding.kind.c_str())->diagnosis, finding.message, {}, "")) return;
    outcome_.page = page_of(finding.kind);
    outcome_.about_places = finding.about_places;
    if (finding.place.line) outcome_.file = finding.place.file, outcome_.line = finding.place.line;
}
#endif

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

KIT_GRADER_FUNCTION bool Case::add_failure(Diagnosis diagnosis, const std::string& headline,
                                           std::vector<std::string> details, const std::string& meaning) {
    constexpr std::size_t most_details = 8;
    if (outcome_.status == detail::Status::fail) {
        if (outcome_.details.size() < most_details) outcome_.details.push_back("also: " + headline);
        return false;
    }
    outcome_.status = detail::Status::fail;
    outcome_.diagnosis = diagnosis;
    outcome_.demand = demanded_;
    outcome_.headline = headline;
    outcome_.details = std::move(details);
    outcome_.meaning = meaning;
    return true;
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
