// JSON by Boost.PropertyTree. Its tree has only texts: 1, "1" and true would look alike. So strings that are values are
// marked before they are parsed, and what is found without the mark is a number, true, false or null.
#include "results_json.hpp"

#define BOOST_BIND_GLOBAL_PLACEHOLDERS  // or some versions of Boost complain about themselves
#include <boost/property_tree/json_parser.hpp>
#include <sstream>

namespace course {

namespace {

using Tree = boost::property_tree::ptree;

constexpr char mark = '\'';

/// Puts the mark at the beginning of each string that is not the name of a member.
std::string mark_strings(const std::string& text) {
    std::string marked;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at + 1;
        if (text[at] == '"') {
            while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
            end = std::min(end + 1, text.size());
            const std::size_t next = text.find_first_not_of(" \t\r\n", end);
            const bool is_name = next != std::string::npos && text[next] == ':';
            marked += is_name ? "\"" : std::string("\"") + mark;
            ++at;
        }
        marked.append(text, at, end - at);
        at = end;
    }
    return marked;
}

Json from_tree(const Tree& tree) {
    Json json;
    const std::string& data = tree.data();
    if (!tree.empty() || data.empty()) {
        json.kind = tree.empty() || tree.front().first.empty() ? Json::Kind::list : Json::Kind::object;
        for (const auto& [name, member] : tree) json.members.emplace_back(name, from_tree(member));
        return json;
    }
    json.text = data[0] == mark ? data.substr(1) : data;
    if (data[0] == mark) {
        json.kind = Json::Kind::text;
    } else if (data == "null") {
        json.kind = Json::Kind::null;
    } else {
        json.kind = data == "true" || data == "false" ? Json::Kind::boolean : Json::Kind::number;
    }
    return json;
}

}  // namespace

const Json* Json::find(const std::string& name) const {
    for (const auto& [own, member] : members) {
        if (kind == Kind::object && own == name) return &member;
    }
    return nullptr;
}

bool Json::says(const std::string& name, const std::string& words) const {
    const Json* member = find(name);
    return member != nullptr && member->is_text() && member->text == words;
}

Json parse_json(const std::string& text) {
    std::istringstream in(mark_strings(text));
    Tree tree;
    try {
        boost::property_tree::read_json(in, tree);
    } catch (const boost::property_tree::json_parser_error& error) {
        throw JsonError("line " + std::to_string(error.line()) + ": " + error.message());
    }
    return from_tree(tree);
}

}  // namespace course
