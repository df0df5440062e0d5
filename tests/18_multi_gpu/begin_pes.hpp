// PEs for programs that use NVSHMEM: host threads on the executor, and processes on GPUs, where NVSHMEM needs one process per PE. There the
// program starts itself once for each PE (pe_processes.hpp). MPI is not needed, because the unique id travels through the same socket.
//
//     int main(...) {
//         if (pes::is_pe(job)) return 0;  // must be the first statement
//         ... pes::begin(job, {input of PE 0, input of PE 1})
#pragma once

#include <nvshmem.h>
#include <nvshmemx.h>

#include <exception>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "18_multi_gpu/pe_processes.hpp"
#include "grader/kernel_gaps.hpp"

namespace pes {

/// The work of one PE between nvshmemx_init_attr() and nvshmem_finalize(). The PE's device is current.
using Job = Words (*)(int pe, int pes, const Words& input);

inline Words work(Job job, int pe, int pes, nvshmemx_uniqueid_t& id, const Words& input) {
    cudaSetDevice(pe);
    nvshmemx_init_attr_t attributes = NVSHMEMX_INIT_ATTR_INITIALIZER;
    nvshmemx_set_attr_uniqueid_args(pe, pes, &id, &attributes);
    if (nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attributes) != 0) return {};
    Words output = job(pe, pes, input);
    nvshmem_finalize();
    return output;
}

#ifdef KIT_CPU

/// For main(): this process is not a PE.
inline bool is_pe(Job) {
    return false;
}

/// Starts one PE per input, and returns their outputs, or nothing if one of them has ended early.
inline std::optional<std::vector<Words>> begin(Job job, const std::vector<Words>& inputs) {
    const int pes = static_cast<int>(inputs.size());
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    nvshmemx_get_uniqueid(&id);
    std::vector<Words> outputs(inputs.size());
    std::vector<std::exception_ptr> thrown(inputs.size());
    std::vector<std::thread> threads;
    for (int pe = 0; pe < pes; ++pe)
        threads.emplace_back([&, pe] {
            const auto at = static_cast<std::size_t>(pe);
            try {
                outputs[at] = work(job, pe, pes, id, inputs[at]);
            } catch (...) {
                thrown[at] = std::current_exception();
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& one : thrown)
        if (one) std::rethrow_exception(one);
    return outputs;
}

#else

/// For main(): returns true if this process was started as a PE and has finished its work.
inline bool is_pe(Job job) {
    const std::optional<Role> role = role_of_this_process();
    if (!role) return false;
    const auto [pe, count] = role->number;
    const Socket& socket = role->socket;
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    Words input;
    if (pe == 0) {
        nvshmemx_get_uniqueid(&id);
        socket.send(&id, sizeof id);
    } else if (!socket.receive(&id, sizeof id)) {
        return true;
    }
    cudaSetDevice(pe);
    const auto* const gap = kit::detail::watch_gaps();
    if (socket.receive(input)) {
        socket.send(work(job, pe, count, id, input));
        Words reached;  // the number of a gap, its line, and the characters of its file
        if (gap && gap->number > 0) {
            reached = {static_cast<unsigned>(gap->number), static_cast<unsigned>(gap->line)};
            for (const volatile char* next = gap->file; *next; ++next)
                reached.push_back(static_cast<unsigned char>(*next));
        }
        socket.send(reached);
    }
    return true;
}

/// Tells the grader about a gap that a kernel of a PE has reached. `reached` is empty if there is none.
inline void report_gap(const Words& reached) {
    if (reached.size() < 2 || !kit::detail::listener.gap) return;
    const std::string file(reached.begin() + 2, reached.end());
    kit::detail::listener.gap(static_cast<int>(reached[0]), file.c_str(), static_cast<int>(reached[1]));
}

inline std::optional<std::vector<Words>> begin(Job, const std::vector<Words>& inputs) {
    Processes processes(static_cast<int>(inputs.size()));
    if (!processes.complete()) return std::nullopt;
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    bool works = processes[0].receive(&id, sizeof id);
    for (std::size_t pe = 0; pe < inputs.size(); ++pe) {
        if (pe > 0) works = works && processes[pe].send(&id, sizeof id);
        works = works && processes[pe].send(inputs[pe]);
    }
    std::vector<Words> outputs(inputs.size());
    for (std::size_t pe = 0; pe < inputs.size(); ++pe) {
        Words reached;
        works = works && processes[pe].receive(outputs[pe]) && processes[pe].receive(reached);
        report_gap(reached);
    }
    if (!works) return std::nullopt;
    processes.all_done();
    return outputs;
}

#endif

/// Symmetric memory of the calling PE. The PEs free it together.
template <class T>
class Symmetric {
  public:
    explicit Symmetric(std::size_t size)
        : size_(size), data_(static_cast<T*>(nvshmem_calloc(size, sizeof(T)))) {}
    ~Symmetric() { nvshmem_free(data_); }
    Symmetric(const Symmetric&) = delete;
    Symmetric& operator=(const Symmetric&) = delete;

    T* data() const { return data_; }
    void fill(const std::vector<T>& values) {
        if (!values.empty())
            cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    std::vector<T> values() const {
        std::vector<T> all(size_);
        cudaMemcpy(all.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
        return all;
    }

  private:
    std::size_t size_;
    T* data_;
};

}  // namespace pes
