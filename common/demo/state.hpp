// The inside of a demo, for the files of this folder only.
#pragma once

#include <string>
#include <vector>

#include "../demo.hpp"
#include "output.hpp"

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

/// The versions that are asked for. The mark to beat comes first: the others are held against it.
std::vector<Version> wanted(const Demo& demo, const std::vector<Version>& versions);
/// Looks at what the last run left, and says no if that is wrong.
bool is_right(const Version& version, long long n);

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
    Table free_table;
    std::vector<std::string> seen;  ///< ids of all versions
    bool wrong = false;
    bool roofs_shown = false, counts_explained = false;

    Record& open(const std::string& table, const std::string& title, const char* kind);
    void show_roofs();
    void write_record(bool done);
};

}  // namespace kit::demo
