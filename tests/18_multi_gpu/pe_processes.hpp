// Starts one process of this program per PE, and exchanges words with them through a local socket. Needs no launcher. If the environment
// has KIT_LAUNCHER=mpirun (or mpiexec, srun: any command of the form LAUNCHER -n 2 PROGRAM), that launcher starts them.
#pragma once

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pes {

/// Words that are sent to a PE and received from it.
using Words = std::vector<unsigned>;

/// One end of a connection, or a listening socket.
class Socket {
  public:
    Socket() : handle_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}
    explicit Socket(int handle) : handle_(handle) {}
    Socket(Socket&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}
    ~Socket() {
        if (handle_ >= 0) close(handle_);
    }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;

    int handle() const { return handle_; }

    bool send(const void* data, std::size_t bytes) const {
        const char* next = static_cast<const char*>(data);
        while (bytes > 0) {
            const ssize_t done = ::send(handle_, next, bytes, MSG_NOSIGNAL);  // fails if it has been closed
            if (done <= 0) return false;
            next += done;
            bytes -= static_cast<std::size_t>(done);
        }
        return true;
    }
    bool receive(void* data, std::size_t bytes) const {
        char* next = static_cast<char*>(data);
        while (bytes > 0) {
            const ssize_t done = recv(handle_, next, bytes, 0);
            if (done <= 0) return false;
            next += done;
            bytes -= static_cast<std::size_t>(done);
        }
        return true;
    }
    bool send(const Words& words) const {
        const std::size_t count = words.size();
        return send(&count, sizeof count) && send(words.data(), count * sizeof(unsigned));
    }
    bool receive(Words& words) const {
        std::size_t count = 0;
        if (!receive(&count, sizeof count)) return false;
        words.resize(count);
        return receive(words.data(), count * sizeof(unsigned));
    }

  private:
    int handle_;
};

/// Returns an abstract address, which has no file and disappears with its socket.
inline std::pair<sockaddr_un, socklen_t> address_of(const std::string& name) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path + 1, name.c_str(), sizeof address.sun_path - 2);
    return {address, static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size())};
}

/// In a process that was started as a PE: its connection, its number and the number of PEs.
struct Role {
    Socket socket;
    int number[2];
};
inline std::optional<Role> role_of_this_process() {
    const char* const name = std::getenv("KIT_PE");
    if (!name) return std::nullopt;
    Role role = {};
    const auto [address, size] = address_of(name);
    if (connect(role.socket.handle(), reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
        !role.socket.receive(role.number, sizeof role.number))
        std::exit(EXIT_FAILURE);
    return role;
}

/// The processes of `count` PEs. They are numbered in the order in which they connect.
class Processes {
  public:
    explicit Processes(int count) {
        const std::string name = "kit-pes-" + std::to_string(getpid());
        const auto [address, size] = address_of(name);
        if (bind(door_.handle(), reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
            listen(door_.handle(), count) != 0)
            return;
        char program[4096] = {};
        if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) return;
        const char* const launcher = std::getenv("KIT_LAUNCHER");
        if (launcher && *launcher) {
            begin(name, {launcher, "-n", std::to_string(count), program});
        } else {
            for (int pe = 0; pe < count; ++pe) begin(name, {program});
        }
        for (int pe = 0; pe < count; ++pe)
            if (!come_in(pe, count)) return;
        complete_ = true;
    }
    ~Processes() {
        connected_.clear();  // processes that wait for words end
        for (const pid_t child : children_) {
            if (!done_) kill(child, SIGTERM);  // it may be waiting for a process that has ended
            waitpid(child, nullptr, 0);
        }
    }
    Processes(const Processes&) = delete;
    Processes& operator=(const Processes&) = delete;

    bool complete() const { return complete_; }  ///< returns whether all PEs have connected
    const Socket& operator[](std::size_t pe) const { return connected_[pe]; }

    /// All words have arrived, so the processes end by themselves. Without this call they are ended by a signal.
    void all_done() { done_ = true; }

  private:
    void begin(const std::string& name, std::vector<std::string> command) {
        std::vector<char*> arguments;
        for (std::string& word : command) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        const pid_t parent = getpid(), child = fork();
        if (child > 0) children_.push_back(child);
        if (child != 0) return;
        prctl(PR_SET_PDEATHSIG, SIGKILL);  // a waiting PE must not outlive its parent
        if (getppid() != parent) _exit(EXIT_FAILURE);
        setenv("KIT_PE", name.c_str(), 1);
        execvp(arguments[0], arguments.data());
        _exit(127);
    }

    /// Waits for the next PE to connect while all processes are alive.
    bool come_in(int pe, int count) {
        while (true) {
            pollfd waiting = {door_.handle(), POLLIN, 0};
            if (poll(&waiting, 1, 100) > 0) break;
            for (const pid_t child : children_) {
                siginfo_t ended = {};
                waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT);
                if (ended.si_pid != 0) return false;
            }
        }
        const int number[2] = {pe, count};
        connected_.emplace_back(accept4(door_.handle(), nullptr, nullptr, SOCK_CLOEXEC));
        return connected_.back().send(number, sizeof number);
    }

    Socket door_;
    std::vector<pid_t> children_;
    std::vector<Socket> connected_;
    bool complete_ = false, done_ = false;
};

}  // namespace pes
