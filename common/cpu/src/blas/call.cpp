// Calls of cuBLAS. The arguments are checked immediately, and the operands in memory are checked when the
// work runs, as for a kernel.
#include "call.hpp"

#include "device/devices.hpp"
#include "graphs/capture.hpp"
#include "memory/copies.hpp"
#include "memory/memory.hpp"
#include "source/findings.hpp"
#include "source/who.hpp"

namespace kit::cpu {

void Operands::check(const Piece& piece, bool write) {
    if (error_ != cudaSuccess) return;
    const CopyEnd end{function_, write, (piece.height - 1) * piece.pitch + piece.width, place_};
    const Allocation* const allocation = find_allocation(piece.begin);
    error_ = check_range(end, piece.begin, allocation);
    if (error_ == cudaSuccess && !allocation) {
        add_finding(wrong_end(facts::Rule::operand_of_host, end));
        error_ = cudaErrorIllegalAddress;
    }
    if (error_ != cudaSuccess) {
        error_ = cudaErrorIllegalAddress;
        return;
    }
    const RowsTouched rows{function_, place_, piece.begin, piece.pitch, piece.width, piece.height, write};
    observer().touches(rows);
    if (!write) observer().uses(rows);
}

cudaError_t Operands::end() {
    if (error_ != cudaSuccess) return error_;
    for (const Piece& piece : written_)
        for (std::size_t row = 0; row < piece.height; ++row)
            observer().written(static_cast<const char*>(piece.begin) + row * piece.pitch, piece.width);
    return cudaSuccess;
}

bool BlasCall::on_device() const {
    return is_handle(handle_) && handle_->pointers == CUBLAS_POINTER_MODE_DEVICE;
}

cublasStatus_t BlasCall::queue(bool arguments, std::function<void(Operands&)> work) {
    if (in_kernel()) refuse_in_kernel();
    const std::lock_guard lock(api_mutex());
    if (!is_handle(handle_)) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!arguments) return CUBLAS_STATUS_INVALID_VALUE;
    if (in_host_function() || sticky_error() != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
    thread_uses_device();
    CUstream_st* const stream = find_stream(handle_->stream);
    if (!stream) return CUBLAS_STATUS_EXECUTION_FAILED;
    const auto run = [function = function_, place = place_, work = std::move(work)] {
        Operands operands(function, place);
        const DeviceAccess memory_is_open;
        work(operands);
        return operands.end();
    };
    if (!concerns_capture(*stream)) {
        enqueue(*stream, {WorkKind::kernel, function_, place_}, run);
        return CUBLAS_STATUS_SUCCESS;
    }
    const auto part = [run] { return Part{[] { return cudaSuccess; }, run, {}}; };
    return capture_task(*stream, function_, place_, MeetingTask{function_, part}) == cudaSuccess
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_EXECUTION_FAILED;
}

bool BlasCall::wait() {
    return cudaStreamSynchronize(handle_->stream) == cudaSuccess;
}

}  // namespace kit::cpu
