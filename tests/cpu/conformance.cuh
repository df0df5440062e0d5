// The harness of the conformance suite: small CUDA programs that a GPU and the CPU executor must both pass.
//
//   #include "conformance.cuh"
//   CASE("a thread knows its index") {
//       ...
//       CHECK_EQUAL(out.read(), std::vector<int>{0, 1, 2});
//   }
//   CONFORMANCE_MAIN("launch")
//
// CASE         a correct program; the grader runs it several times, on the CPU under several schedules
// CASE_MISUSE  also calls CUDA wrongly and checks the error code; what the executor says about it is dropped
// CASE_FATAL   makes the device unusable (a sticky error): the body runs in a process of its own
//
// A failed check is noted and the case goes on; REQUIRE_CUDA ends it.
#pragma once

#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "grader.cuh"
#ifdef KIT_CPU
#include <kit_cpu/executor.hpp>
#endif

namespace conformance {

enum class Kind { ordinary, misuse, fatal };

struct Entry {
    std::string name;
    Kind kind;
    void (*body)();
};

inline std::vector<Entry>& entries() {
    static std::vector<Entry> all;
    return all;
}

/// Sentences of the failed checks of the case that runs now.
inline std::vector<std::string>& failures() {
    static std::vector<std::string> all;
    return all;
}

struct Registration {
    Registration(const char* name, Kind kind, void (*body)()) { entries().push_back({name, kind, body}); }
};

/// Thrown by REQUIRE_CUDA: the failure is noted already.
struct Abandoned {};

// ---- how values look in a report
// -----------------------------------------------------------------------------

inline std::string show(cudaError_t error) {
    return cudaGetErrorName(error);
}

template <class T>
std::string show(const T& value) {
    std::ostringstream text;
    text.precision(17);
    if constexpr (std::is_enum_v<T>)
        text << static_cast<long long>(value);
    else if constexpr (sizeof(T) == 1)
        text << static_cast<int>(value);
    else
        text << value;
    return text.str();
}

inline std::string show(const std::string& value) {
    return '"' + value + '"';
}
inline std::string show(const char* value) {
    return show(std::string(value));
}

inline void fail(const char* file, int line, const std::string& sentence) {
    const char* slash = std::strrchr(file, '/');
    failures().push_back(std::string(slash ? slash + 1 : file) + ":" + std::to_string(line) + ": " +
                         sentence);
}

template <class Got, class Want>
bool equal(const char* file, int line, const char* text, const Got& got, const Want& want) {
    if (got == want) return true;
    fail(file, line, std::string(text) + ": got " + show(got) + ", expected " + show(want));
    return false;
}

template <class T>
bool equal(const char* file, int line, const char* text, const std::vector<T>& got,
           const std::vector<T>& want) {
    if (!equal(file, line, text, got.size(), want.size())) return false;
    std::size_t wrong = 0;
    std::string first;
    for (std::size_t i = 0; i < got.size(); ++i)
        if (!(got[i] == want[i]) && ++wrong <= 3)
            first += " [" + std::to_string(i) + "] got " + show(got[i]) + ", expected " + show(want[i]) + ";";
    if (wrong)
        fail(file, line,
             std::string(text) + ": " + std::to_string(wrong) + " of " + std::to_string(got.size()) +
                 " differ:" + first);
    return wrong == 0;
}

inline bool equal(const char* file, int line, const char* text, const char* got, const char* want) {
    return equal(file, line, text, std::string(got), std::string(want));
}

// ---- device memory
// -------------------------------------------------------------------------------------------

/// Device memory with known contents; read() waits for the device and copies it back.
template <class T>
class Buffer {
  public:
    explicit Buffer(std::size_t n, T value = T{}) : Buffer(std::vector<T>(n, value)) {}
    explicit Buffer(const std::vector<T>& values) : size_(values.size()) {
        note(cudaMalloc(&data_, size_ * sizeof(T)), "cudaMalloc");
        note(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    ~Buffer() { cudaFree(data_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    T* data() const { return data_; }
    operator T*() const { return data_; }

    std::vector<T> read() const {
        std::vector<T> values(size_);
        note(cudaGetLastError(), "the launch");
        note(cudaDeviceSynchronize(), "the kernel");
        note(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
        return values;
    }

  private:
    static void note(cudaError_t error, const char* what) {
        if (error != cudaSuccess) fail(__FILE__, __LINE__, std::string(what) + ": " + show(error));
    }

    T* data_ = nullptr;
    std::size_t size_;
};

/// What the process prints on a descriptor (1: standard output, 2: standard error) while this lives.
class Capture {
  public:
    explicit Capture(int descriptor) : descriptor_(descriptor), file_(std::tmpfile()) {
        std::fflush(nullptr);
        saved_ = dup(descriptor);
        dup2(fileno(file_), descriptor);
    }
    ~Capture() {
        restore();
        std::fclose(file_);
    }
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    std::string text() {
        restore();
        std::string all;
        std::rewind(file_);
        for (int c; (c = std::fgetc(file_)) != EOF;) all += static_cast<char>(c);
        return all;
    }

  private:
    void restore() {
        if (saved_ < 0) return;
        std::fflush(nullptr);
        dup2(saved_, descriptor_);
        close(saved_);
        saved_ = -1;
    }

    int descriptor_;
    int saved_ = -1;
    std::FILE* file_;
};

// ---- running
// -------------------------------------------------------------------------------------------------

inline void run_body(const Entry& entry) {
    failures().clear();
    try {
        entry.body();
    } catch (const Abandoned&) {
    }
    if (entry.kind == Kind::ordinary) return;
    cudaGetLastError();
#ifdef KIT_CPU
    kit::cpu::take_findings();
#endif
}

/// The second life of this program, started by run_in_own_process: one case, its failures on standard output.
inline int run_one(const std::string& name) {
    for (const Entry& entry : entries()) {
        if (entry.name != name) continue;
#ifdef KIT_CPU
        kit::cpu::collect_findings(true);
#endif
        run_body(entry);
        for (const std::string& sentence : failures()) std::printf("%s\n", sentence.c_str());
        std::printf("conformance: ran\n");
        std::fflush(nullptr);
        _exit(0);
    }
    return 2;
}

/// A device in an error state stays so until its process ends; this gives the case a process that may end.
inline std::vector<std::string> run_in_own_process(const std::string& name) {
    static int run = 0;
    const char* schedules[] = {"forward", "reverse", "random:1"};
    const std::string schedule = schedules[run++ % 3];
    int ends[2];
    if (pipe(ends) != 0) return {"pipe() failed"};
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        close(ends[0]);
        close(ends[1]);
        setenv("KIT_SCHEDULE", schedule.c_str(), 1);
        execl("/proc/self/exe", "conformance", "--run-one", name.c_str(), static_cast<char*>(nullptr));
        _exit(127);
    }
    close(ends[1]);
    std::string text;
    char piece[4096];
    for (ssize_t n; (n = read(ends[0], piece, sizeof piece)) > 0;)
        text.append(piece, static_cast<std::size_t>(n));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    std::vector<std::string> lines;
    std::istringstream stream(text);
    bool ran = false;
    for (std::string line; std::getline(stream, line);) {
        if (line == "conformance: ran")
            ran = true;
        else
            lines.push_back(line);
    }
    if (!ran) lines.push_back("the process of this case ended early, with status " + std::to_string(status));
    return lines;
}

inline int run_all(const char* topic, int argc, char** argv) {
    if (argc == 3 && std::string(argv[1]) == "--run-one") return run_one(argv[2]);
    kit::Grader grader("cpu", topic, argc, argv);
    for (const Entry& entry : entries()) {
        grader.add(entry.name, [entry](kit::Case& test) {
            if (entry.kind == Kind::fatal)
                failures() = run_in_own_process(entry.name);
            else
                run_body(entry);
            for (const std::string& sentence : failures()) test.check(false, sentence);
        });
    }
    return grader.run();
}

}  // namespace conformance

#define CONFORMANCE_JOIN2(a, b) a##b
#define CONFORMANCE_JOIN(a, b) CONFORMANCE_JOIN2(a, b)
#define CONFORMANCE_CASE(name, kind)                                                          \
    static void CONFORMANCE_JOIN(case_at_line_, __LINE__)();                                  \
    static const conformance::Registration CONFORMANCE_JOIN(registration_at_line_, __LINE__)( \
        name, conformance::Kind::kind, CONFORMANCE_JOIN(case_at_line_, __LINE__));            \
    static void CONFORMANCE_JOIN(case_at_line_, __LINE__)()
#define CASE(name) CONFORMANCE_CASE(name, ordinary)
#define CASE_MISUSE(name) CONFORMANCE_CASE(name, misuse)
#define CASE_FATAL(name) CONFORMANCE_CASE(name, fatal)
#define CONFORMANCE_MAIN(topic)                         \
    int main(int argc, char** argv) {                   \
        return conformance::run_all(topic, argc, argv); \
    }

#define CHECK(...)                                                                            \
    do {                                                                                      \
        if (!(__VA_ARGS__)) conformance::fail(__FILE__, __LINE__, "not true: " #__VA_ARGS__); \
    } while (false)
#define CHECK_EQUAL(got, ...) conformance::equal(__FILE__, __LINE__, #got, got, __VA_ARGS__)
#define CHECK_CUDA(call, want) \
    conformance::equal(__FILE__, __LINE__, #call, static_cast<cudaError_t>(call), want)
#define REQUIRE_CUDA(call)                                             \
    if (!CHECK_CUDA(call, cudaSuccess)) throw conformance::Abandoned { \
        }

using conformance::Buffer;
using conformance::Capture;
