// Reads bug hunts: from the submissions of a full checkout, or from the packed file of a copy for students.
#include "hunts.hpp"

#include <algorithm>
#include <map>

#include "standing.hpp"

namespace course {

namespace {

// The packed file: a heading that says what it is, a checksum, and the scrambled facts of all hunts. Each fact
// is a line: the number of its bytes, a blank, and its bytes.

const std::string heading_of_packed =
    "The bug hunts of this course, packed so that they give nothing away. kit_course hunt reads this file.\n";

/// Returns the text XORed with a sequence of numbers. A second call restores the text.
std::string scrambled(std::string text) {
    unsigned int state = 2463534242u;
    for (char& c : text) {
        state ^= state << 13, state ^= state >> 17, state ^= state << 5;
        c = static_cast<char>(static_cast<unsigned char>(c) ^ (state >> 8 & 0xff));
    }
    return text;
}

std::string checksum_of(const std::string& text) {
    unsigned int sum = 2166136261u;
    for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 16777619u;
    return std::to_string(sum);
}

class Packer {
  public:
    void add(const std::string& text) { text_ += std::to_string(text.size()) + " " + text; }
    void add(const Lines& lines) {
        add(std::to_string(lines.size()));
        for (const std::string& line : lines) add(line);
    }
    const std::string& text() const { return text_; }

  private:
    std::string text_;
};

class Unpacker {
  public:
    explicit Unpacker(const std::string& text) : text_(text) {}
    bool at_end() const { return at_ >= text_.size(); }
    std::string text() {
        const std::size_t blank = text_.find(' ', at_);
        const int size = blank == std::string::npos ? -1 : course::number_of(text_.substr(at_, blank - at_));
        if (size < 0 || blank + 1 + static_cast<std::size_t>(size) > text_.size())
            throw Error(packed_hunts, ": damaged. Take this file from a new copy of the course.");
        at_ = blank + 1 + static_cast<std::size_t>(size);
        return text_.substr(blank + 1, static_cast<std::size_t>(size));
    }
    int number() { return course::number_of(text()); }
    Lines lines() {
        Lines found;
        for (int left = number(); left > 0; --left) found.push_back(text());
        return found;
    }

  private:
    const std::string& text_;
    std::size_t at_ = 0;
};

}  // namespace

std::string without_comment(const std::string& line) {
    std::size_t at = line.find("//");
    while (at != std::string::npos &&
           std::count(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(at), '"') % 2 != 0)
        at = line.find("//", at + 2);
    return trimmed(line.substr(0, at));
}

std::set<int> Hunt::answers() const {
    std::set<int> found;
    for (std::size_t i = 0; i < program.size(); ++i) {
        for (const std::string& line : lines)
            if (!without_comment(line).empty() && without_comment(line) == without_comment(program[i]))
                found.insert(static_cast<int>(i) + 1);
    }
    return found;
}

const std::vector<HuntKind>& hunt_kinds() {
    static const std::vector<HuntKind> kinds = {
        {"index", "A thread takes the wrong element, row, lane or bin."},
        {"bounds", "A thread leaves an array, or the end of an array is left out."},
        {"barrier", "A barrier or a mask is missing or wrong, or not all reach it."},
        {"race", "Two threads access an element in no order, and one writes it."},
        {"atomic", "An update is not atomic, or its operation or scope is wrong."},
        {"uninitialised", "The program reads memory that nothing has written."},
        {"order", "A stream, event, graph edge or memory order is missing."},
        {"lifetime", "Memory or another resource is freed too early, twice or never."},
        {"launch", "The grid, the block or the shared memory of a launch is wrong."},
        {"work", "Work is repeated, or one thread or the host does all of it."},
        {"arithmetic", "An overflow, a wrong operation, start value or rounding."},
        {"api", "A call is wrong, or its error is not checked."}};
    return kinds;
}

bool is_hunt_kind(const std::string& name) {
    const auto& kinds = hunt_kinds();
    return std::any_of(kinds.begin(), kinds.end(), [&](const HuntKind& kind) { return kind.name == name; });
}

Lines hunt_keys_of(const Entry& entry) {
    Lines found;
    for (const auto& [key, value] : entry.keys)
        if (key == "hunt" || begins_with(key, "hunt.")) found.push_back(key);
    return found;
}

Hunt hunt_of(const Course& course, const Exercise& exercise, const Submissions& all, const Entry& entry) {
    const auto first_word = [](const std::string& text) { return text.substr(0, text.find(' ')); };
    Hunt hunt;
    hunt.exercise = &exercise;
    hunt.number = number_of(entry.value("hunt"));
    hunt.level = number_of(entry.value("hunt.level"));
    hunt.symptom = entry.value("hunt.symptom");
    hunt.kind = entry.value("hunt.kind");
    hunt.lines = entry.values("hunt.line");
    hunt.hints = entry.values("hunt.hint");
    hunt.what = entry.value("what");
    hunt.variant = entry.value("variant");
    hunt.diagnosis = first_word(entry.value("kind"));
    hunt.backends = first_word(entry.value("backends"));
    const Lines solution = lines_of(read_text(course.root / exercise.solution()));
    const std::set<std::string> given(solution.begin(), solution.end());
    for (const std::string& line : all.program(entry, exercise.solution(), solution)) {
        const std::string code = without_comment(line);
        const bool is_of_entry = !given.count(line) && contains(line, "//");
        if (!is_of_entry)
            hunt.program.push_back(line);
        else if (!code.empty())
            hunt.program.push_back(line.substr(0, line.find(code)) + code);
    }
    return hunt;
}

std::vector<Hunt> hunts_of_checkout(const Course& course) {
    std::vector<Hunt> hunts;
    for (const Exercise& exercise : course.exercises) {
        const Submissions all(course, exercise);
        const auto first = static_cast<std::ptrdiff_t>(hunts.size());
        for (const Entry& entry : all.entries())
            if (!hunt_keys_of(entry).empty()) hunts.push_back(hunt_of(course, exercise, all, entry));
        std::sort(hunts.begin() + first, hunts.end(),
                  [](const Hunt& a, const Hunt& b) { return a.number < b.number; });
    }
    return hunts;
}

std::vector<Hunt> all_hunts(const Course& course) {
    const std::string text = read_text_if_there(course.root / packed_hunts);
    std::vector<Hunt> hunts = text.empty() ? hunts_of_checkout(course) : unpacked(course, text);
    const std::string backend = course.backend == "GPU" ? "gpu" : "cpu";
    const auto is_elsewhere = [&](const Hunt& hunt) {
        return (!hunt.backends.empty() && hunt.backends != backend) ||
               !course.has_chosen(hunt.exercise->topic);
    };
    hunts.erase(std::remove_if(hunts.begin(), hunts.end(), is_elsewhere), hunts.end());
    return hunts;
}

std::string packed(const std::vector<Hunt>& hunts) {
    Packer packer;
    for (const Hunt& hunt : hunts) {
        for (const std::string& text :
             {hunt.exercise->id(), std::to_string(hunt.number), std::to_string(hunt.level), hunt.symptom,
              hunt.kind, hunt.diagnosis, hunt.what, hunt.variant, hunt.backends})
            packer.add(text);
        packer.add(hunt.lines), packer.add(hunt.hints), packer.add(hunt.program);
    }
    return heading_of_packed + checksum_of(packer.text()) + "\n" + scrambled(packer.text());
}

std::vector<Hunt> unpacked(const Course& course, const std::string& text) {
    const std::size_t begin = text.find('\n', heading_of_packed.size());
    const bool has_heading = begins_with(text, heading_of_packed) && begin != std::string::npos;
    const std::string plain = has_heading ? scrambled(text.substr(begin + 1)) : "";
    if (!has_heading ||
        text.substr(heading_of_packed.size(), begin - heading_of_packed.size()) != checksum_of(plain))
        throw Error(packed_hunts, ": damaged. Take this file from a new copy of the course.");
    std::vector<Hunt> hunts;
    for (Unpacker from(plain); !from.at_end();) {
        Hunt hunt;
        hunt.exercise = &course.exercise(from.text());
        hunt.number = from.number(), hunt.level = from.number();
        for (std::string* part :
             {&hunt.symptom, &hunt.kind, &hunt.diagnosis, &hunt.what, &hunt.variant, &hunt.backends})
            *part = from.text();
        hunt.lines = from.lines(), hunt.hints = from.lines(), hunt.program = from.lines();
        hunts.push_back(std::move(hunt));
    }
    return hunts;
}

HuntProgress progress_from(const std::string& text) {
    HuntProgress progress;
    for (const std::string& line : lines_of(text)) {
        const std::size_t colon = std::min(line.find(':'), line.size());
        const std::string key = line.substr(0, colon),
                          value = trimmed(line.substr(std::min(colon + 1, line.size())));
        const int number = std::max(0, number_of(value));
        if (key == "line")
            progress.line = number;
        else if (key == "kind")
            progress.kind = value;
        else if (key == "tries")
            progress.tries = number;
        else if (key == "hints")
            progress.hints = number;
        else if (key == "verdicts")
            progress.verdicts = number;
        else if (key == "solved")
            progress.solved = value == "yes";
        else if (!line.empty() && line[0] != '#')
            progress.others.push_back(line);
    }
    return progress;
}

std::string text_of(const HuntProgress& progress, const std::string& hunt) {
    Lines lines = {"# Your answer to the bug hunt " + hunt + ". kit_course writes this file.",
                   "line: " + (progress.line ? std::to_string(progress.line) : ""),
                   "kind: " + progress.kind,
                   sentence("tries: ", progress.tries),
                   sentence("hints: ", progress.hints),
                   sentence("verdicts: ", progress.verdicts),
                   std::string("solved: ") + (progress.solved ? "yes" : "no")};
    lines.insert(lines.end(), progress.others.begin(), progress.others.end());
    return text_of(lines);
}

fs::path hunts_folder(const Course& course) {
    return course.submitted / "hunts";
}

fs::path hunted_file(const Course& course, const std::string& hunt) {
    return hunts_folder(course) / (hunt + ".cu");
}

fs::path answer_file(const Course& course, const std::string& hunt) {
    return hunts_folder(course) / (hunt + ".answer");
}

HuntProgress read_progress(const Course& course, const Hunt& hunt) {
    return progress_from(read_text_if_there(answer_file(course, hunt.name())));
}

HuntCounts counts_of_hunts(const Course& course) {
    HuntCounts counts;
    std::map<const Exercise*, bool> is_done;
    for (const Hunt& hunt : all_hunts(course)) {
        const bool solved = read_progress(course, hunt).solved;
        const auto [done, is_new] = is_done.emplace(hunt.exercise, false);
        if (is_new) done->second = standing_of(course, *hunt.exercise).state == State::done;
        ++counts.all;
        counts.solved += solved;
        counts.offered += !solved && done->second;
    }
    return counts;
}

int open_hunts_of(const Course& course, const Exercise& exercise) try {
    int open = 0;
    for (const Hunt& hunt : all_hunts(course))
        open += hunt.exercise->id() == exercise.id() && !read_progress(course, hunt).solved;
    return open;
} catch (const Error&) {  // kit_course hunt says what is wrong
    return 0;
}

}  // namespace course
