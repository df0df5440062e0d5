// The schema of a record, and the rules about the folders lectures/*/results. lectures/results.md tells them to a reader.
#include <cctype>
#include <functional>
#include <map>
#include <regex>
#include <set>

#include "results.hpp"

namespace fs = std::filesystem;

namespace course {

const std::vector<SchemaField>& schema() {
    static const std::vector<SchemaField> fields = {
        {"record", "schema", "1", "always"},
        {"record", "topic", "the folder's name", "always"},
        {"record", "run", "object", "always"},
        {"record", "roofs", "object", "gpu"},
        {"record", "tables", "list", "always"},
        {"run", "backend", "gpu or cpu", "always"},
        {"run", "device", "text", "always"},
        {"run", "multiprocessors", "count from 1", "always"},
        {"run", "driver", "version", "gpu"},
        {"run", "cuda", "version", "gpu"},
        {"run", "sm_clock_mhz", "above 0", "gpu"},
        {"run", "memory_clock_mhz", "above 0", "gpu"},
        {"run", "date", "date", "always"},
        {"run", "commit", "commit", "always"},
        {"run", "options", "text or empty", "always"},
        {"roofs", "copy_gb_per_s", "above 0", "gpu"},
        {"roofs", "shared_gb_per_s", "from 0", "gpu"},
        {"roofs", "fp32_tflop_per_s", "from 0", "gpu"},
        {"roofs", "launch_us", "from 0", "gpu"},
        {"roofs", "launch_and_wait_us", "from 0", "gpu"},
        {"roofs", "graph_node_us", "from 0", "gpu"},
        {"table", "table", "name", "always"},
        {"table", "kind", "ladder, sweep, counts or free", "always"},
        {"table", "title", "text", "always"},
        {"table", "rows", "list", "always"},
        {"row", "row", "row's name", "always"},
        {"timed row", "version", "text", "always"},
        {"timed row", "n", "count", "always"},
        {"timed row", "us", "above 0", "always"},
        {"timed row", "spread", "from 0", "always"},
        {"timed row", "repetitions", "count from 1", "always"},
        {"timed row", "valid", "true or false", "always"},
        {"timed row", "noisy", "true or false", "always"},
        {"timed row", "reason", "text", "may"},
        {"timed row", "library", "true or false", "may"},
        {"timed row", "gb_per_s", "above 0", "may"},
        {"timed row", "speed_up", "above 0", "may"},
        {"timed row", "bound", "text", "may"},
        {"timed row", "of_bound", "above 0, at most 1.3", "may"},
    };
    return fields;
}

namespace {

bool is_number_from(const Json& value, double least) {
    return value.is_number() && value.number() >= least;
}

bool is_above_0(const Json& value) {
    return value.is_number() && value.number() > 0;
}

bool is_count_from(const Json& value, double least) {
    return is_number_from(value, least) && value.text.find_first_not_of("0123456789") == std::string::npos;
}

std::function<bool(const Json&)> matches(const std::string& pattern) {
    return [expression = std::regex(pattern)](const Json& value) {
        return value.is_text() && std::regex_match(value.text, expression);
    };
}

bool is_date(const Json& value) {
    static const std::regex form("20[0-9]{2}-[0-9]{2}-[0-9]{2}");
    if (!value.is_text() || !std::regex_match(value.text, form)) return false;
    const int year = std::stoi(value.text), month = std::stoi(value.text.substr(5)),
              day = std::stoi(value.text.substr(8));
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    const int days[] = {31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1];
}

/// What each type of the schema accepts. "the folder's name" is checked by check_record.
const std::map<std::string, std::function<bool(const Json&)>>& types() {
    using Kind = Json::Kind;
    static const std::map<std::string, std::function<bool(const Json&)>> all = {
        {"1", [](const Json& value) { return value.is_number() && value.text == "1"; }},
        {"object", [](const Json& value) { return value.kind == Kind::object; }},
        {"list", [](const Json& value) { return value.kind == Kind::list && !value.members.empty(); }},
        {"the folder's name", [](const Json& value) { return value.is_text(); }},
        {"text", [](const Json& value) { return value.is_text() && !value.text.empty(); }},
        {"text or empty", [](const Json& value) { return value.is_text(); }},
        {"true or false", [](const Json& value) { return value.is_boolean(); }},
        {"above 0", is_above_0},
        {"from 0", [](const Json& value) { return is_number_from(value, 0); }},
        {"above 0, at most 1.3",
         [](const Json& value) { return is_above_0(value) && value.number() <= 1.3; }},
        {"count", [](const Json& value) { return is_count_from(value, 0); }},
        {"count from 1", [](const Json& value) { return is_count_from(value, 1); }},
        {"gpu or cpu", matches("gpu|cpu")},
        {"ladder, sweep, counts or free", matches("ladder|sweep|counts|free")},
        {"version", matches("[0-9]+(\\.[0-9]+)+")},
        {"date", is_date},
        {"commit", matches("[0-9a-f]{7,40}")},
        {"name", matches("[a-z0-9_]+")},
        {"row's name", matches("[A-Za-z0-9_.@+-]+")},
    };
    return all;
}

std::string shown_value(const Json& value) {
    if (value.kind == Json::Kind::object) return "{...}";
    if (value.kind == Json::Kind::list) return value.members.empty() ? "nothing" : "[...]";
    return value.is_text() ? "\"" + value.text + "\"" : value.text;
}

/// Collects what is wrong with one record.
class RecordCheck {
  public:
    RecordCheck(std::string shown, std::string topic) : shown_(std::move(shown)), topic_(std::move(topic)) {}

    void run(const Json& record) {
        if (!record.find("schema")) return complain("", "has no \"schema\": 1, so it is no record");
        const Json* run = record.find("run");
        on_gpu_ = run == nullptr || !run->says("backend", "cpu");
        check_fields("record", "", record);
        if (run != nullptr) check_fields("run", "run", *run);
        if (run != nullptr) check_name(*run);
        if (const Json* roofs = record.find("roofs"); roofs && on_gpu_)
            check_fields("roofs", "roofs", *roofs);
        const Json* topic = record.find("topic");
        if (topic != nullptr && topic->is_text() && topic->text != topic_)
            complain("", "topic is \"" + topic->text + "\", but the folder is " + topic_);
        std::set<std::string> names;
        if (const Json* tables = record.find("tables")) {
            for (const auto& [unused, table] : tables->members) {
                const Json* name = table.find("table");
                const std::string place = "table " + (name != nullptr ? name->text : "without a name");
                if (!names.insert(place).second) complain(place, "there are two of this name");
                check_table(place, table);
            }
        }
    }

    Complaints complaints;

  private:
    void complain(const std::string& place, const std::string& what) {
        complaints.push_back(shown_ + (place.empty() ? "" : ", " + place) + ": " + what);
    }

    void check_fields(const std::string& where, const std::string& place, const Json& object) {
        std::set<std::string> seen;
        for (const auto& [name, value] : object.members) {
            if (object.kind == Json::Kind::object && !seen.insert(name).second)
                complain(place, "has two fields " + name);
        }
        for (const SchemaField& field : schema()) {
            if (field.where != where) continue;
            const Json* value = object.find(field.name);
            if (value == nullptr) {
                if (field.needed == "always" || (field.needed == "gpu" && on_gpu_))
                    complain(place, "has no " + field.name);
            } else if (field.needed == "gpu" && !on_gpu_) {
                complain(place, "has " + field.name + ", which only a GPU has");
            } else if (!types().at(field.type)(*value)) {
                complain(place, field.name + " is " + shown_value(*value) + ", which is not: " + field.type);
            }
        }
    }

    void check_name(const Json& run) {
        const Json *backend = run.find("backend"), *device = run.find("device");
        if (backend == nullptr || device == nullptr) return;
        const std::string wanted = record_name(backend->text, device->text);
        const std::string found = fs::path(shown_).filename().string();
        if (wanted != found) complain("run", "on " + device->text + ": the file should be " + wanted);
    }

    void check_table(const std::string& place, const Json& table) {
        check_fields("table", place, table);
        const bool timed = table.says("kind", "ladder") || table.says("kind", "sweep");
        if (timed && !on_gpu_) complain(place, "a record of the CPU executor has no times");
        std::set<std::string> names;
        const Json* rows = table.find("rows");
        if (rows == nullptr) return;
        for (const auto& [unused, row] : rows->members) {
            const Json* name = row.find("row");
            const std::string at = place + ", row " + (name != nullptr ? name->text : "without a name");
            if (!names.insert(at).second) complain(at, "there are two of this name");
            check_row(at, row, timed);
        }
    }

    void check_row(const std::string& place, const Json& row, bool timed) {
        static const std::regex field_name("[a-z0-9_]+");
        check_fields("row", place, row);
        for (const auto& [name, value] : row.members) {
            if (!std::regex_match(name, field_name))
                complain(place, "field \"" + name + "\": a-z, 0-9, _ only");
            if (value.kind == Json::Kind::list || value.kind == Json::Kind::object)
                complain(place, name + " is neither a number nor a text");
        }
        if (!timed) {
            const Json* us = row.find("us");
            if (us != nullptr && !on_gpu_) complain(place, "a record of the CPU executor has no times");
            if (us != nullptr && !is_above_0(*us))
                complain(place, "us is " + shown_value(*us) + ", not above 0");
            return;
        }
        check_fields("timed row", place, row);
        const Json *valid = row.find("valid"), *reason = row.find("reason");
        if (valid != nullptr && valid->text == "false" && reason == nullptr)
            complain(place, "is not valid, and no reason says why");
        if (row.find("of_bound") != nullptr && row.find("bound") == nullptr)
            complain(place, "has of_bound, and no bound says of what");
    }

    std::string shown_, topic_;
    bool on_gpu_ = true;
};

/// Is the file read by anything? A lecture links to it, or shows its lines.
bool is_mentioned(const std::string& lecture, const std::string& name) {
    for (const std::string before : {"](results/", "<!-- output: results/"}) {
        const std::string wanted = before + name;
        for (std::size_t at = lecture.find(wanted); at != std::string::npos;
             at = lecture.find(wanted, at + 1)) {
            const std::size_t end = at + wanted.size();
            if (end < lecture.size() && (lecture[end] == ')' || lecture[end] == ' ' || lecture[end] == '#'))
                return true;
        }
    }
    return false;
}

}  // namespace

std::string record_name(const std::string& backend, const std::string& device) {
    if (backend == "cpu") return "cpu_executor.json";
    const std::string vendor = "NVIDIA ";
    std::string name = device.rfind(vendor, 0) == 0 ? device.substr(vendor.size()) : device;
    for (char& c : name) {
        const auto letter = static_cast<unsigned char>(c);
        c = std::isalnum(letter) ? static_cast<char>(std::tolower(letter)) : '_';
    }
    return name + ".json";
}

Complaints check_record(const std::string& shown, const std::string& text, const std::string& topic) {
    RecordCheck check(shown, topic);
    try {
        check.run(parse_json(text));
    } catch (const JsonError& error) {
        check.complaints.push_back(shown + ": not JSON: " + error.what());
    }
    return check.complaints;
}

Complaints check_results(const fs::path& root) {
    Complaints complaints;
    std::set<fs::path> files;
    int records = 0;
    if (fs::is_directory(root / "lectures")) {
        for (const auto& lecture : fs::directory_iterator(root / "lectures")) {
            if (!fs::is_directory(lecture.path() / "results")) continue;
            for (const auto& entry : fs::directory_iterator(lecture.path() / "results"))
                files.insert(entry.path());
        }
    }
    for (const fs::path& file : files) {
        const std::string shown = fs::relative(file, root).string(), name = file.filename().string();
        const fs::path lecture = file.parent_path().parent_path();
        if (fs::is_regular_file(file) && file.extension() == ".json") {
            ++records;
            const Complaints found = check_record(shown, read_text(file), lecture.filename().string());
            complaints.insert(complaints.end(), found.begin(), found.end());
            const fs::path output = fs::path(file).replace_extension(".txt");
            if (read_text(output).empty())
                complaints.push_back(shown + ": no " + output.filename().string() +
                                     " beside it (what the demo printed)");
        } else {
            const bool beside =
                file.extension() == ".txt" && fs::exists(fs::path(file).replace_extension(".json"));
            if (!beside && !is_mentioned(read_text(lecture / "README.md"), name))
                complaints.push_back(shown +
                                     ": stray: it belongs to no record, and the lecture does not link to it");
        }
    }
    if (records == 0) complaints.push_back("lectures/*/results: no record, so nothing would be checked");
    return complaints;
}

}  // namespace course
