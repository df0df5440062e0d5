// Tests of the functions that a case can call: arrays with guard zones, calls, skips, repeated runs.
#include "unit.hpp"

namespace {

__global__ void add_one(float* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += 1;
}

CASE("device arrays") {
    const std::vector<float> values = kit::uniform<float>(test.random(), 1000);
    const auto in = test.input("in", values);
    const auto out = test.output<float>("out", 1000);
    const auto both = test.inout("both", values);
    test.check(std::isnan(out.values()[0]) && std::isnan(out.values()[999]), "an output starts as poison");
    test.expect(both, values);
    test.call([&] { add_one<<<4, 256>>>(both.data(), 1000); });
    std::vector<float> want = values;
    for (float& value : want) value += 1;
    test.expect(both, want);
    both.reset();
    test.expect(both, values);
    test.check(in.data() != nullptr && in.size() == 1000, "an input has an address and a size");
}

CASE("host arrays") {
    const auto in = test.host_input<int>("in", {1, 2, 3});
    const auto out = test.host_output<int>("out", 3);
    test.call([&] { std::copy_n(in.data(), 3, out.data()); });
    test.expect(out, {1, 2, 3});
}

CASE("a copy that goes on behind the end") {
    using kit::detail::Buffer;
    const std::vector<char> poison = {static_cast<char>(0xab)};
    const Buffer in("in", kit::detail::Space::host, kit::detail::Role::input, std::vector<char>(3), poison,
                    {});
    const Buffer out("out", kit::detail::Space::host, kit::detail::Role::output, std::vector<char>(3), poison,
                     {});
    test.check(!out.damage(), "nobody has written behind the end");
    std::copy_n(in.payload(), 4, out.payload());
    test.check(out.damage() && !in.damage(), "what lies behind an input is not what lies behind an output");
}

CASE("empty arrays") {
    const auto in = test.input("in", std::vector<float>{});
    const auto out = test.output<float>("out", 0);
    test.call([] {});
    test.expect(out, {});
    test.check(in.data() != nullptr, "an empty array has an address all the same");
}

CASE("results") {
    test.equal("a call returns what the function returns", test.call([] { return 7; }), 7);
    const auto error = test.call_unchecked([] { return cudaMalloc(static_cast<void**>(nullptr), 1); });
    test.equal("an error that is meant to be", error, cudaErrorInvalidValue);
}

CASE("counts and their limits") {
    test.check(kit::at_most(2, 2).holds() && !kit::at_most(3, 2).holds(), "at most");
    test.check(kit::at_least(2, 2).holds() && !kit::at_least(1, 2).holds(), "at least");
    test.check(kit::exactly(2, 2).holds() && !kit::exactly(1, 2).holds(), "exactly");
    test.check(kit::between(2, 1, 3).holds(), "between the limits");
    const kit::facts::Count few = kit::between(0, 1, 3), many = kit::between(4u, 1, 3);
    test.check(!few.holds() && few.required == 1 && few.bound == kit::facts::Count::Bound::at_least,
               "below the limits, the lower one is the one that is required");
    test.check(!many.holds() && many.required == 3 && many.actual == 4, "above the limits");
    test.check(kit::unless(true, kit::exactly(1, 2)).holds(), "an excuse");
    test.check(!kit::unless(false, kit::exactly(1, 2)).holds(), "no excuse");
}

CASE("alignment") {
    const auto a = test.output<double>("a", 3);
    const auto b = test.output<char>("b", 3);
    test.equal("device arrays begin at", reinterpret_cast<std::uintptr_t>(a.data()) % 256, std::uintptr_t{0});
    test.equal("all of them", reinterpret_cast<std::uintptr_t>(b.data()) % 256, std::uintptr_t{0});
    test.check(b.values()[0] == static_cast<char>(0xab), "bytes are poisoned with 0xAB");
}

CASE("skipped") {
    test.skip("to see that a skip does not count as a pass");
}

}  // namespace

UNIT_MAIN("case")
