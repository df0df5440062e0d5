// needs: curand
// cuRAND: generators in kernels, and generators that fill arrays on the device and the host. Expected values come from NVIDIA's library, version
// 13.0 (2026-11-27), whose host generators and header need no GPU.
#include <curand.h>
#include <curand_kernel.h>

#include <cmath>

#include "conformance.cuh"

#define CHECK_RAND(call, status) CHECK_EQUAL(static_cast<int>(call), static_cast<int>(status))

namespace {

/// Returns whether the values differ at most in their last bits.
bool near(const std::vector<double>& got, const std::vector<double>& want) {
    for (std::size_t i = 0; i < want.size(); ++i)
        if (!(std::fabs(got[i] - want[i]) < 2e-5)) return false;
    return got.size() == want.size();
}

struct Generator {
    Generator(curandRngType_t type, bool on_host) {
        if (on_host)
            curandCreateGeneratorHost(&generator, type);
        else
            curandCreateGenerator(&generator, type);
    }
    ~Generator() { curandDestroyGenerator(generator); }
    Generator(const Generator&) = delete;
    Generator& operator=(const Generator&) = delete;
    operator curandGenerator_t() const { return generator; }
    curandGenerator_t generator = nullptr;
};

}  // namespace

// ---- in kernels ----

template <class State>
__global__ void draw(unsigned* bits, double* numbers) {
    State state;
    curand_init(0x123456789abcdefull, 77, 1000003, &state);
    for (int i = 0; i < 3; ++i) bits[i] = curand(&state);
    skipahead(10ull, &state);
    bits[3] = curand(&state);
    skipahead_sequence(3ull, &state);
    bits[4] = curand(&state);
    curand_init(1234, 0, 0, &state);
    for (int i = 0; i < 2; ++i) numbers[i] = curand_uniform(&state);
    numbers[2] = curand_uniform_double(&state);
    for (int i = 3; i < 5; ++i) numbers[i] = curand_normal(&state);
    for (int i = 5; i < 7; ++i) numbers[i] = curand_normal_double(&state);
    numbers[7] = curand_log_normal(&state, 1.0f, 0.5f);
}

template <class State>
void check_state(const std::vector<unsigned>& bits, const std::vector<double>& numbers) {
    Buffer<unsigned> device_bits(5);
    Buffer<double> device_numbers(8);
    draw<State><<<1, 1>>>(device_bits, device_numbers);
    CHECK_EQUAL(device_bits.read(), bits);
    CHECK_EQUAL(near(device_numbers.read(), numbers), true);
}

CASE("XORWOW, Philox and MRG32k3a in a kernel: seeds, subsequences, offsets and distributions") {
    check_state<curandState>({409352104u, 3087273929u, 3369382916u, 3474793181u, 1614128972u},
                             {0.145467639, 0.434898734, 0.45516523048612917, -0.27490738, -0.482539803,
                              0.51435458749465202, -0.46383255449877492, 1.67233634});
    check_state<curandStatePhilox4_32_10_t>(
        {3909554990u, 1429476587u, 2362814591u, 3010359641u, 3669032875u},
        {0.12720795, 0.853468955, 0.26564886793494225, -0.464915872, -0.489925116, 0.21494116857706078,
         0.0011172691417587746, 2.49785757});
    check_state<curandStateMRG32k3a_t>({3746775445u, 4206213085u, 4249445898u, 1636535034u, 75785692u},
                                       {0.786751866, 0.587170064, 0.049750835028925106, -0.215787634,
                                        -1.38666308, 0.12389747242131845, -0.17037117478963926, 3.66229582});
}

__global__ void four_at_once(unsigned* bits, float* numbers) {
    curandStatePhilox4_32_10_t one, four;
    curand_init(7, 3, 2, &one);
    curand_init(7, 3, 2, &four);
    const uint4 values = curand4(&four);
    bits[0] = values.x == curand(&one) && values.y == curand(&one) && values.z == curand(&one) &&
              values.w == curand(&one);
    const float4 uniform = curand_uniform4(&four);
    bits[1] = uniform.x == curand_uniform(&one) && uniform.y == curand_uniform(&one) &&
              uniform.z == curand_uniform(&one) && uniform.w == curand_uniform(&one);
    const float4 normal = curand_normal4(&four);
    numbers[0] = normal.x - curand_normal(&one);
    numbers[1] = normal.y - curand_normal(&one);
}

CASE("the functions for four numbers give the next four") {
    Buffer<unsigned> bits(2);
    Buffer<float> numbers(2);
    four_at_once<<<1, 1>>>(bits, numbers);
    CHECK_EQUAL(bits.read(), std::vector<unsigned>{1, 1});
    // A GPU's compiler may compute the logarithm and the sine of the two functions with different instructions.
    for (const float difference : numbers.read()) CHECK(std::fabs(difference) < 1e-6f);
}

__global__ void set_up(curandState* states) {
    curand_init(42, blockIdx.x * blockDim.x + threadIdx.x, 0, &states[blockIdx.x * blockDim.x + threadIdx.x]);
}
__global__ void count_hits(curandState* states, unsigned* hits, double lambda, double* events) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    curandState own = states[i];
    unsigned inside = 0;
    double sum = 0;
    for (int round = 0; round < 100; ++round) {
        const float x = curand_uniform(&own), y = curand_uniform(&own);
        inside += x * x + y * y <= 1;
        sum += curand_poisson(&own, lambda);
    }
    states[i] = own;
    atomicAdd(hits, inside);
    atomicAdd(events, sum);
}

CASE("states in device memory: pi by 51,200 points, and Poisson numbers with a small and a large mean") {
    curandState* states = nullptr;
    CHECK_CUDA(cudaMalloc(&states, 512 * sizeof(curandState)), cudaSuccess);
    set_up<<<4, 128>>>(states);
    for (const double lambda : {3.5, 400.0}) {
        Buffer<unsigned> hits(1);
        Buffer<double> events(1);
        count_hits<<<4, 128>>>(states, hits, lambda, events);
        CHECK_EQUAL(std::fabs(4.0 * hits.read()[0] / 51200 - 3.14159) < 0.04, true);
        CHECK_EQUAL(std::fabs(events.read()[0] / 51200 - lambda) < 6 * std::sqrt(lambda / 51200), true);
    }
    CHECK_CUDA(cudaFree(states), cudaSuccess);
}

// ---- arrays ----

CASE("a generator on the host gives the bits of NVIDIA's library, in its order") {
    const auto bits = [](curandRngType_t type) {
        const Generator generator(type, true);
        std::vector<unsigned> values(8194);
        CHECK_RAND(curandSetPseudoRandomGeneratorSeed(generator, 1234), CURAND_STATUS_SUCCESS);
        CHECK_RAND(curandGenerate(generator, values.data(), 8), CURAND_STATUS_SUCCESS);
        CHECK_RAND(curandGenerate(generator, values.data() + 8, 8186), CURAND_STATUS_SUCCESS);
        return std::vector<unsigned>{values[0],    values[1],    values[4],
                                     values[4095], values[4096], values[8193]};
    };
    CHECK_EQUAL(bits(CURAND_RNG_PSEUDO_DEFAULT), (std::vector<unsigned>{624778773, 3522650202, 3928747533,
                                                                        3856448218, 1867875844, 2198015705}));
    CHECK_EQUAL(
        bits(CURAND_RNG_PSEUDO_MRG32K3A),
        (std::vector<unsigned>{3379073520, 653317650, 4243547925, 2824556536, 2648318237, 1390528448}));
    CHECK_EQUAL(
        bits(CURAND_RNG_PSEUDO_PHILOX4_32_10),
        (std::vector<unsigned>{546353992, 3665621163, 3507855656, 984438016, 2053518784, 3868887390}));
}

CASE("uniform and normal numbers, an offset, and SOBOL32 in 20 dimensions") {
    const Generator generator(CURAND_RNG_PSEUDO_XORWOW, true), sobol(CURAND_RNG_QUASI_SOBOL32, true);
    std::vector<float> values(100);
    curandSetPseudoRandomGeneratorSeed(generator, 1234);
    CHECK_RAND(curandGenerateUniform(generator, values.data(), 100), CURAND_STATUS_SUCCESS);
    CHECK_EQUAL(near({values[0], values[1], values[5]}, {0.145468, 0.820181, 0.868979}), true);
    curandSetGeneratorOffset(generator, 5);
    CHECK_RAND(curandGenerateUniform(generator, values.data(), 100), CURAND_STATUS_SUCCESS);
    CHECK_EQUAL(near({values[0]}, {0.868979}), true);
    curandSetGeneratorOffset(generator, 0);
    CHECK_RAND(curandGenerateNormal(generator, values.data(), 100, 0.0f, 1.0f), CURAND_STATUS_SUCCESS);
    CHECK_EQUAL(near({values[0], values[1], values[2], values[3]}, {0.780974, -1.80158, -0.280849, 0.563547}),
                true);
    std::vector<unsigned> bits(400000);
    CHECK_RAND(curandSetQuasiRandomGeneratorDimensions(sobol, 20), CURAND_STATUS_SUCCESS);
    CHECK_RAND(curandGenerate(sobol, bits.data(), bits.size()), CURAND_STATUS_SUCCESS);
    CHECK_EQUAL((std::vector<unsigned>{bits[0], bits[1], bits[3], bits[81920], bits[262143], bits[399999]}),
                (std::vector<unsigned>{0, 2147483648, 1073741824, 3680501760, 3354394624, 4067295232}));
}

CASE("a generator on the device works in its stream; means and deviations are those that were given") {
    for (const curandRngType_t type : {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A,
                                       CURAND_RNG_PSEUDO_MT19937, CURAND_RNG_PSEUDO_PHILOX4_32_10}) {
        const Generator generator(type, false);
        cudaStream_t stream = nullptr;
        cudaStreamCreate(&stream);
        constexpr std::size_t n = 10000;
        Buffer<double> normal(n);
        Buffer<unsigned> events(n);
        CHECK_RAND(curandSetStream(generator, stream), CURAND_STATUS_SUCCESS);
        CHECK_RAND(curandSetPseudoRandomGeneratorSeed(generator, 99), CURAND_STATUS_SUCCESS);
        CHECK_RAND(curandGenerateNormalDouble(generator, normal, n, 3.0, 2.0), CURAND_STATUS_SUCCESS);
        CHECK_RAND(curandGeneratePoisson(generator, events, n, 20.0), CURAND_STATUS_SUCCESS);
        CHECK_CUDA(cudaStreamSynchronize(stream), cudaSuccess);
        double sum = 0, squares = 0, counted = 0;
        for (const double value : normal.read()) sum += value, squares += (value - 3) * (value - 3);
        for (const unsigned value : events.read()) counted += value;
        CHECK_EQUAL(std::fabs(sum / n - 3) < 0.12, true);
        CHECK_EQUAL(std::fabs(squares / n - 4) < 0.4, true);
        CHECK_EQUAL(std::fabs(counted / n - 20) < 0.3, true);
        CHECK_CUDA(cudaStreamDestroy(stream), cudaSuccess);
    }
}

CASE("status codes") {
    const Generator generator(CURAND_RNG_PSEUDO_XORWOW, true), sobol(CURAND_RNG_QUASI_SOBOL32, true);
    float values[3];
    CHECK_RAND(curandGenerateNormal(generator, values, 3, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    CHECK_RAND(curandSetGeneratorOrdering(generator, CURAND_ORDERING_QUASI_DEFAULT),
               CURAND_STATUS_OUT_OF_RANGE);
    CHECK_RAND(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_LEGACY), CURAND_STATUS_SUCCESS);
    CHECK_RAND(curandSetPseudoRandomGeneratorSeed(sobol, 1), CURAND_STATUS_TYPE_ERROR);
    CHECK_RAND(curandSetQuasiRandomGeneratorDimensions(generator, 2), CURAND_STATUS_TYPE_ERROR);
    CHECK_RAND(curandSetQuasiRandomGeneratorDimensions(sobol, 2), CURAND_STATUS_SUCCESS);
    CHECK_RAND(curandGenerateUniform(sobol, values, 3), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
}

CONFORMANCE_MAIN("rand")
