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
// CASE_FATAL   leaves the device unusable (a sticky error): it runs once, and the next case in a new process
//
// A failed check is noted and the case goes on; REQUIRE_CUDA ends it, SKIP says why it cannot run here.
#pragma once

#include <cuda_runtime.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "grader.cuh"

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

/// How many checks the case has made; a case without any proves nothing, and the grader fails it.
inline int& checks() {
    static int count = 0;
    return count;
}

/// Thrown by REQUIRE_CUDA: the failure is noted already.
struct Abandoned {};

/// Thrown by SKIP: the case cannot run on this device.
struct Skipped {
    std::string why;
};
inline std::string& skip_reason() {
    static std::string why;
    return why;
}

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

inline void check(const char* file, int line, const char* text, bool holds) {
    ++checks();
    if (!holds) fail(file, line, std::string("not true: ") + text);
}

template <class Got, class Want>
bool equal(const char* file, int line, const char* text, const Got& got, const Want& want) {
    ++checks();
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

// ---- running ----------------------------------------------------------------------------------------------

inline void run_body(const Entry& entry) {
    failures().clear();
    checks() = 0;
    skip_reason().clear();
    try {
        entry.body();
    } catch (const Abandoned&) {
    } catch (const Skipped& skipped) {
        skip_reason() = skipped.why;
    }
#ifdef KIT_CPU
    if (entry.kind == Kind::ordinary)
        for (const kit::cpu::Finding& finding : kit::cpu::take_findings())
            failures().push_back("the executor objects: " + finding.message);
#endif
}

/// Also without ctest the report ends with the command that runs this test: it is in the preset solutions.
inline void run_as_ctest_does() {
    setenv("KIT_EXERCISE_STAGE", "cpu", 0);
}

inline int run_all(const char* topic, int argc, char** argv) {
    run_as_ctest_does();
    kit::Grader grader("cpu", topic, argc, argv);
    for (const Entry& entry : entries()) {
        kit::CaseOptions options;
        options.seconds = 60;
        options.once = entry.kind == Kind::fatal;  // the grader then goes on in a new process
        grader.add(
            entry.name,
            [entry](kit::Case& test) {
                test.call_unchecked([&] { run_body(entry); });
                if (!skip_reason().empty()) test.skip(skip_reason());
                for (const std::string& sentence : failures()) test.check(false, sentence);
                if (failures().empty() && checks() > 0) test.check(true, "");
            },
            options);
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

#define CHECK(...) conformance::check(__FILE__, __LINE__, #__VA_ARGS__, static_cast<bool>(__VA_ARGS__))
#define CHECK_EQUAL(got, ...) conformance::equal(__FILE__, __LINE__, #got, got, __VA_ARGS__)
#define CHECK_CUDA(call, want) \
    conformance::equal(__FILE__, __LINE__, #call, static_cast<cudaError_t>(call), want)
#define REQUIRE_CUDA(call)                                             \
    if (!CHECK_CUDA(call, cudaSuccess)) throw conformance::Abandoned { \
        }

#define SKIP(why)                \
    throw conformance::Skipped { \
        why                      \
    }

using conformance::Buffer;
using conformance::Capture;
