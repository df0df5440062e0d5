// demo.hpp: what the demos of all lectures share: options, tables that are printed row by row, and the record
// of a run. A demo looks like this:
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
// On a GPU, a ladder (a table with one row per version) shows times, compared with the limits of the device
// (roofs.hpp) and with the library. On the CPU executor, a ladder shows counts. The output fits a terminal of
// 80 to 100 columns. The implementation is in common/demo/: options.cu, record.cu; output.cu, times.cu,
// counts.cu, layout.cu (widths); measure.cu (a GPU), count.cu (the executor).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kit::demo {

/// Describes a demo, for its first line, --help, and its record.
struct About {
    std::string topic;                ///< topic of the lecture, such as 07_reduction
    std::string shows;                ///< text of the first line, which says what is measured
    long long n = 0;                  ///< number of elements without --n, on a GPU; 0: the demo has no option
                                      ///< --n
    long long n_on_cpu = 0;           ///< number of elements without --n, on the CPU executor
    long long largest_n = 1 << 30;    ///< largest number that --n accepts
    std::vector<std::string> inputs;  ///< possible values of --input; empty: the demo has no such option
    std::vector<std::string> parts;   ///< names of its tables, for the option --part
};

/// A number or a text, for a table and for the record.
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
    std::string name;  ///< consists of small letters, digits and _
    Value value;
};

/// How a ladder is measured, and the minimum work with which its times are compared.
struct Work {
    long long n = 0;   ///< number of elements
    double bytes = 0;  ///< bytes that must be read and written at least once; 0: the demo shows no bandwidth
    double flops = 0;  ///< minimum number of operations; the bound is the larger of the two times
    int repetitions = 21;     ///< number of repetitions without --repeat
    bool cold_l2 = true;      ///< see kit::TimeOptions
    bool host_clock = false;  ///< measures from the first call to the end of a wait, instead of between two
                              ///< events
    std::string piece;        ///< name of a part whose time is also shown, such as "launch" or "round"
    long long pieces = 0;     ///< number of these parts; 0: n
};

/// One version in a ladder. `run` receives the number of elements.
struct Version {
    std::string id;      ///< name of the row, and value of --versions, such as v1 or cub
    std::string name;    ///< two or three words
    std::string change;  ///< one sentence about the difference between this version and the previous one
    std::function<void(long long)> run;
    std::function<bool(long long)> right = nullptr;  ///< returns whether the output of the last run is
                                                     ///< correct
    bool library = false;                            ///< whether the other versions are compared with this
                                                     ///< one, which is measured first
    double bytes = 0, flops = 0;                     ///< work of this version; 0: the work of the ladder
    int repetitions = 0;                             ///< number of repetitions; 0: the number of the ladder
    std::function<long long()> pieces = nullptr;     ///< returns the number of parts, if it is known only
                                                     ///< after a run
    /// Returns further fields for the record. Called after the run; on the executor, only if a record is
    /// written.
    std::function<std::vector<Field>()> facts = nullptr;
};

/// Return the label of a version in a table with the versions `all`, such as "v1     divergent tree", and the
/// width of the widest label.
std::string label_of(const Version& version, const std::vector<Version>& all);
int widest_label(const std::vector<Version>& all);

/// The heading above the labels of a table, and the width of the widest label. A label that is longer takes
/// two lines.
struct Label {
    std::string heading;
    int width;

    Label(const char* text, int widest = 34) : heading(text), width(widest) {}
};

/// A column of a table: the name of the field, the number of decimals, and the width of the widest value.
struct Column {
    std::string field;
    int decimals = 0;
    int width = 9;
};

class Demo {
  public:
    /// Reads the options and prints the first line. An invalid option ends the program with the usage and
    /// exit status 2.
    Demo(About about, int argc, char** argv);
    ~Demo();
    Demo(const Demo&) = delete;

    long long n() const;
    const std::string& input() const;          ///< the value of --input; by default About::inputs[0]
    bool part(const std::string& name) const;  ///< whether --part selects this table
    bool wants(const std::string& id) const;   ///< whether --versions selects this version
    int repetitions(int usual) const;          ///< the value of --repeat; without the option, `usual`
    bool given_n() const;                      ///< whether --n was given

    /// Prints a line of text between tables, formatted as by printf.
    void say(const char* format, ...) __attribute__((format(printf, 2, 3)));

    /// Prints what changes in each version, one version per line.
    void say_changes(const std::vector<Version>& versions);

    /// Runs, checks and shows the versions one after another. On the CPU executor, shows counts instead of
    /// times.
    void ladder(const std::string& table, const std::string& title, const Work& work,
                const std::vector<Version>& versions);

    /// Shows times of the versions for many sizes. `work` returns the work for a size.
    void sweep(const std::string& table, const std::string& title, const std::vector<long long>& sizes,
               const std::function<Work(long long)>& work, const std::vector<Version>& versions);

    /// Returns the sizes 2^10, 2^12, ... 2^30 whose elements fit into half of the free memory.
    static std::vector<long long> sizes(double bytes_per_element);

    /// Starts a table with these columns; row() then adds a row. `label` is shown, and `id` is the name of
    /// the row in the record.
    void table(const std::string& table, const std::string& title, const Label& label,
               std::vector<Column> columns);
    void row(const std::string& id, const std::string& label, const std::vector<Value>& values);

    /// Writes the record if --json requests it. Returns the exit status: 1 if an output was wrong, 2 if a
    /// requested version does not exist.
    int finish();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Runs the function, and returns the executor's counts for it: the columns of a ladder on the CPU executor.
std::vector<Field> counts_of(const std::function<void()>& run);

}  // namespace kit::demo
