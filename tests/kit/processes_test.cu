// Tests of the PE processes (tests/18_multi_gpu/pe_processes.hpp): which launcher starts which processes, and
// what happens if one ends early.
#include "18_multi_gpu/pe_processes.hpp"
#include "unit.hpp"

namespace {

/// What each PE does in these tests: it returns its number and its input. With input 7 it ends in the middle
/// of its work, and with input 8 it then waits forever, as for a PE that has ended.
int be_a_pe(const pes::Role& role) {
    pes::Words words;
    if (!role.socket.receive(words) || words[0] == 7) return 1;
    if (words[0] == 8) pause();
    const auto [pe, count] = role.number;
    return role.socket.send(pes::Words{words[0], static_cast<unsigned>(pe), static_cast<unsigned>(count)})
               ? 0
               : 1;
}

/// Sets an environment variable during the lifetime of the object.
struct Launcher {
    explicit Launcher(const char* name) { setenv("KIT_LAUNCHER", name, 1); }
    ~Launcher() { unsetenv("KIT_LAUNCHER"); }
};

void all_answer(kit::Case& test, unsigned count) {
    pes::Processes processes(static_cast<int>(count));
    test.check(processes.complete(), std::to_string(count) + " processes have come");
    if (!processes.complete()) return;
    for (unsigned pe = 0; pe < count; ++pe) processes[pe].send(pes::Words{100 + pe});
    for (unsigned pe = 0; pe < count; ++pe) {
        pes::Words words;
        test.check(processes[pe].receive(words) && words == pes::Words{100 + pe, pe, count},
                   "PE " + std::to_string(pe) + " has its number and its words");
    }
    processes.all_done();
}

CASE("three PEs") {
    all_answer(test, 3);
}

CASE("many words") {
    const pes::Processes processes(1);
    pes::Words words(1 << 20, 5);
    test.check(processes.complete() && processes[0].send(words) && processes[0].receive(words),
               "4 MiB go to a PE");
    test.check(words.size() == 3 && words[0] == 5, "and an answer comes");
}

CASE("a PE that ends in the middle") {
    const pes::Processes processes(2);
    processes[0].send(pes::Words{1});
    processes[1].send(pes::Words{7});
    pes::Words words;
    test.check(processes[0].receive(words), "the other one answers");
    test.check(!processes[1].receive(words), "and nobody waits for this one");
}

CASE("a PE that would wait for ever") {
    const pes::Processes processes(2);
    processes[0].send(pes::Words{8});
    test.check(processes.complete(), "it is ended with the case");
}

CASE("four processes by mpirun") {
    if (std::system("command -v mpirun >/dev/null") != 0) {
        test.skip("mpirun is not installed");
        return;
    }
    const Launcher launcher("mpirun");
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
    all_answer(test, 4);
}

CASE("by a launcher that is not there") {
    const Launcher launcher("/no/such/launcher");
    test.check(!pes::Processes(2).complete(), "nobody comes, and nobody waits for them");
}

CASE("by a launcher that begins nothing") {
    const Launcher launcher("true");
    test.check(!pes::Processes(2).complete(), "nobody comes, and nobody waits for them");
}

}  // namespace

int main(int argc, char** argv) {
    if (const std::optional<pes::Role> role = pes::role_of_this_process()) return be_a_pe(*role);
    return unit::run("processes", argc, argv);
}
