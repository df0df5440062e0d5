// Records of measurements: their schema, the rules about the folders lectures/*/results, and access to their
// fields by reference.
#include "records.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <ctime>
#include <set>

#include "author_commands.hpp"
#include "json_library.hpp"
#include "rules.hpp"

namespace course {

using nlohmann::json;

Schema schema_of(const std::string& page) {
    Schema schema;
    const std::string heading = "| where | field |";
    for (const std::string& line : lines_of(page.substr(std::min(page.find(heading), page.size())))) {
        const Lines cells = match(replaced(line, "`", ""), "^[|] (.*) [|] (.*) [|] (.*) [|] (.*) [|]$");
        if (cells.empty() && !schema.empty() && line.empty()) break;
        if (!cells.empty()) schema.push_back({cells[1], cells[2], cells[3], cells[4]});
    }
    if (schema.size() < 2) throw Error("lectures/results.md: the table of the schema is missing: " + heading);
    schema.erase(schema.begin());
    return schema;
}

namespace {

bool is_date(const std::string& text) {
    std::tm date{};
    if (!strptime(text.c_str(), "\"%Y-%m-%d\"", &date)) return false;
    const int day = date.tm_mday;
    timegm(&date);  // changes February 30 to March 2
    return date.tm_mday == day;
}

/// Returns whether the value has this type of the schema. The notation in JSON and the size of a number are
/// part of the type.
bool is_of_type(const json& value, const std::string& type) {
    static const std::map<std::string, const char*> patterns = {
        {"1", "1"},
        {"object", "[{].*[}]"},
        {"list", "[[].+[]]"},
        {"text", "\".+\""},
        {"the folder's name", "\".*\""},
        {"text or empty", "\".*\""},
        {"true or false", "true|false"},
        {"count", "[0-9]+"},
        {"count from 1", "[1-9][0-9]*"},
        {"gpu or cpu", "\"(gpu|cpu)\""},
        {"ladder, sweep, counts or free", "\"(ladder|sweep|counts|free)\""},
        {"version", "\"[0-9]+([.][0-9]+)+\""},
        {"date", "\"20[0-9]{2}-[0-9]{2}-[0-9]{2}\""},
        {"commit", "\"[0-9a-f]{7,40}\""},
        {"name", "\"[a-z0-9_]+\""},
        {"row's name", "\"[A-Za-z0-9_.@+-]+\""},
    };
    const double number = value.is_number() ? value.get<double>() : -1;
    if (type == "from 0") return number >= 0;
    if (type == "above 0") return number > 0;
    if (type == "above 0, at most 1.3") return number > 0 && number <= 1.3;
    const auto pattern = patterns.find(type);
    if (pattern == patterns.end()) throw Error("the schema has no type \"" + type + "\"");
    const std::string text = value.dump();
    return !match(text, std::string("^(") + pattern->second + ")$").empty() &&
           (type != "date" || is_date(text));
}

/// Returns the text of a member; empty if there is none.
std::string text_in(const json& object, const char* name) {
    const auto member = object.find(name);
    return member != object.end() && member->is_string() ? member->get<std::string>() : "";
}

json list_in(const json& object, const char* name) {
    const auto member = object.find(name);
    return member != object.end() && member->is_array() ? *member : json::array();
}

/// Parses a record. Throws Error, whose text begins with the file and the line.
json parsed(const std::string& shown, const std::string& text) {
    std::vector<std::set<std::string>> open;
    const auto watch = [&](int, json::parse_event_t event, json& key) {
        if (event == json::parse_event_t::object_start) open.emplace_back();
        if (event == json::parse_event_t::object_end) open.pop_back();
        if (event == json::parse_event_t::key && !open.back().insert(key.get<std::string>()).second)
            throw Error(shown + ": an object in it has two fields " + key.get<std::string>());
        return true;
    };
    try {
        return json::parse(text, watch);
    } catch (const json::parse_error& error) {
        throw Error(shown + ":" + std::to_string(line_at(text, error.byte)) + ": not JSON: " + error.what());
    }
}

/// Collects the complaints about one record.
class RecordCheck {
  public:
    RecordCheck(const Schema& schema, const std::string& shown, const std::string& text)
        : schema_(schema), shown_(shown), text_(text) {}

    Complaints run(const std::string& topic) {
        const json record = parsed(shown_, text_);
        if (!record.is_object() || !record.contains("schema")) {
            complain("is not a record, because it has no \"schema\": 1");
            return complaints_;
        }
        on_gpu_ = text_in(record.value("run", json()), "backend") != "cpu";
        check_fields("record", record);
        if (const json given = record.value("topic", json(topic)); given != topic)
            complain("topic is " + given.dump() + ", but the folder is " + topic);
        look_at("run: ", text_.find("\"run\""));
        if (record.contains("run")) check_run(record["run"]);
        look_at("roofs: ", text_.find("\"roofs\""));
        if (on_gpu_ && record.contains("roofs")) check_fields("roofs", record["roofs"]);
        std::set<std::string> names;
        for (const json& table : list_in(record, "tables")) {
            const std::string name = text_in(table, "table");
            look_at("table " + (name.empty() ? "without a name" : name) + ": ", place_of(text_, name));
            if (!names.insert(name).second) complain("there are two of this name");
            check_table(name, table);
        }
        return complaints_;
    }

  private:
    /// Sets the place to which the following complaints refer: in words, and as a position in the text.
    void look_at(const std::string& place, std::size_t at) {
        place_ = place;
        if (at != std::string::npos) at_ = at;
    }

    void complain(const std::string& what) {
        complaints_.push_back(shown_ + ":" + std::to_string(line_at(text_, at_)) + ": " + place_ + what);
    }

    void check_fields(const std::string& where, const json& object) {
        for (const SchemaField& field : schema_) {
            if (field.where != where) continue;
            const auto found = object.find(field.name);
            if (found == object.end()) {
                if (field.needed == "always" || (field.needed == "gpu" && on_gpu_))
                    complain("has no " + field.name);
            } else if (field.needed == "gpu" && !on_gpu_) {
                complain("has " + field.name + ", which only a GPU has");
            } else if (!is_of_type(*found, field.type)) {
                const std::string shown =
                    found->is_structured() ? found->empty() ? "nothing" : "..." : found->dump();
                complain(field.name + " is " + shown + ", which is not: " + field.type);
            }
        }
    }

    /// Requires that the file has the name of its device: h200.json for "NVIDIA H200".
    void check_run(const json& run) {
        check_fields("run", run);
        const std::string device = text_in(run, "device");
        std::string name = match(device, "^(NVIDIA )?(.*)$").at(2);
        for (char& c : name) {
            const int letter = static_cast<unsigned char>(c);
            c = std::isalnum(letter) ? static_cast<char>(std::tolower(letter)) : '_';
        }
        if (!on_gpu_) name = "cpu_executor";
        if (!device.empty() && name + ".json" != fs::path(shown_).filename())
            complain("on " + device + ": the file should be " + name + ".json");
    }

    void check_table(const std::string& table_name, const json& table) {
        check_fields("table", table);
        const std::string kind = text_in(table, "kind");
        const bool timed = kind == "ladder" || kind == "sweep";
        if (timed && !on_gpu_) complain("a record of the CPU executor has no times");
        std::set<std::string> names;
        for (const json& row : list_in(table, "rows")) {
            const std::string name = text_in(row, "row");
            look_at("table " + table_name + ", row " + (name.empty() ? "without a name" : name) + ": ",
                    name.empty() ? std::string::npos : place_of(text_, table_name, name));
            if (!names.insert(name).second) complain("there are two of this name");
            check_row(row, timed);
        }
    }

    void check_row(const json& row, bool timed) {
        check_fields("row", row);
        if (timed) check_fields("timed row", row);
        if (!row.is_object()) return;
        for (const auto& [name, value] : row.items()) {
            if (match(name, "^[a-z0-9_]+$").empty()) complain("field \"" + name + "\": a-z, 0-9, _ only");
            if (value.is_structured()) complain(name + " is neither a number nor a text");
        }
        if (!timed && row.contains("us")) {
            if (!on_gpu_) complain("a record of the CPU executor has no times");
            if (!is_of_type(row["us"], "above 0")) complain("us is " + row["us"].dump() + ", not above 0");
        }
        if (timed && row.value("valid", json()) == false && !row.contains("reason"))
            complain("is not valid, but has no reason");
        if (timed && row.contains("of_bound") && !row.contains("bound"))
            complain("has of_bound, but no bound");
    }

    const Schema& schema_;
    const std::string &shown_, &text_;
    std::string place_;
    std::size_t at_ = 0;
    bool on_gpu_ = true;
    Complaints complaints_;
};

}  // namespace

std::size_t place_of(const std::string& text, const std::string& table, const std::string& row) {
    const std::size_t begin = text.find("\"table\": \"" + table + "\"");
    return row.empty() ? begin : text.find("\"row\": \"" + row + "\"", begin);
}

Complaints check_record(const Schema& schema, const std::string& shown, const std::string& text,
                        const std::string& topic) try {
    return RecordCheck(schema, shown, text).run(topic);
} catch (const Error& error) {
    return {error.what()};
}

Complaints check_records(const fs::path& root) {
    Complaints complaints;
    std::set<fs::path> files;
    bool any = false;
    const Schema schema = schema_of(read_text(root / "lectures/results.md"));
    for (const auto& lecture : fs::directory_iterator(root / "lectures")) {
        if (!fs::is_directory(lecture.path() / "results")) continue;
        for (const auto& entry : fs::directory_iterator(lecture.path() / "results"))
            files.insert(entry.path());
    }
    for (const fs::path& file : files) {
        const std::string shown = file.lexically_relative(root).string(), name = file.filename().string();
        const std::vector<fs::path> pages = pages_in(file.parent_path().parent_path());
        const std::string topic = file.parent_path().parent_path().filename();
        const auto beside = [&](const char* extension) {
            return fs::path(file).replace_extension(extension);
        };
        // Matches a link to the file in a page of the lecture, or a comment that shows lines of the file.
        const std::string mention = "([]][(]|<!-- output: )results/" + replaced(name, ".", "[.]") + "[) #]";
        const auto mentions = [&](const fs::path& page) { return !match(read_text(page), mention).empty(); };
        if (fs::is_regular_file(file) && file.extension() == ".json") {
            any = true;
            for (const std::string& complaint : check_record(schema, shown, read_text(file), topic))
                complaints.push_back(complaint);
            const std::string printed = read_text_if_there(beside(".txt"));
            if (contains(printed, "\nwritten: "))
                complaints.push_back(
                    shown + ": " + beside(".txt").filename().string() +
                    " names a file of the machine that recorded it: use the text that the demo writes next "
                    "to the record");
            // Pages show the output on the GPU that they quote by default. The output on the executor need
            // not be there, because anyone can reproduce it.
            const bool is_second = file.stem() != main_device &&
                                   fs::exists(file.parent_path() / (std::string(main_device) + ".json"));
            if (printed.empty() && !is_second && name != "cpu_executor.json")
                complaints.push_back(shown + ": no " + beside(".txt").filename().string() +
                                     " next to it (the output of the demo)");
        } else if (name != "tables.md" && !(file.extension() == ".txt" && fs::exists(beside(".json"))) &&
                   std::none_of(pages.begin(), pages.end(), mentions)) {
            complaints.push_back(shown +
                                 ": stray: it belongs to no record, and the lecture does not link to it");
        }
    }
    if (!any) complaints.push_back("lectures/*/results: no record, so nothing would be checked");
    return complaints;
}

// Fields of records by reference.

Record read_record(const std::string& shown, const std::string& text) {
    const json all = parsed(shown, text);
    if (!all.is_object() || all.value("schema", json()) != 1)
        throw Error(shown + " is not a record of schema 1");
    Record record{{"topic", all.value("topic", json()).dump()}};
    const auto add = [&](const std::string& place, const json& object) {
        record[place];
        for (const auto& [field, value] : object.items()) record[place + ":" + field] = value.dump();
    };
    for (const char* facts : {"roofs", "run"}) add(facts, all.value(facts, json::object()));
    for (const json& table : list_in(all, "tables")) {
        record[text_in(table, "table")];
        for (const json& row : list_in(table, "rows"))
            add(text_in(table, "table") + ":" + text_in(row, "row"), row);
    }
    return record;
}

const Record& Records::load(const std::string& device) {
    const auto found = loaded_.find(device);
    if (found != loaded_.end()) return found->second;
    const std::string name = "results/" + (device == "cpu" ? "cpu_executor" : device) + ".json",
                      text = read_text_if_there(folder_.parent_path() / name);
    if (text.empty()) throw Error(name + " does not exist");
    return loaded_[device] = read_record(name, text);
}

std::string Records::shown_name(const std::string& device) {
    return match(load(device).at("run:device"), "^\"(NVIDIA )?(.*)\"$").at(2);
}

double Records::value(const std::string& reference, const std::string& device) {
    const std::size_t colon = reference.find(':'), dot = reference.find('.'), last = reference.rfind(':');
    if (dot < colon) return value(reference.substr(dot + 1), reference.substr(0, dot));
    const std::string table = reference.substr(0, colon), row = reference.substr(0, last);
    if (last == colon && table != "roofs" && table != "run")
        throw Error(reference + ": a reference is table:row:field, roofs:field or run:field");
    const Record& record = load(device);
    for (const std::string& part : {table, row, reference}) {
        if (record.count(part) == 0) throw NotMeasured("the record of " + device + " has no " + part);
    }
    const auto valid = record.find(row + ":valid");
    if (valid != record.end() && valid->second == "false")
        throw NotMeasured(reference + ": the row is not valid on " + device +
                          ", so nothing may be quoted from it");
    const std::string& number = record.at(reference);
    if (match(number, "^-?[0-9]").empty()) throw Error(reference + " is not a number");
    return std::stod(number);
}

std::string Records::shown_gpu() const {
    std::set<std::string> names;
    if (!fs::is_directory(folder_)) return "";
    for (const auto& entry : fs::directory_iterator(folder_)) {
        if (entry.path().extension() == ".json") names.insert(entry.path().stem().string());
    }
    names.erase("cpu_executor");
    if (names.empty()) return "";
    return names.count(main_device) != 0 ? main_device : *names.begin();
}

void check_records(const Course& course, Complainer& complain) {
    for (const std::string& complaint : check_records(course.root)) complain(complaint);
}

}  // namespace course
