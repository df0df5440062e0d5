#include "choose.hpp"

#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>

#include "author_commands.hpp"
#include "judge.hpp"

namespace course {

namespace {

/// The definitions that one submission contributes to the program.
struct Part {
    std::string space;  ///< namespace of the submission, such as
                        ///< "wrong_missing_barrier"
    std::map<std::string, std::string>
        functions;  ///< symbols of the functions, by name and types without the namespace
};

/// Returns the namespace of the submission that defines a symbol; empty if it belongs to none.
std::string space_of(const std::string& meaning) {
    for (const std::string kind : {"wrong_", "other_", "right_", "starter_"}) {
        for (std::size_t at = 0; (at = meaning.find(kind, at)) != std::string::npos; at += kind.size()) {
            if (at > 0 && std::string(" (*&<").find(meaning[at - 1]) == std::string::npos) continue;
            std::size_t end = at;
            while (std::isalnum(static_cast<unsigned char>(meaning[end])) || meaning[end] == '_') ++end;
            if (meaning.compare(end, 2, "::") == 0) return meaning.substr(at, end - at);
        }
    }
    return "";
}

/// Returns the name of a submission, such as "tree.missing_barrier" for the namespace wrong_missing_barrier
/// and the names "tree.%".
std::string shown_name(const std::string& names, const std::string& space) {
    if (begins_with(space, "starter_")) return replaced(names, ".%", "");
    return replaced(names, "%", space.substr(space.find('_') + 1));
}

/// Returns the lines of a macro: "#define NAME \", a line for each entry, and an empty line.
std::string macro(const std::string& name, const Lines& entries) {
    std::string text = "#define " + name + " \\\n";
    for (const std::string& entry : entries) text += "    " + entry + " \\\n";
    return text + "\n";
}

}  // namespace

std::vector<Symbol> symbols_in(const std::string& table) {
    std::vector<Symbol> symbols;
    for (const std::string& line : lines_of(table)) {
        const Lines words = words_of(line);  // address (missing for undefined symbols), letter of the type,
                                             // and name
        if (words.size() < 2 || words.size() > 3 || words[words.size() - 2].size() != 1) continue;
        const std::string& name = words.back();
        int status = 0;
        const std::unique_ptr<char, decltype(&std::free)> meaning(
            abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
        symbols.push_back({words[words.size() - 2][0], name, status == 0 ? meaning.get() : name});
    }
    return symbols;
}

std::string choosing_source(const std::string& names, const std::vector<Symbol>& submissions,
                            const std::vector<Symbol>& test) {
    std::vector<Part> parts;
    std::set<std::string> hidden, data;
    for (const Symbol& symbol : submissions) {
        const std::string space = symbol.type == 'U' ? "" : space_of(symbol.meaning);
        if (space.empty()) continue;
        auto part =
            std::find_if(parts.begin(), parts.end(), [&](const Part& one) { return one.space == space; });
        if (part == parts.end()) part = parts.insert(part, {space, {}});
        const std::string meaning = replaced(symbol.meaning, space + "::", "");
        if (symbol.type == 'T' || symbol.type == 'W')
            part->functions[meaning] = symbol.name;
        else
            (symbol.type == 't' ? hidden : data).insert(meaning);
    }

    Lines complaints, rows, calls, functions;
    const auto complain = [&](const auto&... words) {
        complaints.push_back(sentence(names, ": ", words...));
    };
    std::vector<std::string> called;
    std::set<std::string> seen;
    for (const Symbol& symbol : test) {
        if (symbol.type != 'U' || !seen.insert(symbol.meaning).second) continue;
        const bool is_defined = std::any_of(parts.begin(), parts.end(), [&](const Part& part) {
            return part.functions.count(symbol.meaning) != 0;
        });
        if (is_defined) {
            calls.push_back(sentence("CALL(", called.size(), ", \"", symbol.name, "\")"));
            called.push_back(symbol.meaning);
        } else if (hidden.count(symbol.meaning)) {
            complain("the test calls ", symbol.meaning, ", which is static in a submission");
        } else if (data.count(symbol.meaning)) {
            complain("the test uses ", symbol.meaning,
                     ", which is data: only calls can go to the submission that runs");
        }
    }
    if (called.empty()) complain("the test calls nothing that the submissions define");

    for (const Part& part : parts) {
        const std::string row = "SUBMISSION(\"" + shown_name(names, part.space) + "\")";
        if (std::find(rows.begin(), rows.end(), row) != rows.end())
            complain("two submissions are called ", part.space.substr(part.space.find('_') + 1));
        rows.push_back(row);
        for (const std::string& meaning : called) {
            const auto function = part.functions.find(meaning);
            if (function == part.functions.end())
                complain(part.space, " does not define ", meaning);
            else
                functions.push_back("FUNCTION(\"" + function->second + "\")");
        }
    }
    if (!complaints.empty()) throw Error(joined(complaints, "\n"));
    return macro("KIT_SUBMISSIONS", rows) + macro("KIT_CALLS", calls) + macro("KIT_FUNCTIONS", functions) +
           "#include \"grader/choose.hpp\"\n";
}

int command_choose(const Course&, const Arguments& arguments) {
    if (arguments.size() < 5) return 2;
    const auto symbols = [&](auto first, auto last) {
        Lines command = {arguments[1], "-p"};
        command.insert(command.end(), first, last);
        const Run table = run(command);
        if (table.status != 0) throw Error(table.output);
        return symbols_in(table.output);
    };
    const auto test = arguments.begin() + 4;
    write_text(arguments[0],
               choosing_source(arguments[2], symbols(test - 1, test), symbols(test, arguments.end())));
    return 0;
}

}  // namespace course
