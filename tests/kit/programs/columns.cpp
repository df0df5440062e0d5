// Runs a program and fails if a line of its output is wider than the screen: columns WIDTH pipe|terminal
// PROGRAM ARGUMENT...
// pipe: the output is a pipe, and COLUMNS is the width. terminal: the terminal has this width, and COLUMNS
// has a different value.
// The exit status is 0 if the program succeeded and printed at least five lines, all of which fit.
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

[[noreturn]] void become(char** command, const std::string& columns) {
    setenv("COLUMNS", columns.c_str(), 1);
    execv(command[0], command);
    std::perror(command[0]);
    std::_Exit(127);
}

/// Starts the program, and returns the descriptor from which its output can be read.
int start(char** command, int width, bool terminal, pid_t& child) {
    if (terminal) {
        winsize size = {};
        size.ws_row = 24, size.ws_col = static_cast<unsigned short>(width);
        int screen = -1;
        child = forkpty(&screen, nullptr, nullptr, &size);
        if (child == 0) become(command, "300");
        return screen;
    }
    int ends[2];
    if (pipe(ends) != 0) return -1;
    child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        become(command, std::to_string(width));
    }
    close(ends[1]);
    return ends[0];
}

std::vector<std::string> split(const std::string& text, const std::string& end) {
    std::vector<std::string> parts;
    std::size_t from = 0;
    for (std::size_t at; (at = text.find(end, from)) != std::string::npos; from = at + end.size())
        parts.push_back(text.substr(from, at - from));
    parts.push_back(text.substr(from));
    return parts;
}

/// Returns the number of characters, each of which has one column. Bytes that start with the bits 10 continue
/// a character.
int columns_of(const std::string& line) {
    return static_cast<int>(
        std::count_if(line.begin(), line.end(), [](unsigned char c) { return c >> 6 != 2 && c != '\r'; }));
}

}  // namespace

int main(int argc, char** argv) {
    const std::string where = argc > 3 ? argv[2] : "";
    const int width = argc > 3 ? std::atoi(argv[1]) : 0;
    if (width <= 0 || (where != "pipe" && where != "terminal")) {
        std::fprintf(stderr, "columns WIDTH pipe|terminal PROGRAM ARGUMENT...\n");
        return 2;
    }
    pid_t child = -1;
    const int from = start(argv + 3, width, where == "terminal", child);
    if (from < 0 || child < 0) return std::perror("columns"), 2;
    std::string text;
    char buffer[4096];
    for (ssize_t size; (size = read(from, buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(size));  // at the end, a terminal gives the error EIO
    int status = 0;
    waitpid(child, &status, 0);

    int mistakes = 0, widest = 0;
    const std::vector<std::string> lines = split(text, "\n");
    for (const std::string& line : lines) {
        // A line of progress is deleted before the next one is printed in its place.
        for (const std::string& shown : split(line, "\r\033[K")) {
            widest = std::max(widest, columns_of(shown));
            if (columns_of(shown) > width && ++mistakes)
                std::printf("%d columns: %s\n", columns_of(shown), shown.c_str());
            if (shown.find('\033') != std::string::npos && ++mistakes)
                std::printf("a control character: %s\n", shown.c_str());
        }
        if (where == "pipe" && line.find_first_of("\033\r") != std::string::npos && ++mistakes)
            std::printf("not plain: %s\n", line.c_str());
    }
    if (lines.size() < 6 && ++mistakes) std::printf("only %zu lines: %s\n", lines.size(), text.c_str());
    if (status != 0 && ++mistakes) std::printf("the program has failed:\n%s\n", text.c_str());
    std::printf("%zu lines, the widest of %d columns of %d: %s\n", lines.size(), widest, width,
                mistakes == 0 ? "fits" : "does not fit");
    return mistakes == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
