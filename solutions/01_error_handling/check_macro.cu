// 01_error_handling/check_macro: the macro that checks every call of the runtime.
//
// Build: nvcc -std=c++17 -I../../common -I../../tests check_macro.cu
//        ../../tests/01_error_handling/check_macro_test.cu -o check_macro
// Run:   ./check_macro
//
//   v1  MY_CHECK: evaluates its argument once, is one statement, leaves the work to a function

#include <cstdio>
#include <cstdlib>

#include "01_error_handling/01_error_handling.hpp"
#include "kit.cuh"

namespace {

// v1: the macro is an expression; a function does the work.
// [macro]
// TODO(1): Do nothing for cudaSuccess. Otherwise print a message to stderr that contains
//     FILE:LINE, the expression, the name of the error (cudaGetErrorName), its text (cudaGetErrorString)
// and end the program with a status other than 0. About 6 lines.
void check(cudaError_t error, const char* expression, const char* file, int line) {
    // BEGIN SOLUTION 1
    if (error == cudaSuccess) {
        return;
    }
    std::fprintf(stderr, "%s:%d: %s failed: %s (%s)\n", file, line, expression, cudaGetErrorName(error),
                 cudaGetErrorString(error));
    std::exit(EXIT_FAILURE);
    // STARTER KIT_TODO(1, error, expression, file, line);
    // END SOLUTION 1
}

// TODO(2): Write the macro. It evaluates `call` exactly once, passes its text, file and line to check(), and is
// a single statement, so that `if (x) MY_CHECK(y); else z();` means what it says. 1 line.
// BEGIN SOLUTION 2
#define MY_CHECK(call) check((call), #call, __FILE__, __LINE__)
// STARTER #define MY_CHECK(call) (KIT_TODO(2, (call)), check(cudaSuccess, "?", "?", 0))
// END SOLUTION 2
// [/macro]

}  // namespace

// The rest of the file is complete: three functions that use the macro.

void error_handling::check_call(Call call, Place* place) {
    *place = {__FILE__, __LINE__ + 1};
    MY_CHECK(call());
}

void error_handling::check_branch(bool wanted, Call call, bool* otherwise) {
    if (wanted)
        MY_CHECK(call());
    else
        *otherwise = true;
}

void error_handling::check_names(cudaError_t error, cudaError_t err, cudaError_t status, cudaError_t result) {
    MY_CHECK(error);
    MY_CHECK(err);
    MY_CHECK(status);
    MY_CHECK(result);
}
