#include <algorithm>
#include <diagnoses.hpp>
#include <set>
#include <words/finding.hpp>

#include "judge.hpp"

namespace course {

namespace {

using kit::facts::Access;
using kit::facts::Finding;
using kit::facts::Fix;
using kit::facts::Index;
using kit::facts::Memory;
using kit::facts::Rule;
using kit::facts::Who;

/// Returns the text between the first `before` and the next `after`; up to the end if there is no `after`,
/// and empty if there is no `before`.
std::string between(const std::string& text, const std::string& before, const std::string& after) {
    const std::size_t begin = text.find(before);
    if (begin == std::string::npos) return "";
    const std::size_t from = begin + before.size();
    return text.substr(from, text.find(after, from) - from);
}

/// Returns the name of the kernel, such as "tree", in "... at tree(const float *, float *)+0x90 in
/// tree.cu:12".
std::string kernel_in(const std::string& text, const std::string& mark = " at ") {
    std::string name = between(text, mark, "\n");
    if (begins_with(name, "void ")) name.erase(0, 5);
    name = name.substr(0, name.find_first_of("(<+"));
    const std::size_t scope = name.rfind("::");
    return scope == std::string::npos ? name : name.substr(scope + 2);
}

/// Reads an index in the form "5,0,0".
Index index_of(const std::string& text) {
    Index index;
    const Lines parts = match(text, "^([0-9]+),([0-9]+),([0-9]+)$");
    for (std::size_t i = 0; i < index.at.size() && !parts.empty(); ++i)
        index.at[i] = static_cast<unsigned>(number_of(parts[i + 1]));
    index.known = !parts.empty();
    return index;
}

Who a_thread(Who::Kind kind = Who::Kind::thread) {
    Who who;
    who.kind = kind;
    return who;
}

/// Reads the thread in a text such as "by thread (3,0,0) in block (1,0,0)".
Who thread_in(const std::string& text) {
    Who who = a_thread();
    who.thread = index_of(between(text, "thread (", ")"));
    who.block = index_of(between(text, ") in block (", ")"));
    return who.thread.known && who.block.known ? who : a_thread();
}

class Reports {
  public:
    explicit Reports(const fs::path& source)
        : file_(source.filename().string()), lines_(lines_of(read_text_if_there(source))) {}

    std::vector<Finding> of(const std::string& output) {
        for (const std::string& line : lines_of(output)) read(line);
        finish();
        return findings_;
    }

  private:
    /// The lines of the report that is being read.
    struct Report {
        std::string what, kernel, detail;
        int bytes = 0;
        kit::facts::Line at;
        Who who = a_thread();
        Memory memory;
    };

    void read(const std::string& line) {
        if (!begins_with(line, "=========")) return;
        if (contains(line, "Race reported between")) {
            race_ = line;
        } else if (!race_.empty() && contains(line, " and ")) {
            keep_race(race_, line);
            race_.clear();
        } else if (begins_with(line, "========= Invalid") || begins_with(line, "========= Uninitialized") ||
                   begins_with(line, "========= Barrier error")) {
            finish();
            report_.what = line.substr(10);
            report_.bytes = number_of(between(line, " of size ", " "));
        } else if (report_.what.empty()) {
            return;
        } else if (begins_with(line, "=========     at ") && !report_.at.line && report_.kernel.empty()) {
            report_.at = line_in(line);
            report_.kernel = kernel_in(line);
            is_meeting_of_warp_ = contains(line, "_sync(") || contains(line, "__syncwarp");
        } else if (contains(line, "Device Frame: ")) {
            if (!is_header(report_.at)) return;  // the caller helps a student, not the line in a header
            report_.at = line_in(line);
            report_.kernel = kernel_in(line, "Frame: ");
        } else if (begins_with(line, "=========     by ")) {
            report_.who = thread_in(line);
        } else if (begins_with(line, "=========     Access ")) {
            report_.detail = line;
        } else if (contains(line, "nearest allocation")) {
            take_nearest(line);
        }
    }

    /// Reads a line such as "... and is 12 bytes after the nearest allocation at 0x7f00a0 of size 400 bytes".
    void take_nearest(const std::string& line) {
        Memory& memory = report_.memory;
        memory.kind = Memory::Kind::nearest;
        memory.position = contains(line, " before ") ? Memory::Position::before : Memory::Position::after;
        const int distance = number_of(between(line, " is ", " byte")),
                  size = number_of(between(line, " of size ", " byte"));
        memory.distance = static_cast<std::uint64_t>(std::max(distance, 0));
        memory.bytes = static_cast<std::uint64_t>(std::max(size, 0));
    }

    void finish() {
        const Report one = report_;
        report_ = {};
        Access access;
        access.who = one.who;
        access.who.name = one.kernel;
        access.at = one.at;
        if (begins_with(one.what, "Invalid")) {
            access.write = contains(one.what, " write ") || contains(one.what, " atomic ");
            const bool is_near = one.memory.kind == Memory::Kind::nearest;
            if (contains(one.detail, "misaligned"))
                keep(about(Rule::misaligned_somewhere, one, access));
            else
                keep(about(is_near ? Rule::out_of_bounds : Rule::out_of_bounds_somewhere, one, access)
                         .on(one.memory));
        } else if (begins_with(one.what, "Uninitialized")) {
            keep(about(Rule::unwritten, one, access).on(some(Memory::Kind::some_global)));
        } else if (begins_with(one.what, "Barrier error")) {
            const bool parts = contains(one.what, "Divergent thread") && !is_meeting_of_warp_;
            Finding finding(parts ? Rule::block_parts : Rule::warp_parts);
            finding.by(one.who).in(one.kernel);
            finding.place = finding.at = one.at;
            keep(std::move(finding));
        }
    }

    static Memory some(Memory::Kind kind) {
        Memory memory;
        memory.kind = kind;
        return memory;
    }

    static Finding about(Rule rule, const Report& report, const Access& access) {
        Finding finding(rule);
        finding.in(report.kernel).with("bytes", report.bytes);
        finding.place = access.at;
        finding.accesses = {access};
        return finding;
    }

    void keep_race(const std::string& first, const std::string& second) {
        Access one, other;
        one.who = a_thread(), other.who = a_thread(Who::Kind::other_thread);
        one.at = line_in(first), other.at = line_in(second);
        one.write = contains(first, "Write access"), other.write = contains(second, "Write access");
        Finding race(Rule::race);
        race.in(kernel_in(first)).on(some(Memory::Kind::some_shared));
        race.place = one.at;
        race.accesses = {one, other};
        race.fix = Fix::barrier;
        const Lines hazards = match(second, "\\[([0-9]+) hazard");
        if (!hazards.empty()) race.times = static_cast<std::uint64_t>(number_of(hazards[1]));
        keep(std::move(race));
    }

    /// Adds the finding, unless one with the same kind and place was added before.
    void keep(Finding finding) {
        std::string key = finding.kind;
        for (const kit::facts::Where& where : lines_of(finding))
            key += " " + where.file + ":" + std::to_string(where.line);
        if (known_.insert(key).second) findings_.push_back(std::move(finding));
    }

    static bool is_header(const kit::facts::Line& at) {
        return !at.line || contains(at.file, "intrinsics") || ends_with(at.file, ".hpp") ||
               ends_with(at.file, ".h");
    }

    /// Reads the source line in a text such as "... in tree.cu:12 ...".
    kit::facts::Line line_in(const std::string& text) const {
        for (std::size_t at = text.find(" in "); at != std::string::npos; at = text.find(" in ", at + 1)) {
            const Lines parts =
                match(text.substr(at + 4, text.find(' ', at + 4) - at - 4), "^(.*):([0-9]+)$");
            if (parts.empty()) continue;
            const int number = number_of(parts[2]);
            const bool is_known = fs::path(parts[1]).filename() == file_ && number >= 1 &&
                                  number <= static_cast<int>(lines_.size());
            return {parts[1], number, is_known ? trimmed(lines_[static_cast<std::size_t>(number) - 1]) : ""};
        }
        return {};
    }

    std::string file_;
    Lines lines_;
    std::string race_;
    Report report_;
    bool is_meeting_of_warp_ = false;
    std::vector<Finding> findings_;
    std::set<std::string> known_;
};

}  // namespace

std::vector<Finding> findings_of_sanitizer(const std::string& output, const fs::path& source) {
    return Reports(source).of(output);
}

Lines told_of_sanitizer(const std::vector<Finding>& findings) {
    Lines lines;
    std::set<std::string> pages;
    for (const Finding& finding : findings) {
        lines.push_back("FAIL  " + kit::words::text_of(finding));
        pages.insert(kit::page_of(finding.kind));
    }
    for (const std::string& page : pages) lines.push_back("      see " + page);
    return lines;
}

}  // namespace course
