// Refuses calls between host code and device code for which types decide: members, operators, constructors,
// overloads.
//
// The C++ compiler decides. If the name of a host function occurs in device code, its declaration gets an
// attribute. In the body of each device function that contains the name, the warning about the attribute
// becomes an error:
//
//   __attribute__((deprecated("..."))) float norm() const;
//   __global__ void k(Point* p) { _Pragma("GCC diagnostic error ...") ... p->norm() ... _Pragma("... pop") }
//
// Device functions whose names occur in host code are treated in the same way. Everywhere else, this warning
// is off.
#include <map>

#include "names.hpp"

namespace kit::translate {
namespace {

std::string last_part(const std::string& path) {
    const std::size_t colons = path.rfind("::");
    return colons == std::string::npos ? path : path.substr(colons + 2);
}

/// Returns the word or the operator that a function body contains if it uses the function.
std::string use_of(const Name& name) {
    if (name.name[0] == '~') return name.name.substr(1);
    if (name.name.compare(0, 8, "operator") != 0) return name.name;
    const std::string symbol = name.name.substr(8);
    if (symbol == "()" || symbol.empty() || std::isalpha(static_cast<unsigned char>(symbol[0])))
        return last_part(name.path);
    if (symbol == "[]") return "[";
    return symbol == ">>" || symbol == ">=" ? ">" : symbol;
}

/// Returns whether another declaration of the same function has the mark that this declaration lacks.
bool marked_elsewhere(const Program& program, const Name& name, bool device) {
    const auto [first, last] = program.names.equal_range(name.name);
    for (auto it = first; it != last; ++it) {
        const Name& other = *it->second;
        if (other.signature == name.signature &&
            (other.kernel || other.implicit || (device ? other.device : other.host)))
            return true;
    }
    return false;
}

using Uses = std::multimap<std::string, const Name*, std::less<>>;

/// Returns the functions of one side, by the word with which a body of the other side would use them.
Uses functions_of(const Program& program, bool host) {
    Uses uses;
    for (const auto& [text, shared] : program.names) {
        const Name& name = *shared;
        if (name.kind != Name::Kind::function || name.kernel || name.implicit || name.strange ||
            name.name == "main")
            continue;
        if (host ? name.device : name.host) continue;
        if (host && program.relaxed_constexpr && name.is_constexpr) continue;
        if (marked_elsewhere(program, name, host)) continue;
        uses.emplace(use_of(name), &name);
        // A template calls an operator() without naming it.
        if (name.name == "operator()") uses.emplace("template", &name);
    }
    return uses;
}

void mark(const Name& name, bool host) {
    const Stream& file = name.unit->streams[0];
    int at = name.attribute;
    while (file.is(at, "[") && file.is(at + 1, "[")) at = file[at].match + 1;
    name.unit->edits.insert(file[at].offset, host ? "__attribute__((deprecated(\"device code calls this "
                                                    "host function: write __host__ __device__ "
                                                    "before it\"))) "
                                                  : "__attribute__((deprecated(\"host code calls this "
                                                    "device function: write __host__ __device__ "
                                                    "before it\"))) ");
}

/// Returns the functions of the other side that the body mentions; empty if the compiler could not decide.
std::set<const Name*> mentioned(const Unit& unit, const Body& body, const Uses& uses) {
    const Stream& stream = unit.streams[0];
    std::set<const Name*> names;
    bool in_member = unit.scope(stream, body.head).kind == Scope::Kind::type;
    for (int i = body.head; i < body.open; ++i) in_member |= stream.is(i, "::");
    for (int i = body.head; i < body.close; ++i) {
        if (stream[i].kind != Kind::identifier && stream[i].kind != Kind::punctuation) continue;
        if (i < body.open && !stream.is(i, "template")) continue;
        const auto [first, last] = uses.equal_range(stream.text(i));
        if (first == last) continue;
        if (is_unevaluated(stream, i)) return {};
        const bool with_object = stream.is(i - 1, ".") || stream.is(i - 1, "->") || stream.is(i - 1, "::");
        for (auto it = first; it != last; ++it) {
            // A plain function is called without an object. A member is called with an object,
            // except in other members of its class and when it is an operator.
            const Name& name = *it->second;
            const bool plain =
                stream.is_identifier(i) && name.name == stream.text(i) && !is_constructor(name);
            if (plain &&
                (name.member ? !with_object && !in_member : stream.is(i - 1, ".") || stream.is(i - 1, "->")))
                continue;
            names.insert(&name);
        }
    }
    return names;
}

void guard(Unit& unit, const Body& body) {
    const Stream& stream = unit.streams[0];
    unit.edits.insert(stream[body.open].end(),
                      " _Pragma(\"GCC diagnostic push\") _Pragma(\"GCC diagnostic error "
                      "\\\"-Wdeprecated-declarations\\\"\")");
    unit.edits.insert(stream[body.close].offset, " _Pragma(\"GCC diagnostic pop\") ");
    unit.program.guarded = true;
}

using Texts = std::set<std::string, std::less<>>;

bool holds_one(const Unit& unit, const Body& body, const Texts& texts) {
    for (int i = body.open; i < body.close; ++i)
        if (texts.count(unit.streams[0].text(i))) return true;
    return false;
}

/// Marks the functions in `uses` that bodies of the other side mention, and lets the compiler check these
/// bodies. Leaves out bodies that contain one of `others`. Returns the marked functions; `seen` receives the
/// texts of the bodies.
std::set<const Name*> ask(Program& program, const Uses& uses, bool host, const Texts& others, Texts& seen) {
    std::set<const Name*> marked;
    if (uses.empty()) return marked;
    for (Unit& unit : program.units) {
        for (const Body& body : function_bodies(unit)) {
            if ((host ? body.host : body.device || is_template(unit, body)) ||
                in_local_class_for(unit.streams[0], body, body.close))
                continue;
            const std::set<const Name*> names = mentioned(unit, body, uses);
            if (names.empty() || holds_one(unit, body, others)) continue;
            guard(unit, body);
            for (int i = body.open; i < body.close; ++i) seen.emplace(unit.streams[0].text(i));
            marked.insert(names.begin(), names.end());
        }
    }
    for (const Name* name : marked) mark(*name, host);
    return marked;
}

}  // namespace

void refuse_overloads(Program& program) {
    // Both directions use the same warning. Therefore, a function that is marked for one side must not occur
    // in a body that is checked for the other.
    Texts in_device_code, of_the_host;
    Uses uses = functions_of(program, true);
    for (const Name* name : ask(program, uses, true, {}, in_device_code)) of_the_host.insert(use_of(*name));
    uses = functions_of(program, false);
    for (const std::string& text : in_device_code) uses.erase(text);
    Texts in_host_code;
    ask(program, uses, false, of_the_host, in_host_code);
}

}  // namespace kit::translate
