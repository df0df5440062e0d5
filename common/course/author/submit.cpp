
#include <algorithm>
#include <cstdio>
#include <set>

#include "author_commands.hpp"

namespace course {

namespace {

using Change = Entry::Change;

/// A change: the lines `first` to `last - 1` of the solution, outside of replaced regions, and the text that
/// replaces them.
struct Hunk {
    std::size_t first, last;
    Lines after;
};

class Comparison {
  public:
    Comparison(const Lines& solution, const Lines& submission)
        : plain_(without_marks(solution)), texts_(plain_.regions.size()) {
        for (int& region : plain_.within) {  // a number that several regions have does not identify a region
            const auto has_it = [&](int number) {
                return number == plain_.regions[static_cast<std::size_t>(region)];
            };
            if (region >= 0 && std::count_if(plain_.regions.begin(), plain_.regions.end(), has_it) > 1)
                region = -1;
        }
        std::size_t at = 0;
        for (const std::string& line : difference(plain_.lines, without_marks(submission).lines)) {
            const int region = line[0] == '+' ? region_beside(at) : plain_.within[at];
            if (line[0] != ' ') take(line, at, region);
            if (region >= 0 && line[0] != '-')
                texts_[static_cast<std::size_t>(region)].push_back(line.substr(1));
            at += line[0] != '+';
        }
        grow_until_unique();
    }

    std::vector<Change> changes() const {
        std::vector<Change> found;
        for (std::size_t i = 0; i < plain_.regions.size(); ++i) {
            if (changed_.count(static_cast<int>(i)))
                found.push_back({Change::Place::region, 0, plain_.regions[i], {}, texts_[i]});
        }
        for (const Hunk& hunk : hunks_) {
            const bool is_top = hunk.first == hunk.last;
            found.push_back({is_top ? Change::Place::top : Change::Place::text, 0, 0,
                             lines_between(hunk.first, hunk.last), hunk.after});
        }
        return found;
    }

  private:
    /// Returns the region that an inserted line extends: one that begins or ends at this place, unless the
    /// line replaces text before the region.
    int region_beside(std::size_t at) const {
        if (!hunks_.empty() && hunks_.back().last == at) return -1;
        const int before = at > 0 ? plain_.within[at - 1] : -1;
        return before >= 0 || at == plain_.lines.size() ? before : plain_.within[at];
    }

    void take(const std::string& line, std::size_t at, int region) {
        if (region >= 0) {
            changed_.insert(region);
            return;
        }
        if (hunks_.empty() || hunks_.back().last != at) hunks_.push_back({at, at, {}});
        if (line[0] == '-')
            ++hunks_.back().last;
        else
            hunks_.back().after.push_back(line.substr(1));
    }

    Lines lines_between(std::size_t first, std::size_t last) const {
        const auto begin = plain_.lines.begin();
        return {begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(last)};
    }

    bool is_free(std::size_t line) const {
        return line < plain_.lines.size() && !changed_.count(plain_.within[line]);
    }

    /// Returns whether the text of this change occurs only once in the file, and the format can represent it.
    /// Blank lines at the end of the text do not count.
    bool is_unique(const Hunk& hunk) const {
        const Lines wanted = lines_between(hunk.first, hunk.last);
        if (wanted.empty() || wanted.back().empty() || (!hunk.after.empty() && hunk.after.back().empty()))
            return false;
        int places = 0;
        for (std::size_t at = 0; at + wanted.size() <= plain_.lines.size(); ++at) {
            bool same = true;
            for (std::size_t i = 0; same && i < wanted.size(); ++i)
                same = is_free(at + i) && plain_.lines[at + i] == wanted[i];
            places += same;
        }
        return places == 1;
    }

    /// Returns whether the lines are added directly below the last #include. Lines directly below the last
    /// #include need no context.
    bool is_top(const Hunk& hunk) const {
        if (hunk.first != hunk.last || hunk.first == 0 || hunk.after.back().empty()) return false;
        const auto is_include = [](const std::string& line) { return begins_with(line, "#include"); };
        const auto from = plain_.lines.begin() + static_cast<std::ptrdiff_t>(hunk.first);
        return is_include(from[-1]) && std::none_of(from, plain_.lines.end(), is_include);
    }

    /// Adds lines of context to each change until its text is unique. Changes that then touch each other are
    /// joined.
    void grow_until_unique() {
        bool is_below = true;
        for (std::size_t i = 0; i < hunks_.size();) {
            Hunk& hunk = hunks_[i];
            if (i + 1 < hunks_.size() && hunk.last >= hunks_[i + 1].first && !is_top(hunk)) {
                Hunk& next = hunks_[i + 1];
                hunk.after.insert(hunk.after.end(), next.after.begin(), next.after.end());
                hunk.last = next.last;
                hunks_.erase(hunks_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
                continue;
            }
            if (is_unique(hunk) || is_top(hunk)) {
                ++i;
                continue;
            }
            const std::size_t least = i > 0 ? hunks_[i - 1].last : 0;
            const bool above = hunk.first > least && is_free(hunk.first - 1), below = is_free(hunk.last);
            if (!above && !below) throw Error("a change between two changed regions cannot be told apart");
            is_below = below && (!above || !is_below);
            if (is_below) {
                hunk.after.push_back(plain_.lines[hunk.last++]);
            } else {
                hunk.after.insert(hunk.after.begin(), plain_.lines[--hunk.first]);
            }
        }
    }

    Unmarked plain_;
    std::vector<Lines> texts_;  ///< text of each region in the submission
    std::set<int> changed_;     ///< indexes of the changed regions
    std::vector<Hunk> hunks_;
};

/// Returns the text of the file with this entry, which replaces the old entry or comes last.
Lines with_entry(const Lines& file, const Submissions& all, const Entry& entry) {
    const Entry* const old = all.find(entry.id());
    const std::size_t first = old ? static_cast<std::size_t>(old->line) - 1 : file.size();
    std::size_t last = std::min(first + 1, file.size());
    while (last < file.size() && !begins_with(file[last], "== ")) ++last;
    const auto at = [&](std::size_t line) { return file.begin() + static_cast<std::ptrdiff_t>(line); };
    Lines text(file.begin(), at(first));
    if (!text.empty() && !text.back().empty()) text.emplace_back();
    const Lines mine = lines_of(entry);
    text.insert(text.end(), mine.begin(), mine.end());
    if (last < file.size()) text.emplace_back();
    text.insert(text.end(), at(last), file.end());
    return text;
}

}  // namespace

std::vector<Entry::Change> changes_between(const Lines& solution, const Lines& submission) {
    return Comparison(solution, submission).changes();
}

int command_submit(const Course& course, const Arguments& arguments) {
    if (arguments.size() != 3) return 2;
    const Exercise& exercise = course.exercise(arguments[0]);
    const Lines id = match(arguments[1], "^(wrong|other|right)[.]([A-Za-z0-9_]+)$");
    if (id.empty()) return 2;
    const fs::path path = course.root / exercise.submissions();
    const Submissions all(course, exercise);
    const Entry* const old = all.find(arguments[1]);
    Entry entry;
    entry.kind = id[1];
    entry.name = id[2];
    if (old)
        entry.keys = old->keys;
    else if (entry.kind == "right")
        entry.keys = {{"what", "WRITE: what is unusual about it"}};
    else if (entry.kind == "other")
        entry.keys = {{"what", "WRITE: the method"}, {"task", "WRITE"}, {"demand", "WRITE"}};
    else
        entry.keys = {{"what", "WRITE: what the student did"}, {"kind", "WRITE"}, {"task", "WRITE"}};
    const Lines submission = lines_of(read_text(arguments[2])),
                solution = lines_of(read_text(course.root / exercise.solution()));
    entry.changes = changes_between(solution, submission);
    if (entry.changes.empty()) throw Error(arguments[2], ": is the solution, so there is nothing to tell");
    if (all.program(entry, exercise.solution(), solution) != without_marks(submission).lines)
        throw Error(arguments[2], ": cannot be told by its differences from ", exercise.solution());
    Lines file = lines_of(read_text_if_there(path));
    if (file.empty()) file = {heading_of(exercise)};
    write_text(path, text_of(with_entry(file, all, entry)));
    std::printf("%s %s: written\n", exercise.submissions().c_str(), arguments[1].c_str());
    return 0;
}

int command_expand(const Course& course, const Arguments& arguments) {
    if (arguments.size() != 3) return 2;
    const Exercise& exercise = course.exercise(arguments[0]);
    const Submissions all(course, exercise);
    write_text(arguments[2], text_of(all.program(course, exercise, all.entry(arguments[1]))));
    return 0;
}

}  // namespace course
