// The wall between judge and worker, for grading submissions of other people (common/classroom). The worker
// is a separate program with the student's code, in a sandbox. The judge is the same test, linked with the
// solution.
//
//   worker                                      judge
//   needs random numbers        -- words -->    generates them, because only the judge knows the seed
//   calls the student's code
//   reads its results           -- value -->    stores them
//   has found no mistake        -- end   -->    runs the case itself, once, replaces its own results by the stored values,
//                                               and compares these with what it expects
//
// A test usually computes the expected values from its inputs, so in most cases the judge does not call the
// solution (Effort).
//
// A case does not pass just because the worker says so: every value that a test compares must be correct for
// numbers that nobody can guess. The worker's findings about its own kernels (races, counts) cannot be
// verified, so the judge must believe them.
#pragma once

#include <algorithm>
#include <grader/inputs.hpp>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace kit::detail {

struct Wall {
    virtual ~Wall() = default;
    /// Returns the random words of a sequence; null in a process that knows the seed.
    virtual std::shared_ptr<RandomWords> words(const std::string& name, std::uint64_t run) = 0;
    /// Passes a result that the test reads: the worker sends its bytes, and in the judge they are replaced by
    /// the worker's.
    virtual void pass(const std::string& name, std::vector<char>& bytes) = 0;
    virtual bool is_judges() const = 0;
};

inline Wall* wall = nullptr;  ///< the wall of this process; null if students grade themselves

/// Only results of the first run of a case pass through the wall, because a worker gains nothing from wrong
/// results in other runs.
inline bool wall_is_open = true;

/// How much the judge does for a case. The judge chooses the smallest effort that gives the worker's result.
enum class Effort {
    compare,    ///< calls nothing: all compared values are arrays, numbers or texts that passed through the
                ///< wall
    unchecked,  ///< calls the solution, and uses its results that cannot pass through the wall, such as a
                ///< graph
    checked     ///< also runs the executor's checks, because some tests compare what the checks report
};
inline Effort effort = Effort::checked;

inline bool calls_are_spared() {
    return wall && wall->is_judges() && effort == Effort::compare;
}

inline bool is_judging_worker() {
    return wall && wall->is_judges();
}

/// Returns a generator for a seed, a name and the number of a run.
inline Random secret_random(std::uint64_t seed, const std::string& name, std::uint64_t run) {
    auto words = wall ? wall->words(name, run) : nullptr;
    return words ? Random(std::move(words)) : Random(mix(seed, name, run));
}

/// Passes results that are plain data through the wall. Other results, such as a graph, stay in their
/// process.
template <class T>
constexpr bool is_plain = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string>;

inline std::string passed(const std::string& name, std::string text) {
    if (!wall || !wall_is_open) return text;
    std::vector<char> bytes(text.begin(), text.end());
    wall->pass(name, bytes);
    return {bytes.begin(), bytes.end()};
}

template <class T, class = std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>>>
T passed(const std::string& name, T value) {
    if (!wall || !wall_is_open) return value;
    char* first = reinterpret_cast<char*>(&value);
    std::vector<char> bytes(first, first + sizeof value);
    wall->pass(name, bytes);
    std::copy_n(bytes.begin(), std::min(bytes.size(), sizeof value), first);
    return value;
}

template <class T>
std::vector<T> passed(const std::string& name, std::vector<T> values) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>, "passed byte by byte");
    if (!wall || !wall_is_open) return values;
    const char* first = reinterpret_cast<const char*>(values.data());
    std::vector<char> bytes(first, first + values.size() * sizeof(T));
    wall->pass(name, bytes);
    values.resize(bytes.size() / sizeof(T));
    std::copy_n(bytes.begin(), values.size() * sizeof(T), reinterpret_cast<char*>(values.data()));
    return values;
}

}  // namespace kit::detail
