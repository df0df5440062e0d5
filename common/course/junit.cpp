#include "junit.hpp"

#include <cstdio>

#include "judge.hpp"

namespace course {

namespace {

std::string escaped(std::string text) {
    for (const auto& [from, to] : {std::pair("&", "&amp;"), std::pair("<", "&lt;"), std::pair(">", "&gt;"),
                                   std::pair("\"", "&quot;")}) {
        text = replaced(text, from, to);
    }
    for (char& c : text) {
        if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
            c = '?';  // XML does not allow other control characters
    }
    return text;
}

std::string case_of(const Verdict& verdict, const std::string& topic) {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.3f", verdict.seconds);
    std::string text = "    <testcase classname=\"" + escaped(topic) + "\" name=\"" + escaped(verdict.test) +
                       "\" time=\"" + seconds + "\">\n";
    const char* element = verdict.outcome == "pass"     ? ""
                          : verdict.outcome == "skip"   ? "skipped"
                          : verdict.outcome == "broken" ? "error"
                                                        : "failure";
    if (*element) {
        const std::string type =
            verdict.outcome == "skip" ? "" : " type=\"" + escaped(verdict.outcome) + "\"";
        text +=
            std::string("      <") + element + type + " message=\"" + escaped(verdict.sentence) + "\"/>\n";
    }
    if (!verdict.output.empty()) text += "      <system-out>" + escaped(verdict.output) + "</system-out>\n";
    return text + "    </testcase>\n";
}

}  // namespace

std::string junit_of(const Course& course, const std::vector<Verdict>& verdicts) {
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"CUDA course\">\n";
    for (const std::string& topic : course.topics()) {
        std::string cases;
        int tests = 0, failures = 0, errors = 0, skipped = 0;
        for (const Verdict& verdict : verdicts) {
            const Exercise* exercise = exercise_of(course, verdict.test);
            if (!exercise || exercise->topic != topic) continue;
            ++tests;
            failures +=
                verdict.outcome == "wrong" || verdict.outcome == "open" || verdict.outcome == other_method;
            errors += verdict.outcome == "broken";
            skipped += verdict.outcome == "skip";
            cases += case_of(verdict, topic);
        }
        if (tests == 0) continue;
        const auto count = [](const char* name, int number) {
            return std::string(" ") + name + "=\"" + std::to_string(number) + "\"";
        };
        text += "  <testsuite name=\"" + escaped(topic) + "\"" + count("tests", tests) +
                count("failures", failures) + count("errors", errors) + count("skipped", skipped) + ">\n" +
                cases + "  </testsuite>\n";
    }
    return text + "</testsuites>\n";
}

}  // namespace course
