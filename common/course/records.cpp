// Records: their schema, the rules about the folders lectures/*/results, and their fields by reference.
#include "records.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "commands.hpp"

namespace course {

using nlohmann::json;

Schema schema_of(const std::string& page) {
    Schema schema;
    const std::string heading = "| where | field |";
    for (const std::string& line : lines_of(page.substr(std::min(page.find(heading), page.size())))) {
        std::vector<std::string> cells;
        for (std::size_t at = 0, end; (end = line.find('|', at + 1)) != std::string::npos; at = end)
            cells.push_back(replaced(trimmed(line.substr(at + 1, end - at - 1)), "`", ""));
        if (cells.size() != 4) break;
        schema.push_back({cells[0], cells[1], cells[2], cells[3]});
    }
    if (schema.size() < 3)
        throw Error("lectures/results.md: the table of the schema is not there: " + heading);
    schema.erase(schema.begin(), schema.begin() + 2);
    return schema;
}

namespace {

const char* const digits = "0123456789";
const char* const field_letters = "abcdefghijklmnopqrstuvwxyz0123456789_";
const char* const row_letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.@+-";

bool has_only(const std::string& text, const char* letters) {
    return !text.empty() && text.find_first_not_of(letters) == std::string::npos;
}

bool is_version(const std::string& text) {
    return has_only(text, "0123456789.") && contains(text, ".") && !contains("." + text + ".", "..");
}

bool is_date(const std::string& text) {
    if (text.size() != 10 || text[4] != '-' || text[7] != '-' || !begins_with(text, "20")) return false;
    const int year = number_of(text.substr(0, 4)), month = number_of(text.substr(5, 2)),
              day = number_of(text.substr(8));
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    const int days[] = {31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1];
}

bool is_of_type(const json& value, const std::string& type) {
    const double number = value.is_number() ? value.get<double>() : -1;
    const std::string text = value.is_string() ? value.get<std::string>() : "";
    if (type == "1") return value.is_number_integer() && number == 1;
    if (type == "object") return value.is_object();
    if (type == "list") return value.is_array() && !value.empty();
    if (type == "text") return !text.empty();
    if (type == "the folder's name" || type == "text or empty") return value.is_string();
    if (type == "true or false") return value.is_boolean();
    if (type == "above 0") return number > 0;
    if (type == "from 0") return number >= 0;
    if (type == "above 0, at most 1.3") return number > 0 && number <= 1.3;
    if (type == "count") return value.is_number_integer() && number >= 0;
    if (type == "count from 1") return value.is_number_integer() && number >= 1;
    if (type == "gpu or cpu") return text == "gpu" || text == "cpu";
    if (type == "ladder, sweep, counts or free")
        return text == "ladder" || text == "sweep" || text == "counts" || text == "free";
    if (type == "version") return is_version(text);
    if (type == "date") return is_date(text);
    if (type == "commit") return text.size() >= 7 && text.size() <= 40 && has_only(text, "0123456789abcdef");
    if (type == "name") return has_only(text, field_letters);
    if (type == "row's name") return has_only(text, row_letters);
    throw Error("the schema has no type \"" + type + "\"");
}

/// The text that a member has, or an empty one.
std::string text_in(const json& object, const char* name) {
    return object.is_object() && object.contains(name) && object[name].is_string()
               ? object[name].get<std::string>()
               : "";
}

const json& list_in(const json& object, const char* name) {
    static const json none = json::array();
    return object.is_object() && object.contains(name) && object[name].is_array() ? object[name] : none;
}

bool is_flag(const json& row, const char* name, bool state) {
    return row.is_object() && row.contains(name) && row[name] == state;
}

std::string shown_value(const json& value) {
    if (value.is_object()) return "{...}";
    if (value.is_array()) return value.empty() ? "nothing" : "[...]";
    return value.dump();
}

/// Throws Error, which begins with the file and its line.
json parsed(const std::string& shown, const std::string& text) {
    std::vector<std::set<std::string>> open;
    std::string twice;
    const auto watch = [&](int, json::parse_event_t event, json& key) {
        if (event == json::parse_event_t::object_start) open.emplace_back();
        if (event == json::parse_event_t::object_end) open.pop_back();
        if (event == json::parse_event_t::key && !open.back().insert(key.get<std::string>()).second &&
            twice.empty())
            twice = key.get<std::string>();
        return true;
    };
    try {
        json read = json::parse(text, watch);
        if (!twice.empty()) throw Error(shown + ": an object in it has two fields " + twice);
        return read;
    } catch (const json::parse_error& error) {
        throw Error(shown + ":" + std::to_string(line_at(text, std::min(error.byte, text.size()))) +
                    ": not JSON: " + error.what());
    }
}

/// Collects what is wrong with one record.
class RecordCheck {
  public:
    RecordCheck(const Schema& schema, const std::string& shown, const std::string& text,
                const std::string& topic)
        : schema_(schema), shown_(shown), text_(text), topic_(topic) {}

    Complaints run() {
        const json record = parsed(shown_, text_);
        if (!record.is_object() || !record.contains("schema")) {
            complain("has no \"schema\": 1, so it is no record");
            return complaints_;
        }
        const json run = record.value("run", json::object());
        on_gpu_ = text_in(run, "backend") != "cpu";
        check_fields("record", record);
        const std::string topic = text_in(record, "topic"), device = text_in(run, "device"),
                          file = record_name(text_in(run, "backend"), device);
        if (!topic.empty() && topic != topic_)
            complain("topic is \"" + topic + "\", but the folder is " + topic_);
        look_at("run: ", text_.find("\"run\""));
        if (record.contains("run")) check_fields("run", run);
        if (!device.empty() && file != fs::path(shown_).filename())
            complain("on " + device + ": the file should be " + file);
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
    /// The place in words, for what is complained about from now on, and in the text.
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
            if (!object.is_object() || !object.contains(field.name)) {
                if (field.needed == "always" || (field.needed == "gpu" && on_gpu_))
                    complain("has no " + field.name);
            } else if (field.needed == "gpu" && !on_gpu_) {
                complain("has " + field.name + ", which only a GPU has");
            } else if (!is_of_type(object[field.name], field.type)) {
                complain(field.name + " is " + shown_value(object[field.name]) +
                         ", which is not: " + field.type);
            }
        }
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
        for (const auto& [name, value] : row.items()) {
            if (!has_only(name, field_letters)) complain("field \"" + name + "\": a-z, 0-9, _ only");
            if (value.is_structured()) complain(name + " is neither a number nor a text");
        }
        if (!timed && row.contains("us")) {
            if (!on_gpu_) complain("a record of the CPU executor has no times");
            if (!is_of_type(row["us"], "above 0"))
                complain("us is " + shown_value(row["us"]) + ", not above 0");
        }
        if (timed && is_flag(row, "valid", false) && !row.contains("reason"))
            complain("is not valid, and no reason says why");
        if (timed && row.contains("of_bound") && !row.contains("bound"))
            complain("has of_bound, and no bound says of what");
    }

    const Schema& schema_;
    const std::string &shown_, &text_, &topic_;
    std::string place_;
    std::size_t at_ = 0;
    bool on_gpu_ = true;
    Complaints complaints_;
};

/// Is the file read by anything? A lecture links to it, or shows its lines.
bool is_mentioned(const std::string& lecture, const std::string& name) {
    for (const char* before : {"](results/", "<!-- output: results/"}) {
        for (const char* after : {")", " ", "#"}) {
            if (contains(lecture, before + name + after)) return true;
        }
    }
    return false;
}

}  // namespace

std::size_t place_of(const std::string& text, const std::string& table, const std::string& row) {
    const std::size_t begin = text.find("\"table\": \"" + table + "\"");
    return row.empty() ? begin : text.find("\"row\": \"" + row + "\"", begin);
}

std::string record_name(const std::string& backend, const std::string& device) {
    if (backend == "cpu") return "cpu_executor.json";
    std::string name = begins_with(device, "NVIDIA ") ? device.substr(7) : device;
    for (char& c : name) {
        const auto letter = static_cast<unsigned char>(c);
        c = std::isalnum(letter) ? static_cast<char>(std::tolower(letter)) : '_';
    }
    return name + ".json";
}

Complaints check_record(const Schema& schema, const std::string& shown, const std::string& text,
                        const std::string& topic) {
    try {
        return RecordCheck(schema, shown, text, topic).run();
    } catch (const Error& error) {
        return {error.what()};
    }
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
        const fs::path lecture = file.parent_path().parent_path();
        if (fs::is_regular_file(file) && file.extension() == ".json") {
            any = true;
            for (const std::string& complaint :
                 check_record(schema, shown, read_text(file), lecture.filename().string()))
                complaints.push_back(complaint);
            const fs::path output = fs::path(file).replace_extension(".txt");
            if (read_text_if_there(output).empty())
                complaints.push_back(shown + ": no " + output.filename().string() +
                                     " beside it (what the demo printed)");
        } else if (name != "tables.md" &&
                   !(file.extension() == ".txt" && fs::exists(fs::path(file).replace_extension(".json"))) &&
                   !is_mentioned(read_text_if_there(lecture / "README.md"), name)) {
            complaints.push_back(shown +
                                 ": stray: it belongs to no record, and the lecture does not link to it");
        }
    }
    if (!any) complaints.push_back("lectures/*/results: no record, so nothing would be checked");
    return complaints;
}

// ---- fields by reference ----

Record Record::read(const std::string& shown, const std::string& text) {
    const json all = parsed(shown, text);
    if (!all.is_object() || all.value("schema", json()) != 1)
        throw Error(shown + " is no record of schema 1");
    Record record;
    const auto add = [&](const std::string& place, const json& object) {
        record.names.insert(place);
        for (const auto& [field, value] : object.items()) {
            const std::string name = place + ":" + field;
            record.names.insert(name);
            if (value.is_number()) record.numbers[name] = value.get<double>();
            if (value.is_string()) record.texts[name] = value.get<std::string>();
            if (value.is_boolean()) record.flags[name] = value.get<bool>();
        }
    };
    for (const char* facts : {"roofs", "run"}) add(facts, all.value(facts, json::object()));
    record.texts["topic"] = text_in(all, "topic");
    for (const json& table : list_in(all, "tables")) {
        record.names.insert(text_in(table, "table"));
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
    return loaded_[device] = Record::read(name, text);
}

std::string Records::shown_name(const std::string& device) {
    const std::string& name = load(device).texts.at("run:device");
    return begins_with(name, "NVIDIA ") ? name.substr(7) : name;
}

double Records::value(const std::string& reference, const std::string& device) {
    const std::size_t colon = reference.find(':'), dot = reference.find('.');
    if (dot < colon) return value(reference.substr(dot + 1), reference.substr(0, dot));
    const std::size_t last = reference.rfind(':');
    const std::string table = reference.substr(0, colon), row = reference.substr(0, last);
    if (last == colon && table != "roofs" && table != "run")
        throw Error(reference + ": a reference is table:row:field, roofs:field or run:field");
    const Record& record = load(device);
    for (const std::string& part : {table, row, reference}) {
        if (record.names.count(part) == 0) throw NotMeasured("the record of " + device + " has no " + part);
    }
    if (record.has_flag(row + ":valid", false))
        throw NotMeasured(reference + ": the row is not valid on " + device +
                          ", so nothing may be quoted from it");
    if (record.numbers.count(reference) == 0) throw Error(reference + " is not a number");
    return record.numbers.at(reference);
}

std::vector<std::string> Records::gpus() const {
    std::vector<std::string> names;
    if (!fs::is_directory(folder_)) return names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
        const std::string name = entry.path().stem().string();
        if (entry.path().extension() == ".json" && name != "cpu_executor") names.push_back(name);
    }
    std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
        return std::make_pair(a != main_device, a) < std::make_pair(b != main_device, b);
    });
    return names;
}

// ---- commands ----

int command_records(const Course& course, const Arguments& arguments) {
    if (!arguments.empty()) return 2;
    const Complaints complaints = check_records(course.root);
    for (const std::string& complaint : complaints) std::printf("%s\n", complaint.c_str());
    std::printf("%zu complaints\n", complaints.size());
    return complaints.empty() ? 0 : 1;
}

}  // namespace course
