// Grades 18_multi_gpu/work_steal: all tasks are done once, and a PE without tasks takes those of others.
// sanitizer.all: PEs are processes of their own, which the tool does not see
#include <numeric>

#include "18_multi_gpu/18_multi_gpu.hpp"
#include "18_multi_gpu/pes.hpp"

namespace {

using pes::Words;

constexpr std::size_t most_tasks = 400;
constexpr unsigned poison = 0xCBCBCBCBu;

unsigned worked(unsigned steps) {
    unsigned value = 1;
    for (unsigned i = 0; i < steps; ++i) value = 1664525u * value + 1013904223u;
    return value;
}

/// One PE: its results, and then how many tasks of each PE it has done.
Words take(int pe, int pes, const Words& input) {
    pes::Symmetric<int> tickets(1), count(1);
    pes::Symmetric<unsigned> steps(most_tasks), results(most_tasks);
    const auto all = static_cast<std::size_t>(pes);
    steps.fill(input);
    results.fill(Words(most_tasks, poison));
    count.fill({static_cast<int>(input.size())});
    kit::DeviceBuffer<int> done(std::vector<int>(all, 0));
    pes::name(tickets, 1, "tickets");
    pes::name(count, 1, "counts");
    pes::name(steps, most_tasks, "tasks");
    pes::name(results, most_tasks, "results");
    cudaStream_t stream = nullptr;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    nvshmem_barrier_all();
    multi_gpu::run_tasks({tickets.data(), steps.data(), count.data(), results.data()}, done.data(), stream);
    cudaStreamSynchronize(stream);
    nvshmem_barrier_all();
    cudaStreamDestroy(stream);
    (void)pe;
    Words output = results.values();
    output.resize(input.size());
    for (const int number : done.to_vector()) output.push_back(static_cast<unsigned>(number));
    return output;
}

enum class Look { values, steals, own_first, ring };

/// So much longer are the tasks of who steals: PEs do not begin at the same time, and the first one must not be done by then.
#ifdef KIT_CPU
constexpr unsigned for_thieves = 1;
#else
constexpr unsigned for_thieves = 1000;
#endif

void run(kit::Case& test, const std::vector<std::size_t>& counts, Look look = Look::values) {
    const std::size_t pes = counts.size();
    pes::needs_devices(test, static_cast<int>(pes));
    std::vector<Words> inputs;
    for (const std::size_t count : counts) {
        inputs.emplace_back(count);
        for (unsigned& steps : inputs.back())  // most are short, some are long
            steps =
                look == Look::own_first || look == Look::ring
                    ? 50
                    : static_cast<unsigned>(test.random().next() % (test.random().next() % 8 ? 20 : 400)) *
                          (look == Look::steals ? for_thieves : 1);
    }
    std::vector<Words> outputs;
    test.call([&] { outputs = pes::run(test, take, inputs); });
    std::vector<int> done(pes, 0);
    for (std::size_t pe = 0; pe < pes; ++pe) {
        Words results = outputs[pe], want = inputs[pe];
        results.resize(want.size());
        for (unsigned& value : want) value = worked(value);
        test.expect("results of PE " + std::to_string(pe), results, want, kit::exact());
        for (std::size_t owner = 0; owner < pes; ++owner)
            done[owner] += static_cast<int>(outputs[pe][counts[pe] + owner]);
    }
    for (std::size_t owner = 0; owner < pes; ++owner)
        test.equal("how often tasks of PE " + std::to_string(owner) + " were done", done[owner],
                   static_cast<int>(counts[owner]));
    if (look == Look::values) return;
    const auto done_by = [&](std::size_t pe, std::size_t owner) {
        return static_cast<std::size_t>(outputs[pe][counts[pe] + owner]);
    };
    // A PE takes tasks of others when its own have all been taken. So of two PEs with tasks, only one can do tasks of the other, in
    // whatever order the PEs run.
    if (look == Look::own_first)
        test.demand("tasks of its own", done_by(0, 1) == 0 || done_by(1, 0) == 0,
                    "PE 0 does " + std::to_string(done_by(0, 1)) + " tasks of PE 1, and PE 1 does " +
                        std::to_string(done_by(1, 0)) +
                        " of PE 0: a thread takes the tasks of its own PE first (Task 1)");
    // PE 0 turns to PE 2 when the tasks of PE 1 have all been taken, so PE 2 cannot do any of those afterwards.
    if (look == Look::ring)
        test.demand("tasks of the next PE", done_by(0, 2) == 0 || done_by(2, 1) == 0,
                    "PE 0 does " + std::to_string(done_by(0, 2)) + " tasks of PE 2, although PE 2 does " +
                        std::to_string(done_by(2, 1)) +
                        " of PE 1: take the tasks of the next PE first, around the ring (Task 1)");
    if (look != Look::steals) return;
    // Only PE 0 has tasks for all.
    unsigned stolen = 0;
    for (std::size_t pe = 1; pe < pes; ++pe) stolen += outputs[pe][counts[pe]];
    test.demand("tasks of others", stolen > 0,
                "all tasks are PE 0's, and it does all " + std::to_string(counts[0]) +
                    " of them: the PEs that have none do nothing (Task 1)");
}

}  // namespace

int main(int argc, char** argv) {
    if (pes::is_pe(take)) return 0;
    kit::Grader grader("18_multi_gpu", "work_steal", argc, argv);
    for (const std::vector<std::size_t>& counts : std::vector<std::vector<std::size_t>>{
             {1, 0}, {0, 1}, {40, 40}, {100, 3}, {0, 77}, {0, 0}, {33, 0, 64}, {5, 90, 20}}) {
        std::string name;
        for (const std::size_t count : counts) name += (name.empty() ? "" : " + ") + std::to_string(count);
        grader.add(
            name + " tasks", [counts](kit::Case& test) { run(test, counts); }, pes::limits);
    }
    grader.add(
        "one PE has all 400 tasks",
        [](kit::Case& test) {
            run(test, {400, 0}, Look::steals);
        },
        pes::limits);
    grader.add(
        "one of three PEs has all 400 tasks",
        [](kit::Case& test) {
            run(test, {400, 0, 0}, Look::steals);
        },
        pes::limits);
#ifdef KIT_CPU  // on GPUs PEs do not begin at the same time, so the first one takes tasks of all
    grader.add(
        "two PEs have as many tasks",
        [](kit::Case& test) {
            run(test, {200, 200}, Look::own_first);
        },
        pes::limits);
    grader.add(
        "PE 0 has no tasks, and two others have as many",
        [](kit::Case& test) {
            run(test, {0, 200, 200}, Look::ring);
        },
        pes::limits);
#endif
    return grader.run();
}
