// cuRAND's functions on the host: generators, their settings, and calls that fill arrays. The numbers are in random_numbers.cpp.
#include <curand.h>

#include <algorithm>
#include <map>
#include <memory>

#include "api.hpp"
#include "device/devices.hpp"
#include "graphs/capture.hpp"
#include "memory/copies.hpp"
#include "memory/memory.hpp"
#include "random_numbers.hpp"
#include "source/findings.hpp"

struct curandGenerator_st {
    curandRngType type;
    bool on_host;
    cudaStream_t stream = nullptr;
    unsigned long long seed = 0, offset = 0;
    unsigned dimensions = 1;
    std::shared_ptr<kit::cpu::RandomNumbers> numbers{};  ///< null until the next call that generates
};

namespace kit::cpu {
namespace {

auto& generators = *new std::map<curandGenerator_t, std::unique_ptr<curandGenerator_st>>;

bool is_quasi(curandRngType type) {
    return type >= CURAND_RNG_QUASI_DEFAULT;
}

curandStatus_t create(curandGenerator_t* generator, curandRngType type, bool on_host) {
    if (in_kernel()) refuse_in_kernel();
    const std::lock_guard lock(api_mutex());
    static constexpr int types[] = {100, 101, 121, 142, 161, 200, 201};
    if (std::find(std::begin(types), std::end(types), static_cast<int>(type)) == std::end(types))
        return CURAND_STATUS_TYPE_ERROR;
    runtime_used = true;
    auto made = std::make_unique<curandGenerator_st>(curandGenerator_st{type, on_host});
    *generator = made.get();
    generators[made.get()] = std::move(made);
    return CURAND_STATUS_SUCCESS;
}

/// Runs the body with an existing generator. If the body changes a setting, the sequence starts again.
template <class Body>
curandStatus_t change(curandGenerator_t generator, Body body) {
    if (in_kernel()) refuse_in_kernel();
    const std::lock_guard lock(api_mutex());
    const auto found = generators.find(generator);
    return found == generators.end() ? CURAND_STATUS_NOT_INITIALIZED : body(*found->second);
}

/// Checks the output of a generator on the device and fills it, when the call's turn has come.
cudaError_t fill_on_device(const char* function, Place place, RandomNumbers& numbers,
                           const WantedNumbers& wanted, void* output, std::size_t count, std::size_t bytes) {
    const CopyEnd end{function, true, bytes, place};
    const Allocation* const allocation = find_allocation(output);
    cudaError_t error = check_range(end, output, allocation);
    if (error == cudaSuccess && !allocation) {
        add_finding(wrong_end(facts::Rule::operand_of_host, end));
        error = cudaErrorIllegalAddress;
    }
    if (error != cudaSuccess) return cudaErrorIllegalAddress;
    observer().touches({function, place, output, bytes, bytes, 1, true});
    const DeviceAccess memory_is_open;
    numbers.fill(wanted, output, count);
    observer().written(static_cast<const char*>(output), bytes);
    return cudaSuccess;
}

curandStatus_t fill_on_host(const char* function, Place place, RandomNumbers& numbers,
                            const WantedNumbers& wanted, void* output, std::size_t count, std::size_t bytes) {
    const Allocation* const allocation = find_allocation(output);
    if (is_device(allocation)) {
        add_finding(finding(facts::Rule::touched_by_host, Spot(place)).on(place_near(output)));
        return CURAND_STATUS_INTERNAL_ERROR;
    }
    if (check_host_range({function, true, bytes, place}, output) != cudaSuccess)
        return CURAND_STATUS_INTERNAL_ERROR;
    numbers.fill(wanted, output, count);
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t generate(curandGenerator_t generator, const char* function, Place place,
                        const WantedNumbers& wanted, void* output, std::size_t count) {
    return change(generator, [&](curandGenerator_st& own) {
        const bool normal =
            wanted.kind == WantedNumbers::Kind::normal || wanted.kind == WantedNumbers::Kind::log_normal;
        if (is_quasi(own.type) ? count % own.dimensions != 0 : normal && count % 2 != 0)
            return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
        if (wanted.kind == WantedNumbers::Kind::poisson && !(wanted.mean > 0))
            return CURAND_STATUS_OUT_OF_RANGE;
        if (!own.numbers) own.numbers = random_numbers(own.type, own.seed, own.offset, own.dimensions);
        if (count == 0) return CURAND_STATUS_SUCCESS;
        const std::size_t bytes = count * (wanted.doubles ? sizeof(double) : sizeof(float));
        if (own.on_host) return fill_on_host(function, place, *own.numbers, wanted, output, count, bytes);
        if (in_host_function() || sticky_error() != cudaSuccess) return CURAND_STATUS_PREEXISTING_FAILURE;
        thread_uses_device();
        CUstream_st* const stream = find_stream(own.stream);
        if (!stream) return CURAND_STATUS_LAUNCH_FAILURE;
        const auto run = [=, numbers = own.numbers] {
            return fill_on_device(function, place, *numbers, wanted, output, count, bytes);
        };
        if (!concerns_capture(*stream)) {
            enqueue(*stream, {WorkKind::kernel, function, place}, run);
            return CURAND_STATUS_SUCCESS;
        }
        const auto part = [run] { return Part{[] { return cudaSuccess; }, run, {}}; };
        return capture_task(*stream, function, place, MeetingTask{function, part}) == cudaSuccess
                   ? CURAND_STATUS_SUCCESS
                   : CURAND_STATUS_LAUNCH_FAILURE;
    });
}

}  // namespace
}  // namespace kit::cpu

using namespace kit::cpu;
using WantedKind = WantedNumbers::Kind;

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
    return create(generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
    return create(generator, type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
    return change(generator, [&](curandGenerator_st&) {
        generators.erase(generator);
        return CURAND_STATUS_SUCCESS;
    });
}
curandStatus_t curandGetVersion(int* version) {
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
    *value = type == MAJOR_VERSION   ? CURAND_VER_MAJOR
             : type == MINOR_VERSION ? CURAND_VER_MINOR
                                     : CURAND_VER_PATCH;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
    return change(generator, [&](curandGenerator_st& own) {
        own.stream = stream;
        return CURAND_STATUS_SUCCESS;
    });
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
    return change(generator, [&](curandGenerator_st& own) {
        if (is_quasi(own.type)) return CURAND_STATUS_TYPE_ERROR;
        own.seed = seed;
        own.numbers.reset();
        return CURAND_STATUS_SUCCESS;
    });
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
    return change(generator, [&](curandGenerator_st& own) {
        if (own.type == CURAND_RNG_PSEUDO_MT19937) return CURAND_STATUS_TYPE_ERROR;
        own.offset = offset;
        own.numbers.reset();
        return CURAND_STATUS_SUCCESS;
    });
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
    return change(generator, [&](curandGenerator_st& own) {
        return is_quasi(own.type) == (order == CURAND_ORDERING_QUASI_DEFAULT) ? CURAND_STATUS_SUCCESS
                                                                              : CURAND_STATUS_OUT_OF_RANGE;
    });
}
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned dimensions) {
    return change(generator, [&](curandGenerator_st& own) {
        if (!is_quasi(own.type)) return CURAND_STATUS_TYPE_ERROR;
        if (dimensions < 1 || dimensions > most_random_dimensions()) return CURAND_STATUS_OUT_OF_RANGE;
        own.dimensions = dimensions;
        own.numbers.reset();
        return CURAND_STATUS_SUCCESS;
    });
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
    return change(generator, [](curandGenerator_st&) { return CURAND_STATUS_SUCCESS; });
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* output, size_t count) {
    return generate(generator, __func__, KIT_CALLER, {WantedKind::bits, false, 0, 0}, output, count);
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* output, size_t count) {
    return generate(generator, __func__, KIT_CALLER, {WantedKind::uniform, false, 0, 0}, output, count);
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* output, size_t count) {
    return generate(generator, __func__, KIT_CALLER, {WantedKind::uniform, true, 0, 0}, output, count);
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* output, size_t count, float mean,
                                    float stddev) {
    return generate(generator, __func__, KIT_CALLER, {WantedKind::normal, false, mean, stddev}, output,
                    count);
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* output, size_t count,
                                          double mean, double stddev) {
    return generate(generator, __func__, KIT_CALLER, {WantedKind::normal, true, mean, stddev}, output, count);
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* output, size_t count, float mean,
                                       float stddev) {
    return generate(generator, __func__, KIT_CALLER, {WantedKind::log_normal, false, mean, stddev}, output,
                    count);
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* output, size_t count,
                                             double mean, double stddev) {
    return generate(generator, __func__, KIT_CALLER, {WantedKind::log_normal, true, mean, stddev}, output,
                    count);
}
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned* output, size_t count,
                                     double lambda) {
    return generate(generator, __func__, KIT_CALLER, {WantedKind::poisson, false, lambda, 0}, output, count);
}
