// The harness of the conformance suite: small CUDA programs that must pass both on a GPU and on the CPU
// executor.
//
//   #include "conformance.cuh"
//   CASE("a thread knows its index") {
//       ...
//       CHECK_EQUAL(out.read(), std::vector<int>{0, 1, 2});
//   }
//   CONFORMANCE_MAIN("launch")
//
//   CASE         a correct program; the grader runs it several times, on the CPU with several schedules
//   CASE_MISUSE  also calls CUDA incorrectly and checks the error code; reports of the executor about that are ignored
//   CASE_FATAL   makes the device unusable (a sticky error), so it runs once, and the next case runs in a new process
//
// A failed check is recorded, and the case continues. REQUIRE_CUDA ends the case. SKIP ends the case with the
// reason why it cannot run here. The part that all programs have in common is compiled once, in
// conformance.cu.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <string>
#include <vector>

#include "grader/text.hpp"

namespace conformance {

enum class Kind { ordinary, misuse, fatal };

struct Registration {
    Registration(const char* file, const char* name, Kind kind, void (*body)());
};

/// Thrown by REQUIRE_CUDA, which has recorded the failure.
struct Abandoned {};

/// Thrown by SKIP, because the case cannot run on this device.
struct Skipped {
    std::string why;
};

// Checks. A case without a check proves nothing, so the grader fails it.

/// Records that the case has failed.
void fail(const char* file, int line, const std::string& sentence);

/// Returns the messages of the running case's failed checks.
std::vector<std::string>& failures();

/// Counts a check that the caller performs.
void count_check();

/// Records that the expression `text` had an unexpected value.
void fail_equal(const char* file, int line, const char* text, const std::string& got,
                const std::string& want);

/// Records how many elements differ, with the values of the first few.
struct Difference {
    std::size_t i;
    std::string got, want;
};
void fail_elements(const char* file, int line, const char* text, std::size_t wrong, std::size_t of,
                   const std::vector<Difference>& first);

void check(const char* file, int line, const char* text, bool holds);

/// Returns a value as text, in the grader's format. Strings are in quotes.
template <class T>
std::string show(const T& value) {
    return kit::detail::to_text<T>(value);
}
inline std::string show(const std::string& value) {
    return '"' + value + '"';
}
inline std::string show(const char* value) {
    return show(std::string(value));
}

template <class Got, class Want>
bool equal(const char* file, int line, const char* text, const Got& got, const Want& want) {
    count_check();
    if (got == want) return true;
    fail_equal(file, line, text, show(got), show(want));
    return false;
}

template <class T>
bool equal(const char* file, int line, const char* text, const std::vector<T>& got,
           const std::vector<T>& want) {
    if (!equal(file, line, text, got.size(), want.size())) return false;
    constexpr std::size_t most_shown = 3;
    std::size_t wrong = 0;
    std::vector<Difference> first;
    for (std::size_t i = 0; i < got.size(); ++i)
        if (!(got[i] == want[i]) && ++wrong <= most_shown) first.push_back({i, show(got[i]), show(want[i])});
    if (wrong) fail_elements(file, line, text, wrong, got.size(), first);
    return wrong == 0;
}

inline bool equal(const char* file, int line, const char* text, const char* got, const char* want) {
    return equal(file, line, text, std::string(got), std::string(want));
}

// Device
// memory.

/// Device memory with given contents. read() waits for the device and returns the current contents.
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
        if (error != cudaSuccess) fail_equal(__FILE__, __LINE__, what, show(error), show(cudaSuccess));
    }

    T* data_ = nullptr;
    std::size_t size_;
};

/// Captures the output of the process to a descriptor (1: standard output, 2: standard error) during the
/// lifetime of the object.
class Capture {
  public:
    explicit Capture(int descriptor);
    ~Capture();
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    std::string text();

  private:
    void restore();

    int descriptor_;
    int saved_ = -1;
    std::FILE* file_;
};

/// The cases of one file, as a test. `run` runs the cases for which is_chosen() is true. A program contains
/// the tests of several files. For each test, there is a link to the program, and the name with which the
/// program is started selects the test. A program with one test always runs that test.
struct Test {
    const char* name;
    const char* file;
    int (*run)(const Test& test, int argc, char** argv);
};

struct TestRegistration {
    explicit TestRegistration(const Test& test);
};

/// Returns whether the running test is the one in this file.
bool is_chosen(const char* file);

/// Removes from the text the namespace that contains the file of the test and has its name
/// (kit_add_joined_executable).
std::string without_namespace(std::string text);

/// Makes the report end with the command that runs this test again in the preset `proof`, even if ctest has
/// not started the program.
void run_as_ctest_does();

/// Runs the cases of the test's file as cpu.NAME.
int run_all(const Test& test, int argc, char** argv);

// The functions for the types that most checks compare are compiled only in conformance.cu.
#define CONFORMANCE_FOR(storage, T)                                                       \
    storage template bool equal<T, T>(const char*, int, const char*, const T&, const T&); \
    storage template bool equal<T>(const char*, int, const char*, const std::vector<T>&,  \
                                   const std::vector<T>&);                                \
    storage template class Buffer<T>;
CONFORMANCE_FOR(extern, int)
CONFORMANCE_FOR(extern, unsigned)
CONFORMANCE_FOR(extern, float)
extern template bool equal<cudaError_t, cudaError_t>(const char*, int, const char*, const cudaError_t&,
                                                     const cudaError_t&);

}  // namespace conformance

#define CONFORMANCE_JOIN2(a, b) a##b
#define CONFORMANCE_JOIN(a, b) CONFORMANCE_JOIN2(a, b)
#define CONFORMANCE_CASE(name, kind)                                                          \
    static void CONFORMANCE_JOIN(case_at_line_, __LINE__)();                                  \
    static const conformance::Registration CONFORMANCE_JOIN(registration_at_line_, __LINE__)( \
        __FILE__, name, conformance::Kind::kind, CONFORMANCE_JOIN(case_at_line_, __LINE__));  \
    static void CONFORMANCE_JOIN(case_at_line_, __LINE__)()
#define CASE(name) CONFORMANCE_CASE(name, ordinary)
#define CASE_MISUSE(name) CONFORMANCE_CASE(name, misuse)
#define CASE_FATAL(name) CONFORMANCE_CASE(name, fatal)
#define CONFORMANCE_MAIN(name) CONFORMANCE_TEST(name, conformance::run_all)
#define CONFORMANCE_TEST(name, run) \
    static const conformance::TestRegistration conformance_test({name, __FILE__, run});

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
