// A method that an exercise practises, and what a submission did instead: right results, but not as the exercise asks.
#pragma once

#include <string>
#include <text_layout.hpp>
#include <vector>

namespace kit {

/// What a test says about a submission that uses another method. See Case::method.
struct Method {
    std::string practises;  ///< what the exercise practises, as a noun: "one thread for each pair"
    std::string
        did;  ///< what the submission did instead, as a clause: "one of your threads adds 40 of 300 pairs"
    std::string why;           ///< one or two sentences: why the exercise requires it
    int task = 0;              ///< of the README: where the method belongs
    std::string counted = {};  ///< the name of the demand; set by Case::method
};

namespace detail {

/// The outcome as data, in verdicts and in exports.
inline constexpr char other_method[] = "other_method";

/// "It practises one thread for each pair; one of your threads adds 40 of 300 pairs."
inline std::string in_words(const Method& method) {
    return "It practises " + method.practises + "; " + method.did + ".";
}

/// The screen. `cases`: "all 4 cases"; `place`: the task and its page.
inline std::vector<std::string> lines_of(const Method& method, const std::string& cases,
                                         const std::string& place, int width) {
    std::vector<std::string> lines;
    const auto add = [&](const std::string& text, int hang) {
        for (std::string& line : wrapped(text, width, hang)) lines.push_back(std::move(line));
    };
    add("OTHER  right results, but not as this exercise asks. " + in_words(method), 7);
    add("       in " + cases, 7);
    lines.emplace_back();
    add("    why    " + method.why, 11);
    add("    task   " + place, 11);
    add("    next   Write this part as the task asks, and grade it again. Until then, the exercise does not "
        "count "
        "as done.",
        11);
    return lines;
}

}  // namespace detail
}  // namespace kit
