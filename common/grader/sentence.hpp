// Takes a sentence about a mistake apart: what happened, and the lines of source that it names, with who did what there. Only
// text is needed for that, so whoever says where something happened writes "line 27 of tree.cu: `text of the line`".
#pragma once

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <source_path.hpp>
#include <string>
#include <vector>

namespace kit::detail {

/// A line of source that a sentence names.
struct NamedLine {
    std::string file;  ///< without its folder
    int line = 0;
    std::string source;  ///< the text of the line, as far as the sentence has it
    std::string who;     ///< what was done there; empty where the sentence says it of the only line
    std::vector<NamedLine> callers =
        {};  ///< of a line in a helper or a header: the line that called it, if known
};

struct Told {
    std::string what;  ///< happened; empty where each line has its part of the sentence
    std::vector<NamedLine> lines;
    std::string rest;  ///< behind the last line: what is missing
};

inline bool is_source_file(const std::string& name) {
    for (const char* end : {".cu", ".cuh", ".hpp", ".h", ".cpp"}) {
        const std::string ending = end;
        if (name.size() > ending.size() &&
            name.compare(name.size() - ending.size(), ending.size(), ending) == 0)
            return true;
    }
    return false;
}

inline std::string without_folder(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// Text without these characters at its beginning, or at its end.
inline std::string without_start(const std::string& text, const char* characters) {
    const std::size_t first = text.find_first_not_of(characters);
    return first == std::string::npos ? "" : text.substr(first);
}
inline std::string without_end(const std::string& text, const char* characters) {
    const std::size_t last = text.find_last_not_of(characters);
    return last == std::string::npos ? "" : text.substr(0, last + 1);
}

/// Where the next "line 27 of tree.cu: `text`" stands at or after `from`; begin == npos: nowhere.
struct Mention {
    std::size_t begin = std::string::npos, end = 0;
    NamedLine named;
};

inline Mention next_mention(const std::string& text, std::size_t from) {
    const std::string word = "line ", of = " of ";
    for (std::size_t at = text.find(word, from); at != std::string::npos; at = text.find(word, at + 1)) {
        if (at > 0 && text[at - 1] != ' ' && text[at - 1] != '(') continue;
        const std::size_t number = at + word.size(), behind = text.find_first_not_of("0123456789", number);
        if (behind == number || behind == std::string::npos || text.compare(behind, of.size(), of) != 0)
            continue;
        const std::size_t file = behind + of.size();
        std::size_t end = std::min(text.find_first_of(" :,;)`", file), text.size());
        Mention found;
        found.named.file = without_end(text.substr(file, end - file), ".");
        if (!is_source_file(found.named.file)) continue;
        end = file + found.named.file.size();
        found.begin = at;
        found.named.line = std::atoi(text.c_str() + number);
        if (text.compare(end, 3, ": `") == 0) {
            const std::size_t quote = std::min(text.find('`', end + 3), text.size());
            found.named.source = text.substr(end + 3, quote - end - 3);
            end = std::min(quote + 1, text.size());
        }
        found.end = end;
        return found;
    }
    return {};
}

/// "PATH/tree.cu:58: CUDA error ..." as CUDA_CHECK prints it.
inline Mention leading_place(const std::string& text) {
    const std::size_t colon = text.find(".cu:"), number = colon + 4;
    if (colon == std::string::npos || text.find(' ') < colon) return {};
    const std::size_t behind = text.find_first_not_of("0123456789", number);
    if (behind == number || behind == std::string::npos || text.compare(behind, 2, ": ") != 0) return {};
    Mention found;
    found.begin = 0, found.end = behind + 2;
    found.named.file = without_folder(text.substr(0, colon + 3));
    found.named.line = std::atoi(text.c_str() + number);
    return found;
}

inline Told take_apart(const std::string& sentence) {
    Told told;
    if (const Mention place = leading_place(sentence); place.begin == 0) {
        told.what = sentence.substr(place.end);
        told.lines.push_back(place.named);
        return told;
    }
    std::vector<std::string> parts;  // before each line, and behind the last one
    std::size_t from = 0;
    for (Mention found = next_mention(sentence, 0); found.begin != std::string::npos;
         found = next_mention(sentence, from)) {
        std::string before = without_end(sentence.substr(from, found.begin - from), " ");
        if (before == ", called from" && !told.lines.empty()) {
            told.lines.back().callers.push_back(found.named);
            from = found.end;
            continue;
        }
        const bool in_brackets = !before.empty() && before.back() == '(';
        if (in_brackets) before = without_end(before, " (");
        if (before.size() >= 3 && before.compare(before.size() - 3, 3, " at") == 0)
            before.resize(before.size() - 3);
        parts.push_back(before);
        told.lines.push_back(found.named);
        from = found.end;
        if (in_brackets && sentence.compare(from, 1, ")") == 0) ++from;
    }
    parts.push_back(sentence.substr(from));
    if (told.lines.size() < 2) {  // one line: the sentence is whole without it
        told.what = parts[0] + (told.lines.empty() ? "" : parts[1]);
        const std::size_t colon = told.what.rfind(": "),
                          was = told.what.size() - std::min<std::size_t>(4, told.what.size());
        if (told.lines.size() == 1 && colon != std::string::npos && told.what.compare(was, 4, " was") == 0) {
            told.lines[0].who = told.what.substr(colon + 2) + " here";
            told.what.resize(colon);
        }
        return told;
    }
    const std::size_t colon = parts[0].find(": ");
    if (colon != std::string::npos) {
        told.what = parts[0].substr(0, colon);
        parts[0].erase(0, colon + 2);
    }
    for (std::size_t i = 0; i < told.lines.size(); ++i) {
        std::string who = without_start(parts[i], " ,;:");
        if (who.compare(0, 4, "and ") == 0) who.erase(0, 4);
        told.lines[i].who = who;
    }
    told.rest = without_start(parts.back(), " ,;:");
    return told;
}

/// The text of a line, without its indentation; empty if the file cannot be read.
inline std::string line_of_file(const std::string& path, int number) {
    std::ifstream file(source_path(path));
    std::string line;
    for (int i = 0; i < number && std::getline(file, line); ++i) {
    }
    return file ? without_end(without_start(line, " \t"), " \t\r") : "";
}

/// The number behind "Task " or "TODO(" where a sentence names a task of the exercise itself; 0 if it names none.
inline int task_in(const std::string& sentence) {
    for (const char* word : {"Task ", "TODO("}) {
        const std::string start = word;
        for (std::size_t at = sentence.find(start); at != std::string::npos;
             at = sentence.find(start, at + 1)) {
            const int number = std::atoi(sentence.c_str() + at + start.size());
            if (number > 0) return number;
        }
    }
    return 0;
}

}  // namespace kit::detail
