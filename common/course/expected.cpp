#include "expected.hpp"

#include <algorithm>

namespace course {

namespace {

const CaseVerdict* told_case(const Verdict& verdict) {
    const auto found = std::find_if(verdict.cases.begin(), verdict.cases.end(), [&](const CaseVerdict& one) {
        return is_told(one) && one.name == verdict.told;
    });
    return found == verdict.cases.end() ? nullptr : &*found;
}

/// Returns the text of a line of the program; for a line in another file, the name of that file.
std::string text_at(const kit::facts::Line& at, const fs::path& program, const Lines& source) {
    const fs::path name = fs::path(at.file).filename();
    if (name != program.filename() || at.line < 1 || static_cast<std::size_t>(at.line) > source.size())
        return name.string();
    return trimmed(source[static_cast<std::size_t>(at.line) - 1]);
}

Lines sorted(Lines lines) {
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    return lines;
}

/// Replaces addresses such as 0x7f2847a02190 by "0x...", because they change from run to run.
std::string without_addresses(std::string line) {
    constexpr std::size_t least_digits = 9;  // minimum number of digits of an address; a mask of lanes has 8
    for (std::size_t at = 0; (at = line.find("0x", at)) != std::string::npos; ++at) {
        const std::size_t end = std::min(line.find_first_not_of("0123456789abcdef", at + 2), line.size());
        if (end - at >= 2 + least_digits) line.replace(at + 2, end - at - 2, "...");
    }
    return line;
}

std::string heading_of(const Exercise& exercise, const Entry& entry) {
    return entry.kind + " " + exercise.name + "." + entry.name;
}

void drop_blank_ends(Lines& lines) {
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    while (!lines.empty() && lines.front().empty()) lines.erase(lines.begin());
}

}  // namespace

Facts facts_of(const Verdict& verdict, const fs::path& program) {
    const CaseVerdict* const told = told_case(verdict);  // the judge keeps a verdict that passes if the entry
                                                         // says "pass"
    if (!told && verdict.outcome == "pass") return {"passed", "", {}, ""};
    if (!told) return {verdict.outcome == "open" ? "open" : "no_verdict", "", {}, ""};
    Facts facts;
    facts.kind = told->status == Status::other ? other_method : kit::detail::name_of(told->diagnosis);
    for (const int task : told->tasks)
        facts.task += sentence(facts.task.empty() ? "" : ", ", std::to_string(task));
    if (facts.task.empty()) facts.task = "none";
    const Lines source = lines_of(read_text_if_there(program));
    for (const kit::facts::Where& where : lines_of(*told))
        facts.at.push_back(text_at(where, program, source));
    facts.at = sorted(std::move(facts.at));
    facts.demand = told->count.name;
    return facts;
}

std::set<std::string> named_facts(const Verdict& verdict) {
    std::set<std::string> named = {"failed: " + std::to_string(verdict.failed)};
    const auto add = [&](const kit::facts::Failure& failure) {
        named.insert(std::string("kind: ") + kit::detail::name_of(failure.diagnosis));
        named.insert(std::string("fault: ") + name_of(failure.fault));
        named.insert(std::string("pattern: ") + name_of(failure.pattern));
        named.insert("error: " + failure.error.name);
        named.insert("demand: " + failure.count.name);
        for (const int task : failure.tasks) named.insert("task: " + std::to_string(task));
        if (failure.finding) named.insert(std::string("rule: ") + name_of(failure.finding->rule));
    };
    for (const CaseVerdict& one : verdict.cases) {
        if (one.status != Status::fail) continue;
        named.insert("case: " + one.name);
        add(one);
        for (const kit::facts::Failure& other : one.also) add(other);
    }
    return named;
}

std::string usual_kind(const Entry& entry, const std::string& backend) {
    if (entry.kind == "wrong") return "";
    return entry.kind == "other" && backend == "cpu" ? other_method : "passed";
}

Lines differences(const Entry& entry, const Facts& facts, const std::string& backend) {
    Lines found;
    const auto compare = [&](const std::string& key, const Lines& stated, const Lines& now) {
        if (stated == now) return;
        for (const std::string& value : stated) found.push_back("- " + key + ": " + value);
        for (const std::string& value : now) found.push_back("+ " + key + ": " + value);
    };
    const auto compare_one = [&](const std::string& key, const std::string& stated, const std::string& now) {
        if (contains(" | " + stated + " | ", " | " + now + " | ")) return;
        compare(key, stated.empty() ? Lines() : Lines{stated}, now.empty() ? Lines() : Lines{now});
    };
    const std::string kind = entry.expected("kind", backend);
    compare_one("kind", kind.empty() ? usual_kind(entry, backend) : kind, facts.kind);
    if (found.empty() && facts.kind == "passed") return {};
    compare_one("task", entry.expected("task", backend), facts.task);
    const Lines own = entry.values("at." + backend);
    if (entry.value("screen").empty() && (backend == "cpu" || !own.empty()))
        compare("at", sorted(own.empty() ? entry.values("at") : own), facts.at);
    const std::string demand = entry.expected("demand", backend);
    compare_one("demand", demand == "none" ? "" : demand, facts.demand);
    return found;
}

Screens::Screens(const std::string& text) {
    Lines* screen = nullptr;
    for (const std::string& line : lines_of(text)) {
        const Lines heading = match(line, "^== ((wrong|other|right) [a-z0-9_]+[.][A-Za-z0-9_]+)$");
        if (!heading.empty())
            screen = &screens_[heading[1]];
        else if (screen)
            screen->push_back(line);
    }
    for (auto& [heading, lines] : screens_) drop_blank_ends(lines);
}

const Lines& Screens::of(const Exercise& exercise, const Entry& entry) const {
    static const Lines none;
    const auto found = screens_.find(heading_of(exercise, entry));
    return found == screens_.end() ? none : found->second;
}

void Screens::set(const Exercise& exercise, const Entry& entry, Lines screen) {
    screens_[heading_of(exercise, entry)] = std::move(screen);
}

std::string Screens::text(const Course& course, const std::string& topic) const {
    Lines lines = {"# What a student sees of each submission of " + topic +
                   " that does not pass. `kit_author accept` writes it."};
    for (const Exercise* const exercise : course.exercises_of(topic)) {
        const Submissions order(course, *exercise);
        for (const Entry& entry : order.entries()) {
            const Lines& screen = of(*exercise, entry);
            if (screen.empty()) continue;
            lines.insert(lines.end(), {"", "== " + heading_of(*exercise, entry)});
            lines.insert(lines.end(), screen.begin(), screen.end());
        }
    }
    return text_of(lines);
}

Screens read_screens(const Course& course, const std::string& topic) {
    return Screens(read_text_if_there(course.root / screens_of(topic)));
}

Lines screen_of(const Verdict& verdict) {
    Lines screen;
    const Lines lines = lines_of(verdict.output);
    for (std::size_t i = 1; i < lines.size(); ++i) {
        screen.push_back(without_addresses(lines[i]));
        if (begins_with(lines[i], "RESULT ")) break;
    }
    drop_blank_ends(screen);
    return screen;
}

}  // namespace course
