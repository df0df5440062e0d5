// compute-sanitizer's reports, told in the words of the executor.
#include <map>
#include <set>

#include "judge.hpp"

namespace course {

namespace {

/// The text between the first `before` and the next `after`; to the end without one; empty without `before`.
std::string between(const std::string& text, const std::string& before, const std::string& after) {
    const std::size_t begin = text.find(before);
    if (begin == std::string::npos) return "";
    const std::size_t from = begin + before.size();
    return text.substr(from, text.find(after, from) - from);
}

class Words {
  public:
    explicit Words(const fs::path& source)
        : file_(source.filename().string()), lines_(lines_of(read_text_if_there(source))) {}

    std::vector<std::string> of(const std::string& output) {
        for (const std::string& line : lines_of(output)) read(line);
        finish();
        for (const std::string& kind : kinds_)
            said_.push_back("      see lectures/diagnoses/" + kind + ".md");
        return said_;
    }

  private:
    /// What one report has said so far.
    struct Report {
        std::string what, size, where, kernel, who, detail, near;
    };

    void read(const std::string& line) {
        if (!begins_with(line, "=========")) return;
        if (contains(line, "Race reported between")) {
            race_ = line;
        } else if (!race_.empty() && contains(line, " and ")) {
            tell_race(race_, line);
            race_.clear();
        } else if (begins_with(line, "========= Invalid") || begins_with(line, "========= Uninitialized") ||
                   begins_with(line, "========= Barrier error")) {
            finish();
            report_.what = line.substr(10);
            report_.size = between(line, " of size ", " ");
        } else if (report_.what.empty()) {
            return;
        } else if (begins_with(line, "=========     at ") && report_.where.empty()) {
            report_.where = place(line);
            report_.kernel = kernel(line);
        } else if (
            contains(
                line,
                "Device Frame: ")) {  // the tool's own headers say nothing to a student: their caller does
            const std::string& where = report_.where;
            const bool header = contains(where, "intrinsics") || contains(where, "unknown") ||
                                contains(where, ".hpp") || contains(where, ".h:");
            if (!header && !ends_with(where, ".h")) return;
            report_.where = place(line);
            report_.kernel = kernel(" at " + between(line, "Frame: ", "\n"));
        } else if (begins_with(line, "=========     by ")) {
            report_.who = thread(line);
        } else if (begins_with(line, "=========     Access ")) {
            report_.detail = line;
        } else if (contains(line, "nearest allocation")) {
            std::string near = ", " + between(line, "and is ", "\n");
            const std::size_t address = near.find(" at 0x");
            if (address != std::string::npos)
                near.erase(address, near.find_first_not_of("0123456789abcdefx", address + 4) - address);
            report_.near = near;
        }
    }

    void finish() {
        const Report one = report_;
        report_ = {};
        const std::string size = one.size, who = one.who.empty() ? "a thread" : one.who;
        if (begins_with(one.what, "Invalid")) {
            const bool writes = contains(one.what, " write ") || contains(one.what, " atomic ");
            tell("address", one.where,
                 who + " of " + one.kernel + (writes ? " writes " : " reads ") + size + " bytes at " +
                     one.where + ": " +
                     (contains(one.detail, "misaligned") ? "misaligned" : "out of bounds" + one.near));
        } else if (begins_with(one.what, "Uninitialized")) {
            tell("uninitialised", one.where,
                 "uninitialised read: " + who + " of " + one.kernel + " reads global memory at " + one.where +
                     ", which nobody has written");
        } else if (begins_with(one.what, "Barrier error") || contains(one.what, "Divergent thread")) {
            const bool warp = contains(one.where, "_sync(") || contains(one.where, "__syncwarp") ||
                              !contains(one.what, "Divergent thread");
            tell(warp ? "warp" : "barrier", one.where,
                 warp ? "warp: not all lanes named in the mask take part in " + one.kernel + " at " +
                            one.where + " (" + who + " does)"
                      : "barrier: not all threads of the block come to __syncthreads() of " + one.kernel +
                            " at " + one.where + " (" + who + " does)");
        }
    }

    void tell_race(const std::string& first, const std::string& second) {
        const auto does = [](const std::string& line) {
            return std::string(contains(line, "Write access") ? "writes" : "reads");
        };
        const std::string a = place(first), b = place(second);
        const std::string one = line_number(a), other = line_number(b),
                          hazards = words_before(second, " hazard");
        const bool swapped = number_of(one) > number_of(other);
        tell("race", a + b,
             "race on shared memory in " + kernel(first) + ": one thread " + does(first) + " it at " + a +
                 ", and another one " + does(second) + " it at " + b + "; no barrier between " +
                 (one == other ? "the two"
                               : "line " + (swapped ? other : one) + " and line " + (swapped ? one : other)) +
                 (number_of(hazards) > 1 ? " (seen " + hazards + " times)" : ""));
    }

    void tell(const std::string& kind, const std::string& key, const std::string& text) {
        if (!told_.insert(kind + key).second) return;
        said_.push_back("FAIL  " + text);
        kinds_.insert(kind);
    }

    /// "line 12 of tree.cu: `text`" from "... in tree.cu:12 ..."
    std::string place(const std::string& text) const {
        for (std::size_t at = text.find(" in "); at != std::string::npos; at = text.find(" in ", at + 1)) {
            const std::string word = text.substr(at + 4, text.find(' ', at + 4) - at - 4);
            const std::size_t colon = word.rfind(':');
            const std::size_t end =
                colon == std::string::npos ? colon : word.find_first_not_of("0123456789", colon + 1);
            const int number =
                colon == std::string::npos ? -1 : number_of(word.substr(colon + 1, end - colon - 1));
            if (number < 0) continue;
            const std::string file = fs::path(word.substr(0, colon)).filename().string();
            const std::string shown = "line " + std::to_string(number) + " of " + file;
            const bool known = file == file_ && number >= 1 && number <= static_cast<int>(lines_.size());
            return known ? shown + ": `" + trimmed(lines_[static_cast<std::size_t>(number) - 1]) + "`"
                         : shown;
        }
        return "an unknown line";
    }

    /// "`tree`" from "... at tree(const float *, float *)+0x90 in tree.cu:12"
    static std::string kernel(const std::string& text) {
        std::string name = between(text, " at ", "\n");
        if (begins_with(name, "void ")) name.erase(0, 5);
        name = name.substr(0, name.find_first_of("(<+"));
        const std::size_t scope = name.rfind("::");
        return "`" + (scope == std::string::npos ? name : name.substr(scope + 2)) + "`";
    }

    static std::string thread(const std::string& text) {
        const std::string found = between(text, "thread (", ")"), block = between(text, ") in block (", ")");
        return found.empty() || block.empty() ? "a thread"
                                              : "thread (" + found + ") of block (" + block + ")";
    }

    static std::string line_number(const std::string& place) {
        const std::vector<std::string> words = words_of(place);
        return words.size() > 1 ? words[1] : "";
    }

    static std::string words_before(const std::string& text, const std::string& mark) {
        const std::vector<std::string> words = words_of(text.substr(0, text.find(mark)));
        if (!contains(text, mark) || words.empty()) return "";
        return trimmed(replaced(words.back(), "[", ""));
    }

    std::string file_;
    std::vector<std::string> lines_;
    std::string race_;
    Report report_;
    std::vector<std::string> said_;
    std::set<std::string> told_, kinds_;
};

}  // namespace

std::vector<std::string> in_our_words(const std::string& output, const fs::path& source) {
    return Words(source).of(output);
}

}  // namespace course
