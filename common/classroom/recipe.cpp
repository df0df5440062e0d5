#include "recipe.hpp"

#include "judge.hpp"

namespace classroom {

namespace {

using course::begins_with;
using course::Error;

/// Splits a command line of Ninja into words. Ninja quotes with '...' and with backslashes.
Lines split(const std::string& line) {
    Lines words;
    std::string word;
    bool in_word = false, in_quotes = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (in_quotes) {
            if (c == '\'') {
                in_quotes = false;
            } else {
                word += c;
            }
        } else if (c == '\'') {
            in_quotes = in_word = true;
        } else if (c == '\\' && i + 1 < line.size()) {
            word += line[++i], in_word = true;
        } else if (c == ' ') {
            if (in_word) words.push_back(word);
            word.clear(), in_word = false;
        } else {
            word += c, in_word = true;
        }
    }
    if (in_word) words.push_back(word);
    return words;
}

/// Returns the middle command of "cd FOLDER && COMMAND && MORE", without a leading ccache
/// (common/cmake/kit_cache.cmake).
Lines middle(const Lines& words) {
    auto begin = words.begin();
    if (words.size() > 2 && (words[0] == "cd" || words[0] == ":"))
        begin = std::find(words.begin(), words.end(), "&&") + 1;
    const auto end = std::find(begin, words.end(), "&&");
    const auto cache = std::find_if(
        begin, end, [](const std::string& word) { return fs::path(word).filename() == "ccache"; });
    return {cache == end ? begin : cache + 1, end};
}

/// Returns the words without -Werror, the source file, and the options that name an output file.
Lines without_files(const Lines& words, const std::string& source) {
    Lines kept;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "-MD" || word == "-Werror" || word == source) continue;
        if (word == "-MT" || word == "-MF" || word == "-o" || word == "-c" || word == "--depfile" ||
            word == "-iquote") {
            ++i;
            continue;
        }
        kept.push_back(word);
    }
    return kept;
}

std::string value_of(const Lines& words, const std::string& option) {
    const auto at = std::find(words.begin(), words.end(), option);
    return at == words.end() || at + 1 == words.end() ? "" : *(at + 1);
}

bool is_object(const std::string& word) {
    return course::ends_with(word, ".o");
}
bool is_library(const std::string& word) {
    return course::ends_with(word, ".a") || course::ends_with(word, ".so");
}

}  // namespace

std::string target_of(const Exercise& exercise, const std::string& variant) {
    return exercise.topic + "." + exercise.name + (variant.empty() ? "" : "." + variant);
}

Recipe recipe_of(const Course& course, const Exercise& exercise, const std::string& variant) {
    const std::string target = target_of(exercise, variant), ninja = "ninja";
    const course::Run said = course::run({ninja, "-C", course.build, "-t", "commands", "solution." + target});
    if (said.status != 0)
        throw Error("ninja does not know solution.", target, " in ", course.build.string(),
                    ". Configure that folder with: cmake --preset solutions");
    Recipe recipe;
    const auto absolute = [&](const std::string& word) { return (course.build / word).lexically_normal(); };
    for (const std::string& line : course::lines_of(said.output)) {
        const Lines words = middle(split(line));
        if (words.empty()) continue;
        const std::string out = value_of(words, "-o"), source = value_of(words, "-c");
        const bool of_solution = course::contains(line, "/solved." + target + "/") ||
                                 course::contains(line, "/solved." + target + ".dir/"),
                   of_test = course::contains(line, "/test." + target + ".dir/");
        if (course::ends_with(words[0], "kit_translate") && of_solution) {
            recipe.translate = without_files({words.begin(), words.end() - 2}, "");
        } else if (!source.empty() && of_solution) {
            recipe.compile = without_files(words, source);
            recipe.solution = absolute(out);
        } else if (!source.empty() && of_test) {
            recipe.compile_test = without_files(words, source);
            recipe.test = absolute(out);
        } else if (source.empty() && of_solution && !out.empty()) {
            recipe.program = absolute(out);
            for (const std::string& word : words) {
                if (is_library(word)) {
                    recipe.libraries.push_back(absolute(word));
                } else if (!is_object(word) && word != "-o" && word != out) {
                    recipe.link.push_back(word);
                }
            }
        }
    }
    if (recipe.translate.empty() || recipe.compile.empty() || recipe.compile_test.empty() ||
        recipe.link.empty())
        throw Error("kit_class does not recognize the commands that build solution.", target,
                    ". Classes are graded with the CPU backend: configure with -DKIT_BACKEND=CPU");
    const course::Run deps = course::run(
        {ninja, "-C", course.build, "-t", "deps", recipe.solution.lexically_relative(course.build)});
    // Without this list, the sandbox would not contain the headers of the topic, and no student's file would
    // compile.
    if (deps.status != 0 || course::contains(deps.output, "deps not found"))
        throw Error("ninja has no list of the files that solution.", target,
                    " was built from, perhaps because two ", "builds ran in ", course.build.string(),
                    " at the same time. Run the command again: it rebuilds");
    for (const std::string& line : course::lines_of(deps.output)) {
        const fs::path header = absolute(course::trimmed(line));
        if (begins_with(header.string(), (course.root / "tests").string() + "/"))
            recipe.headers.push_back(header);
    }
    return recipe;
}

std::string for_shell(const Lines& words) {
    Lines all;
    for (const std::string& word : words) all.push_back("'" + course::replaced(word, "'", "'\\''") + "'");
    return course::joined(all, " ");
}

}  // namespace classroom
