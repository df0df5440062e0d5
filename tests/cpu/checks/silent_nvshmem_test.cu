// backends: cpu (its PEs are host threads; NVSHMEM needs a process for each)
// Correct programs of PEs that wait in ways that a check could overlook.
#include "../nvshmem_fixture.cuh"
#include "checks.cuh"

namespace {

constexpr int n = 64;

struct Mail {
    int* inbox = static_cast<int*>(nvshmem_calloc(2 * n, sizeof(int)));
    int* mine = static_cast<int*>(nvshmem_calloc(n, sizeof(int)));
    int* out = static_cast<int*>(nvshmem_calloc(n, sizeof(int)));
    uint64_t* arrived = static_cast<uint64_t*>(nvshmem_calloc(2, sizeof(uint64_t)));
    uint64_t* free = static_cast<uint64_t*>(nvshmem_calloc(2, sizeof(uint64_t)));
};

template <class Kernel>
void on_both(Kernel kernel, int blocks, int threads) {
    on_two_pes([=](int) {
        const Mail mail;
        kernel<<<blocks, threads>>>(mail);
        CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
        nvshmem_barrier_all();
    });
}

}  // namespace

__global__ void read_only(Mail mail) {
    mail.out[threadIdx.x] = mail.inbox[threadIdx.x];
}

__global__ void two_slots(Mail mail) {
    const int other = 1 - nvshmem_my_pe();
    const int me = static_cast<int>(threadIdx.x);
    for (int round = 0; round < 6; ++round) {
        const int slot = round % 2;
        const uint64_t turn = static_cast<uint64_t>(round / 2 + 1);
        if (blockIdx.x == 0) {
            if (me == 0) nvshmem_signal_wait_until(mail.free + slot, NVSHMEM_CMP_GE, turn - 1);
            __syncthreads();
            nvshmemx_int_put_signal_block(mail.inbox + slot * n, mail.mine, n, mail.arrived + slot, 1,
                                          NVSHMEM_SIGNAL_ADD, other);
        } else {
            if (me == 0) {
                nvshmem_signal_wait_until(mail.arrived + slot, NVSHMEM_CMP_GE, turn);
                __threadfence_system();
            }
            __syncthreads();
            mail.out[me] += mail.inbox[slot * n + me];
            __syncthreads();
            if (me == 0) nvshmemx_signal_op(mail.free + slot, turn, NVSHMEM_SIGNAL_SET, other);
        }
    }
}
SILENT("a slot is free when its reader says so") {
    on_both(two_slots, 2, n);
}

__global__ void zeroes_its_own(Mail mail) {
    const int other = 1 - nvshmem_my_pe();
    for (int round = 0; round < 4; ++round) {
        if (nvshmem_my_pe() == 0) {
            nvshmem_int_put_signal(mail.inbox, mail.mine, n, mail.arrived, 1, NVSHMEM_SIGNAL_SET, other);
            nvshmem_signal_wait_until(mail.arrived, NVSHMEM_CMP_EQ, 1);
            *mail.arrived = 0;
            nvshmem_fence();
        } else {
            nvshmem_uint64_wait_until(mail.arrived, NVSHMEM_CMP_EQ, 1);
            *mail.arrived = 0;
            mail.out[round] = mail.inbox[round];
            nvshmem_fence();
            nvshmemx_signal_op(mail.arrived, 1, NVSHMEM_SIGNAL_SET, other);
        }
    }
}
SILENT("the reader of a flag zeroes it before it answers") {
    on_both(zeroes_its_own, 1, 1);
}

__global__ void each_a_part(Mail mail) {
    const int other = 1 - nvshmem_my_pe();
    const int me = static_cast<int>(threadIdx.x);
    nvshmem_int_put_signal(mail.inbox + 2 * me, mail.mine + 2 * me, 2, mail.arrived, 1, NVSHMEM_SIGNAL_ADD,
                           other);
    nvshmem_signal_wait_until(mail.arrived, NVSHMEM_CMP_EQ, 32);
    __threadfence_system();
    mail.out[me] = mail.inbox[2 * me];
}
SILENT("each thread puts a part and adds to the signal") {
    on_both(each_a_part, 1, 32);
}

__global__ void one_fences_for_all(Mail mail) {
    const int other = 1 - nvshmem_my_pe();
    const int me = static_cast<int>(threadIdx.x);
    nvshmem_int_p(mail.inbox + me, me, other);
    __syncthreads();
    if (me == 0) {
        nvshmem_quiet();
        nvshmemx_signal_op(mail.arrived, 1, NVSHMEM_SIGNAL_SET, other);
        nvshmem_signal_wait_until(mail.arrived, NVSHMEM_CMP_EQ, 1);
        nvshmem_fence();
    }
    __syncthreads();
    mail.out[me] = mail.inbox[me];
}
SILENT("one thread waits for the puts of its block") {
    on_both(one_fences_for_all, 1, n);
}

/// Memory that was read may be written as soon as the signal allows it, because the loads have finished then.
__global__ void takes_turns_to_write(Mail mail, int* board) {
    const int other = 1 - nvshmem_my_pe();
    if (nvshmem_my_pe() == 1) {
        mail.out[0] = board[0];
        nvshmemx_signal_op(mail.free, 1, NVSHMEM_SIGNAL_SET, other);
    } else {
        nvshmem_signal_wait_until(mail.free, NVSHMEM_CMP_EQ, 1);
        nvshmem_int_p(board, 7, other);
    }
}
SILENT("who waits for a signal may write what its sender has read") {
    on_two_pes([=](int) {
        const Mail mail;
        int* const board = static_cast<int*>(nvshmem_calloc(1, sizeof(int)));
        takes_turns_to_write<<<1, 1>>>(mail, board);
        CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
        nvshmem_barrier_all();
    });
}

__global__ void waits_alone(Mail mail) {
    const int other = 1 - nvshmem_my_pe();
    nvshmem_int_put_signal(mail.inbox, mail.mine, n, mail.arrived, 1, NVSHMEM_SIGNAL_SET, other);
    nvshmem_signal_wait_until(mail.arrived, NVSHMEM_CMP_EQ, 1);
}
SILENT("a kernel waits for the signal, and the next one reads") {
    on_two_pes([=](int) {
        const Mail mail;
        waits_alone<<<1, 1>>>(mail);
        read_only<<<1, n>>>(mail);
        CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
        nvshmem_barrier_all();
    });
}

__global__ void source_after_quiet(Mail mail) {
    nvshmem_int_put_nbi(mail.inbox, mail.mine, n, 1 - nvshmem_my_pe());
    nvshmem_quiet();
    mail.mine[3] = 7;
}
SILENT("the source is changed when the put is done") {
    on_both(source_after_quiet, 1, 1);
}

__global__ void put_only(Mail mail) {
    nvshmem_int_put(mail.inbox, mail.mine, n, 1 - nvshmem_my_pe());
}
SILENT("a barrier of all PEs between two kernels") {
    on_two_pes([](int) {
        const Mail mail;
        put_only<<<1, 1>>>(mail);
        CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
        nvshmem_barrier_all();
        read_only<<<1, n>>>(mail);
        CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    });
}

__global__ void counts_down(Mail mail, int* tickets) {
    for (int ticket = 0; (ticket = nvshmem_int_atomic_fetch_inc(tickets, 0)) < 40;)
        mail.out[ticket % n] = nvshmem_int_g(mail.mine + ticket % n, 1 - nvshmem_my_pe());
}
SILENT("two PEs draw tickets at one of them") {
    on_two_pes([](int) {
        const Mail mail;
        int* const tickets = static_cast<int*>(nvshmem_calloc(1, sizeof(int)));
        counts_down<<<1, 1>>>(mail, tickets);
        CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    });
}

CHECKS_MAIN("silent_nvshmem")
