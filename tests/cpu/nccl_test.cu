// needs: nccl
// NCCL for the ranks of one process: the result of each collective, groups, host threads, messages, and graphs.
#include <chrono>
#include <cstring>
#include <thread>

#include "nccl_fixture.cuh"
#ifdef KIT_CPU
#include <kit_cpu/timeline.hpp>
#endif

#define NEEDS_TWO_DEVICES \
    if (!two_peers()) SKIP("this needs two GPUs that can touch each other's memory")

namespace {

__global__ void scale(float* data, std::size_t n, float factor) {
    const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= factor;
}

/// Returns the values of the function `of` for 0 to n-1.
template <class Function>
std::vector<float> elements(std::size_t n, Function of) {
    std::vector<float> all(n);
    for (std::size_t i = 0; i < n; ++i) all[i] = of(i);
    return all;
}

float sum_at(std::size_t i) {
    return Ranks::value(0, i) + Ranks::value(1, i);
}

}  // namespace

CASE("a communicator knows its ranks and devices") {
    NEEDS_TWO_DEVICES;
    Ranks ranks;
    for (int rank = 0; rank < 2; ++rank) {
        int count = 0, device = -1, mine = -1;
        CHECK_NCCL(ncclCommCount(ranks.comm[rank], &count), ncclSuccess);
        CHECK_NCCL(ncclCommCuDevice(ranks.comm[rank], &device), ncclSuccess);
        CHECK_NCCL(ncclCommUserRank(ranks.comm[rank], &mine), ncclSuccess);
        CHECK_EQUAL(count, 2);
        CHECK_EQUAL(device, rank);
        CHECK_EQUAL(mine, rank);
    }
    CHECK(std::strcmp(ncclGetErrorString(ncclSuccess), "no error") == 0);
}

CASE("all-reduce with each operation") {
    NEEDS_TWO_DEVICES;
    Ranks ranks;
    const ncclRedOp_t operations[] = {ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg};
    for (const ncclRedOp_t operation : operations) {
        CHECK_NCCL(ncclGroupStart(), ncclSuccess);
        for (int rank = 0; rank < 2; ++rank)
            CHECK_NCCL(ncclAllReduce(ranks.send[rank], ranks.receive[rank], Ranks::n, ncclFloat, operation,
                                     ranks.comm[rank], ranks.stream[rank]),
                       ncclSuccess);
        CHECK_NCCL(ncclGroupEnd(), ncclSuccess);
        const auto want = elements(Ranks::n, [&](std::size_t i) {
            const float a = Ranks::value(0, i), b = Ranks::value(1, i);
            return operation == ncclSum    ? a + b
                   : operation == ncclProd ? a * b
                   : operation == ncclMax  ? b
                   : operation == ncclMin  ? a
                                           : (a + b) / 2;
        });
        for (int rank = 0; rank < 2; ++rank) CHECK_EQUAL(ranks.read(rank), want);
    }
}

CASE("all-reduce in place, behind a kernel and before one, in the stream of each rank") {
    NEEDS_TWO_DEVICES;
    Ranks ranks;
    for (int rank = 0; rank < 2; ++rank) {
        const OnDevice here(rank);
        scale<<<1, 96, 0, ranks.stream[rank]>>>(ranks.send[rank], Ranks::n, 2.0f);
    }
    ncclGroupStart();
    for (int rank = 0; rank < 2; ++rank)
        ncclAllReduce(ranks.send[rank], ranks.send[rank], Ranks::n, ncclFloat, ncclSum, ranks.comm[rank],
                      ranks.stream[rank]);
    CHECK_NCCL(ncclGroupEnd(), ncclSuccess);
    for (int rank = 0; rank < 2; ++rank) {
        const OnDevice here(rank);
        scale<<<1, 96, 0, ranks.stream[rank]>>>(ranks.send[rank], Ranks::n, 0.5f);
        cudaMemcpyAsync(ranks.receive[rank], ranks.send[rank], Ranks::n * sizeof(float), cudaMemcpyDefault,
                        ranks.stream[rank]);
    }
    for (int rank = 0; rank < 2; ++rank) CHECK_EQUAL(ranks.read(rank), elements(Ranks::n, sum_at));
}

CASE("broadcast, reduce, all-gather and reduce-scatter") {
    NEEDS_TWO_DEVICES;
    Ranks ranks;
    constexpr std::size_t half = Ranks::n / 2;
    const auto in_group = [&](auto call) {
        ncclGroupStart();
        for (int rank = 0; rank < 2; ++rank) CHECK_NCCL(call(rank), ncclSuccess);
        CHECK_NCCL(ncclGroupEnd(), ncclSuccess);
    };
    in_group([&](int rank) {
        return ncclBroadcast(ranks.send[rank], ranks.receive[rank], Ranks::n, ncclFloat, 1, ranks.comm[rank],
                             ranks.stream[rank]);
    });
    const auto of_rank_1 = elements(Ranks::n, [](std::size_t i) { return Ranks::value(1, i); });
    for (int rank = 0; rank < 2; ++rank) CHECK_EQUAL(ranks.read(rank), of_rank_1);
    in_group([&](int rank) {
        return ncclReduce(ranks.send[rank], ranks.receive[rank], Ranks::n, ncclFloat, ncclSum, 0,
                          ranks.comm[rank], ranks.stream[rank]);
    });
    CHECK_EQUAL(ranks.read(0), elements(Ranks::n, sum_at));
    in_group([&](int rank) {
        return ncclAllGather(ranks.send[rank], ranks.receive[rank], half, ncclFloat, ranks.comm[rank],
                             ranks.stream[rank]);
    });
    const auto gathered = elements(
        Ranks::n, [](std::size_t i) { return i < half ? Ranks::value(0, i) : Ranks::value(1, i - half); });
    for (int rank = 0; rank < 2; ++rank) CHECK_EQUAL(ranks.read(rank), gathered);
    in_group([&](int rank) {
        return ncclReduceScatter(ranks.send[rank], ranks.receive[rank], half, ncclFloat, ncclSum,
                                 ranks.comm[rank], ranks.stream[rank]);
    });
    for (int rank = 0; rank < 2; ++rank)
        CHECK_EQUAL(ranks.read(rank, half), elements(half, [&](std::size_t i) {
                        return sum_at(static_cast<std::size_t>(rank) * half + i);
                    }));
}

CASE("two ranks exchange messages in one group") {
    NEEDS_TWO_DEVICES;
    Ranks ranks;
    ncclGroupStart();
    for (int rank = 0; rank < 2; ++rank) {
        ncclSend(ranks.send[rank], Ranks::n, ncclFloat, 1 - rank, ranks.comm[rank], ranks.stream[rank]);
        ncclRecv(ranks.receive[rank], Ranks::n, ncclFloat, 1 - rank, ranks.comm[rank], ranks.stream[rank]);
    }
    CHECK_NCCL(ncclGroupEnd(), ncclSuccess);
    for (int rank = 0; rank < 2; ++rank)
        CHECK_EQUAL(ranks.read(rank),
                    elements(Ranks::n, [&](std::size_t i) { return Ranks::value(1 - rank, i); }));
}

CASE("a host thread for each rank, without groups") {
    NEEDS_TWO_DEVICES;
    Ranks ranks;
    std::vector<float> got[2];
    const auto work = [&](int rank) {
        cudaSetDevice(rank);
        for (int round = 0; round < 3; ++round)
            ncclAllReduce(round ? ranks.receive[rank] : ranks.send[rank], ranks.receive[rank], Ranks::n,
                          ncclFloat, ncclSum, ranks.comm[rank], ranks.stream[rank]);
        cudaStreamSynchronize(ranks.stream[rank]);
    };
    std::thread first(work, 0), second(work, 1);
    first.join();
    second.join();
    for (int rank = 0; rank < 2; ++rank)
        CHECK_EQUAL(ranks.read(rank), elements(Ranks::n, [](std::size_t i) { return 4 * sum_at(i); }));
}

CASE("a host thread for each rank makes its communicator") {
    NEEDS_TWO_DEVICES;
    ncclUniqueId id;
    CHECK_NCCL(ncclGetUniqueId(&id), ncclSuccess);
    std::vector<int> got(2, 0);
    const auto work = [&](int rank) {
        cudaSetDevice(rank);
        ncclComm_t comm = nullptr;
        ncclCommInitRank(&comm, 2, id, rank);
        int* data = nullptr;
        cudaMalloc(&data, sizeof(int));
        const int mine = rank + 5;
        cudaMemcpy(data, &mine, sizeof mine, cudaMemcpyHostToDevice);
        ncclAllReduce(data, data, 1, ncclInt, ncclSum, comm, nullptr);
        cudaStreamSynchronize(nullptr);
        cudaMemcpy(&got[static_cast<std::size_t>(rank)], data, sizeof(int), cudaMemcpyDeviceToHost);
        cudaFree(data);
        ncclCommDestroy(comm);
    };
    std::thread first(work, 0), second(work, 1);
    first.join();
    second.join();
    CHECK_EQUAL(got, std::vector<int>(2, 11));
}

CASE("a rank that polls while another one has ended can abort") {
    NEEDS_TWO_DEVICES;
    ncclUniqueId id;
    CHECK_NCCL(ncclGetUniqueId(&id), ncclSuccess);
    std::vector<cudaError_t> polled(2, cudaSuccess), after(2, cudaErrorUnknown);
    const auto work = [&](int rank) {
        cudaSetDevice(rank);
        ncclComm_t comm = nullptr;
        cudaStream_t stream = nullptr;
        int* data = nullptr;
        ncclCommInitRank(&comm, 2, id, rank);
        if (rank == 1) return;  // it has joined, and never calls
        cudaMalloc(&data, sizeof(int));
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        ncclAllReduce(data, data, 1, ncclInt, ncclSum, comm, stream);
        for (int i = 0; i < 20; ++i) {
            polled[0] = cudaStreamQuery(stream);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        ncclResult_t state = ncclInternalError;
        ncclCommGetAsyncError(comm, &state);
        CHECK_NCCL(state == ncclInProgress ? ncclSuccess : state, ncclSuccess);
        CHECK_NCCL(ncclCommAbort(comm), ncclSuccess);
        after[0] = cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
        cudaFree(data);
    };
    std::thread first(work, 0), second(work, 1);
    first.join();
    second.join();
    CHECK_EQUAL(polled[0], cudaErrorNotReady);
    CHECK_EQUAL(after[0], cudaSuccess);
}

CASE("captured in one graph for both devices, launched three times") {
    NEEDS_TWO_DEVICES;
    Ranks ranks;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    CHECK_CUDA(cudaStreamBeginCapture(ranks.stream[0], cudaStreamCaptureModeThreadLocal), cudaSuccess);
    cudaEventRecord(ranks.event[0], ranks.stream[0]);
    cudaStreamWaitEvent(ranks.stream[1], ranks.event[0], 0);
    ncclGroupStart();
    for (int rank = 0; rank < 2; ++rank)
        ncclAllReduce(ranks.send[rank], ranks.send[rank], Ranks::n, ncclFloat, ncclSum, ranks.comm[rank],
                      ranks.stream[rank]);
    CHECK_NCCL(ncclGroupEnd(), ncclSuccess);
    {
        const OnDevice here(1);
        cudaEventRecord(ranks.event[1], ranks.stream[1]);
    }
    cudaStreamWaitEvent(ranks.stream[0], ranks.event[1], 0);
    CHECK_CUDA(cudaStreamEndCapture(ranks.stream[0], &graph), cudaSuccess);
    CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    for (int launch = 0; launch < 3; ++launch)
        CHECK_CUDA(cudaGraphLaunch(exec, ranks.stream[0]), cudaSuccess);
    CHECK_CUDA(cudaStreamSynchronize(ranks.stream[0]), cudaSuccess);
    for (int rank = 0; rank < 2; ++rank) {
        const OnDevice here(rank);
        cudaMemcpy(ranks.receive[rank], ranks.send[rank], Ranks::n * sizeof(float), cudaMemcpyDeviceToDevice);
        cudaDeviceSynchronize();
        CHECK_EQUAL(ranks.read(rank), elements(Ranks::n, [](std::size_t i) { return 4 * sum_at(i); }));
    }
    CHECK_CUDA(cudaGraphExecDestroy(exec), cudaSuccess);
    CHECK_CUDA(cudaGraphDestroy(graph), cudaSuccess);
}

CASE("a graph for each device, launched one after the other") {
    NEEDS_TWO_DEVICES;
    Ranks ranks;
    cudaGraph_t graph[2] = {};
    cudaGraphExec_t exec[2] = {};
    for (int rank = 0; rank < 2; ++rank)
        CHECK_CUDA(cudaStreamBeginCapture(ranks.stream[rank], cudaStreamCaptureModeThreadLocal), cudaSuccess);
    ncclGroupStart();
    for (int rank = 0; rank < 2; ++rank)
        ncclAllReduce(ranks.send[rank], ranks.send[rank], Ranks::n, ncclFloat, ncclSum, ranks.comm[rank],
                      ranks.stream[rank]);
    CHECK_NCCL(ncclGroupEnd(), ncclSuccess);
    for (int rank = 0; rank < 2; ++rank) {
        const OnDevice here(rank);
        scale<<<1, 96, 0, ranks.stream[rank]>>>(ranks.send[rank], Ranks::n, 0.5f);
        CHECK_CUDA(cudaStreamEndCapture(ranks.stream[rank], &graph[rank]), cudaSuccess);
    }
    for (int rank = 0; rank < 2; ++rank)  // must come later, because the other capture of this thread forbids
                                          // it
        CHECK_CUDA(cudaGraphInstantiate(&exec[rank], graph[rank], 0), cudaSuccess);
    for (int launch = 0; launch < 2; ++launch)
        for (int rank = 0; rank < 2; ++rank) {
            const OnDevice here(rank);
            CHECK_CUDA(cudaGraphLaunch(exec[rank], ranks.stream[rank]), cudaSuccess);
        }
    for (int rank = 0; rank < 2; ++rank) {
        const OnDevice here(rank);
        cudaMemcpyAsync(ranks.receive[rank], ranks.send[rank], Ranks::n * sizeof(float), cudaMemcpyDefault,
                        ranks.stream[rank]);
        CHECK_EQUAL(ranks.read(rank), elements(Ranks::n, [](std::size_t i) { return sum_at(i) / 2; }));
        CHECK_CUDA(cudaGraphExecDestroy(exec[rank]), cudaSuccess);
        CHECK_CUDA(cudaGraphDestroy(graph[rank]), cudaSuccess);
    }
}

#ifdef KIT_CPU
CASE("a collective is one piece of the timeline of each rank, behind what its stream has before") {
    Ranks ranks;
    kit::cpu::begin_timeline();
    {
        const OnDevice here(1);
        scale<<<1, 96, 0, ranks.stream[1]>>>(ranks.send[1], Ranks::n, 2.0f);
    }
    ncclGroupStart();
    for (int rank = 0; rank < 2; ++rank)
        ncclAllReduce(ranks.send[rank], ranks.receive[rank], Ranks::n, ncclFloat, ncclSum, ranks.comm[rank],
                      ranks.stream[rank]);
    ncclGroupEnd();
    for (int rank = 0; rank < 2; ++rank) cudaStreamSynchronize(ranks.stream[rank]);
    const auto timeline = kit::cpu::take_timeline();
    CHECK_EQUAL(timeline.size(), std::size_t(3));
    CHECK(timeline[0].label.kind == kit::cpu::WorkKind::kernel);
    for (const std::size_t piece : {1, 2}) {
        CHECK(timeline[piece].label.kind == kit::cpu::WorkKind::collective);
        CHECK(timeline[piece].label.what == "ncclAllReduce");
        CHECK_EQUAL(timeline[piece].step, static_cast<unsigned>(piece));
    }
}
#endif

CASE_MISUSE("wrong arguments are refused at once") {
    NEEDS_TWO_DEVICES;
    Ranks ranks;
    CHECK_NCCL(ncclAllReduce(ranks.send[0], ranks.receive[0], 1, ncclNumTypes, ncclSum, ranks.comm[0],
                             ranks.stream[0]),
               ncclInvalidArgument);
    CHECK_NCCL(
        ncclBroadcast(ranks.send[0], ranks.receive[0], 1, ncclFloat, 2, ranks.comm[0], ranks.stream[0]),
        ncclInvalidArgument);
    const int twice[] = {0, 0};
    ncclComm_t comm[2];
    CHECK_NCCL(ncclCommInitAll(comm, 2, twice), ncclInvalidUsage);
    CHECK_NCCL(ncclGroupEnd(), ncclInvalidUsage);
}

CONFORMANCE_MAIN("nccl")
