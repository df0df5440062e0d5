// Grades 18_multi_gpu/put_signal: a ring of PEs, pieces through two slots.
// sanitizer.all: PEs are processes of their own, which the tool does not see
#include "18_multi_gpu/18_multi_gpu.hpp"
#include "18_multi_gpu/pes.hpp"

namespace {

using pes::Words;

/// One PE: what it has received.
Words receive_from_left(int, int, const Words& input) {
    const auto n = static_cast<int>(input.size());
    pes::Symmetric<unsigned> slots(multi_gpu::kSlots * multi_gpu::kBlock), mine(input.size() + 1);
    pes::Symmetric<std::uint64_t> arrived(multi_gpu::kSlots), freed(multi_gpu::kSlots);
    mine.fill(input);
    kit::DeviceBuffer<unsigned> out(std::vector<unsigned>(input.size() + 1, 0xCBCBCBCBu));
    pes::name(slots, multi_gpu::kSlots * multi_gpu::kBlock, "slots");
    pes::name(arrived, multi_gpu::kSlots, "arrived");
    pes::name(freed, multi_gpu::kSlots, "freed");
    cudaStream_t stream = nullptr;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    nvshmem_barrier_all();
    multi_gpu::shift_right({slots.data(), arrived.data(), freed.data()}, mine.data(), out.data(), n, stream);
    cudaStreamSynchronize(stream);
    nvshmem_barrier_all();
    cudaStreamDestroy(stream);
    Words received = out.to_vector();
    received.resize(input.size());
    return received;
}

void ring(kit::Case& test, int count, int n) {
    pes::needs_devices(test, count);
    std::vector<Words> inputs(static_cast<std::size_t>(count), Words(static_cast<std::size_t>(n)));
    for (Words& input : inputs)
        for (unsigned& value : input) value = static_cast<unsigned>(test.random().next());
    std::vector<Words> outputs;
    test.call([&] { outputs = pes::run(test, receive_from_left, inputs); });
    for (int pe = 0; pe < count; ++pe) {
        Words want = inputs[static_cast<std::size_t>((pe + count - 1) % count)];
        for (unsigned& value : want) value = 3 * value + 1;
        test.expect("out of PE " + std::to_string(pe), outputs[static_cast<std::size_t>(pe)], want,
                    kit::exact());
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (pes::is_pe(receive_from_left)) return 0;
    kit::Grader grader("18_multi_gpu", "put_signal", argc, argv);
    using kit::facts::Fix;
    grader.task(3, kit::About().rule(kit::facts::Rule::race).on("arrived"));
    for (const int task : {1, 2})
        grader.task(task, kit::About().fix(Fix::one_put));  // no wait, or two threads
    grader.task(2, kit::About().fix(Fix::puts_end));
    grader.task(3, kit::About().fix(Fix::fence_behind_signal));
    for (const int task : {3, 4})
        grader.task(task, kit::About().fix(Fix::signal));  // read or freed too early
    for (const auto& [count, n] : std::vector<std::pair<int, int>>{
             {2, 1}, {2, 256}, {2, 257}, {2, 512}, {2, 1000}, {2, 2049}, {3, 700}, {3, 1537}, {2, 0}}) {
        grader.add(
            std::to_string(count) + " PEs, n=" + std::to_string(n),
            [count = count, n = n](kit::Case& test) { ring(test, count, n); }, pes::limits);
    }
#ifndef KIT_CPU
    grader.add("2 PEs, n=16777259", [](kit::Case& test) { ring(test, 2, 16777259); }, {60, true});
#endif
    return grader.run();
}
