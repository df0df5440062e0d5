// Structs that device code passes to a function by value. The compiler copies such a struct into the argument
// without a load that the checks can see.
#include "checks.cuh"

struct Point {
    float x, y, z;
};
struct Six {
    float x[6];
    __device__ Six plus(Six other) const;
};

__device__ float length(Point p) {
    return sqrtf(p.x * p.x + p.y * p.y + p.z * p.z);
}
__device__ float sum(Six six, int from = 0) {
    return from < 6 ? six.x[from] + sum(six, from + 1) : 0.0f;
}
__device__ Six Six::plus(Six other) const {
    for (int k = 0; k < 6; ++k) other.x[k] += x[k];
    return other;
}
__device__ Six operator+(Six a, Six b) {
    for (int k = 0; k < 6; ++k) a.x[k] += b.x[k];
    return a;
}
template <class T>
__device__ float twice(T value) {
    return 2 * sum(value);
}

__global__ void shared_without_barrier(const Point* in, float* out) {
    __shared__ Point tile[64];
    tile[threadIdx.x] = in[threadIdx.x];                // <-
    out[threadIdx.x] = length(tile[63 - threadIdx.x]);  // <-
}
PLANTED("a struct in shared memory is an argument, without a barrier", "race", "no barrier between line") {
    Buffer<Point> in(64);
    Buffer<float> out(64);
    shared_without_barrier<<<1, 64>>>(in, out);
}

__global__ void never_written(float* out) {
    __shared__ Six six;
    if (out == nullptr) six.x[0] = 1;
    out[threadIdx.x] = sum(six);  // <-
}
PLANTED("a variable in shared memory that nobody wrote is an argument", "uninitialised", "") {
    Buffer<float> out(32);
    never_written<<<1, 32>>>(out);
}

__global__ void past_the_end(const Six* in, float* out) {
    out[threadIdx.x] = sum(in[threadIdx.x + 1], 2);  // <-
}
PLANTED("the struct behind the end is an argument", "address", "out of bounds") {
    Buffer<Six> in(32);
    Buffer<float> out(32);
    past_the_end<<<1, 32>>>(in, out);
}

__global__ void of_an_operator(Six* data, Six* out) {
    data[threadIdx.x].x[1] = 1.0f;                        // <-
    out[threadIdx.x] = data[0] + data[threadIdx.x ^ 32];  // <-
}
PLANTED("an operand of an operator that takes a struct by value", "race", "no barrier between line") {
    Buffer<Six> data(64), out(64);
    of_an_operator<<<1, 64>>>(data, out);
}

__global__ void of_a_method(Six* data, float* out) {
    data[threadIdx.x].x[1] = 1.0f;                                                     // <-
    out[threadIdx.x] = Six{{1, 2, 3, 4, 5, 6}}.plus(*(data + 63 - threadIdx.x)).x[0];  // <-
}
PLANTED("an argument of a method", "race", "no barrier between line") {
    Buffer<Six> data(64);
    Buffer<float> out(64);
    of_a_method<<<1, 64>>>(data, out);
}

__global__ void of_a_template(Six* data, float* out) {
    data[threadIdx.x].x[1] = 1.0f;                     // <-
    out[threadIdx.x] = twice(data[63 - threadIdx.x]);  // <-
}
PLANTED("an argument of a template", "race", "no barrier between line") {
    Buffer<Six> data(64);
    Buffer<float> out(64);
    of_a_template<<<1, 64>>>(data, out);
}

__global__ void through_a_pointer(Point* data, float* out) {
    float (*function)(Point) = length;
    data[threadIdx.x].y = 1.0f;                           // <-
    out[threadIdx.x] = function(data[63 - threadIdx.x]);  // <-
}
PLANTED("an argument of a function behind a pointer", "race", "no barrier between line") {
    Buffer<Point> data(64);
    Buffer<float> out(64);
    through_a_pointer<<<1, 64>>>(data, out);
}

__device__ Six table[4];
__global__ void variable(float* out) {
    if (threadIdx.x == 0) table[3].x[2] = 1.0f;   // <-
    if (threadIdx.x == 40) *out = sum(table[3]);  // <-
}
PLANTED("a variable of the device is an argument", "race", "no barrier between line") {
    Buffer<float> out(1);
    variable<<<1, 64>>>(out);
}

using Function = float (*)(Point);
__global__ void through_a_named_type(Point* data, float* out) {
    Function function = length;
    data[threadIdx.x].y = 1.0f;                           // <-
    out[threadIdx.x] = function(data[63 - threadIdx.x]);  // <-
}
PLANTED("an argument of a function behind a pointer whose type has a name", "race",
        "no barrier between line") {
    Buffer<Point> data(64);
    Buffer<float> out(64);
    through_a_named_type<<<1, 64>>>(data, out);
}

__device__ Function functions[] = {length, length};
__global__ void out_of_a_table(Point* data, float* out) {
    data[threadIdx.x].y = 1.0f;
    out[threadIdx.x] = functions[threadIdx.x % 2](data[63 - threadIdx.x]);
}
KNOWN_GAP("the same, and only the running program knows which function it is",
          "the translator does not know what a name of a type stands for") {
    Buffer<Point> data(64);
    Buffer<float> out(64);
    out_of_a_table<<<1, 64>>>(data, out);
}

CHECKS_MAIN("planted_arguments")
