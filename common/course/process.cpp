// Starting programs: what judge and builder share.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "judge.hpp"

extern char** environ;

namespace course {

Run run(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment) {
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
    const auto begun = std::chrono::steady_clock::now();
    pid_t process = -1;
    const int error =
        posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), settings.data());
    posix_spawn_file_actions_destroy(&actions);
    close(pipe[1]);
    Run done;
    if (error != 0) {
        close(pipe[0]);
        return {127, command[0] + ": cannot be started\n", 0};
    }
    char bytes[1 << 14];
    for (ssize_t count; (count = read(pipe[0], bytes, sizeof bytes)) != 0;) {
        if (count > 0) done.output.append(bytes, static_cast<std::size_t>(count));
    }
    close(pipe[0]);
    int status = 0;
    while (waitpid(process, &status, 0) < 0) {
    }
    done.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    done.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    return done;
}

}  // namespace course
