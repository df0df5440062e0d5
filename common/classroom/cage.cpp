#include "cage.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>

namespace classroom {

namespace {

namespace fs = std::filesystem;

bool put(const std::string& file, const std::string& text) {
    std::ofstream out(file);
    out << text;
    out.close();
    return !out.fail();
}

/// Returns the number in a line "NAME NUMBER" of a control file, such as 3 for "oom_kill 3".
long number_in(const std::string& file, const std::string& name) {
    std::ifstream in(file);
    std::string word;
    for (long number; in >> word >> number;) {
        if (word == name) return number;
    }
    return 0;
}

/// Creates the folders of the control groups and sets their limits. Returns an empty list if that is not
/// allowed.
std::vector<std::string> make_groups(const RunLimits& limits) {
    static std::atomic<int> made{0};
    const std::string name = "/kit_class_" + std::to_string(getpid()) + "_" + std::to_string(++made),
                      root = "/sys/fs/cgroup", processes = std::to_string(limits.processes),
                      memory = std::to_string(limits.memory);
    std::error_code refused;
    if (fs::exists(root + "/cgroup.controllers")) {
        put(root + "/cgroup.subtree_control", "+pids +memory");
        const std::string group = root + name;
        if (fs::create_directory(group, refused) && put(group + "/pids.max", processes)) {
            put(group + "/memory.max", memory);
            put(group + "/memory.swap.max", "0");
            return {group};
        }
        fs::remove(group, refused);
        return {};
    }
    std::vector<std::string> groups;
    for (const char* kind : {"/pids", "/memory"}) {
        const std::string group = root + kind + name;
        if (!fs::create_directory(group, refused)) continue;
        groups.push_back(group);
        put(group + "/pids.max", processes);
        put(group + "/memory.limit_in_bytes", memory);
    }
    if (groups.size() == 2) return groups;
    for (const std::string& group : groups) fs::remove(group, refused);
    return {};
}

/// Returns the number of processes and threads of the current user.
std::size_t processes_of_user() {
    std::size_t count = 0;
    std::error_code gone;
    for (const auto& process : fs::directory_iterator("/proc", gone)) {
        std::ifstream status(process.path() / "status");
        long user = -1, threads = 0;
        for (std::string word; status >> word;) {
            if (word == "Uid:") status >> user;
            if (word == "Threads:") status >> threads;
        }
        if (user == static_cast<long>(getuid())) count += static_cast<std::size_t>(threads);
    }
    return count;
}

}  // namespace

Cage::Cage(const RunLimits& limits) : limits_(limits) {
    if (geteuid() == 0) {
        groups_ = make_groups(limits);
    } else {
        processes_before_ = processes_of_user();
    }
}

Cage::~Cage() {
    for (const std::string& group : groups_) {
        for (int tries = 0; tries < 200; ++tries) {
            std::ifstream members(group + "/cgroup.procs");
            bool any = false;
            for (pid_t member; members >> member; any = true) kill(member, SIGKILL);
            std::error_code busy;
            if (!any && fs::remove(group, busy)) break;
            usleep(5000);
        }
    }
}

void Cage::enter() const {
    for (const std::string& group : groups_) put(group + "/cgroup.procs", "0");
    if (processes_before_ == 0) return;
    // The hard limit is twice as high, so run_limited can count the processes, and name the limit before
    // fork() fails.
    const rlim_t most = processes_before_ + 2 * limits_.processes;
    const rlimit processes{most, most};
    setrlimit(RLIMIT_NPROC, &processes);
}

std::string Cage::excess() const {
    for (const std::string& group : groups_) {
        if (number_in(group + "/pids.events", "max") > 0)
            return "started more than " + std::to_string(limits_.processes) + " processes";
        if (number_in(group + "/memory.events", "oom_kill") > 0 ||
            number_in(group + "/memory.oom_control", "oom_kill") > 0)
            return "used more than " + std::to_string(limits_.memory >> 20) + " MB of memory";
    }
    return "";
}

std::string Cage::trouble() {
    if (geteuid() != 0 || !Cage(RunLimits()).groups_.empty()) return "";
    return "Only control groups can limit how many processes root starts, and /sys/fs/cgroup is not "
           "writable. "
           "Grade as an ordinary user. "
           "If you trust every student with the rights of this account, use --no-sandbox.";
}

}  // namespace classroom
