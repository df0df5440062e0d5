// PEs for programs that use NVSHMEM: host threads on the executor; on GPUs processes, which are this program begun once more for each
// PE, as NVSHMEM wants one process for each. No launcher and no MPI is needed: the unique id travels through pipes.
//
//   int main(...) {
//       if (pes::is_pe(job)) return 0;  // first of all
//       ... pes::begin(job, {input of PE 0, input of PE 1})
#pragma once

#include <nvshmem.h>
#include <nvshmemx.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "kit.cuh"
#ifndef KIT_CPU
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace pes {

/// What goes to a PE, and what comes from it.
using Words = std::vector<unsigned>;

/// What one PE does between nvshmemx_init_attr() and nvshmem_finalize(); its device is the current one.
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

/// For main(): this process is no PE.
inline bool is_pe(Job) {
    return false;
}

/// A PE for each input, and what they send back; nothing if one of them has ended before.
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

inline bool send(int pipe, const void* data, std::size_t bytes) {
    const char* next = static_cast<const char*>(data);
    while (bytes > 0) {
        const ssize_t done = write(pipe, next, bytes);
        if (done <= 0) return false;
        next += done;
        bytes -= static_cast<std::size_t>(done);
    }
    return true;
}

inline bool receive(int pipe, void* data, std::size_t bytes) {
    char* next = static_cast<char*>(data);
    while (bytes > 0) {
        const ssize_t done = read(pipe, next, bytes);
        if (done <= 0) return false;
        next += done;
        bytes -= static_cast<std::size_t>(done);
    }
    return true;
}

inline bool send(int pipe, const Words& words) {
    const std::size_t count = words.size();
    return send(pipe, &count, sizeof count) && send(pipe, words.data(), count * sizeof(unsigned));
}

inline bool receive(int pipe, Words& words) {
    std::size_t count = 0;
    if (!receive(pipe, &count, sizeof count)) return false;
    words.resize(count);
    return receive(pipe, words.data(), count * sizeof(unsigned));
}

/// For main(): true if this process was begun as a PE, and has done its work. The environment tells which one of how many it is, and
/// by which pipes it reads and writes.
inline bool is_pe(Job job) {
    int pe = 0, count = 0, pipe_in = 0, pipe_out = 0;
    const char* const told = std::getenv("KIT_PE");
    if (!told || std::sscanf(told, "%d %d %d %d", &pe, &count, &pipe_in, &pipe_out) != 4) return false;
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    Words input;
    if (pe == 0) {
        nvshmemx_get_uniqueid(&id);
        send(pipe_out, &id, sizeof id);
    } else if (!receive(pipe_in, &id, sizeof id)) {
        return true;
    }
    if (receive(pipe_in, input)) send(pipe_out, work(job, pe, count, id, input));
    return true;
}

/// A process that was begun as a PE.
struct Process {
    Process(int pe, int pes) {
        int there[2], back[2];
        if (pipe(there) != 0 || pipe(back) != 0) return;
        child = fork();
        if (child == 0) {
            close(there[1]);
            close(back[0]);
            std::string told;
            for (const int number : {pe, pes, there[0], back[1]}) told += std::to_string(number) + " ";
            setenv("KIT_PE", told.c_str(), 1);
            char program[] = "/proc/self/exe";
            char* arguments[] = {program, nullptr};
            execv(program, arguments);
            _exit(127);
        }
        close(there[0]);
        close(back[1]);
        to = there[1];
        from = back[0];
    }
    ~Process() {
        if (to >= 0) close(to);
        if (from >= 0) close(from);
        if (child > 0) waitpid(child, nullptr, 0);
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    pid_t child = -1;
    int to = -1, from = -1;
};

inline std::optional<std::vector<Words>> begin(Job, const std::vector<Words>& inputs) {
    const int pes = static_cast<int>(inputs.size());
    std::signal(SIGPIPE, SIG_IGN);  // a PE that is gone shows as a failed send()
    std::vector<std::unique_ptr<Process>> processes;
    for (int pe = 0; pe < pes; ++pe) processes.push_back(std::make_unique<Process>(pe, pes));
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    bool works = receive(processes[0]->from, &id, sizeof id);
    for (std::size_t pe = 0; pe < inputs.size(); ++pe) {
        if (pe > 0) works = works && send(processes[pe]->to, &id, sizeof id);
        works = works && send(processes[pe]->to, inputs[pe]);
    }
    std::vector<Words> outputs(inputs.size());
    for (std::size_t pe = 0; pe < inputs.size(); ++pe)
        works = works && receive(processes[pe]->from, outputs[pe]);
    if (!works) return std::nullopt;
    return outputs;
}

#endif

/// Symmetric memory of the calling PE, until the PEs free it together.
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
