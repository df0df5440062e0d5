// needs: nccl
// Ranks whose collective calls do not match, and memory that is accessed during a collective.
#include <thread>

#include "../nccl_fixture.cuh"
#include "streams.cuh"

namespace {

/// Makes a call for each of the two ranks, between ncclGroupStart and ncclGroupEnd.
template <class Call>
void in_group(Call call) {
    ncclGroupStart();
    for (int k = 0; k < 2; ++k) call(k);
    ncclGroupEnd();
}

void wait_for(const Ranks& ranks) {
    for (int k = 0; k < 2; ++k) cudaStreamSynchronize(ranks.stream[k]);
}

}  // namespace

PLANTED("the ranks call two collectives in another order", "deadlock",
        "Make the same calls in the same order on all ranks") {
    Ranks r;
    ncclGroupStart();
    ncclAllReduce(r.send[0], r.receive[0], 96, ncclFloat, ncclSum, r.comm[0], r.stream[0]);  // <-
    ncclBroadcast(r.send[0], r.receive[0], 96, ncclFloat, 0, r.comm[0], r.stream[0]);        // <-
    ncclBroadcast(r.send[1], r.receive[1], 96, ncclFloat, 0, r.comm[1], r.stream[1]);        // <-
    ncclAllReduce(r.send[1], r.receive[1], 96, ncclFloat, ncclSum, r.comm[1], r.stream[1]);  // <-
    ncclGroupEnd();
}

PLANTED("the ranks disagree about the size", "deadlock", "of 95 ncclFloat") {
    Ranks r;
    in_group([&](int k) {
        const std::size_t count = k ? 95 : 96;
        ncclAllReduce(r.send[k], r.receive[k], count, ncclFloat, ncclSum, r.comm[k], r.stream[k]);  // <-
    });
}

PLANTED("one rank never calls", "deadlock", "waits for rank 1, which never makes this call") {
    Ranks r;
    ncclAllReduce(r.send[0], r.receive[0], 96, ncclFloat, ncclSum, r.comm[0], r.stream[0]);  // <-
    cudaStreamSynchronize(r.stream[0]);
}

PLANTED("only the stream of one rank takes part in the capture", "deadlock", "only recorded in a graph") {
    Ranks r;
    cudaGraph_t graph;
    cudaStreamBeginCapture(r.stream[0], cudaStreamCaptureModeThreadLocal);
    in_group([&](int k) {
        ncclAllReduce(r.send[k], r.receive[k], 96, ncclFloat, ncclSum, r.comm[k], r.stream[k]);  // <-
    });
    cudaStreamEndCapture(r.stream[0], &graph);
    cudaGraphDestroy(graph);
    cudaStreamSynchronize(r.stream[1]);
}

PLANTED("one thread calls for both ranks without a group", "deadlock",
        "between ncclGroupStart() and ncclGroupEnd()") {
    Ranks r;
    for (int k = 0; k < 2; ++k)
        ncclAllReduce(r.send[k], r.receive[k], 96, ncclFloat, ncclSum, r.comm[k], r.stream[k]);  // <-
}

PLANTED("two communicators in another order on each rank", "deadlock",
        "waits for a call that another of them makes later") {
    Ranks a;
    ncclComm_t other[2];
    ncclCommInitAll(other, 2, nullptr);
    ncclUniqueId id;
    ncclGetUniqueId(&id);
    std::thread first([&] {
        ncclAllReduce(a.send[0], a.send[0], 48, ncclFloat, ncclSum, a.comm[0], a.stream[0]);  // <-
        ncclAllReduce(a.receive[0], a.receive[0], 96, ncclFloat, ncclSum, other[0], a.stream[0]);
    });
    first.join();
    std::thread second([&] {
        ncclAllReduce(a.receive[1], a.receive[1], 96, ncclFloat, ncclSum, other[1], a.stream[1]);
        ncclAllReduce(a.send[1], a.send[1], 48, ncclFloat, ncclSum, a.comm[1], a.stream[1]);  // <-
    });
    second.join();
    wait_for(a);
}

PLANTED("the buffer of another rank", "argument", "is on device 1, but the device of this rank is 0") {
    Ranks r;
    ncclGroupStart();
    ncclAllReduce(r.send[1], r.receive[0], 96, ncclFloat, ncclSum, r.comm[0], r.stream[0]);  // <-
    ncclGroupEnd();
}

PLANTED("the stream of another rank", "argument", "the stream belongs to device 1") {
    Ranks r;
    in_group([&](int k) {
        ncclAllReduce(r.send[k], r.receive[k], 96, ncclFloat, ncclSum, r.comm[k], r.stream[1]);  // <-
    });
}

__global__ void use(const float* data, float* out) {
    out[threadIdx.x] = data[threadIdx.x];  // <-
}
PLANTED("a kernel in another stream does not wait for the result", "race", "ncclAllReduce writes it") {
    Ranks r;
    Streams streams;
    Buffer<float> out(96);
    in_group([&](int k) {
        ncclAllReduce(r.send[k], r.receive[k], 96, ncclFloat, ncclSum, r.comm[k], r.stream[k]);  // <-
    });
    use<<<1, 96, 0, streams.a>>>(r.receive[0], out);
    wait_for(r);
}

__global__ void produce(float* data) {
    data[threadIdx.x] = 1.0f;  // <-
}
PLANTED("the collective does not wait for the kernel", "race", "ncclAllReduce reads it") {
    Ranks r;
    Streams streams;
    produce<<<1, 96, 0, streams.a>>>(r.send[0]);
    in_group([&](int k) {
        ncclAllReduce(r.send[k], r.receive[k], 96, ncclFloat, ncclSum, r.comm[k], r.stream[k]);  // <-
    });
    wait_for(r);
}

PLANTED("more is received than there is room for", "address", "past the end of") {
    Ranks r;
    in_group([&](int k) {
        ncclAllGather(r.send[k], r.receive[k], 96, ncclFloat, r.comm[k], r.stream[k]);  // <-
    });
}

CHECKS_MAIN("planted_nccl")
