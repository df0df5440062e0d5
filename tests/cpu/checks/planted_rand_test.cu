// needs: curand
// Mistakes with cuRAND: states that nothing has set up, outputs that are too short or in the wrong memory, and work that nothing orders.
#include <curand.h>
#include <curand_kernel.h>

#include "checks.cuh"

__global__ void set_up(curandState* states) {
    if (threadIdx.x < 16) curand_init(1, threadIdx.x, 0, &states[threadIdx.x]);
}

__global__ void draw(curandState* states, float* out) {
    out[threadIdx.x] = curand_uniform(&states[threadIdx.x]);  // <-
}
PLANTED("half of the states were not set up", "uninitialised", "nothing has written it") {
    curandState* states = nullptr;
    cudaMalloc(&states, 32 * sizeof(curandState));
    Buffer<float> out(32);
    set_up<<<1, 32>>>(states);
    draw<<<1, 32>>>(states, out);
    out.read();
    cudaFree(states);
}

__global__ void share(curandState* state, float* out) {
    out[threadIdx.x] = curand_uniform(state);  // <-
}
PLANTED("all threads draw from one state", "race", "share") {
    curandState* states = nullptr;
    cudaMalloc(&states, 16 * sizeof(curandState));
    Buffer<float> out(32);
    set_up<<<1, 32>>>(states);
    share<<<1, 32>>>(states, out);
    out.read();
    cudaFree(states);
}

PLANTED("the generator fills more than was allocated", "address", "curandGenerateUniform") {
    Buffer<float> out(100);
    curandGenerator_t generator = nullptr;
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    curandGenerateUniform(generator, out, 101);  // <-
    cudaDeviceSynchronize();
    curandDestroyGenerator(generator);
}

PLANTED("a generator on the device fills a vector of the host", "host_pointer", "must be device memory") {
    std::vector<float> out(100);
    curandGenerator_t generator = nullptr;
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    curandGenerateUniform(generator, out.data(), 100);  // <-
    cudaDeviceSynchronize();
    curandDestroyGenerator(generator);
}

PLANTED("a generator on the host fills device memory", "host_access", "host code used device memory") {
    Buffer<float> out(100);
    curandGenerator_t generator = nullptr;
    curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    curandGenerateUniform(generator, out, 100);  // <-
    curandDestroyGenerator(generator);
}

__global__ void twice(float* values) {
    values[threadIdx.x] *= 2;  // <-
}
PLANTED("a kernel in another stream does not wait for the numbers", "race", "twice") {
    cudaStream_t first = nullptr, second = nullptr;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    Buffer<float> out(32);
    cudaDeviceSynchronize();
    curandGenerator_t generator = nullptr;
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    curandSetStream(generator, first);
    curandGenerateUniform(generator, out, 32);  // <-
    twice<<<1, 32, 0, second>>>(out);
    cudaDeviceSynchronize();
    curandDestroyGenerator(generator);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}

__global__ void draw_all(curandState* states, float* out) {
    __shared__ curandStatePhilox4_32_10_t philox;
    curandState own = states[threadIdx.x];
    if (threadIdx.x == 0) curand_init(1, 2, 3, &philox);
    __syncthreads();
    curandStatePhilox4_32_10_t copy = philox;
    skipahead(4ull * threadIdx.x, &copy);
    out[threadIdx.x] = curand_uniform(&own) + curand_uniform4(&copy).x;
    states[threadIdx.x] = own;
}
SILENT("each thread copies its state; threads copy a shared state and skip ahead") {
    curandState* states = nullptr;
    cudaMalloc(&states, 16 * sizeof(curandState));
    set_up<<<1, 32>>>(states);
    Buffer<float> out(17);
    draw_all<<<1, 16>>>(states, out);
    curandGenerator_t generator = nullptr;
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10);
    curandGenerateUniform(generator, out.data() + 16, 1);
    const std::vector<float> got = out.read();
    bool positive = true;
    for (const float value : got) positive &= value > 0;
    CHECK_EQUAL(positive, true);
    curandDestroyGenerator(generator);
    cudaFree(states);
}

CHECKS_MAIN("planted_rand")
