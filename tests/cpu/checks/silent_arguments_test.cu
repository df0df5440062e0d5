// Near misses of planted_arguments_test.cu: passing an argument by reference does not read it, and arguments
// keep their order.
#include "checks.cuh"

struct Body {
    float position, speed;
    int tag;
    __device__ Body with(int t) const;
};
__device__ Body Body::with(int t) const {
    Body body = *this;
    body.tag = t;
    return body;
}
__device__ float position_of(const Body& body) {
    return body.position;
}
__device__ void place(Body& body, float where) {
    body.position = where;
    body.speed = 0;
}
__device__ void count(Body* body) {
    body->tag += 1;
}
__device__ float energy(Body body) {
    return body.speed * body.speed + body.position;
}
__device__ float energy(Body* body) {
    return 2 * energy(*body);
}
__device__ Body operator+(const Body& a, const Body& b) {
    return {a.position + b.position, a.speed, 0};
}
__device__ Body operator-(Body a, Body b) {
    return {a.position - b.position, a.speed - b.speed, a.tag};
}
__device__ Body operator-(Body a) {
    return {-a.position, -a.speed, a.tag};
}
__device__ Body& operator+=(Body& a, Body b) {
    a.position += b.position;
    return a;
}
template <class T>
__device__ T least(T a, T b) {
    return b < a ? b : a;
}
template <class F, class T>
__device__ T apply(F function, T value) {
    return function(value);
}
struct Pair {
    Body first, second;
    __device__ Pair(Body a, Body b) : first(a), second(b) {}
};
using Index = int;
__device__ int next(Index index) {
    return index + 1;
}

__global__ void by_reference(float* out) {
    __shared__ Body bodies[64];
    Body& mine = bodies[threadIdx.x];
    place(bodies[threadIdx.x], 3.0f);  // the tag is never written, and need not be
    out[threadIdx.x] = position_of(bodies[threadIdx.x]) + (mine + bodies[threadIdx.x]).position;
}
SILENT("references to structs that are written in part") {
    Buffer<float> out(64);
    by_reference<<<1, 64>>>(out);
    CHECK_EQUAL(out.read()[3], 9.0f);
}

__global__ void other_members(Body* bodies, float* out) {
    Body& body = bodies[0];
    if (threadIdx.x == 0) place(body, 1.0f);
    if (threadIdx.x == 40) body.tag = 3;
    if (threadIdx.x == 0) out[0] = position_of(bodies[0]);
}
SILENT("a reference to a struct of which another thread writes another member") {
    Buffer<Body> bodies(1);
    Buffer<float> out(1);
    other_members<<<1, 64>>>(bodies, out);
    CHECK_EQUAL(out.read()[0], 1.0f);
}

__global__ void forms(Body* bodies, float* out) {
    const int i = static_cast<int>(threadIdx.x), j = 31 - i;
    Body* const p = bodies + i;
    p->tag = next(i);
    place(p[0], 1.0f);
    bodies[i].speed = 2.0f;
    count(&bodies[i]);
    __syncthreads();
    float sum = energy(bodies[j]) + energy(&bodies[j]) + energy(*(bodies + j)) + energy(p->with(3));
    Body difference = bodies[i] - bodies[j];
    difference += bodies[i];
    difference = -bodies[j] - -difference;
    Pair pair(bodies[i], bodies[j]);
    const Body* const end = &bodies[i] - 1 + 1;
    sum += least(pair.first.position, out[i]) + least<float>(1, 2) +
           apply([](float x) { return x + 1; }, out[i]);
    float (*function)(Body) = energy;
    sum += function(bodies[j]) + (end == p) + static_cast<float>(next(0)) + apply(sqrtf, 4.0f);
    __syncthreads();
    out[i] = sum + difference.position + static_cast<float>(bodies[i].tag - i);
}
SILENT("arguments of many forms") {
    Buffer<Body> bodies(32);
    Buffer<float> out(32, 5);
    forms<<<1, 32>>>(bodies, out);
    // The terms are 5 + 10 + 5 + 5; at least 1 + 1, 6; 5 + 1 + 1 + 2; -1 + 1; 2.
    CHECK_EQUAL(out.read()[7], 44.0f);
}

CHECKS_MAIN("silent_arguments")
