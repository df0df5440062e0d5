// Grades 13_streams/overlap: pinned memory, values, waits, and the number of steps.
#include <memory>

#include "01_error_handling/failing_calls.hpp"
#include "13_streams/queues.hpp"

namespace {

using namespace streams_test;

unsigned int advanced(unsigned int x, int rounds) {
    for (int round = 0; round < rounds; ++round) x = 1664525u * x + 1013904223u;
    return x;
}

bool is_pinned(const void* pointer) {
    cudaPointerAttributes attributes = {};
    const bool known = pointer && cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess;
    cudaGetLastError();
    return known && attributes.type == cudaMemoryTypeHost;
}

void run(kit::Case& test, int n, int chunk, int rounds) {
    Stream stream[streams::kLanes];
    std::vector<kit::Output<unsigned int>> values;
    for (int i = 0; i < streams::kLanes; ++i)
        values.push_back(test.output<unsigned int>("lane " + std::to_string(i) + "'s values", chunk));
    const streams::Lane lanes[streams::kLanes] = {
        {stream[0], values[0].data()}, {stream[1], values[1].data()}, {stream[2], values[2].data()}};

    streams::Channel channel = test.call([&] { return streams::open_channel(n); });
    test.check(channel.in != nullptr && channel.out != nullptr && channel.n == n,
               "open_channel() returned no memory, or a different n: fill in all members" + kit::task(1));
    if (channel.in == nullptr || channel.out == nullptr) return;
    test.demand("pinned memory", is_pinned(channel.in) && is_pinned(channel.out),
                "the channel's memory is not pinned, so its copies cannot overlap: allocate it with "
                "cudaMallocHost()" +
                    kit::task(1));

#ifdef KIT_CPU
    Stream other;  // belongs to another user of the device
    auto others = test.output<unsigned int>("another user's values", 1);
#endif
    for (int call = 0; call < 2; ++call) {
#ifdef KIT_CPU
        test.cuda(cudaMemsetAsync(others.data(), call, sizeof(unsigned int), other));
        bool others_wait = false;
#endif
        const auto in = kit::integers<unsigned int>(test.random(), n, 0u, 4000000000u);
        std::copy(in.begin(), in.end(), channel.in);
        std::fill(channel.out, channel.out + n, 0xdeadbeefu);
        kit::Calls calls;
        bool under_way = false;
        std::vector<unsigned int> got(n);
        const kit::Timeline timeline = kit::timeline(test, [&] {
            calls.in([&] { streams::process(channel, chunk, rounds, lanes); });
            std::copy(channel.out, channel.out + n, got.begin());
#ifdef KIT_CPU
            others_wait = cudaStreamQuery(other) == cudaErrorNotReady;
            cudaGetLastError();
#endif
            for (const streams::Lane& lane : lanes)
                under_way = under_way || cudaStreamQuery(lane.stream) == cudaErrorNotReady;
            if (under_way) cudaGetLastError();
        });
        test.check(!under_way,
                   "process() returns while a lane still works: wait until out is complete" + kit::task(4));
        std::vector<unsigned int> want;
        for (unsigned int value : in) want.push_back(advanced(value, rounds));
        test.expect("out", got, want, kit::exact());
        test.expect("in", std::vector<unsigned int>(channel.in, channel.in + n), in, kit::exact());
#ifdef KIT_CPU
        test.demand(
            "waits", others_wait,
            "process() waits for the whole device, including the work that another user has queued in "
            "its own stream: wait for each lane" +
                kit::task(4),
            kit::Diagnosis::part);
#endif
        waits_at_most(test, streams::kLanes, calls);
        const unsigned chunks = static_cast<unsigned>(kit::ceil_div(n, chunk));
        steps_at_most(test, chunks + 4, timeline, 3);
    }
    const void* const arrays[] = {channel.in, channel.out};
    test.call([&] { streams::close_channel(channel); });
    test.check(!is_pinned(arrays[0]) && !is_pinned(arrays[1]),
               "close_channel() does not free an array of the channel: free both" + kit::task(2));
}

void process_in_probe(const std::function<void()>& begin) {
    Stream stream[streams::kLanes];
    kit::DeviceBuffer<unsigned int> values(std::vector<unsigned int>(streams::kLanes * 100, 1));
    const streams::Lane lanes[streams::kLanes] = {
        {stream[0], values.data()}, {stream[1], values.data() + 100}, {stream[2], values.data() + 200}};
    begin();
    streams::Channel channel = streams::open_channel(300);
    streams::process(channel, 100, 1, lanes);
}

/// Compares the time of the student's number with those of all others.
void choose_chunks(kit::Case& test) {
    for (const double work : {0.0, 0.3, 1.0, 10.0, 160.0, 1000.0, 12345.0}) {
        for (const double per_chunk : {1.0, 2.5, 7.0}) {
            const auto time = [&](int m) { return (m + 2) * (per_chunk + work / m); };
            int best = 1;
            for (int m = 1; m < 400; ++m)
                if (time(m) < time(best)) best = m;
            const int got = test.call([&] { return streams::best_chunks(work, per_chunk); });
            test.check(got >= 1 && time(got) <= time(best) * 1.000001,
                       "best_chunks is " + std::to_string(got) + ", but " +
                           kit::count_of(best, "chunk", "take") + " less time if the work takes " +
                           std::to_string(work) + " and each chunk " + std::to_string(per_chunk) +
                           " more: minimize the time over the number of chunks" + kit::task(5));
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (error_handling::probe_asked(argc, argv)) return error_handling::failing_calls_main(process_in_probe);
    kit::Grader grader("13_streams", "overlap", argc, argv);
    grader.task(1, {kit::Diagnosis::cuda_error});
    grader.task(3, {kit::Diagnosis::out_of_bounds, kit::Diagnosis::wrong_value, kit::Diagnosis::tail});
    grader.task(3, kit::About::order_of_streams());
    grader.task(4, {kit::Diagnosis::race});
    grader.task(3, kit::About().rule(kit::facts::Rule::race).on("lane "));
    grader.add("the best number of chunks", choose_chunks);
    struct Size {
        int n, chunk, rounds;
    };
    for (const Size& size : {Size{1, 256, 3}, Size{999, 1000, 3}, Size{1000, 1000, 0}, Size{1001, 1000, 5},
                             Size{3000, 1000, 1}, Size{12000, 1000, 4}, Size{12345, 1000, 2}, Size{7, 1, 2}})
        grader.add("n=" + std::to_string(size.n) + ", chunks of " + std::to_string(size.chunk),
                   [size](kit::Case& test) { run(test, size.n, size.chunk, size.rounds); });
#ifndef KIT_CPU
    grader.add("n=20000003, chunks of 4194304", [](kit::Case& test) { run(test, 20000003, 4194304, 3); },
               {120, true});
#endif
    error_handling::add_failing_calls(grader, "");
    return grader.run();
}
