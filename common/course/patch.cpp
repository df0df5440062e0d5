#include "patch.hpp"

#include <algorithm>

namespace course {

namespace {

using Lines = Patch::Lines;

constexpr std::size_t nowhere = std::string::npos;

/// A hunk in three parts: context, what lies between its first and its last change, context.
struct Parts {
    Lines before, removed, added, after;  ///< removed and added share the context between changes
};

Parts parts_of(const Lines& lines) {
    const auto changes = [](const std::string& line) { return line[0] != ' '; };
    const auto first = std::find_if(lines.begin(), lines.end(), changes);
    const auto last = std::find_if(lines.rbegin(), std::make_reverse_iterator(first), changes).base();
    Parts parts;
    for (auto line = lines.begin(); line != lines.end(); ++line) {
        const std::string content = line->substr(1);
        if (line < first) {
            parts.before.push_back(content);
        } else if (line >= last) {
            parts.after.push_back(content);
        } else {
            if ((*line)[0] != '+') parts.removed.push_back(content);
            if ((*line)[0] != '-') parts.added.push_back(content);
        }
    }
    return parts;
}

bool stands_at(const Lines& part, const Lines& lines, std::size_t at) {
    return at <= lines.size() && part.size() <= lines.size() - at &&
           std::equal(part.begin(), part.end(), lines.begin() + static_cast<std::ptrdiff_t>(at));
}

/// How many lines of context stand around [begin, end) where they should.
std::size_t context_around(const Parts& parts, const Lines& lines, std::size_t begin, std::size_t end) {
    std::size_t count = 0;
    for (std::size_t i = 1; i <= parts.before.size() && i <= begin; ++i) {
        count += parts.before[parts.before.size() - i] == lines[begin - i];
    }
    for (std::size_t i = 0; i < parts.after.size() && end + i < lines.size(); ++i) {
        count += parts.after[i] == lines[end + i];
    }
    return count;
}

/// Both files as one list of lines with ' ', '-' or '+' in front, with as few changes as possible.
Lines difference(const Lines& a, const Lines& b) {
    // common[i][j]: the length of the longest common subsequence of a from i on and b from j on.
    std::vector<std::vector<int>> common(a.size() + 1, std::vector<int>(b.size() + 1));
    for (std::size_t i = a.size(); i-- > 0;) {
        for (std::size_t j = b.size(); j-- > 0;) {
            common[i][j] =
                a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
        }
    }
    Lines lines;
    for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
        if (i < a.size() && j < b.size() && a[i] == b[j]) {
            lines.push_back(' ' + a[i++]);
            ++j;
        } else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
            lines.push_back('-' + a[i++]);
        } else {
            lines.push_back('+' + b[j++]);
        }
    }
    return lines;
}

/// Hunks with that many lines of context.
std::vector<Patch::Hunk> hunks_of(const Lines& difference, std::size_t context) {
    std::vector<Patch::Hunk> hunks;
    std::size_t at = 0, end = 0,
                old_line = 0;  // [at, end) is the last hunk, and begins at that line of the solution
    for (std::size_t i = 0; i < difference.size(); ++i) {
        if (difference[i][0] == ' ') continue;
        const std::size_t begin = i > context ? i - context : 0;
        if (hunks.empty() || begin > end) {
            for (; at < begin; ++at) old_line += difference[at][0] != '+';
            hunks.push_back({0, old_line, {}});
            end = begin;
        }
        for (; end < std::min(i + 1 + context, difference.size()); ++end) {
            hunks.back().lines.push_back(difference[end]);
        }
    }
    return hunks;
}

/// How many lines begin with anything else.
std::size_t count(const Lines& lines, char not_this) {
    return static_cast<std::size_t>(std::count_if(
        lines.begin(), lines.end(), [&](const std::string& line) { return line[0] != not_this; }));
}

/// The numbers of "@@ -FROM,OLD +TO,NEW @@"; false if it is none.
bool numbers_of(std::string line, int (&numbers)[4]) {
    if (!begins_with(line, "@@ -")) return false;
    std::replace(line.begin(), line.end(), ',', ' ');
    const std::vector<std::string> words = words_of(line);
    if (words.size() < 6 || words[5] != "@@" || words[3][0] != '+') return false;
    const std::string texts[] = {words[1].substr(1), words[2], words[3].substr(1), words[4]};
    for (int i = 0; i < 4; ++i) {
        numbers[i] = number_of(texts[i]);
        if (numbers[i] < 0) return false;
    }
    return true;
}

}  // namespace

Patch::Patch(const fs::path& path) : Patch(path, read_text(path)) {}

Patch::Patch(fs::path path, const std::string& text) : path_(std::move(path)) {
    const Lines lines = lines_of(text);
    std::size_t i = 0;
    while (i < lines.size() && begins_with(lines[i], "//")) header_.push_back(lines[i++]);
    while (i < lines.size()) {
        if (lines[i].empty()) {
            ++i;
            continue;
        }
        Hunk hunk;
        hunk.line = static_cast<int>(i) + 1;
        int numbers[4];
        if (!numbers_of(lines[i++], numbers) || numbers[0] < 1)
            complain(hunk.line, "expected \"@@ -LINE,COUNT +LINE,COUNT @@\", where a hunk begins");
        hunk.from = static_cast<std::size_t>(numbers[0]) - 1;
        for (int old_lines = numbers[1], new_lines = numbers[3]; old_lines > 0 || new_lines > 0; ++i) {
            if (i == lines.size()) complain(hunk.line, "the hunk has fewer lines than it says");
            const std::string line = lines[i].empty() ? " " : lines[i];  // editors trim
            if (line[0] != ' ' && line[0] != '-' && line[0] != '+')
                complain(static_cast<int>(i) + 1,
                         "expected a line of the hunk, which begins with a blank, - or +");
            old_lines -= line[0] != '+';
            new_lines -= line[0] != '-';
            if (old_lines < 0 || new_lines < 0) complain(hunk.line, "the hunk has more lines than it says");
            hunk.lines.push_back(line);
        }
        if (numbers[1] == 0)
            complain(hunk.line, "the hunk has no line of the solution, so nobody can find its place");
        if (hunk.changes() == 0) complain(hunk.line, "the hunk changes nothing");
        hunks_.push_back(std::move(hunk));
    }
    if (hunks_.empty())
        complain(static_cast<int>(lines.size()), "no hunk, so the submission would be the solution");
}

Patch::Patch(fs::path path, Lines header, const Lines& solution, const Lines& submission)
    : path_(std::move(path)), header_(std::move(header)) {
    const Lines lines = difference(solution, submission);
    for (std::size_t context = 1; context <= 3; ++context) {
        hunks_ = hunks_of(lines, context);
        const auto unique = [&](const Hunk& hunk) {
            Lines old_lines;
            for (const std::string& line : hunk.lines) {
                if (line[0] != '+') old_lines.push_back(line.substr(1));
            }
            std::size_t places = 0;
            for (std::size_t at = 0; at < solution.size(); ++at) places += stands_at(old_lines, solution, at);
            return places == 1;
        };
        if (std::all_of(hunks_.begin(), hunks_.end(), unique)) break;
    }
    if (hunks_.empty()) complain(1, "the file is the solution, so there is no mistake in it");
}

void Patch::complain(int line, const std::string& what) const {
    throw Error(path_.string() + ":" + std::to_string(line) + ": " + what);
}

std::size_t Patch::Hunk::changes() const {
    return count(lines, ' ');
}

Lines Patch::lines(const std::string& key) const {
    Lines found;
    for (const std::string& line : header_) {
        if (begins_with(line, "// " + key + ":")) found.push_back(trimmed(line.substr(key.size() + 4)));
    }
    return found;
}

std::string Patch::text() const {
    Lines out = header_;
    out.push_back("");
    std::size_t shift = 1;  // lines are counted from 1 in the text
    for (const Hunk& hunk : hunks_) {
        const std::size_t old_lines = count(hunk.lines, '+'), new_lines = count(hunk.lines, '-');
        out.push_back("@@ -" + std::to_string(hunk.from + 1) + "," + std::to_string(old_lines) + " +" +
                      std::to_string(hunk.from + shift) + "," + std::to_string(new_lines) + " @@");
        for (const std::string& line : hunk.lines) out.push_back(line == " " ? "" : line);
        shift += new_lines - old_lines;
    }
    return text_of(out);
}

std::size_t Patch::place_of(const Hunk& hunk, const Lines& solution, std::size_t from, std::size_t expected,
                            Fit fit) const {
    const Parts parts = parts_of(hunk.lines);
    const std::size_t whole = parts.before.size() + parts.after.size(), removed = parts.removed.size();
    std::size_t best = nowhere, most = 0, places = 0;
    for (std::size_t at = from; at + removed <= solution.size(); ++at) {
        if (!stands_at(parts.removed, solution, at)) continue;
        const std::size_t context = context_around(parts, solution, at, at + removed);
        if (context == whole && at == expected) return at;
        if (context < (fit == Fit::exact ? whole : removed ? 0 : 1)) continue;
        if (places == 0 || context > most) places = 0, best = at, most = context;
        places += context == most;
    }
    if (places == 1) return best;
    const std::string exercise = path_.parent_path().parent_path().filename() / path_.parent_path().stem();
    complain(hunk.line,
             std::string("the hunk ") + (places ? "fits at several places of" : "does not fit") +
                 " solutions/" + exercise + ".cu" +
                 (fit == Fit::close ? ""
                                    : "; kit_course patches " + exercise +
                                          " makes the patches anew where it can, and says where not"));
}

Lines Patch::applied_to(const Lines& solution, Fit fit) const {
    Lines out;
    std::size_t done = 0, shift = 0;  // unsigned on purpose: a hunk may have moved up
    for (const Hunk& hunk : hunks_) {
        const Parts parts = parts_of(hunk.lines);
        const std::size_t written = hunk.from + parts.before.size();
        const std::size_t at = place_of(hunk, solution, done, written + shift, fit);
        shift = at - written;
        out.insert(out.end(), solution.begin() + static_cast<std::ptrdiff_t>(done),
                   solution.begin() + static_cast<std::ptrdiff_t>(at));
        out.insert(out.end(), parts.added.begin(), parts.added.end());
        done = at + parts.removed.size();
    }
    out.insert(out.end(), solution.begin() + static_cast<std::ptrdiff_t>(done), solution.end());
    return out;
}

std::vector<fs::path> patches_of(const Course& course, const Exercise& exercise) {
    std::vector<fs::path> found;
    if (!fs::is_directory(course.root / exercise.wrong())) return found;
    for (const auto& entry : fs::directory_iterator(course.root / exercise.wrong())) {
        if (entry.path().extension() == ".patch") found.push_back(exercise.wrong() / entry.path().filename());
    }
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace course
