// Prints prose and tables for a demo, and on a terminal also its progress.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <sstream>

#include "output.hpp"
#include "state.hpp"

namespace kit::demo {
namespace {

std::string without_end(const std::string& line) {
    return line.substr(0, line.find_last_not_of(' ') + 1);
}

/// Returns the lines of a text, wrapped to this width.
std::vector<std::string> wrapped_lines(const std::string& text, int width) {
    std::vector<std::string> all;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        for (std::string& part : wrapped(line, width)) all.push_back(std::move(part));
    return all;
}

/// Writes text for stderr to the stream `to`, wrapped, because findings of the executor appear among the rows
/// of a table and are longer.
[[maybe_unused]] ssize_t write_error(void* to, const char* text, std::size_t size) {
    static std::string line;
    for (std::size_t i = 0; i < size; ++i) {
        line += text[i];
        if (text[i] != '\n') continue;
        line.pop_back();
        const int below_name = line.rfind("kit: ", 0) == 0 ? 5 : -1;
        for (const std::string& part : wrapped(line, width_of(STDERR_FILENO), below_name))
            std::fprintf(static_cast<std::FILE*>(to), "%s\n", part.c_str());
        line.clear();
    }
    return static_cast<ssize_t>(size);
}

}  // namespace

Output::Output() : Output(stdout, isatty(STDOUT_FILENO) == 1, width_of(STDOUT_FILENO)) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);  // prints each line immediately, even through a pipe
}

void Output::say(const std::string& text) {
    lines(text.empty() ? std::vector<std::string>{""} : wrapped_lines(text, width_));
}

void Output::lines(const std::vector<std::string>& all, const std::string& decoration,
                   const std::string& note) {
    if (in_progress_) std::fprintf(to_, "\r\033[K");
    in_progress_ = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool is_last = i + 1 == all.size();
        const std::string plain = without_end(is_last ? all[i] + note : all[i]);
        const bool decorated = terminal_ && is_last && !decoration.empty();
        std::fprintf(to_, "%s\n", decorated ? (all[i] + decoration + note).c_str() : plain.c_str());
        plain_ += plain + '\n';
    }
    std::fflush(to_);
}

void Output::progress(const std::string& text) {
    if (!terminal_) return;
    std::fprintf(to_, "\r\033[K%s", wrapped(text, width_).front().c_str());
    std::fflush(to_);
    in_progress_ = true;
}

void print(std::FILE* to, const std::string& text) {
    for (const std::string& line : wrapped_lines(text, width_of(fileno(to))))
        std::fprintf(to, "%s\n", line.c_str());
}

void wrap_errors() {
#ifdef __GLIBC__
    cookie_io_functions_t calls = {};
    calls.write = write_error;
    std::FILE* const wrapping = fopencookie(stderr, "w", calls);
    if (wrapping == nullptr) return;
    std::setvbuf(wrapping, nullptr, _IONBF, 0);
    stderr = wrapping;
#endif
}

std::string format(const char* pattern, ...) {
    char buffer[512];
    va_list arguments;
    va_start(arguments, pattern);
    std::vsnprintf(buffer, sizeof buffer, pattern, arguments);
    va_end(arguments);
    return buffer;
}

std::string with_commas(long long number) {
    std::string text = std::to_string(number);
    for (int at = static_cast<int>(text.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3) text.insert(at, ",");
    return text;
}

Value::Value(double number) : is_number(true) {
    if (!std::isfinite(number)) {
        text = "null";
    } else if (number == std::floor(number) && std::fabs(number) < 1e15) {
        text = format("%.0f", number);
    } else {
        const int magnitude = static_cast<int>(std::floor(std::log10(std::fabs(number))));
        text = format("%.*f", std::clamp(4 - magnitude, 0, 9), number);
    }
}

void Demo::say(const char* pattern, ...) {
    char buffer[1024];
    va_list arguments;
    va_start(arguments, pattern);
    std::vsnprintf(buffer, sizeof buffer, pattern, arguments);
    va_end(arguments);
    state_->out.say(buffer);
}

void Demo::say_changes(const std::vector<Version>& versions) {
    std::vector<Version> told;
    for (const Version& version : versions) {
        if (!version.change.empty() && wants(version.id)) told.push_back(version);
    }
    for (Version& version : told) version.name.swap(version.change);
    for (const Version& version : told) state_->out.say("  " + label_of(version, told));
}

// Tables of any kind.

std::string label_of(const Version& version, const std::vector<Version>& all) {
    int widest = 0;
    for (const Version& one : all) widest = std::max(widest, columns_of(one.id));
    return padded(version.id, widest + 2) + version.name;
}

int widest_label(const std::vector<Version>& all) {
    int widest = 0;
    for (const Version& one : all) widest = std::max(widest, columns_of(label_of(one, all)));
    return widest;
}

void Demo::table(const std::string& table, const std::string& title, const Label& label,
                 std::vector<Column> columns) {
    state_->open(table, title, "free");
    std::vector<Heading> headings;
    for (const Column& column : columns) {
        std::string name = column.field;
        std::replace(name.begin(), name.end(), '_', ' ');
        headings.push_back({name, column.width});
    }
    state_->columns = std::move(columns);
    state_->free_table = Table(state_->out.width(), {label.heading, label.width}, std::move(headings));
    state_->out.lines(state_->free_table.heading());
}

void Demo::row(const std::string& id, const std::string& label, const std::vector<Value>& values) {
    std::vector<Field> fields = {{"label", label}};
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Column& column = state_->columns.at(i);
        const bool is_number = values[i].is_number && values[i].text != "null";
        cells.push_back(is_number ? format("%.*f", column.decimals, std::stod(values[i].text))
                                  : values[i].text);
        fields.push_back({column.field, values[i]});
    }
    state_->out.lines(state_->free_table.row(label, cells));
    state_->tables.back().rows.push_back(json_row(id, fields));
    state_->write_record(false);
}

}  // namespace kit::demo
