// Measures what an atomic access costs, by scope and order. GPU only: times of the executor say nothing about a GPU.
#pragma once

#include <cstdint>
#include <cuda/atomic>
#include <string>
#include <vector>

#include "demo.hpp"
#include "kit.cuh"

namespace orders {

enum class Access { load, store, update };

constexpr int accesses = 2000;

/// One warp; each thread has its own word, in its own sector. With WRITES, there is a plain store before each access, and a
/// release must wait for it. `cycles` is the time of the loop divided by the number of accesses, which may overlap.
template <cuda::thread_scope SCOPE, Access ACCESS, int ORDER, bool WRITES>
__global__ void many(int* words, int* others, float* cycles) {
    constexpr auto order = static_cast<cuda::memory_order>(ORDER);
    cuda::atomic_ref<int, SCOPE> word(words[threadIdx.x * 8]);
    int sum = 0;
    const long long begin = clock64();
    for (int i = 0; i < accesses; ++i) {
        if (WRITES) others[threadIdx.x * 8 + i % 8] = i;
        if constexpr (ACCESS == Access::load) {
            sum += word.load(order);
        } else if constexpr (ACCESS == Access::store) {
            word.store(i, order);
        } else {
            sum += word.fetch_add(1, order);
        }
    }
    const long long end = clock64();
    if (sum == 0x12345678) others[0] = sum;  // keeps the compiler from removing the loads
    if (threadIdx.x == 0) *cycles = static_cast<float>(end - begin) / accesses;
}

template <cuda::thread_scope SCOPE, Access ACCESS, int ORDER, bool WRITES>
double cycles_of(int* words, int* others, kit::DeviceBuffer<float>& cycles) {
    float best = 1e30f;
    for (int round = 0; round < 5; ++round) {
        many<SCOPE, ACCESS, ORDER, WRITES><<<1, 32>>>(words, others, cycles.data());
        CUDA_CHECK_LAUNCH();
        best = std::min(best, cycles.to_vector()[0]);
    }
    return best;
}

template <Access ACCESS, int ORDER, bool WRITES>
void add(std::vector<kit::demo::Value>& values, int* words, int* others, kit::DeviceBuffer<float>& cycles) {
    values.emplace_back(cycles_of<cuda::thread_scope_block, ACCESS, ORDER, WRITES>(words, others, cycles));
    values.emplace_back(cycles_of<cuda::thread_scope_device, ACCESS, ORDER, WRITES>(words, others, cycles));
    values.emplace_back(cycles_of<cuda::thread_scope_system, ACCESS, ORDER, WRITES>(words, others, cycles));
}

template <Access ACCESS, int ORDER>
void row(kit::demo::Demo& demo, const std::string& id, const std::string& label) {
    kit::DeviceBuffer<int> words(32 * 8), others(32 * 8);
    kit::DeviceBuffer<float> cycles(1);
    words.clear();
    std::vector<kit::demo::Value> values;
    add<ACCESS, ORDER, false>(values, words.data(), others.data(), cycles);
    add<ACCESS, ORDER, true>(values, words.data(), others.data(), cycles);
    demo.row(id, label, values);
}

inline void table(kit::demo::Demo& demo) {
    if (!demo.part("orders")) return;
    demo.table("orders", "cycles of one atomic access by a warp: alone, and with a plain store before it",
               {"access", 16},
               {{"block", 0, 7},
                {"device", 0, 7},
                {"system", 0, 7},
                {"block_store", 0, 11},
                {"device_store", 0, 12},
                {"system_store", 0, 12}});
    row<Access::load, cuda::memory_order_relaxed>(demo, "load_relaxed", "load, relaxed");
    row<Access::load, cuda::memory_order_acquire>(demo, "load_acquire", "load, acquire");
    row<Access::load, cuda::memory_order_seq_cst>(demo, "load_seq_cst", "load, seq_cst");
    row<Access::store, cuda::memory_order_relaxed>(demo, "store_relaxed", "store, relaxed");
    row<Access::store, cuda::memory_order_release>(demo, "store_release", "store, release");
    row<Access::store, cuda::memory_order_seq_cst>(demo, "store_seq_cst", "store, seq_cst");
    row<Access::update, cuda::memory_order_relaxed>(demo, "update_relaxed", "update, relaxed");
    row<Access::update, cuda::memory_order_acquire>(demo, "update_acquire", "update, acquire");
    row<Access::update, cuda::memory_order_release>(demo, "update_release", "update, release");
    row<Access::update, cuda::memory_order_acq_rel>(demo, "update_acq_rel", "update, acq_rel");
    row<Access::update, cuda::memory_order_seq_cst>(demo, "update_seq_cst", "update, seq_cst");
}

}  // namespace orders
