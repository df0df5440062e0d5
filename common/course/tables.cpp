#include "tables.hpp"

#include <algorithm>

#include "expression.hpp"

namespace course {

namespace {

/// What stands before, between and behind the bars of a row.
std::vector<std::string> parts_of(const std::string& line) {
    std::vector<std::string> parts(1);
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] == '|' && (at == 0 || line[at - 1] != '\\')) {
            parts.emplace_back();
        } else {
            parts.back() += line[at];
        }
    }
    return parts;
}

}  // namespace

std::string complaint_of(const std::string& condition, Records& records) try {
    const std::size_t colon = condition.find(": ");
    if (colon == std::string::npos)
        return condition + ": a condition names its device: h200: ladder:v1:us < 9";
    const std::string device = condition.substr(0, colon);
    const Lookup lookup = [&](const std::string& reference) { return records.value(reference, device); };
    return holds(condition.substr(colon + 2), lookup) ? "" : "does not hold any more: " + condition;
} catch (const Error& error) {
    return condition + ": " + error.what();
}

Tables::Tables(const fs::path& file, std::string shown, Records& records)
    : shown_(std::move(shown)), records_(records) {
    Template* open = nullptr;
    for (const std::string& line : lines_of(read_text_if_there(file))) {
        ++line_;
        if (begins_with(line, "## ")) open = &templates_[trimmed(line.substr(3))];
        if (!begins_with(line, "|")) continue;
        if (!open) {
            complain("a table needs a name: ## NAME");
        } else {
            if (open->lines.empty()) open->first = line_;
            if (open->first + static_cast<int>(open->lines.size()) != line_)
                complain("a second table of one name");
            open->lines.push_back(line);
        }
    }
}

/// The same may be found twice: in a table of two pages, or of two devices.
void Tables::complain(const std::string& what) {
    const std::string complaint = shown_ + ":" + std::to_string(line_) + ": " + what;
    if (std::count(complaints_.begin(), complaints_.end(), complaint) == 0) complaints_.push_back(complaint);
}

std::string Tables::table(const std::string& name) {
    const auto found = templates_.find(name);
    if (found == templates_.end()) throw Error("results/tables.md has no table ## " + name);
    found->second.used = true;
    line_ = found->second.first;
    std::string text;
    std::vector<bool> each_device;
    bool made = true;
    for (const std::string& line : found->second.lines) {
        if (each_device.empty()) {
            for (const std::string& part : parts_of(line)) each_device.push_back(contains(part, "DEVICE"));
        }
        try {
            text += row(line, each_device) + "\n";
        } catch (const Error& error) {
            complain(error.what());
            made = false;
        }
        ++line_;
    }
    return made ? text : "";
}

/// The row with its numbers. A column for each device is there once for every GPU that has a record.
std::string Tables::row(const std::string& line, const std::vector<bool>& each_device) {
    const std::vector<std::string> parts = parts_of(line);
    if (parts.size() != each_device.size()) throw Error("this row has not as many cells as the first");
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!each_device[i]) {
            cells.push_back(cell(parts[i], main_device, false));
            continue;
        }
        for (const std::string& device : records_.gpus())
            cells.push_back(replaced(cell(parts[i], device, true), "DEVICE", records_.shown_name(device)));
    }
    std::string text = cells[0];
    for (std::size_t i = 1; i < cells.size(); ++i) text += "|" + cells[i];
    return text;
}

/// A device may lack a number that another one has.
std::string Tables::cell(const std::string& text, const std::string& device, bool may_lack) try {
    return filled(text, device);
} catch (const NotMeasured&) {
    const std::vector<std::string> gpus = records_.gpus();
    const auto has = [&](const std::string& other) {
        try {
            return other != device && !filled(text, other).empty();
        } catch (const NotMeasured&) {
            return false;
        }
    };
    if (!may_lack || std::none_of(gpus.begin(), gpus.end(), has)) throw;
    return " not measured ";
}

std::string Tables::filled(const std::string& text, const std::string& device) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = std::min(text.find_first_of("{`", at), text.size());
        result += text.substr(at, begin - at);
        if (begin == text.size()) break;
        const bool code = text[begin] == '`';
        const std::size_t end = text.find(code ? '`' : '}', begin + 1);
        if (end == std::string::npos) throw Error(text.substr(begin) + ": does not end");
        std::string content = text.substr(begin + 1, end - begin - 1);
        at = end + 1;
        if (code) {
            result += "`" + content + "`";
        } else if (begins_with(content, "?")) {
            result.erase(result.find_last_not_of(' ') + 1);
            const std::string complaint = complaint_of(trimmed(content.substr(1)), records_);
            if (!complaint.empty()) complain(complaint);
        } else {
            NumberForm form;
            const std::size_t blank = std::min(content.rfind(' '), content.size());
            if (read_form(trimmed(content.substr(blank)), form)) content.erase(blank);
            try {
                result += written(
                    evaluate(content, [&](const std::string& name) { return records_.value(name, device); }),
                    form);
            } catch (const NotMeasured&) {
                throw;
            } catch (const Error& error) {
                throw Error(content + ": " + error.what());
            }
        }
    }
    return result;
}

Complaints Tables::complaints() {
    for (const auto& [name, unused] : templates_) {
        line_ = unused.first;
        if (!unused.used) complain("no page shows this table: <!-- table: " + name + " -->");
    }
    return complaints_;
}

}  // namespace course
