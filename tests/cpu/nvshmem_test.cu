// backends: cpu (its PEs are host threads; NVSHMEM needs a process for each)
// NVSHMEM for PEs that are host threads: the symmetric heap, puts, signals, gets, atomics, barriers.
#include "nvshmem_fixture.cuh"

#define NEEDS_TWO_DEVICES \
    if (!two_peers()) SKIP("this needs two GPUs that can touch each other's memory")

namespace {

constexpr int n = 100;

__global__ void fill(int* data, int first) {
    const int i = static_cast<int>(threadIdx.x);
    if (i < n) data[i] = first + i;
}

/// Sends data to the other PE, and stores the data that it receives.
__global__ void exchange(int* inbox, const int* mine, uint64_t* arrived, int* out) {
    const int other = 1 - nvshmem_my_pe();
    if (threadIdx.x == 0) {
        nvshmem_int_put_signal(inbox, mine, n, arrived, 1, NVSHMEM_SIGNAL_SET, other);
        nvshmem_signal_wait_until(arrived, NVSHMEM_CMP_EQ, 1);
        __threadfence_system();
    }
    __syncthreads();
    if (threadIdx.x < n) out[threadIdx.x] = inbox[threadIdx.x];
}

/// PE 0 sends a number, PE 1 sends back a number that is larger by one, and so on. Each kernel waits for the other kernel many times.
__global__ void count_together(uint64_t* ball, uint64_t* last) {
    const uint64_t me = static_cast<uint64_t>(nvshmem_my_pe());
    const int other = 1 - nvshmem_my_pe();
    for (uint64_t turn = 0; turn < 20; ++turn) {
        if (turn % 2 == me)
            nvshmemx_signal_op(ball, turn + 1, NVSHMEM_SIGNAL_SET, other);
        else
            *last = nvshmem_signal_wait_until(ball, NVSHMEM_CMP_GE, turn + 1);
    }
}

__global__ void fenced(int* inbox, const int* mine, uint64_t* arrived, int* out, bool quiet) {
    const int other = 1 - nvshmem_my_pe();
    if (threadIdx.x == 0) {
        nvshmem_int_put_nbi(inbox, mine, n / 2, other);
        nvshmem_int_put(inbox + n / 2, mine + n / 2, n - n / 2, other);
        if (quiet)
            nvshmem_quiet();
        else
            nvshmem_fence();
        nvshmemx_signal_op(arrived, 1, NVSHMEM_SIGNAL_ADD, other);
        nvshmem_uint64_wait_until(arrived, NVSHMEM_CMP_GE, 1);
    }
    __syncthreads();
    if (threadIdx.x < n) out[threadIdx.x] = inbox[threadIdx.x];
}

__global__ void by_block(int* inbox, int* mine, uint64_t* arrived, int* out) {
    const int other = 1 - nvshmem_my_pe();
    mine[threadIdx.x] += 7;
    __syncthreads();
    nvshmemx_int_put_signal_nbi_block(inbox, mine, n, arrived, 5, NVSHMEM_SIGNAL_SET, other);
    if (threadIdx.x == 0) {
        nvshmem_signal_wait_until(arrived, NVSHMEM_CMP_NE, 0);
        nvshmem_quiet();
    }
    __syncthreads();
    if (threadIdx.x < n) out[threadIdx.x] = inbox[threadIdx.x];
}

__global__ void count(int* counter, int* drawn, int pe) {
    drawn[threadIdx.x] = nvshmem_int_atomic_fetch_inc(counter, pe);
    nvshmem_int_atomic_add(counter + 1, 2, pe);
}

__global__ void swap(unsigned long long* cell, unsigned long long* seen) {
    seen[0] = nvshmem_ulonglong_atomic_compare_swap(cell, 5, 6, 1);
    seen[1] = nvshmem_ulonglong_atomic_compare_swap(cell, 5, 7, 1);
    seen[2] = nvshmem_ulonglong_atomic_fetch_add(cell, 10, 1);
    seen[3] = nvshmem_ulonglong_atomic_swap(cell, 1, 1);
    seen[4] = nvshmem_ulonglong_atomic_fetch(cell, 1);
}

__global__ void single(float* cell) {
    const int me = nvshmem_my_pe();
    nvshmem_float_p(cell + me, 1.5f + static_cast<float>(me), 1 - me);
}

__global__ void fetch(const float* cell, const int* many, float* out, int* all) {
    const int other = 1 - nvshmem_my_pe();
    *out = nvshmem_float_g(cell, other);
    nvshmem_int_get(all, many, n, other);
}

__global__ void through_pointer(int* inbox, int other) {
    int* const there = static_cast<int*>(nvshmem_ptr(inbox, other));
    there[threadIdx.x] = 100 * other + static_cast<int>(threadIdx.x);
}

std::vector<int> from(int first) {
    std::vector<int> values(n);
    for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = first + i;
    return values;
}

/// The memory that each PE needs for sending n numbers to the other PE.
struct Mail {
    int* mine = static_cast<int*>(nvshmem_malloc(128 * sizeof(int)));
    int* inbox = static_cast<int*>(nvshmem_malloc(128 * sizeof(int)));
    int* out = static_cast<int*>(nvshmem_malloc(128 * sizeof(int)));
    uint64_t* arrived = static_cast<uint64_t*>(nvshmem_calloc(2, sizeof(uint64_t)));

    explicit Mail(int pe) {
        cudaMemset(mine, 0, 128 * sizeof(int));
        fill<<<1, 128>>>(mine, 1000 * pe);
        CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
        nvshmem_barrier_all();
    }
    ~Mail() {
        nvshmem_free(mine);
        nvshmem_free(inbox);
        nvshmem_free(out);
        nvshmem_free(arrived);
    }
    Mail(const Mail&) = delete;
    Mail& operator=(const Mail&) = delete;
};

}  // namespace

CASE("each PE knows its number and how many there are") {
    NEEDS_TWO_DEVICES;
    on_two_pes([](int pe) {
        CHECK_EQUAL(nvshmem_my_pe(), pe);
        CHECK_EQUAL(nvshmem_n_pes(), 2);
        CHECK_EQUAL(nvshmem_team_my_pe(NVSHMEMX_TEAM_NODE), pe);
    });
}

CASE("a payload comes with its signal, both ways at once") {
    NEEDS_TWO_DEVICES;
    on_two_pes([](int pe) {
        const Mail mail(pe);
        exchange<<<1, 128>>>(mail.inbox, mail.mine, mail.arrived, mail.out);
        CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
        CHECK_EQUAL(read_back(mail.out, n), from(1000 * (1 - pe)));
    });
}

CASE("two kernels wait for each other in turn") {
    NEEDS_TWO_DEVICES;
    on_two_pes([](int pe) {
        const Mail mail(pe);
        count_together<<<1, 1>>>(mail.arrived, mail.arrived + 1);
        CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
        CHECK_EQUAL(read_back(mail.arrived, 2)[1], pe == 0 ? 20u : 19u);
    });
}

CASE("puts before a fence, or a quiet, are there when the signal is") {
    NEEDS_TWO_DEVICES;
    for (const bool quiet : {false, true})
        on_two_pes([quiet](int pe) {
            const Mail mail(pe);
            fenced<<<1, 128>>>(mail.inbox, mail.mine, mail.arrived, mail.out, quiet);
            CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
            CHECK_EQUAL(read_back(mail.out, n), from(1000 * (1 - pe)));
        });
}

CASE("a block puts together") {
    NEEDS_TWO_DEVICES;
    on_two_pes([](int pe) {
        const Mail mail(pe);
        by_block<<<1, 128>>>(mail.inbox, mail.mine, mail.arrived, mail.out);
        CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
        CHECK_EQUAL(read_back(mail.out, n), from(1000 * (1 - pe) + 7));
    });
}

CASE("all PEs count at one of them") {
    NEEDS_TWO_DEVICES;
    std::vector<int> drawn[2];
    on_two_pes([&drawn](int pe) {
        int* const counter = static_cast<int*>(nvshmem_calloc(2, sizeof(int)));
        const Mail mail(pe);
        count<<<1, 64>>>(counter, mail.out, 1);
        CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
        drawn[pe] = read_back(mail.out, 64);
        nvshmem_barrier_all();
        const std::vector<int> want = pe == 1 ? std::vector<int>{128, 256} : std::vector<int>{0, 0};
        CHECK_EQUAL(read_back(counter, 2), want);
    });
    std::vector<bool> seen(128);
    for (const std::vector<int>& some : drawn)
        for (const int number : some) seen.at(static_cast<std::size_t>(number)) = true;
    for (const bool one : seen) CHECK(one);
}

CASE("compare and swap, and what it replaced") {
    NEEDS_TWO_DEVICES;
    on_two_pes([](int pe) {
        auto* const cell = static_cast<unsigned long long*>(nvshmem_calloc(1, 8));
        auto* const seen = static_cast<unsigned long long*>(nvshmem_calloc(5, 8));
        const unsigned long long five = 5;
        cudaMemcpy(cell, &five, 8, cudaMemcpyHostToDevice);
        nvshmem_barrier_all();
        if (pe == 0) {
            swap<<<1, 1>>>(cell, seen);
            CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
            const std::vector<unsigned long long> want = {5, 6, 6, 16, 1};
            CHECK_EQUAL(read_back(seen, 5), want);
        }
        nvshmem_barrier_all();
        CHECK_EQUAL(read_back(cell, 1)[0], pe == 1 ? 1u : 5u);
    });
}

CASE("single values and gets, with barriers of all PEs between") {
    NEEDS_TWO_DEVICES;
    on_two_pes([](int pe) {
        const Mail mail(pe);
        auto* const cell = static_cast<float*>(nvshmem_calloc(2, sizeof(float)));
        single<<<1, 1>>>(cell);
        CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
        nvshmem_barrier_all();
        const std::vector<float> want = pe == 0 ? std::vector<float>{0, 2.5f} : std::vector<float>{1.5f, 0};
        CHECK_EQUAL(read_back(cell, 2), want);
        auto* const out = static_cast<float*>(nvshmem_malloc(sizeof(float)));
        fetch<<<1, 1>>>(cell, mail.mine, out, mail.out);
        CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
        CHECK_EQUAL(read_back(out, 1)[0], pe == 0 ? 1.5f : 0.0f);
        CHECK_EQUAL(read_back(mail.out, n), from(1000 * (1 - pe)));
    });
}

CASE("nvshmem_ptr() is the address of the other one's memory") {
    NEEDS_TWO_DEVICES;
    on_two_pes([](int pe) {
        const Mail mail(pe);
        through_pointer<<<1, n>>>(mail.inbox, 1 - pe);
        CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
        nvshmem_barrier_all();
        CHECK_EQUAL(read_back(mail.inbox, n), from(100 * pe));
        CHECK(nvshmem_ptr(mail.inbox, pe) == mail.inbox);
    });
}

CONFORMANCE_MAIN("nvshmem")
