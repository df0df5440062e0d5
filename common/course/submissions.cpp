#include "submissions.hpp"

#include <algorithm>
#include <set>

#include "submission.hpp"

namespace course {

namespace {

using Place = Entry::Change::Place;

/// The keys of an entry. The keys in the second set can also be for one backend, such as "kind.gpu".
const std::set<std::string> plain_keys = {"what",         "task-why",  "better",        "backends",
                                          "variant",      "screen",    "sanitizer.all", "sanitizer.finds",
                                          "sanitizer.at", "hunt",      "hunt.level",    "hunt.symptom",
                                          "hunt.kind",    "hunt.line", "hunt.hint"},
                            fact_keys = {"kind", "task", "at", "demand"};

bool is_key(const std::string& key) {
    const std::string fact = key.substr(0, key.find('.'));
    return plain_keys.count(key) || (fact_keys.count(fact) && (key == fact || key == fact + ".gpu"));
}

/// A line of the program, and whether an entry has inserted it.
struct Line {
    std::string text;
    bool is_new;
};

void drop_blank_end(Lines& lines) {
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
}

/// Returns the number of the region that a mark begins or ends; -1 for other lines.
int number_of_mark(const std::string& line, const std::string& mark) {
    const std::string text = trimmed(line);
    return begins_with(text, mark) ? number_of(trimmed(text.substr(mark.size()))) : -1;
}

/// Returns the indexes of the regions that a change affects; -1 stands for code outside of regions. `at` is
/// the line at which its old text begins.
std::set<int> changed_within(const Entry::Change& change, std::size_t at, const std::vector<int>& within) {
    std::set<int> found;
    bool was_removed = false;
    for (const std::string& line : difference(change.before, change.after)) {
        if (line[0] == '-') {
            found.insert(within[at]);
        } else if (line[0] == '+' && !was_removed) {  // an inserted line is in a region if the lines before
                                                      // and after it are
            const int above = at > 0 ? within[at - 1] : -1;
            found.insert(at < within.size() && within[at] == above ? above : -1);
        }
        was_removed = line[0] == '-' || (line[0] == '+' && was_removed);
        at += line[0] != '+';
    }
    return found;
}

/// Returns all positions, counted from 0, at which consecutive old lines of the program equal the wanted
/// lines.
std::vector<std::size_t> places_of(const Lines& wanted, const std::vector<Line>& program) {
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at + wanted.size() <= program.size(); ++at) {
        std::size_t same = 0;
        while (same < wanted.size() && !program[at + same].is_new && program[at + same].text == wanted[same])
            ++same;
        if (same == wanted.size()) places.push_back(at);
    }
    return places;
}

}  // namespace

Lines Entry::values(const std::string& key) const {
    Lines found;
    for (const auto& [name, value] : keys) {
        if (name == key) found.push_back(value);
    }
    return found;
}

std::string Entry::value(const std::string& key) const {
    const Lines found = values(key);
    return found.empty() ? "" : found[0];
}

std::string Entry::expected(const std::string& key, const std::string& backend) const {
    const Lines own = values(key + "." + backend);
    return own.empty() ? value(key) : own[0];
}

Submissions::Submissions(const Course& course, const Exercise& exercise)
    : Submissions(exercise.submissions(), read_text_if_there(course.root / exercise.submissions())) {}

Submissions::Submissions(fs::path path, const std::string& text) : path_(std::move(path)) {
    int number = 0;
    for (const std::string& line : lines_of(text)) {
        ++number;
        if (begins_with(line, "== ")) {
            read_heading(number, line);
        } else if (entries_.empty()) {
            if (!line.empty() && line[0] != '#') complain(number, "expected \"== wrong NAME\"");
        } else if (begins_with(line, "-- ")) {
            read_change(number, line);
        } else if (!entries_.back().changes.empty()) {
            entries_.back().changes.back().after.push_back(line);
        } else if (!line.empty() && line[0] != '#') {
            read_key(number, line);
        }
    }
    for (Entry& entry : entries_) {
        for (Entry::Change& change : entry.changes) {
            drop_blank_end(change.before);
            drop_blank_end(change.after);
            if (change.place == Place::text && change.before.empty())
                complain(change.line, "\"-- replace\" needs the text, and \"-- with\"");
        }
        if (entry.changes.empty())
            complain(entry.line, entry.id() + " changes nothing, so it would be the solution");
    }
}

void Submissions::read_heading(int number, const std::string& line) {
    const Lines found = match(line, "^== (wrong|other|right) ([A-Za-z0-9_]+)$");
    if (found.empty()) complain(number, "expected \"== wrong NAME\", \"== other NAME\" or \"== right NAME\"");
    Entry entry;
    entry.kind = found[1];
    entry.name = found[2];
    entry.line = number;
    const auto same = std::find_if(entries_.begin(), entries_.end(),
                                   [&](const Entry& other) { return other.name == entry.name; });
    if (same != entries_.end()) complain(number, sentence(entry.name, " is also at line ", same->line));
    entries_.push_back(std::move(entry));
}

void Submissions::read_change(int number, const std::string& line) {
    std::vector<Entry::Change>& changes = entries_.back().changes;
    const Lines region = match(line, "^-- region ([0-9]+)$");
    if (!region.empty()) {
        changes.push_back({Place::region, number, number_of(region[1]), {}, {}});
    } else if (line == "-- top") {
        changes.push_back({Place::top, number, 0, {}, {}});
    } else if (line == "-- replace") {
        changes.push_back({Place::text, number, 0, {}, {}});
    } else if (line == "-- with" && !changes.empty() && changes.back().place == Place::text &&
               changes.back().before.empty()) {
        changes.back().before.swap(changes.back().after);
    } else {
        complain(number, "expected \"-- region NUMBER\", \"-- top\", or \"-- replace\" and then \"-- with\"");
    }
}

void Submissions::read_key(int number, const std::string& line) {
    const std::size_t colon = std::min(line.find(": "), line.size());
    const std::string key = line.substr(0, colon);
    if (colon == line.size() || !is_key(key))
        complain(number, "\"" + key + "\" is unknown here; tests/README.md lists the keys of an entry");
    entries_.back().keys.emplace_back(key, trimmed(line.substr(colon + 1)));
}

void Submissions::complain(int line, const std::string& what) const {
    throw Error(path_, ":", line, ": ", what);
}

const Entry* Submissions::find(const std::string& id) const {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.id() == id; });
    return found == entries_.end() ? nullptr : &*found;
}

const Entry& Submissions::entry(const std::string& id) const {
    if (const Entry* found = find(id)) return *found;
    throw Error(path_, ": has no entry \"== ", replaced(id, ".", " "), "\"");
}

Lines Submissions::program(const Entry& entry, const fs::path& solution, const Lines& text) const {
    const auto refuse = [&](const Entry::Change& change, const auto&... what) {
        complain(change.line, sentence(entry.id(), ": ", what...));
    };
    const Unmarked plain = without_marks(text);
    std::vector<const Lines*> replacement(plain.regions.size());
    for (const Entry::Change& change : entry.changes) {
        if (change.place != Place::region) continue;
        const auto at = std::find(plain.regions.begin(), plain.regions.end(), change.region);
        if (at == plain.regions.end() ||
            std::find(at + 1, plain.regions.end(), change.region) != plain.regions.end())
            refuse(change, solution.string(),
                   at == plain.regions.end() ? " has no region " : " has several regions ", change.region);
        const Lines*& mine = replacement[static_cast<std::size_t>(at - plain.regions.begin())];
        if (mine) refuse(change, "it replaces region ", change.region, " twice");
        mine = &change.after;
    }
    std::vector<Line> program;
    for (std::size_t i = 0; i < plain.lines.size(); ++i) {
        const int within = plain.within[i];
        if (within < 0 || !replacement[static_cast<std::size_t>(within)]) {
            program.push_back({plain.lines[i], false});
        } else if (i == 0 || plain.within[i - 1] != within) {
            for (const std::string& line : *replacement[static_cast<std::size_t>(within)])
                program.push_back({line, true});
        }
    }
    for (const Entry::Change& change : entry.changes) {
        if (change.place == Place::region) continue;
        std::size_t at = 0;
        if (change.place == Place::top) {
            for (std::size_t i = 0; i < program.size(); ++i) {
                if (begins_with(program[i].text, "#include")) at = i + 1;
            }
        } else {
            const std::vector<std::size_t> places = places_of(change.before, program);
            if (places.size() != 1)
                refuse(change, solution.string(), places.empty() ? " does not have " : " has more than once ",
                       "the text to replace, which begins with \"", trimmed(change.before[0]), "\"");
            at = places[0];
        }
        std::vector<Line> after;
        for (const std::string& line : change.after) after.push_back({line, true});
        const auto from = program.begin() + static_cast<std::ptrdiff_t>(at);
        program.insert(program.erase(from, from + static_cast<std::ptrdiff_t>(change.before.size())),
                       after.begin(), after.end());
    }
    Lines lines;
    for (Line& line : program) lines.push_back(std::move(line.text));
    return lines;
}

Lines Submissions::program(const Course& course, const Exercise& exercise, const Entry& entry) const {
    return program(entry, exercise.solution(),
                   course::lines_of(read_text(course.root / exercise.solution())));
}

std::set<int> changed_regions(const Entry& entry, const Unmarked& solution) {
    std::vector<Line> program;
    for (const std::string& line : solution.lines) program.push_back({line, false});
    std::set<int> numbers;
    for (const Entry::Change& change : entry.changes) {
        if (change.place == Place::region) {
            Lines before;
            for (std::size_t i = 0; i < solution.lines.size(); ++i) {
                const int within = solution.within[i];
                if (within >= 0 && solution.regions[static_cast<std::size_t>(within)] == change.region)
                    before.push_back(solution.lines[i]);
            }
            if (before != change.after) numbers.insert(change.region);
        } else if (change.place == Place::text) {
            for (const std::size_t at : places_of(change.before, program)) {
                for (const int within : changed_within(change, at, solution.within))
                    if (within >= 0) numbers.insert(solution.regions[static_cast<std::size_t>(within)]);
            }
        }
    }
    numbers.erase(0);  // code of the solution that the starter does not have, and that belongs to no task
    return numbers;
}

Unmarked without_marks(const Lines& solution) {
    Unmarked plain;
    bool inside = false;
    for (const std::string& line : solution) {
        if (const int begins = number_of_mark(line, "// BEGIN SOLUTION "); begins >= 0) {
            plain.regions.push_back(begins);
            inside = true;
        } else if (number_of_mark(line, "// END SOLUTION ") >= 0) {
            inside = false;
        } else if (!begins_with(trimmed(line), "// STARTER ")) {
            plain.lines.push_back(line);
            plain.within.push_back(inside ? static_cast<int>(plain.regions.size()) - 1 : -1);
        }
    }
    return plain;
}

Lines lines_of(const Entry& entry) {
    Lines lines = {"== " + entry.kind + " " + entry.name};
    const auto add = [&](const std::string& heading, const Lines& text) {
        lines.push_back(heading);
        lines.insert(lines.end(), text.begin(), text.end());
    };
    for (const auto& [key, value] : entry.keys) lines.push_back(key + ": " + value);
    for (const Entry::Change& change : entry.changes) {
        switch (change.place) {
            case Place::region:
                add(sentence("-- region ", change.region), change.after);
                break;
            case Place::top:
                add("-- top", change.after);
                break;
            case Place::text:
                add("-- replace", change.before);
                add("-- with", change.after);
                break;
        }
    }
    return lines;
}

std::string heading_of(const Exercise& exercise) {
    return "# Submissions of " + exercise.id() +
           ", and the verdict that each must get. The format: tests/README.md.";
}

fs::path program_of(const Course& course, const Exercise& exercise, const Entry& entry) {
    return course.build / entry.kind / exercise.topic / exercise.name / (entry.name + ".cu");
}

std::optional<Entry> entry_of(const Course& course, const std::string& test) {
    const Exercise* const exercise = exercise_of(course, test);
    const Lines words = match(test, "^(sanitize[.])?(wrong|other|right)[.][^.]+[.][^.]+[.]([A-Za-z0-9_]+)");
    if (!exercise || words.empty()) return {};
    const Submissions all(course, *exercise);
    const Entry* const found = all.find(words[2] + "." + words[3]);
    return found ? std::optional<Entry>(*found) : std::nullopt;
}

}  // namespace course
