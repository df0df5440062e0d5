// Formats findings for programs without the grader.
#include <filesystem>
#include <system_error>
#include <text_layout.hpp>
#include <words/finding.hpp>
#include <words/listing.hpp>
#include <words/names.hpp>
#include <words/report.hpp>

namespace kit::words {

using facts::Finding;
using facts::Rule;

namespace {

/// Returns the path as compilers print it: relative to the working directory, if the file is below it.
std::string from_here(std::string path) {
    std::error_code failed;
    const std::string here = std::filesystem::current_path(failed).string() + "/";
    if (!failed && path.compare(0, here.size(), here) == 0) path.erase(0, here.size());
    return path;
}

/// Returns advice for a kernel that exceeds the time limit because it has much work.
const char* advice_of(const Finding& finding) {
    const bool at_limit = finding.rule == Rule::endless_kernel || finding.rule == Rule::endless_grid ||
                          finding.rule == Rule::endless_family;
    if (!at_limit) return nullptr;
    if (number_in(finding, "checked") != 0)
        return "If the kernel has that much to do, run it with a smaller size, with KIT_CHECKS=0 (no checks, several times as fast), with KIT_CHECK_BLOCKS=2 (checks only the first 2 blocks of each launch), or with KIT_KERNEL_SECONDS=100 (a larger limit).";
    return "If the kernel has that much to do, run it with a smaller size, compile it with kitcc -unchecked (the fastest way), or set KIT_KERNEL_SECONDS=100 (a larger limit).";
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

std::string line_in_short(const facts::Line& line) {
    return line.line ? " at " + from_here(line.file) + ":" + std::to_string(line.line) : "";
}

/// Returns the name of the variable that the finding is about, such as "`tile[1]`" or "`d_in`".
std::string variable_of(const facts::Memory& memory) {
    const bool has_name = !memory.element.empty() && !memory.name.empty();
    const std::string name = has_name ? memory.element : memory.name;
    return name.empty() ? "" : " (`" + name + "`)";
}

}  // namespace

std::string report_of(const Finding& finding, const std::string& page, int width) {
    const Told told = words::told(finding);
    std::vector<std::string> lines;
    const auto add = [&](const std::string& text, int hang) {
        for (std::string& line : wrapped(printable(text), width, hang)) lines.push_back(std::move(line));
    };
    add("kit: " + (told.what.empty() ? finding.kind : told.what), 5);
    if (!told.lines.empty()) lines.emplace_back();
    for (std::string& line : listing(told, width, from_here)) lines.push_back(std::move(line));
    if (!told.rest.empty()) add("    " + told.rest, 4);
    const char* const advice = advice_of(finding);
    if (advice) lines.emplace_back(), add(std::string("    ") + advice, 4);
    if (!page.empty()) lines.emplace_back(), add("    page   " + page, 11);
    lines.emplace_back();
    return joined(lines);
}

std::string summary_of(const std::vector<Finding>& reports, int width) {
    std::vector<std::string> lines = {reports.size() == 1 ? "kit: 1 mistake was reported, and occurred again:"
                                                          : "kit: " + std::to_string(reports.size()) +
                                                                " mistakes were reported:"};
    for (const Finding& one : reports) {
        const std::string times = count_of(static_cast<double>(one.times), "times");
        const std::string line =
            padded("    " + times, 18) + one.kind + line_in_short(one.place) + variable_of(one.memory);
        for (std::string& part : wrapped(printable(line), width, 20)) lines.push_back(std::move(part));
    }
    return joined(lines);
}

std::string partly_checked(std::uint64_t blocks) {
    if (blocks == 1) return "kit: KIT_CHECK_BLOCKS=1: only the first block of each launch is checked\n";
    return "kit: KIT_CHECK_BLOCKS=" + std::to_string(blocks) + ": only the first " +
           count_of(static_cast<double>(blocks), "blocks") + " of each launch are checked\n";
}

}  // namespace kit::words
