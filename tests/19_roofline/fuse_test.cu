// Grades 19_roofline/fuse: the values, and the bytes that the launches load and store.
// sanitizer.case: n=
#include "01_error_handling/failing_calls.hpp"
#include "19_roofline/19_roofline.hpp"
#include "grader.cuh"
#include "last_blocks.hpp"

namespace {

/// Small integers: a sum of their squares is exact in any order.
struct Values {
    Values(kit::Case& test, std::size_t n, std::size_t offset)
        : x(kit::integers<float>(test.random(), n + offset, -2, 2)),
          y(kit::integers<float>(test.random(), n + offset, -2, 2)),
          a(static_cast<float>(test.random().integer(2, 3))),
          at(offset) {}

    std::vector<float> squares() const {
        std::vector<float> all;
        for (std::size_t i = at; i < x.size(); ++i) all.push_back((a * x[i] + y[i]) * (a * x[i] + y[i]));
        return all;
    }

    std::vector<float> x, y;
    float a;
    std::size_t at;
};

/// Counts the bytes that are loaded and stored while it exists. Only the executor counts.
class Bytes {
  public:
    /// Demands at most this many bytes of both.
    void at_most(kit::Case& test, std::size_t loaded, std::size_t stored, const kit::Said& how) const {
#ifdef KIT_CPU
        const auto now = kit::cpu::counters();
        const std::uint64_t in = now.global_bytes_loaded - before_.global_bytes_loaded;
        const std::uint64_t out = now.global_bytes_stored - before_.global_bytes_stored;
        test.demand("bytes loaded", kit::at_most(in, loaded),
                    kit::count_of(in, "byte", "are") + " loaded, but at most " + std::to_string(loaded) +
                        " are needed: " + how);
        test.demand("bytes stored", kit::at_most(out, stored),
                    kit::count_of(out, "byte", "are") + " stored, but at most " + std::to_string(stored) +
                        " are needed: " + how);
#else
        (void)test, (void)loaded, (void)stored, (void)how;
#endif
    }

#ifdef KIT_CPU
    std::uint64_t atomics() const {
        return kit::cpu::counters().atomics - before_.atomics;
    }
#endif

  private:
#ifdef KIT_CPU
    kit::cpu::Counters before_ = kit::cpu::counters();
#endif
};

kit::EarlierCases earlier;

void squares(kit::Case& test, std::size_t n, std::size_t offset) {
    earlier.begin();
    const Values v(test, n, offset);
    auto x = test.input("x", v.x), y = test.input("y", v.y);
    auto z = test.output<float>("z", n);
    const Bytes bytes;
    test.call([&] { roofline::squares(x.data() + offset, y.data() + offset, n, v.a, z.data()); });
    bytes.at_most(test, 8 * n, 4 * n, "keep the value between the steps in a register" + kit::task(1));
    if (z.values() == v.squares()) earlier.right();
    test.expect(z, v.squares(), kit::exact());
    if (n > 0) test.by_kernels(kit::named_task(1));
}

#ifdef KIT_CPU
/// Runs the last blocks for n elements, of which only the last `exist` exist. Returns whether they have run.
bool end_of_squares(kit::Case& test, const Values& v, std::size_t n, std::size_t exist,
                    const kit::Said& why) {
    auto x = test.input("x", v.x), y = test.input("y", v.y);
    auto z = test.output<float>("z", exist);
    const std::size_t before = n - exist;
    const bool left_out = test.call([&] {
        const kit::LastBlocks last(n);
        roofline::squares(x.data() - before, y.data() - before, n, v.a, z.data() - before);
        return last.left_out();
    });
    if (left_out) return false;
    if (before == 0) return kit::wrote_only_the_end(z.values(), exist / 2);
    kit::expect_end(test, z.values(), v.squares(), why);
    return true;
}

/// More than 2^32 elements, of which only the last exist.
void squares_beyond_32_bits(kit::Case& test) {
    constexpr std::size_t exist = 16384;
    if (!earlier.all_right()) return test.check(true, "");
    const Values v(test, exist, 0);
    if (!end_of_squares(test, v, exist, exist, "")) return test.not_tried(32, "elements");
    const kit::Said why = kit::explain_narrow_index(test, kit::task(1));
    if (!end_of_squares(test, v, (std::size_t{1} << 32) + 2 * exist + 77, exist, why))
        test.not_tried(32, "elements");
}
#endif

constexpr std::uint64_t kMostAtomics = 1024;

bool sums_were_right = true;  // in this process

void sum(kit::Case& test, std::size_t n, std::size_t offset) {
    const Values v(test, n, offset);
    auto x = test.input("x", v.x), y = test.input("y", v.y);
    auto sum = test.output<float>("sum", 1);
    const Bytes bytes;
    test.call([&] { roofline::sum_of_squares(x.data() + offset, y.data() + offset, n, v.a, sum.data()); });
    bytes.at_most(test, 8 * n + 16384, 16384,
                  "load each element of x and y once, and keep the squares in registers" + kit::task(2));
    float want = 0;
    for (const float square : v.squares()) want += square;
#ifdef KIT_CPU
    test.check(
        sum.values()[0] != 0 || want == 0 || bytes.atomics() == 0,
        "blocks have added to *sum, but it is 0 afterwards: set it to 0 before the launch, not after it" +
            kit::task(4));
#endif
    sums_were_right = sums_were_right && sum.values()[0] == want;
    test.expect(sum, {want}, kit::exact());
#ifdef KIT_CPU
    if (sum.values()[0] == want)
        test.demand("atomic operations", kit::at_most(bytes.atomics(), kMostAtomics),
                    std::to_string(bytes.atomics()) + " atomic operations, but at most " +
                        std::to_string(kMostAtomics) + " are needed: let each block add its sum once" +
                        kit::task(3));
#endif
    if (n > 0) test.by_kernels(kit::named_task(4));
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("19_roofline", "fuse", argc, argv);
    grader.task(1, kit::About().output("z"));
    grader.task(4, kit::About().output("sum").diagnosis(kit::Diagnosis::not_written));  // including for n = 0
    grader.task(4, kit::About().on("sum").diagnosis(kit::Diagnosis::uninitialised));
    grader.task(4, kit::About().on("sum").position(kit::facts::Memory::Position::after));
    grader.task(4, kit::About().output("sum").diagnosis(kit::Diagnosis::nan));  // the value before the call
    for (const int task : {2, 3}) grader.task(task, kit::About().output("sum"));
    grader.task(3, {kit::Diagnosis::race});
    for (const std::size_t n : {0, 1, 255, 256, 257, 1000, 5003})
        grader.add("squares, n=" + std::to_string(n), [n](kit::Case& test) { squares(test, n, n % 3); });
    for (const std::size_t n : {0, 1, 31, 255, 256, 257, 1000, 20011})
        grader.add("sum, n=" + std::to_string(n), [n](kit::Case& test) { sum(test, n, n % 3); });
    grader.add("sum, many",
               [](kit::Case& test) {
                   if (sums_were_right) return sum(test, 300007, 0);
                   test.check(true,
                              "");  // a wrong stride would take minutes, and shorter sums have failed already
               },
               {60, true});
#ifdef KIT_CPU
    grader.afterwards("squares, n=5003", squares_beyond_32_bits);
#endif
    // Each thread of a sum has many elements, so the last blocks need all elements.
    kit::tell_not_tried(grader, "sum, many", 32, "elements in a sum");
    error_handling::check_failing_calls(grader, argc, argv, {"squares, n=257", "sum, n=257"});
    return grader.run();
}
