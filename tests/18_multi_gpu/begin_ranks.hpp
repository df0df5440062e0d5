// Ranks for programs that use NCCL with one process per rank: processes on GPUs, and host threads on the executor. The program starts
// itself once for each rank (pe_processes.hpp). The ranks share bytes of rank 0 through the same socket.
//
//     int main(...) {
//         if (ranks::is_rank(job)) return 0;  // must be the first statement
//         ... ranks::begin(job, {input of rank 0, input of rank 1})
#pragma once

#include <nccl.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "18_multi_gpu/18_multi_gpu.hpp"
#include "18_multi_gpu/pe_processes.hpp"

namespace ranks {

using pes::Words;

/// The work of one rank. `share` copies bytes of rank 0 to all ranks, and works once.
using Job = Words (*)(int rank, int ranks, const multi_gpu::Share& share, const Words& input);

/// Rank 0 shares this many bytes at most.
constexpr std::size_t most_shared = 1024;

#ifdef KIT_CPU

inline bool is_rank(Job) {
    return false;
}

/// Bytes that rank 0 passes to the threads of the other ranks.
class Shared {
  public:
    void copy(int rank, void* data, std::size_t bytes) {
        std::unique_lock lock(mutex_);
        if (rank == 0) {
            bytes_.assign(static_cast<char*>(data), static_cast<char*>(data) + bytes);
            arrived_.notify_all();
        } else if (arrived_.wait_for(lock, std::chrono::seconds(2), [&] { return bytes_.size() >= bytes; })) {
            std::memcpy(data, bytes_.data(), bytes);
        }
    }

  private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::vector<char> bytes_;
};

/// Starts one rank per input, and returns their outputs.
inline std::optional<std::vector<Words>> begin(Job job, const std::vector<Words>& inputs) {
    Shared shared;
    std::vector<Words> outputs(inputs.size());
    std::vector<std::exception_ptr> thrown(inputs.size());
    std::vector<std::thread> threads;
    for (std::size_t at = 0; at < inputs.size(); ++at)
        threads.emplace_back([&, at] {
            const int rank = static_cast<int>(at);
            try {
                outputs[at] = job(
                    rank, static_cast<int>(inputs.size()),
                    [&](void* data, std::size_t bytes) { shared.copy(rank, data, bytes); }, inputs[at]);
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

/// For main(): returns true if this process was started as a rank and has finished its work.
inline bool is_rank(Job job) {
    const std::optional<pes::Role> role = pes::role_of_this_process();
    if (!role) return false;
    const auto [rank, count] = role->number;
    const pes::Socket& socket = role->socket;
    bool has_shared = false;
    const auto share = [&, rank = rank](void* data, std::size_t bytes) {
        Words words(most_shared / sizeof(unsigned));
        if (rank == 0) {
            std::memcpy(words.data(), data, std::min(bytes, most_shared));
            socket.send(words);
        } else if (socket.receive(words) && words.size() * sizeof(unsigned) >= bytes) {
            std::memcpy(data, words.data(), bytes);
        }
        has_shared = true;
    };
    Words input;
    if (!socket.receive(input)) return true;
    const Words output = job(rank, count, share, input);
    if (rank == 0 && !has_shared) socket.send(Words());
    socket.send(output);
    return true;
}

/// Starts one process per input, and returns their outputs, or nothing if one of them has ended early.
inline std::optional<std::vector<Words>> begin(Job, const std::vector<Words>& inputs) {
    pes::Processes processes(static_cast<int>(inputs.size()));
    bool works = processes.complete();
    for (std::size_t rank = 0; rank < inputs.size(); ++rank)
        works = works && processes[rank].send(inputs[rank]);
    Words shared;
    works = works && processes[0].receive(shared);
    for (std::size_t rank = 1; rank < inputs.size(); ++rank) works = works && processes[rank].send(shared);
    std::vector<Words> outputs(inputs.size());
    for (std::size_t rank = 0; rank < inputs.size(); ++rank)
        works = works && processes[rank].receive(outputs[rank]);
    if (!works) return std::nullopt;
    processes.all_done();
    return outputs;
}

#endif

}  // namespace ranks
