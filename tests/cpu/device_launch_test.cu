// Kernels that launch kernels: when children run, what they can rely on, and how errors and limits work.
// Needs relocatable device code: nvcc -rdc=true.
#include "conformance.cuh"

namespace {

/// Sets a limit of the device during the lifetime of the object.
class Limit {
  public:
    Limit(cudaLimit limit, std::size_t value) : limit_(limit) {
        cudaDeviceGetLimit(&before_, limit);
        cudaDeviceSetLimit(limit, value);
    }
    ~Limit() { cudaDeviceSetLimit(limit_, before_); }
    Limit(const Limit&) = delete;
    Limit& operator=(const Limit&) = delete;

  private:
    cudaLimit limit_;
    std::size_t before_ = 0;
};

std::vector<int> counting(int n, int first = 0) {
    std::vector<int> values(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = first + i;
    return values;
}

}  // namespace

__global__ void fill(int* data, int n, int first) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) data[i] = first + i;
}

__global__ void fill_by_child(int* data, int n) {
    fill<<<(n + 31) / 32, 32>>>(data, n, 100);
}

CASE("the host's synchronisation waits for children") {
    Buffer<int> data(100);
    fill_by_child<<<1, 1>>>(data, 100);
    CHECK_EQUAL(data.read(), counting(100, 100));
}

__global__ void double_each(int* data, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) data[i] *= 2;
}

CASE("a parent is complete only when its children are: the next kernel in the stream sees their work") {
    Buffer<int> data(64);
    fill_by_child<<<1, 1>>>(data, 64);
    double_each<<<1, 64>>>(data, 64);
    std::vector<int> want = counting(64, 100);
    for (int& value : want) value *= 2;
    CHECK_EQUAL(data.read(), want);
}

__global__ void write_then_launch(int* data, int n) {
    for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) data[i] = i;
    __syncthreads();
    if (threadIdx.x == 0) double_each<<<(n + 63) / 64, 64>>>(data, n);
}

CASE("a child sees what a barrier ordered before its launch") {
    Buffer<int> data(200);
    write_then_launch<<<1, 128>>>(data, 200);
    std::vector<int> want = counting(200);
    for (int& value : want) value *= 2;
    CHECK_EQUAL(data.read(), want);
}

struct Pair {
    int a, b;
    double c;
};

__global__ void store_pair(Pair pair, double* out) {
    out[0] = pair.a;
    out[1] = pair.b;
    out[2] = pair.c;
}

__global__ void change_after_launch(double* out) {
    Pair pair{1, 2, 0.5};
    store_pair<<<1, 1>>>(pair, out);
    pair.a = pair.b = 7;
    store_pair<<<1, 1>>>(pair, out + 3);
}

CASE("arguments are copied at the launch") {
    Buffer<double> out(6);
    change_after_launch<<<1, 1>>>(out);
    CHECK_EQUAL(out.read(), std::vector<double>{1, 2, 0.5, 7, 7, 0.5});
}

__global__ void add_one(int* counter) {
    atomicAdd(counter, 1);
}

__global__ void everybody_launches(int* counter) {
    add_one<<<2, 8>>>(counter);
}

CASE("every thread may launch") {
    Buffer<int> counter(1);
    everybody_launches<<<3, 40>>>(counter);
    CHECK_EQUAL(counter.read()[0], 3 * 40 * 16);
}

__global__ void descend(int* reached, int depth, int deepest) {
    if (threadIdx.x != 0) return;
    reached[depth] = depth + 1;
    if (depth < deepest) descend<<<1, 32>>>(reached, depth + 1, deepest);
}

CASE("recursion of depth 24, and of depth 200") {
    for (int deepest : {24, 200}) {
        Buffer<int> reached(201);
        descend<<<1, 32>>>(reached, 0, deepest);
        std::vector<int> want(201);
        for (int i = 0; i <= deepest; ++i) want[static_cast<std::size_t>(i)] = i + 1;
        CHECK_EQUAL(reached.read(), want);
    }
}

template <class T>
__global__ void scale(T* data, T factor) {
    data[threadIdx.x] *= factor;
}

template <class T>
__global__ void launch_template(T* data, T factor) {
    scale<T><<<1, 4>>>(data, factor);
    scale<<<1, 4>>>(data, factor);
}

CASE("kernel templates, named and deduced") {
    Buffer<float> data(std::vector<float>{1, 2, 3, 4});
    launch_template<<<1, 1>>>(data.data(), 3.0f);
    CHECK_EQUAL(data.read(), std::vector<float>{9, 18, 27, 36});
}

__global__ void use_dynamic_shared(int* out, int n) {
    extern __shared__ int values[];
    values[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = values[n - 1 - static_cast<int>(threadIdx.x)];
}

__global__ void launch_with_shared(int* out, int n) {
    use_dynamic_shared<<<1, n, static_cast<unsigned>(n) * sizeof(int)>>>(out, n);
}

CASE("dynamic shared memory of a child") {
    Buffer<int> out(50);
    launch_with_shared<<<1, 1>>>(out, 50);
    std::vector<int> want = counting(50);
    std::vector<int> reversed(want.rbegin(), want.rend());
    CHECK_EQUAL(out.read(), reversed);
}

__device__ int global_cell = 3;

__global__ void add_to_cell(int more) {
    global_cell += more;
}

__global__ void change_cell_by_child() {
    global_cell = 10;
    add_to_cell<<<1, 1>>>(5);
}

CASE("global variables are global memory") {
    change_cell_by_child<<<1, 1>>>();
    int value = 0;
    REQUIRE_CUDA(cudaMemcpyFromSymbol(&value, global_cell, sizeof value));
    CHECK_EQUAL(value, 15);
}

// ---- errors ----

__global__ void launch_too_many_threads(int* out, int* counter) {
    out[0] = cudaGetLastError() == cudaSuccess;
    add_one<<<1, 2048>>>(counter);
    out[1] = cudaPeekAtLastError() != cudaSuccess;
    out[2] = cudaPeekAtLastError() == cudaGetLastError();
    out[3] = cudaGetLastError() == cudaSuccess;
    add_one<<<1, 3>>>(counter);
    out[4] = cudaGetLastError() == cudaSuccess;
}

CASE_MISUSE("a refused launch is the launching thread's last error, and reading clears it") {
    Buffer<int> out(5), counter(1);
    launch_too_many_threads<<<1, 1>>>(out, counter);
    CHECK_EQUAL(out.read(), std::vector<int>(5, 1));
    CHECK_EQUAL(counter.read()[0], 3);
    CHECK_CUDA(cudaGetLastError(), cudaSuccess);
}

__global__ void one_thread_errs(int* out, int* counter) {
    if (threadIdx.x == 3) add_one<<<1, 4096>>>(counter);
    __syncthreads();
    out[threadIdx.x] = cudaGetLastError() != cudaSuccess;
}

CASE_MISUSE("the last error belongs to one thread") {
    Buffer<int> out(8), counter(1);
    one_thread_errs<<<1, 8>>>(out, counter);
    CHECK_EQUAL(out.read(), std::vector<int>{0, 0, 0, 1, 0, 0, 0, 0});
}

__global__ void empty_grid(int* out, int* counter, unsigned blocks) {
    add_one<<<blocks, 1>>>(counter);
    *out = cudaGetLastError() != cudaSuccess;
}

CASE_MISUSE("a child without blocks is refused") {
    Buffer<int> out(1), counter(1);
    empty_grid<<<1, 1>>>(out, counter, 0);
    CHECK_EQUAL(out.read()[0], 1);
    CHECK_EQUAL(counter.read()[0], 0);
}

__global__ void write_nowhere(int* nowhere) {
    *nowhere = 1;
}

__global__ void launch_the_faulty() {
    write_nowhere<<<1, 1>>>(nullptr);
}

CASE_FATAL("an execution error of a child appears at the host") {
    launch_the_faulty<<<1, 1>>>();
    CHECK_CUDA(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

// ---- limits ----

CASE("the limit of pending launches") {
    std::size_t value = 0;
    CHECK_CUDA(cudaDeviceGetLimit(&value, cudaLimitDevRuntimePendingLaunchCount), cudaSuccess);
    CHECK_EQUAL(value, std::size_t{2048});
    CHECK_CUDA(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096), cudaSuccess);
    CHECK_CUDA(cudaDeviceGetLimit(&value, cudaLimitDevRuntimePendingLaunchCount), cudaSuccess);
    CHECK_EQUAL(value, std::size_t{4096});
    CHECK_CUDA(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2048), cudaSuccess);
}

/// Each kernel launches the next one, so all of them are incomplete at the same time.
__global__ void endless_chain(int* links, int* error, int most) {
    const int link = ++*links;
    if (link == most) return;
    endless_chain<<<1, 1>>>(links, error, most);
    const cudaError_t launched = cudaGetLastError();
    if (launched != cudaSuccess) *error = launched;
}

CASE("a chain of launches ends at the limit, with an error") {
    const Limit limit(cudaLimitDevRuntimePendingLaunchCount, 2048);
    Buffer<int> links(1), error(1);
    endless_chain<<<1, 1>>>(links, error, 5000);
    const int reached = links.read()[0];
    CHECK(reached > 1000 && reached < 5000);
    CHECK_EQUAL(static_cast<cudaError_t>(error.read()[0]), cudaErrorLaunchPendingCountExceeded);
    CHECK_CUDA(cudaGetLastError(), cudaSuccess);
}

/// Counts launches that succeed and launches that are refused. Only the sum of the two is certain.
__global__ void launch_many(int* ran, int* refused, int n) {
    for (int i = 0; i < n; ++i) {
        add_one<<<1, 1, 0, cudaStreamFireAndForget>>>(ran);
        if (cudaGetLastError() != cudaSuccess) ++*refused;
    }
}

CASE("a launch that was refused does not run, one that was not does") {
    Buffer<int> ran(1), refused(1);
    launch_many<<<1, 1>>>(ran, refused, 5000);
    CHECK_EQUAL(ran.read()[0] + refused.read()[0], 5000);
    CHECK(ran.read()[0] >= 2048);
}

__global__ void ask(int* out) {
    std::size_t limit = 0;
    int device = -1, processors = 0;
    out[0] = cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount) == cudaSuccess;
    out[1] = static_cast<int>(limit);
    out[2] = cudaGetDevice(&device) == cudaSuccess && device == 0;
    out[3] = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) == cudaSuccess &&
             processors > 0;
}

CASE("kernels may ask for limits and attributes") {
    Buffer<int> out(4);
    ask<<<1, 1>>>(out);
    CHECK_EQUAL(out.read(), std::vector<int>{1, 2048, 1, 1});
}

CONFORMANCE_MAIN("device_launch")
