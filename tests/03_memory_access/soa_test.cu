// Grades 03_memory_access/soa: the start of each array, the choice of the layout, the copy, and the move with its sectors.
// sanitizer.case: n=
#include "03_memory_access/model.hpp"

namespace {

using memory_access::kFields;
using memory_access::Particle;
using memory_access::Particles;

constexpr std::size_t kBoundary = 32;  // floats in 128 bytes

std::vector<Particle> particles(kit::Random& random, std::size_t n) {
    const auto one = [&] { return static_cast<float>(random.integer(-1000, 1000)); };
    std::vector<Particle> all(n);
    for (Particle& p : all) p = {one(), one(), one(), one(), one(), one(), one(), one()};
    return all;
}

float field_of(const Particle& p, int field) {
    const float values[kFields] = {p.x, p.y, p.z, p.vx, p.vy, p.vz, p.mass, p.charge};
    return values[field];
}

float* const* fields_of(const Particles& p, float* (&arrays)[kFields]) {
    float* const all[kFields] = {p.x, p.y, p.z, p.vx, p.vy, p.vz, p.mass, p.charge};
    for (int f = 0; f < kFields; ++f) arrays[f] = all[f];
    return arrays;
}

/// Returns the size of an array with the gap after it, in floats.
std::size_t pitch_of(std::size_t n) {
    std::size_t pitch = 0;
    while (pitch < n) pitch += kBoundary;
    return pitch;
}

/// Returns the contents of the memory of all arrays: the fields, and `rest` in the gaps between them, which must not be written.
std::vector<float> in_arrays(const std::vector<Particle>& all, float rest) {
    const std::size_t n = all.size(), pitch = pitch_of(n);
    std::vector<float> memory(kFields * pitch, rest);
    for (int f = 0; f < kFields; ++f)
        for (std::size_t i = 0; i < n; ++i)
            memory[static_cast<std::size_t>(f) * pitch + i] = field_of(all[i], f);
    return memory;
}

const float kRest = kit::detail::poison<float>();  // fills the gaps, and the arrays until they are written

constexpr const char* kNames[kFields] = {"x", "y", "z", "vx", "vy", "vz", "mass", "charge"};

/// Compares each field, then the gaps between the arrays. `name`: "copied" or "moved".
void expect_fields(kit::Case& test, const std::string& name, const std::vector<float>& memory,
                   const std::vector<Particle>& all, const kit::Said& task) {
    const std::size_t n = all.size(), pitch = pitch_of(n);
    for (int f = 0; f < kFields; ++f) {
        const auto begin = memory.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(f) * pitch);
        std::vector<float> want;
        for (const Particle& p : all) want.push_back(field_of(p, f));
        test.expect<float>(name + "." + kNames[f],
                           std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(n)), want,
                           kit::exact());
    }
    for (std::size_t i = 0; i < memory.size(); ++i) {
        if (i % pitch < n || kit::detail::is_poison(memory[i])) continue;
        return test.check(
            false,
            kit::subject(name + "." + kNames[i / pitch] + "[" + std::to_string(i % pitch) + "]") +
                " was written, but n is " + std::to_string(n) + ": write only n elements (" + task + ")",
            kit::Diagnosis::out_of_bounds);
    }
}

/// Checks where the arrays start. Returns false if a position is wrong, because further checks would then mean nothing.
bool layout(kit::Case& test, std::size_t n) {
    static float memory[1];
    const std::size_t floats = test.call([&] { return memory_access::floats_needed(n); });
    const std::size_t want = kFields * pitch_of(n);
    test.check(floats == want, "floats_needed(" + std::to_string(n) + ") is " + std::to_string(floats) +
                                   ", expected " + std::to_string(want) +
                                   ": begin each of the 8 arrays at a multiple of 128 bytes" + kit::task(1));
    if (floats != want) return false;
    const Particles p = test.call([&] { return memory_access::arrays_in(memory, n); });
    float* arrays[kFields];
    fields_of(p, arrays);
    for (int f = 0; f < kFields; ++f) {
        const std::size_t got =
            (reinterpret_cast<std::uintptr_t>(arrays[f]) - reinterpret_cast<std::uintptr_t>(memory)) /
            sizeof(float);
        const std::size_t at = static_cast<std::size_t>(f) * pitch_of(n);
        test.check(got == at,
                   "array " + std::to_string(f) + " of n=" + std::to_string(n) + " begins at float " +
                       std::to_string(got) + ", expected " + std::to_string(at) +
                       ": begin each array at the first multiple of 128 bytes after the previous array" +
                       kit::task(1));
        if (got != at) return false;
    }
    return true;
}

/// Judges the values. With `counted`, also judges the sectors, after the values have been found correct.
void convert(kit::Case& test, std::size_t n, bool counted = false) {
    if (!layout(test, n)) return;
    if (n > 1000) test.skip_if_work_is_repeated();
    const auto all = particles(test.random(), n);
    auto in = test.input("structures", all);
    auto memory = test.inout("copied", std::vector<float>(memory_access::floats_needed(n), kRest));
    const Particles arrays = memory_access::arrays_in(memory.data(), n);
    const auto run = [&] { memory_access::to_arrays(in.data(), n, arrays); };
    kit::Counts counts;
    counted ? void(counts = test.counts(run)) : test.call(run);
    expect_fields(test, "copied", memory.values(), all, kit::named_task(1));
    if (n > 0) test.by_kernels(kit::named_task(1));
    test.stored_at_most(n * sizeof(Particle), kit::named_task(1));
    if (counted) test.sectors_at_most(4.5, counts, kit::Way::stores);
}

void move(kit::Case& test, std::size_t n, bool counted = false) {
    if (!layout(test, n)) return;
    if (n > 1000) test.skip_if_work_is_repeated();
    auto all = particles(test.random(), n);
    auto memory = test.inout("moved", in_arrays(all, kRest));
    const Particles arrays = memory_access::arrays_in(memory.data(), n);
    const auto dt = static_cast<float>(test.random().integer(2, 9));
    const auto run = [&] { memory_access::move_arrays(arrays, n, dt); };
    kit::Counts counts;
    counted ? void(counts = test.counts(run)) : test.call(run);
    for (Particle& p : all) p.x += dt * p.vx, p.y += dt * p.vy, p.z += dt * p.vz;
    expect_fields(test, "moved", memory.values(), all, kit::named_task(4));
    if (n > 0) test.by_kernels(kit::named_task(4));
    test.stored_at_most(3 * n * sizeof(float), kit::named_task(4));
    if (!counted) return;
    test.sectors_at_most(4.5, counts, kit::Way::loads);
    test.sectors_at_most(4.5, counts, kit::Way::stores);
}

/// Marks the sectors that hold a byte that is needed.
int marked_sectors(memory_access::Layout layout, int fields, bool neighbours) {
    constexpr std::size_t kPitch = 4096;
    std::vector<bool> touched(kFields * kPitch * sizeof(float) / memory_access::kSectorBytes);
    for (std::size_t lane = 0; lane < memory_access::kLanes; ++lane) {
        const std::size_t particle = neighbours ? 64 + lane : 3 + 37 * lane;
        for (int f = 0; f < fields; ++f) {
            const std::size_t at =
                layout == memory_access::Layout::structures ? particle * kFields + f : f * kPitch + particle;
            touched[at * sizeof(float) / memory_access::kSectorBytes] = true;
        }
    }
    return static_cast<int>(std::count(touched.begin(), touched.end(), true));
}

void choose(kit::Case& test, bool neighbours) {
    using memory_access::Layout;
    for (int fields = 1; fields <= kFields; ++fields) {
        const std::string who = kit::count_of(fields, "field") + " of 32 particles that are " +
                                (neighbours ? "neighbours" : "far apart");
        for (const Layout layout : {Layout::structures, Layout::arrays}) {
            const int got =
                test.call([&] { return memory_access::sectors_needed(layout, fields, neighbours); });
            const int want = marked_sectors(layout, fields, neighbours);
            test.check(got == want, "sectors_needed is " + std::to_string(got) + ", expected " +
                                        std::to_string(want) + ", for " + who + " and are stored in " +
                                        (layout == Layout::arrays ? "arrays" : "structures") +
                                        ": count the sectors that the 32 lanes touch for all these fields" +
                                        kit::task(2));
        }
        const bool arrays = marked_sectors(Layout::arrays, fields, neighbours) <
                            marked_sectors(Layout::structures, fields, neighbours);
        const Layout got = test.call([&] { return memory_access::better_layout(fields, neighbours); });
        test.check((got == Layout::arrays) == arrays,
                   std::string("better_layout chooses ") + (arrays ? "structures" : "arrays") + " for " +
                       who + ", but the other layout needs fewer sectors: compare both" + kit::task(3));
    }
}

}  // namespace

int main(int argc, char** argv) {
    kit::Grader grader("03_memory_access", "soa", argc, argv);
    grader.task(4, kit::About().on("moved"));
    grader.add("the choice for neighbours", [](kit::Case& test) { choose(test, true); });
    grader.add("the choice for particles that are far apart", [](kit::Case& test) { choose(test, false); });
    for (const std::size_t n : {0, 1, 31, 32, 33, 1000})
        grader.add("layout, n=" + std::to_string(n), [n](kit::Case& test) { layout(test, n); });
    for (const std::size_t n : {0, 1, 255, 256, 257, 1000, 5003})
        grader.add("copy, n=" + std::to_string(n), [n](kit::Case& test) { convert(test, n); });
    for (const std::size_t n : {0, 1, 255, 256, 257, 1000, 5003})
        grader.add("move, n=" + std::to_string(n), [n](kit::Case& test) { move(test, n); });
    // Not a multiple of 32, so that arrays without gaps would start at unaligned addresses.
    grader.add("sectors of the copy, n=5003", [](kit::Case& test) { convert(test, 5003, true); });
    grader.add("sectors of the move, n=5003", [](kit::Case& test) { move(test, 5003, true); });
    return grader.run();
}
