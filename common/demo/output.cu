// What a demo prints: plain lines, and on a terminal also bars and progress.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

#include "state.hpp"

namespace kit::demo {

Output::Output() : terminal_(isatty(STDOUT_FILENO) == 1) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);  // a table that grows, also through a pipe
}

void Output::line(const std::string& plain, const std::string& decoration) {
    if (in_progress_) std::printf("\r\033[K");
    in_progress_ = false;
    std::string trimmed = plain;
    if (!terminal_ || decoration.empty()) trimmed.erase(trimmed.find_last_not_of(' ') + 1);
    std::printf("%s%s\n", trimmed.c_str(), terminal_ ? decoration.c_str() : "");
    std::fflush(stdout);
    plain_ += plain;
    plain_.erase(plain_.find_last_not_of(' ') + 1);
    plain_ += '\n';
}

void Output::progress(const std::string& text) {
    if (!terminal_) return;
    std::printf("\r\033[K%s", text.c_str());
    std::fflush(stdout);
    in_progress_ = true;
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

std::string bar(double fraction, double mark) {
    constexpr int cells = 24;
    const int full = static_cast<int>(std::lround(std::min(fraction, 1.2) * cells));
    const int at = mark > 0 ? static_cast<int>(std::lround(std::min(mark, 1.2) * cells)) : -1;
    std::string text = "  ";
    for (int cell = 0; cell < std::max(full, at + 1); ++cell)
        text += cell == at ? "\u2502" : cell < full ? "\u2588" : " ";
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
    state_->out.line(buffer);
}

// ---- tables of any kind ----

void Demo::table(const std::string& table, const std::string& title, const std::string& label_heading,
                 std::vector<Column> columns) {
    state_->open(table, title, "free");
    state_->label_width = std::max<std::size_t>(label_heading.size(), 34);
    std::string heading = format("%-*s", static_cast<int>(state_->label_width), label_heading.c_str());
    for (Column& column : columns) {
        std::string name = column.field;
        std::replace(name.begin(), name.end(), '_', ' ');
        if (column.width == 0) column.width = std::max<int>(static_cast<int>(name.size()), 9);
        heading += format("  %*s", column.width, name.c_str());
    }
    state_->columns = std::move(columns);
    state_->out.line(heading);
}

void Demo::row(const std::string& id, const std::string& label, const std::vector<Value>& values) {
    std::vector<Field> fields = {{"label", label}};
    std::string text = format("%-*s", static_cast<int>(state_->label_width), label.c_str());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Column& column = state_->columns.at(i);
        const std::string shown = values[i].is_number && values[i].text != "null"
                                      ? format("%.*f", column.decimals, std::stod(values[i].text))
                                      : values[i].text;
        text += format("  %*s", column.width, shown.c_str());
        fields.push_back({column.field, values[i]});
    }
    state_->out.line(text);
    state_->tables.back().rows.push_back(json_row(id, fields));
    state_->write_record(false);
}

}  // namespace kit::demo
