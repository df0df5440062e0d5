// A method that an exercise practises, and what a submission did instead: right results, but not as the exercise asks.
#pragma once

#include <string>

namespace kit {

/// What a test says about a submission that uses another method. See Case::method.
struct Method {
    std::string practises;  ///< method that the exercise practises, as a noun: "one thread for each pair"
    std::string did;  ///< method of the submission, as a clause: "you launched 256 threads for 300 pairs"
    std::string why;  ///< one or two sentences that say why the exercise requires its method
    int task = 0;     ///< number of the task that asks for the method
    std::string counted = {};  ///< name of the demand; Case::method sets it
};

namespace detail {

/// The outcome as data, in verdicts and in exports.
inline constexpr char other_method[] = "other_method";

/// "It practises one thread for each pair; one of your threads adds 40 of 300 pairs."
inline std::string in_words(const Method& method) {
    return "It practises " + method.practises + "; " + method.did + ".";
}

}  // namespace detail
}  // namespace kit
