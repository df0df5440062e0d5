// More ways to wait and to lock, for comparison with the solutions. GPU only.
#pragma once

#include <cooperative_groups.h>

#include <climits>
#include <cuda/atomic>
#include <string>
#include <vector>

#include "10_memory_model/10_memory_model.hpp"
#include "demo.hpp"
#include "kit.cuh"

namespace waiting {

constexpr int kAddresses = 256;

// ---- for the lecture: address spaces, clusters, and the host ----

// [generic]
__global__ void pick(const int* in, int* out) {
    __shared__ int tile[kAddresses];
    const int t = threadIdx.x;
    tile[t] = -in[t];
    __syncthreads();  // all elements of the tile are written before any thread reads one
    const int* place = in[t] < 0 ? tile + t : in + t;  // either space: a generic load
    out[t] = *place;
    out[kAddresses + t] = __isShared(place);  // the space of this address
    out[2 * kAddresses + t] = static_cast<int>(__cvta_generic_to_shared(tile + t));  // 32 bits, for ld.shared
}
// [/generic]

// [cluster]
__global__ void __cluster_dims__(2) exchange_in_cluster(const int* in, int* out) {
    __shared__ int letter;
    cooperative_groups::cluster_group both = cooperative_groups::this_cluster();
    const unsigned int me = both.block_rank();
    if (threadIdx.x == 0) letter = in[blockIdx.x];
    both.sync();  // releases and acquires at cluster scope: the other block sees the letter
    if (threadIdx.x == 0) out[blockIdx.x] = *both.map_shared_rank(&letter, 1 - me);
    both.sync();  // no block ends while another block reads its memory
}
// [/cluster]

// [host]
struct Mailbox {
    int letter, flag;
};

__global__ void answer(Mailbox* box) {
    cuda::atomic_ref<int, cuda::thread_scope_system> flag(box->flag);
    while (flag.load(cuda::memory_order_acquire) != 1) {
    }
    box->letter *= 2;
    flag.store(2, cuda::memory_order_release);
}

inline int ask(int letter) {
    Mailbox* box = nullptr;
    CUDA_CHECK(cudaHostAlloc(&box, sizeof(Mailbox), cudaHostAllocMapped));  // both can access it
    box->flag = 0;
    answer<<<1, 1>>>(box);
    CUDA_CHECK_LAUNCH();
    box->letter = letter;
    cuda::atomic_ref<int, cuda::thread_scope_system> flag(box->flag);
    flag.store(1, cuda::memory_order_release);
    while (flag.load(cuda::memory_order_acquire) != 2) {
    }
    const int reply = box->letter;
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFreeHost(box));
    return reply;
}
// [/host]

using memory_model::Account;
using memory_model::kBlock;

// ---- a message and its reply ----

/// Two threads in two blocks send a number back and forth.
template <cuda::thread_scope SCOPE, int STORE, int LOAD>
__global__ void to_and_fro(int* flags, int rounds) {
    cuda::atomic_ref<int, SCOPE> mine(flags[blockIdx.x * 64]), other(flags[(1 - blockIdx.x) * 64]);
    for (int r = 1; r <= rounds; ++r) {
        if (blockIdx.x == 0) mine.store(r, static_cast<cuda::memory_order>(STORE));
        while (other.load(static_cast<cuda::memory_order>(LOAD)) < r) {
        }
        if (blockIdx.x == 1) mine.store(r, static_cast<cuda::memory_order>(STORE));
    }
}

inline double milliseconds(const void* kernel, int blocks, int threads, void** arguments,
                           const std::vector<int*>& to_clear = {}, std::size_t bytes = 0) {
    cudaEvent_t start, stop;
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
    float best = 1e30f;
    for (int round = 0; round < 7; ++round) {
        for (int* each : to_clear) CUDA_CHECK(cudaMemset(each, 0, bytes));
        CUDA_CHECK(cudaEventRecord(start));
        CUDA_CHECK(cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads), arguments));
        CUDA_CHECK(cudaEventRecord(stop));
        CUDA_CHECK(cudaEventSynchronize(stop));
        float ms = 0;
        CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
        best = std::min(best, ms);
    }
    CUDA_CHECK(cudaEventDestroy(start));
    CUDA_CHECK(cudaEventDestroy(stop));
    return best;
}

template <cuda::thread_scope SCOPE, int STORE, int LOAD>
void message_row(kit::demo::Demo& demo, const std::string& id, const std::string& label) {
    constexpr int rounds = 5000;
    kit::DeviceBuffer<int> flags(128);
    int *data = flags.data(), count = rounds;
    void* arguments[] = {&data, &count};
    const double ms = milliseconds(reinterpret_cast<const void*>(to_and_fro<SCOPE, STORE, LOAD>), 2, 1,
                                   arguments, {data}, flags.bytes());
    demo.row(id, label, {ms * 1e6 / rounds / 2});
}

inline void messages(kit::demo::Demo& demo) {
    if (!demo.part("messages")) return;
    constexpr int relaxed = cuda::memory_order_relaxed, release = cuda::memory_order_release,
                  acquire = cuda::memory_order_acquire, seq_cst = cuda::memory_order_seq_cst;
    demo.table("messages", "a message from one block to another one", {"scope and order", 26},
               {{"ns", 0, 6}});
    message_row<cuda::thread_scope_device, relaxed, relaxed>(demo, "device_relaxed",
                                                             "device, relaxed (no order)");
    message_row<cuda::thread_scope_device, release, acquire>(demo, "device", "device, release/acquire");
    message_row<cuda::thread_scope_device, seq_cst, seq_cst>(demo, "device_seq_cst", "device, seq_cst");
    message_row<cuda::thread_scope_system, release, acquire>(demo, "system", "system, release/acquire");
    message_row<cuda::thread_scope_system, seq_cst, seq_cst>(demo, "system_seq_cst", "system, seq_cst");
}

// ---- a chain of blocks ----

enum class How { spin, sleep, wait };

/// Like chain_v2, but with hardly any values, so the time is spent waiting. Blocks past `length` compute at the same time.
template <How HOW>
__global__ void chain(int* passed, int length, float* sums, int operations) {
    const int b = blockIdx.x;
    if (b >= length) {  // these blocks compute: does the waiting slow them down?
        float x = threadIdx.x;
        for (int i = 0; i < operations; ++i) x = x * 0.999f + 1.0f;
        sums[(b - length) * blockDim.x + threadIdx.x] = x;
        return;
    }
    if (b > 0) {
        cuda::atomic_ref<int, cuda::thread_scope_device> before(passed[b - 1]);
        if constexpr (HOW == How::wait) {
            before.wait(0, cuda::memory_order_acquire);
        } else {
            while (before.load(cuda::memory_order_acquire) == 0)
                if (HOW == How::sleep) __nanosleep(100);
        }
    }
    __syncthreads();
    cuda::atomic_ref<int, cuda::thread_scope_device> next(passed[b]);
    if (threadIdx.x == 0) {
        next.store(1, cuda::memory_order_release);
        if constexpr (HOW == How::wait) next.notify_all();
    }
}

template <How HOW>
void chain_row(kit::demo::Demo& demo, const std::string& id, const std::string& label, float* sums) {
    constexpr int length = 132;
    kit::DeviceBuffer<int> passed(length);
    int *flags = passed.data(), count = length, operations = 20000;
    void* arguments[] = {&flags, &count, &sums, &operations};
    const void* const kernel = reinterpret_cast<const void*>(chain<HOW>);
    const double one = milliseconds(kernel, length, 1, arguments, {flags}, passed.bytes());
    const double all = milliseconds(kernel, length, kBlock, arguments, {flags}, passed.bytes());
    const double beside = milliseconds(kernel, length + 132, kBlock, arguments, {flags}, passed.bytes());
    demo.row(id, label, {one * 1e6 / length, all * 1e6 / length, beside * 1e3});
}

/// Measures chains of several lengths, with one thread per block.
template <How HOW>
void length_row(kit::demo::Demo& demo, const std::string& id, const std::string& label) {
    kit::DeviceBuffer<int> passed(132);
    std::vector<kit::demo::Value> values;
    for (int length : {2, 8, 32, 128}) {
        int *flags = passed.data(), operations = 0;
        float* sums = nullptr;
        void* arguments[] = {&flags, &length, &sums, &operations};
        const double ms = milliseconds(reinterpret_cast<const void*>(chain<HOW>), length, 1, arguments,
                                       {flags}, passed.bytes());
        values.emplace_back(ms * 1e3);
    }
    demo.row(id, label, values);
}

inline void lengths(kit::demo::Demo& demo) {
    if (!demo.part("lengths")) return;
    demo.table("lengths", "us for a chain of so many blocks, launch included", {"how they wait", 22},
               {{"blocks_2", 1, 9}, {"blocks_8", 1, 9}, {"blocks_32", 1, 9}, {"blocks_128", 1, 10}});
    length_row<How::spin>(demo, "spin", "spin");
    length_row<How::sleep>(demo, "sleep", "spin, __nanosleep(100)");
    length_row<How::wait>(demo, "wait", "wait() and notify_all()");
}

inline void chains(kit::demo::Demo& demo) {
    if (!demo.part("waiting")) return;
    kit::DeviceBuffer<float> sums(132 * kBlock);
    demo.table("waiting",
               "a chain of 132 blocks: ns per message, and us with 132 blocks that compute beside it",
               {"how they wait", 22}, {{"one_thread", 0, 10}, {"all_threads", 0, 11}, {"beside_us", 1, 9}});
    chain_row<How::spin>(demo, "spin", "spin", sums.data());
    chain_row<How::sleep>(demo, "sleep", "spin, __nanosleep(100)", sums.data());
    chain_row<How::wait>(demo, "wait", "wait() and notify_all()", sums.data());
}

// ---- locks ----

enum class Lock { exchange, look_first, sleep, atomics };

template <Lock LOCK>
__global__ void enter(int n, int accounts_count, Account* accounts) {
    const int i = blockIdx.x * kBlock + threadIdx.x;
    if (i >= n) return;
    Account& account = accounts[(i * 2654435761u >> 8) % accounts_count];
    const int amount = i % 1000;
    if constexpr (LOCK == Lock::atomics) {
        atomicAdd(&account.balance, amount);
        atomicAdd(&account.entries, 1);
        atomicMax(&account.largest, amount);
    } else {
        cuda::atomic_ref<int, cuda::thread_scope_device> word(account.lock);
        unsigned int pause = 32;
        for (bool done = false; !done;) {
            if (LOCK == Lock::look_first && word.load(cuda::memory_order_relaxed) != 0) continue;
            if (word.exchange(1, cuda::memory_order_acquire) == 0) {
                account.balance += amount;
                account.entries += 1;
                if (amount > account.largest) account.largest = amount;
                word.store(0, cuda::memory_order_release);
                done = true;
            } else if (LOCK == Lock::sleep) {
                __nanosleep(pause);
                pause = pause < 4096 ? 2 * pause : pause;
            }
        }
    }
}

template <Lock LOCK>
double nanoseconds_per_entry(int accounts_count) {
    const int n = accounts_count < 32 ? 1 << 12 : 1 << 17;
    kit::DeviceBuffer<Account> accounts(accounts_count);
    accounts.clear();
    kit::TimeOptions options;
    options.repetitions = 7;
    const double ms =
        kit::time([&] { enter<LOCK><<<n / kBlock, kBlock>>>(n, accounts_count, accounts.data()); }, 0,
                  options)
            .median_ms;
    return ms * 1e6 / n;
}

template <Lock LOCK>
void lock_row(kit::demo::Demo& demo, const std::string& id, const std::string& label) {
    demo.row(id, label,
             {nanoseconds_per_entry<LOCK>(1), nanoseconds_per_entry<LOCK>(32),
              nanoseconds_per_entry<LOCK>(1024), nanoseconds_per_entry<LOCK>(65536)});
}

inline void locks(kit::demo::Demo& demo) {
    if (!demo.part("locks")) return;
    demo.table(
        "locks", "ns per entry into so many accounts", {"lock", 26},
        {{"accounts_1", 1, 10}, {"accounts_32", 1, 11}, {"accounts_1024", 2, 13}, {"accounts_65536", 2, 14}});
    lock_row<Lock::exchange>(demo, "exchange", "exchange again and again");
    lock_row<Lock::look_first>(demo, "look_first", "look, then exchange");
    lock_row<Lock::sleep>(demo, "sleep", "exchange, sleep longer");
    lock_row<Lock::atomics>(demo, "atomics", "no lock: three atomics");
}

}  // namespace waiting
