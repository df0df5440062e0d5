// CUDA code in headers: kernels, templates whose arguments are deduced by a launch, launches, shared
// variables, macros.
// alone: the translator names shared variables at file scope from the global scope
#include "conformance.cuh"
#include "language_headers.cuh"

CASE("a kernel with shared variables in a header") {
    Buffer<int> out(4);
    in_header<<<1, 4>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{6, 5, 4, 3});
}

CASE("a kernel template of a header: deduced, with a default argument, launched here and in the header") {
    Buffer<float> real(1);
    template_in_header<<<1, 1>>>(real.data());
    CHECK_EQUAL(real.read()[0], 10.0f);
    Buffer<int> out(1);
    template_in_header<<<1, 1>>>(out.data(), 2);
    CHECK_EQUAL(out.read()[0], 3);
    launch_from_header(out);
    CHECK_EQUAL(out.read()[0], 21);
}

__global__ void uses_header(int* out) {
    of_header[threadIdx.x] = 2;
    __syncthreads();
    out[threadIdx.x] = of_header[3 - threadIdx.x];
}

CASE("a macro of a header launches, and a shared variable of a header") {
    Buffer<int> out(4);
    LAUNCH(uses_header, out.data());
    CHECK_EQUAL(out.read(), std::vector<int>(4, 2));
}

CASE("a header keeps its name and its lines, and knows that it is compiled as CUDA") {
    CHECK_EQUAL(line_in_header(), 18);
    const std::string file = file_of_header();
    CHECK_EQUAL(file.substr(file.size() - 19), std::string("language/nested.cuh"));
    CHECK(compiled_as_cuda);
}

CONFORMANCE_MAIN("language_headers")
