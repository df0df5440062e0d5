// demo.hpp: the shared parts of the lectures' demos: options, tables that are printed row by row, and the record of a run.
//
//   int main(int argc, char** argv) {
//       kit::demo::Demo demo({"07_reduction", "the sum of n floats, by every version", 1 << 28, 1 << 16}, argc, argv);
//       kit::demo::Work work;
//       work.n = demo.n(), work.bytes = 4.0 * demo.n();
//       demo.ladder("ladder", "the sum of so many floats", work,
//                   {{"v1", "divergent tree", "Neighbours first.", [&](long long n) { launch(n); }, is_right}, ...});
//       return demo.finish();
//   }
//
// On a GPU, a ladder shows times, compared with the limits of the device (roofs.hpp) and with the library. On the CPU executor, it
// shows counts. The output fits the terminal: it takes at most 100 columns, and 80 are enough. The implementation is in common/demo/:
// options.cu, record.cu; output.cu, times.cu, counts.cu, layout.cu (widths); measure.cu (a GPU), count.cu (the executor).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kit::demo {

/// Describes a demo: for its first line, --help, and its record.
struct About {
    std::string topic;                ///< 07_reduction
    std::string shows;                ///< the first line, which says what is measured
    long long n = 0;                  ///< elements without --n, on a GPU; 0: the demo has no --n
    long long n_on_cpu = 0;           ///< the same on the CPU executor
    long long largest_n = 1 << 30;    ///< maximum of --n
    std::vector<std::string> inputs;  ///< values of --input; empty: the demo has no --input
    std::vector<std::string> parts;   ///< names of its tables, for --part
};

/// A number or a text of a table, and of the record.
struct Value {
    std::string text;
    bool is_number;

    Value(const char* words) : text(words), is_number(false) {}
    Value(std::string words) : text(std::move(words)), is_number(false) {}
    Value(double number);
    Value(int number) : Value(static_cast<double>(number)) {}
    Value(long long number) : Value(static_cast<double>(number)) {}
    Value(unsigned long long number) : Value(static_cast<double>(number)) {}
    Value(unsigned long number) : Value(static_cast<double>(number)) {}
    Value(bool) = delete;
};

struct Field {
    std::string name;  ///< lower case, digits and _
    Value value;
};

/// The settings of a ladder's measurement, and the minimum work that its times are compared with.
struct Work {
    long long n = 0;   ///< elements
    double bytes = 0;  ///< bytes that must be read and written at least once; 0: the demo shows no bandwidth
    double flops = 0;  ///< minimum number of operations; the bound is the larger of both times
    int repetitions = 21;     ///< number of repetitions without --repeat
    bool cold_l2 = true;      ///< see kit::TimeOptions
    bool host_clock = false;  ///< from the first call to the end of a wait, instead of between two events
    std::string piece;        ///< name of a piece whose time is shown as well: "launch", "round"
    long long pieces = 0;     ///< number of pieces; 0: n
};

/// A line of a ladder. `run` gets the number of elements.
struct Version {
    std::string id;      ///< name of the row and value of --versions: v1, cub
    std::string name;    ///< two or three words
    std::string change;  ///< one sentence about the difference from the previous version
    std::function<void(long long)> run;
    std::function<bool(long long)> right = nullptr;  ///< whether the last run's output is correct
    bool library = false;                            ///< the version to beat, which is measured first
    double bytes = 0, flops = 0;                     ///< amounts of this version; 0: those of the ladder
    int repetitions = 0;                             ///< repetitions of this version; 0: those of the ladder
    std::function<long long()> pieces = nullptr;     ///< number of pieces, if it is known only after a run
    /// Returns more fields for the record, and is called after the run; on the executor only if a record is written.
    std::function<std::vector<Field>()> facts = nullptr;
};

/// Returns the name of a version in a table with `all` versions, "v1     divergent tree"; and the width of the widest of these names.
std::string label_of(const Version& version, const std::vector<Version>& all);
int widest_label(const std::vector<Version>& all);

/// The heading of a table's labels, and the width of the widest label. A longer label takes two lines.
struct Label {
    std::string heading;
    int width;

    Label(const char* text, int widest = 34) : heading(text), width(widest) {}
};

/// A column of a table: the field's name, the decimals of numbers, and the width of the widest value.
struct Column {
    std::string field;
    int decimals = 0;
    int width = 9;
};

class Demo {
  public:
    /// Reads the options and prints the first line. Wrong options end the program with the usage and exit status 2.
    Demo(About about, int argc, char** argv);
    ~Demo();
    Demo(const Demo&) = delete;

    long long n() const;
    const std::string& input() const;          ///< --input, or the first of About::inputs
    bool part(const std::string& name) const;  ///< whether --part selects this table
    bool wants(const std::string& id) const;   ///< whether --versions selects this version
    int repetitions(int usual) const;          ///< --repeat, or `usual`
    bool given_n() const;                      ///< whether --n was given

    /// Prints a line of text between the tables, like printf.
    void say(const char* format, ...) __attribute__((format(printf, 2, 3)));

    /// Prints the change of each version on its own line.
    void say_changes(const std::vector<Version>& versions);

    /// Runs, checks and shows the versions one after another. On the CPU executor it shows counts.
    void ladder(const std::string& table, const std::string& title, const Work& work,
                const std::vector<Version>& versions);

    /// Shows times of the versions for many sizes. `work` returns the work for a size.
    void sweep(const std::string& table, const std::string& title, const std::vector<long long>& sizes,
               const std::function<Work(long long)>& work, const std::vector<Version>& versions);

    /// Returns 2^10, 2^12, ... 2^30, as long as the elements fit into half of the memory that is free now.
    static std::vector<long long> sizes(double bytes_per_element);

    /// Starts any other table with its columns; `row` then adds a row. `label` is shown, and `id` names the row in the record.
    void table(const std::string& table, const std::string& title, const Label& label,
               std::vector<Column> columns);
    void row(const std::string& id, const std::string& label, const std::vector<Value>& values);

    /// Writes the record if --json requests it. Returns the exit status: 1 if an output was wrong, 2 if a requested version does not exist.
    int finish();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Returns the names of the ladder's columns on the CPU executor, and their values since the last reset.
std::vector<Field> counts_of(const std::function<void()>& run);

}  // namespace kit::demo
