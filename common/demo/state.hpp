// The inside of a demo, for the files of this folder only.
#pragma once

#include <string>
#include <vector>

#include "../demo.hpp"

namespace kit::demo {

/// What was asked for on the command line.
struct Options {
    long long n = 0;
    std::string input, json, joined;
    std::vector<std::string> versions, parts;
    int repeat = 0;
    bool explain = false, n_given = false;
};

Options read_options(const About& about, int argc, char** argv);
bool contains(const std::vector<std::string>& all, const std::string& one);

/// Where the demo runs.
struct Machine {
    std::string backend, device, title;  ///< title: as it is shown
    int multiprocessors = 0;
    std::string driver, cuda;
    int sm_clock_mhz = 0, memory_clock_mhz = 0;  ///< as found after the roofs have been measured
    std::string date, commit;
};

Machine find_machine();
/// Driver and clocks, which the runtime does not tell: when the device has just worked.
void ask_driver(Machine& machine);
/// h200 for "NVIDIA H200"; cpu_executor.
std::string file_name_of(const Machine& machine);

/// Prints, and keeps the plain text for the record.
class Output {
  public:
    Output();
    bool is_terminal() const { return terminal_; }
    void line(const std::string& plain, const std::string& decoration = "");
    /// On a terminal: shown until the next line replaces it.
    void progress(const std::string& text);
    /// Part of a line that is finished by line().
    void begin(const std::string& text);
    const std::string& plain() const { return plain_; }

  private:
    bool terminal_, in_progress_ = false;
    std::string plain_;
};

std::string format(const char* pattern, ...) __attribute__((format(printf, 1, 2)));
/// 268435456 as 268,435,456.
std::string with_commas(long long number);
/// A bar of `fraction` (1: full), with a mark where the library is; only for a terminal.
std::string bar(double fraction, double mark);

/// The rows of one table, as they will be written.
struct Record {
    std::string table, title, kind;
    std::vector<std::string> rows;
};

std::string json_row(const std::string& id, const std::vector<Field>& fields);

struct Demo::State {
    About about;
    Options options;
    Machine machine;
    Output out;
    std::vector<Record> tables;
    std::vector<Column> columns;  ///< of the free table that is open
    std::size_t label_width = 0;
    std::vector<std::string> seen;  ///< ids of all versions
    bool wrong = false;
    bool roofs_shown = false, counts_explained = false;

    Record& open(const std::string& table, const std::string& title, const char* kind);
    void show_roofs();
    void write_record(bool done);
};

}  // namespace kit::demo
