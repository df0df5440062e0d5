// The internal state of a demo, for the files in this folder.
#pragma once

#include <string>
#include <vector>

#include "../demo.hpp"
#include "output.hpp"

namespace kit::demo {

/// The options on the command line.
struct Options {
    long long n = 0;
    std::string input, json, joined;
    std::vector<std::string> versions, parts;
    int repeat = 0;
    bool explain = false, n_given = false;
};

Options read_options(const About& about, int argc, char** argv);
bool contains(const std::vector<std::string>& all, const std::string& one);

/// The machine on which the demo runs.
struct Machine {
    std::string backend, device, title;  ///< title: the name of the device in the output
    int multiprocessors = 0;
    std::string driver, cuda;
    int sm_clock_mhz = 0, memory_clock_mhz = 0;  ///< read after the limits were measured, when the device has
                                                 ///< been working
    std::string date, commit;
};

Machine find_machine();
/// Reads the driver's version and the clock rates, which the runtime does not return. Call this function just
/// after the device has worked.
void ask_driver(Machine& machine);
/// Returns the name of the device for files: "h200" for "NVIDIA H200", and "cpu_executor" for the executor.
std::string file_name_of(const Machine& machine);

/// Returns the versions that the user has requested. The library comes first, because the other versions are
/// compared with it.
std::vector<Version> wanted(const Demo& demo, const std::vector<Version>& versions);
/// Waits for the device, and returns whether the output of the last run is correct.
bool is_right(const Version& version, long long n);

/// The rows of one table, as JSON.
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
    std::vector<Column> columns;  ///< columns of the table that table() has started
    Table free_table;
    std::vector<std::string> seen;  ///< ids of all versions of the demo
    bool wrong = false;
    bool roofs_shown = false, counts_explained = false;

    Record& open(const std::string& table, const std::string& title, const char* kind);
    void show_roofs();
    void write_record(bool done);
};

}  // namespace kit::demo
