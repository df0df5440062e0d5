// backends: cpu (its PEs are host threads; NVSHMEM needs a process for each)
// PEs that use data without waiting for it, and pointers that are not valid on another PE.
#include "../nvshmem_fixture.cuh"
#include "checks.cuh"

namespace {

constexpr int n = 64;

/// Symmetric memory of one PE, which starts as 0.
struct Mail {
    int* inbox = static_cast<int*>(nvshmem_calloc(n, sizeof(int)));
    int* mine = static_cast<int*>(nvshmem_calloc(n, sizeof(int)));
    int* out = static_cast<int*>(nvshmem_calloc(n, sizeof(int)));
    uint64_t* arrived = static_cast<uint64_t*>(nvshmem_calloc(2, sizeof(uint64_t)));
};

/// Runs the kernel on both PEs at the same time.
template <class Kernel, class... More>
void on_both(Kernel kernel, int threads, More... more) {
    on_two_pes([=](int) {
        const Mail mail;
        kernel<<<1, threads>>>(mail, more...);
        cudaDeviceSynchronize();
    });
}

}  // namespace

__global__ void signals_apart(Mail mail) {
    const int other = 1 - nvshmem_my_pe();
    if (threadIdx.x == 0) {
        nvshmem_int_put(mail.inbox, mail.mine, n, other);  // <-
        nvshmemx_signal_op(mail.arrived, 1, NVSHMEM_SIGNAL_SET, other);
        nvshmem_signal_wait_until(mail.arrived, NVSHMEM_CMP_EQ, 1);
        __threadfence_system();
    }
    __syncthreads();
    mail.out[threadIdx.x] = mail.inbox[threadIdx.x];  // <-
}
PLANTED("payload and flag unordered", "race", "no signal has reported that put") {
    on_both(signals_apart, n);
}

__global__ void later_put_is_unsaid(Mail mail) {
    const int other = 1 - nvshmem_my_pe();
    if (threadIdx.x == 0) {
        nvshmem_int_put_nbi(mail.inbox + n / 2, mail.mine, n / 2, other);  // <-
        nvshmem_int_put_signal_nbi(mail.inbox, mail.mine, n / 2, mail.arrived, 1, NVSHMEM_SIGNAL_SET, other);
        nvshmem_signal_wait_until(mail.arrived, NVSHMEM_CMP_EQ, 1);
        __threadfence_system();
    }
    __syncthreads();
    mail.out[threadIdx.x] = mail.inbox[threadIdx.x];  // <-
}
PLANTED("a signal tells of its own put only", "race", "no signal has reported that put") {
    on_both(later_put_is_unsaid, n);
}

__global__ void every_thread_puts(Mail mail) {
    const int other = 1 - nvshmem_my_pe();
    nvshmem_int_put_signal(mail.inbox, mail.mine, n, mail.arrived, 1, NVSHMEM_SIGNAL_SET, other);  // <-
    nvshmem_signal_wait_until(mail.arrived, NVSHMEM_CMP_EQ, 1);
}
PLANTED("every thread puts", "race", "two puts write the same place") {
    on_both(every_thread_puts, 32);
}

__global__ void does_not_wait(Mail mail) {
    const int other = 1 - nvshmem_my_pe();
    if (nvshmem_my_pe() == 0)
        nvshmem_int_put_signal(mail.inbox, mail.mine, n, mail.arrived, 1, NVSHMEM_SIGNAL_SET, other);  // <-
    else
        mail.out[0] = mail.inbox[0];  // <-
}
PLANTED("the reader does not wait", "race", "") {
    on_both(does_not_wait, 1);
}

__global__ void puts_again(Mail mail) {
    const int other = 1 - nvshmem_my_pe();
    for (int round = 1; round <= 2; ++round) {
        nvshmem_int_put_signal(mail.inbox, mail.mine, n, mail.arrived, 1, NVSHMEM_SIGNAL_ADD, other);
        nvshmem_fence();
        nvshmem_signal_wait_until(mail.arrived, NVSHMEM_CMP_GE, static_cast<uint64_t>(round));
        __threadfence_system();
        mail.out[round] = mail.inbox[round];
    }
}
KNOWN_GAP("puts again before the other has read",
          "a wait hears of all that the signal has told by then, and not only of what it waited for") {
    on_both(puts_again, 1);
}

__global__ void looks_at_the_signal(Mail mail) {
    const int other = 1 - nvshmem_my_pe();
    if (threadIdx.x == 0) {
        nvshmem_int_put_signal(mail.inbox, mail.mine, n, mail.arrived, 1, NVSHMEM_SIGNAL_SET, other);  // <-
        nvshmem_signal_wait_until(mail.arrived, NVSHMEM_CMP_EQ, 1);
    }
    __syncthreads();
    mail.out[threadIdx.x] = mail.inbox[threadIdx.x];  // <-
}
PLANTED("who has waited for the signal reads without a fence", "race", "__threadfence_system()") {
    on_both(looks_at_the_signal, n);
}

__global__ void two_puts(Mail mail) {
    const int other = 1 - nvshmem_my_pe();
    nvshmem_int_p(mail.inbox, 1, other);  // <-
    nvshmem_int_p(mail.inbox, 2, other);  // <-
}
PLANTED("two puts of one thread may change places", "race", "must call nvshmem_fence() first") {
    on_both(two_puts, 1);
}

__global__ void changes_its_source(Mail mail) {
    const int other = 1 - nvshmem_my_pe();
    nvshmem_int_put_nbi(mail.inbox, mail.mine, n, other);  // <-
    mail.mine[3] = 7;                                      // <-
}
PLANTED("the source of a put is changed", "race", "until nvshmem_quiet()") {
    on_both(changes_its_source, 1);
}

__global__ void fences_and_changes(Mail mail) {
    const int other = 1 - nvshmem_my_pe();
    nvshmem_int_put_nbi(mail.inbox, mail.mine, n, other);  // <-
    nvshmem_fence();
    mail.mine[3] = 7;  // <-
}
PLANTED("a fence is not a wait", "race", "nvshmem_fence() only orders") {
    on_both(fences_and_changes, 1);
}

__global__ void block_is_not_ready(Mail mail) {
    mail.mine[threadIdx.x] = static_cast<int>(threadIdx.x);                 // <-
    nvshmemx_int_put_block(mail.inbox, mail.mine, n, 1 - nvshmem_my_pe());  // <-
}
PLANTED("a block puts what its threads have not finished", "race", "no barrier between") {
    on_both(block_is_not_ready, n);
}

__global__ void private_flag(Mail mail, int* flag) {
    if (threadIdx.x == 0) nvshmem_int_p(flag, 1, 1 - nvshmem_my_pe());  // <-
    mail.out[0] = 0;
}
PLANTED("a pointer that only one PE has", "argument", "with nvshmem_malloc()") {
    on_two_pes([](int) {
        const Mail mail;
        int* flag = nullptr;
        cudaMalloc(&flag, sizeof(int));
        private_flag<<<1, 1>>>(mail, flag);
        cudaDeviceSynchronize();
        cudaFree(flag);
    });
}

__global__ void pointer_of_the_other(Mail mail) {
    const int other = 1 - nvshmem_my_pe();
    void* const there = nvshmem_ptr(mail.inbox, other);
    nvshmem_int_put(static_cast<int*>(there), mail.mine, n, other);  // <-
}
PLANTED("the other one's pointer", "argument", "Pass your own pointer") {
    on_both(pointer_of_the_other, 1);
}

__global__ void next_one(Mail mail) {
    nvshmem_int_p(mail.inbox, 1, nvshmem_my_pe() + 1);  // <-
}
PLANTED("the PE after the last one", "argument", "there is no PE 2. Pass a number from 0 to 1") {
    on_both(next_one, 1);
}

__global__ void too_much(Mail mail) {
    nvshmem_int_put(mail.inbox + 1, mail.mine, n, 1 - nvshmem_my_pe());  // <-
}
PLANTED("more than the other one has", "argument", "the symmetric object has only 252 bytes") {
    on_both(too_much, 1);
}

__global__ void waits_in_vain(Mail mail) {
    if (nvshmem_my_pe() == 0) nvshmem_signal_wait_until(mail.arrived, NVSHMEM_CMP_GE, 3);  // <-
}
PLANTED("a signal that nobody sends", "deadlock", "is at least 3. It is 0, and all PEs wait or have ended") {
    on_both(waits_in_vain, 1);
}

__global__ void count(int* counter) {
    nvshmem_int_atomic_inc(counter, 0);                 // <-
    if (nvshmem_my_pe() == 0) counter[1] = counter[0];  // <-
}
PLANTED("a plain look at what others count", "race", "nothing orders the two PEs") {
    on_two_pes([](int) {
        int* const counter = static_cast<int*>(nvshmem_calloc(2, sizeof(int)));
        count<<<1, 1>>>(counter);
        cudaDeviceSynchronize();
    });
}

__global__ void put_only(Mail mail) {
    nvshmem_int_put(mail.inbox, mail.mine, n, 1 - nvshmem_my_pe());  // <-
}
__global__ void read_only(Mail mail) {
    mail.out[threadIdx.x] = mail.inbox[threadIdx.x];  // <-
}
PLANTED("no barrier of all PEs between two kernels", "race", "") {
    on_two_pes([](int) {
        const Mail mail;
        put_only<<<1, 1>>>(mail);
        cudaDeviceSynchronize();
        read_only<<<1, n>>>(mail);
        cudaDeviceSynchronize();
    });
}

PLANTED("sizes that differ", "deadlock", "with the same sizes") {
    on_two_pes([](int pe) { nvshmem_malloc(pe == 0 ? 64 : 128); });  // <-
}

PLANTED("one PE makes another call", "deadlock", "in the same order and with the same sizes") {
    on_two_pes([](int pe) {
        if (pe == 0)
            nvshmem_barrier_all();  // <-
        else
            nvshmem_malloc(16);  // <-
    });
}

__global__ void overtakes(Mail mail) {
    const int other = 1 - nvshmem_my_pe();
    if (nvshmem_my_pe() == 0) {
        nvshmem_signal_wait_until(mail.arrived, NVSHMEM_CMP_GE, 1);
        nvshmem_int_put_signal(mail.inbox, mail.mine, n, mail.arrived, 1, NVSHMEM_SIGNAL_SET, other);  // <-
    } else {
        nvshmemx_signal_op(mail.arrived, 1, NVSHMEM_SIGNAL_SET, other);
        mail.out[0] = mail.inbox[0];  // <-
    }
}
PLANTED("the other PE may put before it is read", "race", "wait until the place is given back") {
    on_both(overtakes, 1);
}

CHECKS_MAIN("planted_nvshmem")
