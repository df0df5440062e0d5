#include "tables.hpp"

#include <algorithm>

#include "expression.hpp"

namespace course {

namespace {

/// What stands before, between and behind the bars of a row.
Lines parts_of(const std::string& line) {
    Lines parts(1);
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] == '|' && (at == 0 || line[at - 1] != '\\'))
            parts.emplace_back();
        else
            parts.back() += line[at];
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

Tables::Tables(const fs::path& root, const fs::path& file, Records& records)
    : file_(file), records_(records) {
    Template* open = nullptr;
    for (const std::string& line : lines_of(read_text_if_there(root / file))) {
        ++line_;
        if (begins_with(line, "## ")) open = &templates_[trimmed(line.substr(3))];
        if (!begins_with(line, "|")) continue;
        if (!open) {
            complain("a table needs a name: ## NAME");
            continue;
        }
        if (open->lines.empty()) open->first = line_;
        if (open->first + static_cast<int>(open->lines.size()) != line_)
            complain("a second table of one name");
        open->lines.push_back(line);
    }
}

/// The same may be found twice: in a table of two pages, or of two devices.
void Tables::complain(const std::string& what) {
    const std::string complaint = file_.string() + ":" + std::to_string(line_) + ": " + what;
    if (std::count(complaints_.begin(), complaints_.end(), complaint) == 0) complaints_.push_back(complaint);
}

std::string Tables::table(const std::string& name) {
    const auto found = templates_.find(name);
    if (found == templates_.end()) throw Error("results/tables.md has no table ## " + name);
    Template& made_from = found->second;
    made_from.used = true;
    line_ = made_from.first;
    std::string text;
    bool made = true;
    for (const std::string& line : made_from.lines) {
        try {
            text += row(line, parts_of(made_from.lines[0])) + "\n";
        } catch (const Error& error) {
            complain(error.what());
            made = false;
        }
        ++line_;
    }
    return made ? text : "";
}

/// The row with its numbers. A column with DEVICE in its heading is there once for every GPU that has a record; one may lack a
/// number that another one has.
std::string Tables::row(const std::string& line, const Lines& heading) {
    const Lines parts = parts_of(line);
    if (parts.size() != heading.size()) throw Error("this row has not as many cells as the first");
    Lines cells;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!contains(heading[i], "DEVICE")) {
            cells.push_back(filled(parts[i], main_device));
            continue;
        }
        std::string missing;
        bool measured = false;
        for (const std::string& device : records_.gpus()) {
            try {
                const std::string cell = filled(parts[i], device);
                cells.push_back(replaced(cell, "DEVICE", records_.shown_name(device)));
                measured = true;
            } catch (const NotMeasured& error) {
                cells.push_back(" not measured ");
                if (missing.empty()) missing = error.what();
            }
        }
        if (!measured && !missing.empty()) throw Error(missing);
    }
    return joined(cells, "|");
}

std::string Tables::filled(std::string text, const std::string& device) {
    const Lookup lookup = [&](const std::string& reference) { return records_.value(reference, device); };
    std::string result;
    for (Lines parts; !(parts = match(text, "^([^{`]*)(`[^`]*`|[{]([^}]*)[}])")).empty();
         text.erase(0, parts[0].size())) {
        result += parts[1];
        std::string content = parts[3];
        if (parts[2][0] == '`') {
            result += parts[2];
        } else if (begins_with(content, "?")) {
            result.erase(result.find_last_not_of(' ') + 1);
            const std::string complaint = complaint_of(trimmed(content.substr(1)), records_);
            if (!complaint.empty()) complain(complaint);
        } else {
            NumberForm form;
            const std::size_t blank = std::min(content.rfind(' '), content.size());
            if (read_form(trimmed(content.substr(blank)), form)) content.erase(blank);
            try {
                result += written(evaluate(content, lookup), form);
            } catch (const NotMeasured&) {
                throw;
            } catch (const Error& error) {
                throw Error(content + ": " + error.what());
            }
        }
    }
    const std::size_t open = text.find_first_of("{`");
    if (open != std::string::npos) throw Error(text.substr(open) + ": does not end");
    return result + text;
}

Complaints Tables::complaints() {
    for (const auto& [name, unused] : templates_) {
        line_ = unused.first;
        if (!unused.used) complain("no page shows this table: <!-- table: " + name + " -->");
    }
    return complaints_;
}

}  // namespace course
