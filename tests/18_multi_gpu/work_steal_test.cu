// Grades 18_multi_gpu/work_steal: all tasks are executed once, and a PE without tasks takes tasks of other PEs.
// sanitizer.all: PEs are separate processes, which the tool does not see
#include <algorithm>

#include "01_error_handling/failing_calls.hpp"
#include "18_multi_gpu/18_multi_gpu.hpp"
#include "18_multi_gpu/pes.hpp"
#include "remembered.hpp"

namespace {

using pes::Words;

constexpr std::size_t most_tasks = 1000;
constexpr unsigned poison = 0xCBCBCBCBu;

unsigned worked(unsigned steps) {
    unsigned value = 1;
    for (unsigned i = 0; i < steps; ++i) value = 1664525u * value + 1013904223u;
    return value;
}

/// Returns a value that is stored after the last task of a PE. A thread that takes a task from the wrong PE's memory gets it.
unsigned no_task(int pe, std::size_t at) {
    return 1000 + 500 * static_cast<unsigned>(pe) + static_cast<unsigned>(at);
}

/// The work of one PE. The first word of its input is the number of its blocks, the others are its tasks. Returns its results with the memory after them, then the number of tasks of each PE that it has executed, and the
/// number of tickets that were drawn from it.
Words take(int pe, int pes, const Words& input) {
    pes::Symmetric<int> tickets(1), count(1);
    pes::Symmetric<unsigned> steps(most_tasks), results(most_tasks);
    const auto all = static_cast<std::size_t>(pes);
    const Words own(input.begin() + 1, input.end());
    Words all_steps = own;
    while (all_steps.size() < most_tasks) all_steps.push_back(no_task(pe, all_steps.size()));
    steps.fill(all_steps);
    results.fill(Words(most_tasks, poison));
    count.fill({static_cast<int>(own.size())});
    kit::DeviceBuffer<int> done(std::vector<int>(all, 0));
    pes::name(tickets, 1, "tickets");
    pes::name(count, 1, "counts");
    pes::name(steps, most_tasks, "tasks");
    pes::name(results, most_tasks, "results");
    cudaStream_t stream = nullptr;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaDeviceSynchronize();
    nvshmem_barrier_all();
    pes::call(pe, [&] {
        multi_gpu::run_tasks({tickets.data(), steps.data(), count.data(), results.data()}, done.data(),
                             static_cast<int>(input[0]), stream);
    });
    cudaStreamSynchronize(stream);
    nvshmem_barrier_all();
    cudaStreamDestroy(stream);
    Words output = results.values();
    for (const int number : done.to_vector()) output.push_back(static_cast<unsigned>(number));
    output.push_back(static_cast<unsigned>(tickets.values()[0]));
    return output;
}

enum class Look { values, steals, own_first, ring };

/// Factor by which tasks are longer if others must steal them: PEs start at different times, and the first must not finish before that.
#ifdef KIT_CPU
constexpr unsigned for_thieves = 1;
#else
constexpr unsigned for_thieves = 1000;
#endif

/// Whether an earlier case has lost tasks that a PE's own number of tasks does not explain.
const kit::Remembered<bool> lost_otherwise;

/// The tasks and the outputs of the PEs.
struct Work {
    std::vector<Words> inputs, outputs;
    std::size_t blocks = 1;  ///< number of blocks of each PE

    std::size_t pes() const { return inputs.size(); }
    std::size_t tasks(std::size_t pe) const { return inputs[pe].size(); }
    bool complete() const {
        for (const Words& output : outputs)
            if (output.size() != most_tasks + pes() + 1) return false;
        return outputs.size() == pes();
    }
    std::size_t done_by(std::size_t pe, std::size_t owner) const { return outputs[pe][most_tasks + owner]; }
    std::size_t done(std::size_t owner) const {
        std::size_t all = 0;
        for (std::size_t pe = 0; pe < pes(); ++pe) all += done_by(pe, owner);
        return all;
    }
    std::size_t drawn(std::size_t owner) const { return outputs[owner].back(); }
    /// Returns whether there is a result after the last task of this PE.
    bool more_results(std::size_t pe) const {
        const Words& results = outputs[pe];
        return std::any_of(results.begin() + static_cast<std::ptrdiff_t>(tasks(pe)),
                           results.begin() + most_tasks, [](unsigned value) { return value != poison; });
    }

    /// Returns the mistake that the counts show, or an empty string if each PE's tasks were executed once and results are nowhere else.
    kit::Said mistake() const {
        if (!complete()) return "";
        const auto of = [](std::size_t pe) { return "PE " + std::to_string(pe); };
        for (std::size_t owner = 0; owner < pes(); ++owner) {
            const std::string times = kit::count_of(done(owner), "task") + " of " + of(owner) +
                                      " were done, but it has only " + std::to_string(tasks(owner));
            if (done(owner) > tasks(owner) && more_results(owner))
                return times + ": use the owner's number of tasks, because another PE has used its own" +
                       kit::task(3);
            if (done(owner) > tasks(owner))
                return times +
                       ": draw each ticket from the counter of the owner, in one atomic operation, because "
                       "the same ticket was drawn more than once" +
                       kit::task(1);
        }
        for (std::size_t owner = 0; owner < pes(); ++owner)
            if (done(owner) < tasks(owner))
                return "only " + std::to_string(done(owner)) + " of " + kit::count_of(tasks(owner), "task") +
                       " of " + of(owner) + " were done: " + why_not_all(owner);
        for (std::size_t pe = 0; pe < pes(); ++pe)
            if (more_results(pe))
                return "results of another PE's tasks were written to " + of(pe) +
                       "'s own memory: put each result to the PE that had the task" + kit::task(2);
        return taken_at_home();
    }

  private:
    kit::Said why_not_all(std::size_t owner) const {
        if (drawn(owner) < tasks(owner))
            return "only " + kit::count_of(drawn(owner), "ticket", "were") +
                   " drawn there, so draw until no task is left" + kit::task(3);
        // With its own number, each other PE loses only the tickets of its last draws.
        const std::size_t most_lost = blocks * static_cast<std::size_t>(multi_gpu::kTakers) * (pes() - 1);
        if (tasks(owner) - done(owner) <= most_lost && lost_beyond_another_number(owner))
            return "use the owner's number of tasks, because another PE has drawn the other tickets with its "
                   "own number" +
                   kit::task(3);
        return kit::count_of(drawn(owner), "ticket", "were") + " drawn: do the task of each ticket" +
               kit::task(1);
    }
    /// Returns whether all tasks that were not executed are beyond the number of tasks of another PE, and no earlier case has lost others.
    bool lost_beyond_another_number(std::size_t owner) const {
        *lost_otherwise = *lost_otherwise || !are_beyond_another_number(owner);
        return !*lost_otherwise;
    }
    bool are_beyond_another_number(std::size_t owner) const {
        std::size_t least = most_tasks;
        for (std::size_t pe = 0; pe < pes(); ++pe)
            if (pe != owner) least = std::min(least, tasks(pe));
        const auto begin = outputs[owner].begin();
        return std::find(begin, begin + static_cast<std::ptrdiff_t>(std::min(least, tasks(owner))), poison) ==
               begin + static_cast<std::ptrdiff_t>(std::min(least, tasks(owner)));
    }
    /// Returns a sentence about a result that was computed from the task with the same index, but of another PE.
    kit::Said taken_at_home() const {
        for (std::size_t owner = 0; owner < pes(); ++owner)
            for (std::size_t at = 0; at < tasks(owner); ++at) {
                const unsigned got = outputs[owner][at];
                if (got == worked(inputs[owner][at])) continue;
                for (std::size_t pe = 0; pe < pes(); ++pe)
                    if (tasks(pe) <= at && got == worked(no_task(static_cast<int>(pe), at)))
                        return "results[" + std::to_string(at) + "] of PE " + std::to_string(owner) +
                               " was computed from tasks[" + std::to_string(at) + "] of PE " +
                               std::to_string(pe) + ", which has no such task: get the task from its owner" +
                               kit::task(2);
            }
        return "";
    }
};

/// Runs tasks on `wanted` PEs. The first of them have these numbers of tasks, and all others have none.
void run(kit::Case& test, int wanted, std::vector<std::size_t> counts, Look look = Look::values,
         unsigned blocks = 1) {
    const auto pes = static_cast<std::size_t>(pes::devices_of(test, wanted));
    counts.resize(pes);
    Work work;
    work.blocks = blocks;
    for (const std::size_t count : counts) {
        work.inputs.emplace_back(count);
        for (unsigned& steps : work.inputs.back())  // most tasks are short, some long
            steps =
                look == Look::own_first || look == Look::ring
                    ? 50
                    : static_cast<unsigned>(test.random().next() % (test.random().next() % 8 ? 20 : 400)) *
                          (look == Look::steals ? for_thieves : 1);
    }
#ifdef KIT_CPU
    test.explain(kit::Diagnosis::race, [&work](const kit::facts::Finding& race) {
        return race.memory.name == "results" ? work.mistake() : "";
    });
#endif
    std::vector<Words> words = work.inputs;
    for (Words& one : words) one.insert(one.begin(), blocks);
    test.call([&] { work.outputs = pes::run(test, take, words); });
    if (!work.complete()) return;
    const kit::Said mistake = work.mistake();
    test.check(mistake.empty(), mistake);
    for (std::size_t pe = 0; pe < pes; ++pe) {
        Words results = work.outputs[pe], want = work.inputs[pe];
        results.resize(want.size());
        for (unsigned& value : want) value = worked(value);
        test.expect("results of PE " + std::to_string(pe), results, want, kit::exact());
    }
    if (look == Look::values) return;
    const auto done_by = [&](std::size_t pe, std::size_t owner) { return work.done_by(pe, owner); };
    // A PE takes tasks of others when all its own tasks have been taken. Of two PEs with tasks, only one can therefore execute tasks of
    // the other, in whatever order the PEs run.
    if (look == Look::own_first)
        test.demand("tasks of its own", kit::unless(done_by(1, 0) == 0, kit::exactly(done_by(0, 1), 0)),
                    "PE 0 does " + kit::count_of(done_by(0, 1), "task") + " of PE 1, and PE 1 does " +
                        std::to_string(done_by(1, 0)) +
                        " of PE 0: let each thread take the tasks of its own PE first" + kit::task(3));
    // PE 0 takes tasks of PE 2 when all tasks of PE 1 have been taken, so PE 2 cannot execute tasks of PE 1 after that.
    if (look == Look::ring)
        test.demand("tasks of the next PE", kit::unless(done_by(2, 1) == 0, kit::exactly(done_by(0, 2), 0)),
                    "PE 0 does " + kit::count_of(done_by(0, 2), "task") + " of PE 2, although PE 2 does " +
                        std::to_string(done_by(2, 1)) +
                        " of PE 1: take the tasks of the next PE first, around the ring" + kit::task(3));
    if (look != Look::steals) return;
    // Only one PE has tasks.
    const auto owner = static_cast<std::size_t>(
        std::find_if(counts.begin(), counts.end(), [](std::size_t count) { return count > 0; }) -
        counts.begin());
    std::size_t stolen = 0;
    for (std::size_t pe = 0; pe < pes; ++pe)
        if (pe != owner) stolen += done_by(pe, owner);
    const std::string pe = "PE " + std::to_string(owner);
    test.demand("tasks of others", kit::at_least(stolen, 1),
                pe + " has all tasks, and it does all " + std::to_string(counts[owner]) +
                    " of them: let the PEs without tasks take some" + kit::task(3));
}

}  // namespace

int main(int argc, char** argv) {
    if (pes::is_pe(take)) return 0;
    kit::Grader grader("18_multi_gpu", "work_steal", argc, argv);
    grader.task(1, kit::About().on("tickets"));
    grader.task(2, kit::About().output("results"));
    const std::vector<int> devices = pes::device_counts();
    const auto add = [&](int pes, const std::vector<std::size_t>& counts, unsigned blocks) {
        std::string name;
        for (const std::size_t count : counts) name += (name.empty() ? "" : " + ") + std::to_string(count);
        grader.add(
            name + " tasks, " + pes::in_words(pes) +
                (blocks > 1 ? ", " + kit::count_of(blocks, "block") : ""),
            [=](kit::Case& test) { run(test, pes, counts, Look::values, blocks); }, pes::limits);
    };
    for (const std::vector<std::size_t>& counts :
         std::vector<std::vector<std::size_t>>{{40, 40}, {1, 0}, {0, 1}, {100, 3}, {0, 77}, {0, 0}})
        add(devices[0], counts, 1);
    for (const int pes : devices) {
        if (pes > 2) {
            add(pes, {33, 0, 64}, 1);
            add(pes, {5, 90, 20}, 2);
        }
        grader.add(
            "PE 0 has all 1000 tasks, " + pes::in_words(pes),
            [pes](kit::Case& test) { run(test, pes, {most_tasks}, Look::steals); }, pes::limits);
        grader.add(
            "the last PE has all 1000 tasks, " + pes::in_words(pes),
            [pes](kit::Case& test) {
                std::vector<std::size_t> counts(static_cast<std::size_t>(pes::devices_of(test, pes)));
                counts.back() = most_tasks;
                run(test, pes, counts, Look::steals);
            },
            pes::limits);
    }
    add(devices[0], {400, 150}, 3);
#ifdef KIT_CPU  // on GPUs PEs start at different times, so the first one takes all tasks
    grader.add(
        "two PEs have as many tasks",
        [](kit::Case& test) {
            run(test, 2, {200, 200}, Look::own_first);
        },
        pes::limits);
    grader.add(
        "PE 0 has no tasks, and two others have many",
        [](kit::Case& test) {
            run(test, 3, {0, 400, 300}, Look::ring);
        },
        pes::limits);
#endif
    error_handling::check_failing_calls(grader, argc, argv, {"1 + 0 tasks, " + pes::in_words(devices[0])});
    return grader.run();
}
