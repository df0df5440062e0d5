// Starts programs, for the judge and for builds.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "judge.hpp"

extern char** environ;

namespace course {

Process start(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment,
              bool own_session) {
    std::vector<std::string> variables;
    for (char** variable = environ; *variable; ++variable) {
        const std::string text = *variable;
        if (!environment.count(text.substr(0, text.find('=')))) variables.push_back(text);
    }
    for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
    std::vector<char*> arguments, settings;
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    for (const std::string& variable : variables) settings.push_back(const_cast<char*>(variable.c_str()));
    arguments.push_back(nullptr);
    settings.push_back(nullptr);

    int pipe[2];
    if (pipe2(pipe, O_CLOEXEC) != 0) throw Error("no pipe can be made");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipe[1], 1);
    posix_spawn_file_actions_adddup2(&actions, pipe[1], 2);
    posix_spawnattr_t how;
    posix_spawnattr_init(&how);
    sigset_t none;  // unblocks signals that this program may have blocked
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setflags(
        &how, static_cast<short>(POSIX_SPAWN_SETSIGMASK | (own_session ? POSIX_SPAWN_SETSID : 0)));
    Process process;
    const int error =
        posix_spawnp(&process.id, arguments[0], &actions, &how, arguments.data(), settings.data());
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&actions);
    close(pipe[1]);
    process.output = pipe[0];
    if (error == 0) return process;
    close(pipe[0]);
    throw Error(command[0], ": cannot be started");
}

Run run(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment,
        const std::function<void(const std::string& output)>& heard) try {
    const auto begun = std::chrono::steady_clock::now();
    const Process process = start(command, environment);
    Run done;
    char bytes[1 << 14];
    for (ssize_t count; (count = read(process.output, bytes, sizeof bytes)) != 0;) {
        if (count > 0) done.output.append(bytes, static_cast<std::size_t>(count));
        if (count > 0 && heard) heard(done.output);
    }
    close(process.output);
    int status = 0;
    while (waitpid(process.id, &status, 0) < 0) {
    }
    done.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    done.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    return done;
} catch (const Error& error) {
    return {127, error.what() + std::string("\n"), 0};
}

}  // namespace course
