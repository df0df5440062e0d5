// The wall between judge and worker, for grading the code of others (common/classroom). The worker is a separate program with the student's
// code, in a sandbox. The judge is the same test, linked with the solution.
//
//     worker                                      judge
//     needs random numbers        -- words -->    draws them: the seed is known here only
//     calls the student's code
//     reads its results           -- value -->    keeps them
//     has seen no mistake         -- end   -->    runs the case itself, once, takes the kept values for its own results,
//                                                 and compares them with what it expects
//
// The expected values follow from a test's inputs, so in most cases the judge does not call the solution (Effort).
//
// So no case passes only because the worker reports it: every value that a test compares must be correct for numbers that nobody can guess.
// The worker's findings about its own kernels (races, counts) cannot be verified; the judge has to believe them.
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
    /// Returns null where the seed is known.
    virtual std::shared_ptr<RandomWords> words(const std::string& name, std::uint64_t run) = 0;
    /// Passes a result that a test reads: the worker sends it, and the judge receives the worker's.
    virtual void pass(const std::string& name, std::vector<char>& bytes) = 0;
    virtual bool is_judges() const = 0;
};

inline Wall* wall =
    nullptr;  ///< the wall of this process; null if there is none, as when students grade themselves

/// Only the results of a case's first run go through the wall: a worker gains nothing from wrong results in other runs.
inline bool wall_is_open = true;

/// The amount of work of the judge for a case: the smallest with which the case has the worker's result.
enum class Effort {
    compare,  ///< calls nothing: everything that is compared is an array, a number or a text that has come through the wall
    unchecked,  ///< calls the solution, whose own results, such as a graph, are used
    checked     ///< runs the executor's checks as well, because some tests compare what they report
};
inline Effort effort = Effort::checked;

inline bool calls_are_spared() {
    return wall && wall->is_judges() && effort == Effort::compare;
}

inline bool is_judging_worker() {
    return wall && wall->is_judges();
}

/// Returns a generator that depends on the seed, a name and the number of the run.
inline Random secret_random(std::uint64_t seed, const std::string& name, std::uint64_t run) {
    auto words = wall ? wall->words(name, run) : nullptr;
    return words ? Random(std::move(words)) : Random(mix(seed, name, run));
}

/// Passes results that are plain data through the wall; others, such as a graph, stay in their process.
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
