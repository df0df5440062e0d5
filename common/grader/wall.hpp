// The wall between judge and worker, which is there when somebody else's code is graded for marks (common/classroom): the worker
// is a program of its own with the student's code, in a sandbox; the judge is the same test, linked with the solution.
//
//     worker                                      judge
//     needs random numbers        -- words -->    draws them: the seed is known here only
//     calls the student's code
//     reads what came of it       -- value -->    keeps it
//     has seen no mistake         -- end   -->    runs the case itself, once, takes the kept values for its own results,
//                                                 and compares them with what it expects
//
// What a test expects comes from its inputs, so mostly the judge need not call the solution at all (Effort).
//
// So no case passes because the worker says so: every value that a test compares must be right for numbers that nobody could
// know. What a worker finds out by looking at its own kernels (races, counts) the judge cannot see, and has to believe.
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
    /// Null where the seed is known.
    virtual std::shared_ptr<RandomWords> words(const std::string& name, std::uint64_t run) = 0;
    /// A test reads a result: the worker sends it, the judge gets the worker's.
    virtual void pass(const std::string& name, std::vector<char>& bytes) = 0;
    virtual bool is_judges() const = 0;
};

inline Wall* wall =
    nullptr;  ///< of this process; null where there is none, as whenever students grade themselves

/// Of the runs of a case only the first one's results go through: a worker that would be wrong in the others alone is none to fear.
inline bool wall_is_open = true;

/// What the judge spends on a case: it looks for the least with which the case says the same as the worker.
enum class Effort {
    compare,  ///< nothing is called: all that is compared is an array, a number or a text that has come through the wall
    unchecked,  ///< other results, such as a graph, are the solution's own
    checked     ///< some tests compare what comes from the executor's checks
};
inline Effort effort = Effort::checked;

inline bool calls_are_spared() {
    return wall && wall->is_judges() && effort == Effort::compare;
}

inline bool is_judging_worker() {
    return wall && wall->is_judges();
}

/// Numbers that depend on the seed, a name and the number of the run.
inline Random secret_random(std::uint64_t seed, const std::string& name, std::uint64_t run) {
    auto words = wall ? wall->words(name, run) : nullptr;
    return words ? Random(std::move(words)) : Random(mix(seed, name, run));
}

/// Results that are plain data go through the wall; others, such as a graph, stay where they are.
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
