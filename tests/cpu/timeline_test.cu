// The executor's timeline of queued work: its streams, and the work that each piece waited for. On a GPU, the
// work runs without a record.
#include "conformance.cuh"
#include "stream_fixture.cuh"
#ifdef KIT_CPU
#include <kit_cpu/timeline.hpp>

using kit::cpu::CameAfter;
using kit::cpu::QueuedPiece;
using kit::cpu::WorkKind;
#endif

namespace {

__global__ void work(int* data) {
    data[threadIdx.x] += 1;
}
__global__ void more_work(int* data) {
    data[threadIdx.x] += 2;
}

struct TwoStreams {
    cudaStream_t a, b;
    cudaEvent_t event;
    explicit TwoStreams(unsigned flags = cudaStreamNonBlocking) {
        cudaStreamCreateWithFlags(&a, flags);
        cudaStreamCreateWithFlags(&b, flags);
        cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    }
    ~TwoStreams() {
        cudaDeviceSynchronize();
        cudaStreamDestroy(a);
        cudaStreamDestroy(b);
        cudaEventDestroy(event);
    }
};

struct PinnedValues {
    int* data = nullptr;
    PinnedValues() {
        cudaMallocHost(&data, 128);
        for (int i = 0; i < 32; ++i) data[i] = i;
    }
    ~PinnedValues() { cudaFreeHost(data); }
};

#ifdef KIT_CPU
template <class Body>
std::vector<QueuedPiece> timeline_of(Body body) {
    kit::cpu::begin_timeline();
    body();
    CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess);
    return kit::cpu::take_timeline();
}

std::vector<unsigned> steps(const std::vector<QueuedPiece>& timeline) {
    std::vector<unsigned> steps;
    for (const QueuedPiece& piece : timeline) steps.push_back(piece.step);
    return steps;
}
#define CHECK_STEPS(...) CHECK_EQUAL(steps(timeline), (std::vector<unsigned>{__VA_ARGS__}))
#define TIMELINE(...) const std::vector<QueuedPiece> timeline = timeline_of([&] __VA_ARGS__)
#else
#define CHECK_STEPS(...)
#define TIMELINE(...)                                                 \
    do {                                                              \
        __VA_ARGS__ CHECK_CUDA(cudaDeviceSynchronize(), cudaSuccess); \
    } while (0)
#endif

}  // namespace

CASE("one stream: one after the other") {
    Buffer<int> data(32, 0);
    PinnedValues host;
    TwoStreams streams;
    TIMELINE({
        cudaMemcpyAsync(data, host.data, 128, cudaMemcpyHostToDevice, streams.a);
        work<<<1, 32, 0, streams.a>>>(data);
        cudaMemcpyAsync(host.data, data, 128, cudaMemcpyDeviceToHost, streams.a);
    });
    CHECK_STEPS(1, 2, 3);
    CHECK_EQUAL(host.data[5], 6);
#ifdef KIT_CPU
    CHECK(timeline[0].label.kind == WorkKind::copy_in && timeline[0].label.bytes == 128);
    CHECK_EQUAL(timeline[1].label.what, std::string("work"));
    CHECK(timeline[2].label.kind == WorkKind::copy_out && !timeline[2].label.pageable);
    CHECK(timeline[2].after.empty());  // the piece only follows work in the same stream
#endif
}

CASE("two streams: kernels side by side, copies of one direction one after the other") {
    Buffer<int> one(32, 0), two(32, 0);
    PinnedValues host;
    TwoStreams streams;
    TIMELINE({
        cudaMemcpyAsync(one, host.data, 128, cudaMemcpyHostToDevice, streams.a);
        work<<<1, 32, 0, streams.a>>>(one);
        cudaMemcpyAsync(two, host.data, 128, cudaMemcpyHostToDevice, streams.b);
        work<<<1, 32, 0, streams.b>>>(two);
        more_work<<<1, 32, 0, streams.a>>>(one);
    });
    CHECK_STEPS(1, 2, 2, 3, 3);
    CHECK_EQUAL(one.read()[1], 4);
}

CASE("an event: who waited for whom, and where that is said") {
    Buffer<int> data(32, 0);
    TwoStreams streams;
    TIMELINE({
        work<<<1, 32, 0, streams.a>>>(data);
        cudaEventRecord(streams.event, streams.a);
        cudaStreamWaitEvent(streams.b, streams.event, 0);
        more_work<<<1, 32, 0, streams.b>>>(data);
    });
    CHECK_STEPS(1, 2);
    CHECK_EQUAL(data.read()[0], 3);
#ifdef KIT_CPU
    CHECK_EQUAL(timeline[1].after.size(), 1u);
    if (timeline[1].after.empty()) return;
    CHECK(timeline[1].after[0].piece == 0 && timeline[1].after[0].because == CameAfter::Because::event);
    CHECK(!kit::cpu::line_in_words(timeline[1].after[0].place).empty());
#endif
}

CASE("what an event was recorded before is not waited for") {
    Buffer<int> one(32, 0), two(32, 0);
    TwoStreams streams;
    TIMELINE({
        cudaEventRecord(streams.event, streams.a);
        work<<<1, 32, 0, streams.a>>>(one);
        cudaStreamWaitEvent(streams.b, streams.event, 0);
        work<<<1, 32, 0, streams.b>>>(two);
    });
    CHECK_STEPS(1, 1);
}

CASE("the host waits: what it queues then comes after") {
    Buffer<int> one(32, 0), two(32, 0);
    TwoStreams streams;
    TIMELINE({
        work<<<1, 32, 0, streams.a>>>(one);
        cudaStreamSynchronize(streams.a);
        work<<<1, 32, 0, streams.b>>>(two);
    });
    CHECK_STEPS(1, 2);
#ifdef KIT_CPU
    CHECK(timeline[1].after.size() == 1 && timeline[1].after[0].because == CameAfter::Because::host);
#endif
}

CASE("the default stream stands between blocking streams, and not between others") {
    Buffer<int> one(32, 0), two(32, 0), three(32, 0);
    {
        TwoStreams streams(cudaStreamDefault);
        TIMELINE({
            work<<<1, 32, 0, streams.a>>>(one);
            work<<<1, 32>>>(two);
            work<<<1, 32, 0, streams.b>>>(three);
        });
        CHECK_STEPS(1, 2, 3);
#ifdef KIT_CPU
        CHECK(timeline[2].after.size() == 1 &&
              timeline[2].after[0].because == CameAfter::Because::default_stream);
#endif
    }
    TwoStreams streams;
    TIMELINE({
        work<<<1, 32, 0, streams.a>>>(one);
        work<<<1, 32>>>(two);
        work<<<1, 32, 0, streams.b>>>(three);
    });
    CHECK_STEPS(1, 1, 1);
}

CASE("copies of memory that is not pinned are told; to the host they are waited for") {
    Buffer<int> one(32, 0), two(32, 0);
    std::vector<int> host(32, 7);
    TwoStreams streams;
    TIMELINE({
        cudaMemcpyAsync(one, host.data(), 128, cudaMemcpyHostToDevice, streams.a);
        cudaMemcpyAsync(host.data(), one, 128, cudaMemcpyDeviceToHost, streams.a);
        work<<<1, 32, 0, streams.b>>>(two);
    });
    CHECK_STEPS(1, 2, 3);
#ifdef KIT_CPU
    CHECK(timeline[0].label.pageable && timeline[1].label.pageable && !timeline[2].label.pageable);
#endif
}

CASE("host functions and fills have their turn, memory of a stream has none") {
    Buffer<int> data(32, 0);
    TwoStreams streams;
    int told = 0;
    TIMELINE({
        int* scratch = nullptr;
        cudaMallocAsync(&scratch, 128, streams.a);
        cudaMemsetAsync(scratch, 0, 128, streams.a);
        work<<<1, 32, 0, streams.a>>>(scratch);
        cudaFreeAsync(scratch, streams.a);
        cudaLaunchHostFunc(
            streams.a, [](void* told) { *static_cast<int*>(told) = 1; }, &told);
    });
    CHECK_STEPS(1, 2, 3);
    CHECK_EQUAL(told, 1);
#ifdef KIT_CPU
    CHECK(timeline[0].label.kind == WorkKind::fill && timeline[2].label.kind == WorkKind::host_function);
#endif
}

CASE("branches of a graph") {
    Buffer<int> one(32, 0), two(32, 0);
    TwoStreams streams;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    cudaStreamBeginCapture(streams.a, cudaStreamCaptureModeThreadLocal);
    cudaEventRecord(streams.event, streams.a);
    cudaStreamWaitEvent(streams.b, streams.event, 0);
    work<<<1, 32, 0, streams.a>>>(one);
    work<<<1, 32, 0, streams.b>>>(two);
    cudaEventRecord(streams.event, streams.b);
    cudaStreamWaitEvent(streams.a, streams.event, 0);
    more_work<<<1, 32, 0, streams.a>>>(two);
    cudaStreamEndCapture(streams.a, &graph);
    CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    TIMELINE({ CHECK_CUDA(cudaGraphLaunch(exec, streams.a), cudaSuccess); });
    CHECK_STEPS(1, 1, 2);
    CHECK_EQUAL(two.read()[0], 3);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}

#ifdef KIT_CPU
CASE("the picture") {
    Buffer<int> data(32, 0);
    PinnedValues host;
    TwoStreams streams;
    const std::vector<QueuedPiece> timeline = timeline_of([&] {
        cudaMemcpyAsync(data, host.data, 128, cudaMemcpyHostToDevice, streams.a);
        cudaEventRecord(streams.event, streams.a);
        cudaStreamWaitEvent(streams.b, streams.event, 0);
        work<<<1, 32, 0, streams.b>>>(data);
    });
    const std::string picture = kit::cpu::in_words(timeline);
    CHECK_EQUAL(picture.substr(0, picture.find(" waited")),
                std::string("streams: 2 pieces of work in 2 steps\n"
                            "  (each takes one step here, and there is one copy each way at a time)\n"
                            "  step      1        2\n"
                            "  stream 1  copy in  .\n"
                            "  stream 2  .        work\n"
                            "  work of stream 2 (") +
                    kit::cpu::line_in_words(timeline[1].label.place) + ")");
    CHECK(picture.find("copy in of stream 1 (") != std::string::npos);
    CHECK(picture.find(": an event, line ") != std::string::npos);
    // Only wide enough for the names of the rows and one step.
    const std::string narrow = kit::cpu::in_words(timeline, 20);
    CHECK(narrow.find("  step      2\n  stream 1  .\n  stream 2  work\n") != std::string::npos);
    CHECK(narrow.find(")\n    waited for copy in of stream 1 (line") != std::string::npos);
    CHECK_EQUAL(kit::cpu::in_words(std::vector<QueuedPiece>{}), std::string("streams: nothing was queued\n"));
}
#endif

CONFORMANCE_MAIN("timeline")
