// The screen of a submission with right results that does not use the method which the exercise practises.
#pragma once

#include <facts/outcome.hpp>
#include <string>
#include <text_layout.hpp>
#include <vector>
#include <words/outcome.hpp>

namespace kit {

using facts::Method;

namespace detail {

/// `cases`: "all 4 cases"; `place`: the task and its page.
inline std::vector<std::string> lines_of(const Method& method, const std::string& cases,
                                         const std::string& place, int width) {
    std::vector<std::string> lines;
    const auto add = [&](const std::string& text, int hang) {
        for (std::string& line : wrapped(text, width, hang)) lines.push_back(std::move(line));
    };
    add("OTHER  " + words::screen_of(method), 7);
    add("       in " + cases, 7);
    lines.emplace_back();
    add("    why    " + method.why, 11);
    add("    task   " + place, 11);
    add(std::string("    next   ") + words::next_of_method(), 11);
    return lines;
}

}  // namespace detail
}  // namespace kit
