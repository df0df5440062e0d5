#include "patch.hpp"

#include <algorithm>
#include <cstdio>

namespace course {

namespace {

using Lines = Patch::Lines;

bool is_change(const std::string& line) {
    return line[0] != ' ';
}

/// A hunk as the solution and as the submission has it, and how many lines of context both have before the first change
/// and behind the last.
struct Sides {
    Lines removed, added;
    int before, behind;
};

Sides sides_of(const Lines& lines) {
    Sides sides;
    for (const std::string& line : lines) {
        if (line[0] != '+') sides.removed.push_back(line.substr(1));
        if (line[0] != '-') sides.added.push_back(line.substr(1));
    }
    sides.before = std::find_if(lines.begin(), lines.end(), is_change) - lines.begin();
    sides.behind = std::find_if(lines.rbegin(), lines.rend(), is_change) - lines.rbegin();
    return sides;
}

/// Hunks with that many lines of context.
std::vector<Patch::Hunk> hunks_of(const Lines& difference, int context) {
    std::vector<Patch::Hunk> hunks;
    const int size = static_cast<int>(difference.size());
    bool inside = false;
    for (int i = 0, from = 0; i < size; ++i) {
        const bool was_inside = inside;
        inside = std::any_of(difference.begin() + std::max(0, i - context),
                             difference.begin() + std::min(size, i + context + 1), is_change);
        if (inside && !was_inside) hunks.push_back({0, from, {}});
        if (inside) hunks.back().lines.push_back(difference[i]);
        from += difference[i][0] != '+';
    }
    return hunks;
}

bool has_one_place(const Patch::Hunk& hunk, const Lines& solution) {
    const Lines wanted = sides_of(hunk.lines).removed;
    const auto behind = [&](auto place) {
        return std::search(place, solution.end(), wanted.begin(), wanted.end());
    };
    const auto first = behind(solution.begin());
    return first == solution.end() || behind(first + 1) == solution.end();
}

}  // namespace

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

Patch::Patch(const Course& course, const fs::path& path) : Patch(path, read_text(course.root / path)) {}

Patch::Patch(fs::path path, const std::string& text) : path_(std::move(path)) {
    const Lines lines = lines_of(text);
    const int size = static_cast<int>(lines.size());
    int i = 0;
    while (i < size && begins_with(lines[i], "//")) header_.push_back(lines[i++]);
    while (i < size) {
        const std::string& head = lines[i++];
        if (head.empty()) continue;
        Hunk hunk{i, 0, {}};
        int old_lines = 0, new_lines = 0, read = 0;
        std::sscanf(head.c_str(), "@@ -%d,%d +%*d,%d @@%n", &hunk.from, &old_lines, &new_lines, &read);
        if (read == 0 || hunk.from < 1)
            complain(hunk.line, "expected \"@@ -LINE,COUNT +LINE,COUNT @@\", where a hunk begins");
        if (old_lines < 1)
            complain(hunk.line, "the hunk has no line of the solution, so nobody can find its place");
        --hunk.from;
        for (; old_lines > 0 || new_lines > 0; ++i) {
            if (i == size) complain(hunk.line, "the hunk has fewer lines than it says");
            const std::string line = lines[i].empty() ? " " : lines[i];  // editors trim
            if (line[0] != ' ' && line[0] != '-' && line[0] != '+')
                complain(i + 1, "expected a line of the hunk, which begins with a blank, - or +");
            old_lines -= line[0] != '+';
            new_lines -= line[0] != '-';
            if (old_lines < 0 || new_lines < 0) complain(hunk.line, "the hunk has more lines than it says");
            hunk.lines.push_back(line);
        }
        if (hunk.changes() == 0) complain(hunk.line, "the hunk changes nothing");
        hunks_.push_back(std::move(hunk));
    }
    if (hunks_.empty()) complain(size, "no hunk, so the submission would be the solution");
}

Patch::Patch(fs::path path, Lines header, const Lines& solution, const Lines& submission)
    : path_(std::move(path)), header_(std::move(header)) {
    const Lines lines = difference(solution, submission);
    const auto placed = [&](const Hunk& hunk) { return has_one_place(hunk, solution); };
    for (int context = 1; context <= 3; ++context) {
        hunks_ = hunks_of(lines, context);
        if (std::all_of(hunks_.begin(), hunks_.end(), placed)) break;
    }
    if (hunks_.empty()) complain(1, "the file is the solution, so there is no mistake in it");
}

void Patch::complain(int line, const std::string& what) const {
    throw Error(path_, ":", line, ": ", what);
}

int Patch::Hunk::changes() const {
    return std::count_if(lines.begin(), lines.end(), is_change);
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
    int shift = 0;
    for (const Hunk& hunk : hunks_) {
        const Sides sides = sides_of(hunk.lines);
        out.push_back(sentence("@@ -", hunk.from + 1, ",", sides.removed.size(), " +", hunk.from + 1 + shift,
                               ",", sides.added.size(), " @@"));
        for (const std::string& line : hunk.lines) out.push_back(line == " " ? "" : line);
        shift += static_cast<int>(sides.added.size()) - static_cast<int>(sides.removed.size());
    }
    return text_of(out);
}

int Patch::place_of(const Hunk& hunk, const Lines& solution, int done, int expected, Fit fit) const {
    const auto [wanted, added, before, behind] = sides_of(hunk.lines);
    const int whole = before + behind, size = static_cast<int>(wanted.size()),
              end = static_cast<int>(solution.size());
    const int least = fit == Fit::exact ? whole : size > whole ? 0 : 1;
    int best = 0, most = 0, places = 0;
    for (int at = done - before; at + size - behind <= end; ++at) {
        int context = 0;
        bool stands = true;  // what lies between the first change and the last
        for (int i = 0; i < size; ++i) {
            const bool same = 0 <= at + i && at + i < end && solution[at + i] == wanted[i];
            if (i < before || i >= size - behind)
                context += same;
            else
                stands &= same;
        }
        if (!stands || context < least) continue;
        if (context == whole && at == expected) return at;
        if (places == 0 || context > most) places = 0, best = at, most = context;
        places += context == most;
    }
    if (places == 1) return best;
    const std::string exercise = path_.parent_path().parent_path().filename() / path_.parent_path().stem();
    std::string what = places ? "fits at several places of" : "does not fit";
    what += " solutions/" + exercise + ".cu";
    if (fit == Fit::exact)
        what +=
            "; kit_author patches " + exercise + " makes the patches anew where it can, and says where not";
    complain(hunk.line, "the hunk " + what);
}

Lines Patch::applied_to(const Lines& solution, Fit fit) const {
    Lines out;
    int done = 0, shift = 0;
    for (const Hunk& hunk : hunks_) {
        const auto [removed, added, before, behind] = sides_of(hunk.lines);
        const int at = place_of(hunk, solution, done, hunk.from + shift, fit);
        shift = at - hunk.from;
        out.insert(out.end(), solution.begin() + done, solution.begin() + at + before);
        out.insert(out.end(), added.begin() + before, added.end() - behind);
        done = at + static_cast<int>(removed.size()) - behind;
    }
    out.insert(out.end(), solution.begin() + done, solution.end());
    return out;
}

}  // namespace course
