// A test whose cases demand a method that some of them do not use. Some of these cases are otherwise correct,
// and others have a mistake.
#include "grader.cuh"

namespace {

__global__ void add_one(int* values, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) ++values[i];
}

/// Half of the threads write to elements of the other half.
__global__ void add_one_twice(int* values, int n) {
    for (int i = threadIdx.x % (blockDim.x / 2); i < n; i += blockDim.x / 2) ++values[i];
}

/// The mistake of a case, in addition to its method.
enum class Fault { nothing, values, race, leak, demand };

void judge(kit::Case& test, bool other, Fault fault) {
    constexpr int n = 300;
    const std::vector<int> before = kit::integers<int>(test.random(), n, 0, 99);
    std::vector<int> want = before;
    for (int& value : want) value += fault == Fault::values ? 2 : 1;
    auto values = test.inout("values", before);
    test.call([&] {
        if (fault == Fault::race)
            add_one_twice<<<1, 64>>>(values.data(), n);
        else
            add_one<<<1, 64>>>(values.data(), n);
        void* lost = nullptr;
        if (fault == Fault::leak) cudaMalloc(&lost, 1000);
    });
    test.method(
        "threads", !other,
        {"one thread for each value", "64 threads add 300 ones", "The guard comes back in every kernel.", 2});
    test.demand("cost", fault != Fault::demand, "it costs too much");
    test.expect(values, want);
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("00_kit", "methods", argc, argv);
    grader.add("as asked", [](kit::Case& test) { judge(test, false, Fault::nothing); });
    grader.add("another method", [](kit::Case& test) { judge(test, true, Fault::nothing); });
    grader.add("wrong values", [](kit::Case& test) { judge(test, false, Fault::values); });
    grader.add("both", [](kit::Case& test) { judge(test, true, Fault::values); });
    grader.add("race", [](kit::Case& test) { judge(test, true, Fault::race); });
    grader.add("leak", [](kit::Case& test) { judge(test, true, Fault::leak); });
    grader.add("too much", [](kit::Case& test) { judge(test, true, Fault::demand); });
    grader.add("one run of three", [](kit::Case& test) {
        static int run = 0;
        judge(test, ++run == 2, Fault::nothing);
    });
    return grader.run();
}
