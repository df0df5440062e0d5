// demo.hpp: what the demos of the lectures share: options, tables that grow line by line, and the record of a run.
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
// On a GPU a ladder shows times, held against what the device can do (roofs.hpp) and against the library. On the CPU executor
// it shows what can be counted. Whatever is printed fits the terminal: at most 100 columns, and 80 are enough. Everything is in
// common/demo/: options.cu, record.cu; output.cu, times.cu, counts.cu, layout.cu (widths); measure.cu (a GPU), count.cu (the executor).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kit::demo {

/// What a demo shows: for its first line, --help, and its record.
struct About {
    std::string topic;                ///< 07_reduction
    std::string shows;                ///< the first line: what is measured
    long long n = 0;                  ///< elements without --n, on a GPU; 0: the demo has no --n
    long long n_on_cpu = 0;           ///< the same on the CPU executor
    long long largest_n = 1 << 30;    ///< what --n accepts at most
    std::vector<std::string> inputs;  ///< what --input accepts; empty: the demo has no --input
    std::vector<std::string> parts;   ///< its tables, for --part
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

/// How a ladder is measured, and what its times are held against.
struct Work {
    long long n = 0;          ///< elements
    double bytes = 0;         ///< that must be read and written at least once; 0: no bandwidth is shown
    double flops = 0;         ///< that must be done at least; the bound is the larger of both times
    int repetitions = 21;     ///< without --repeat
    bool cold_l2 = true;      ///< see kit::TimeOptions
    bool host_clock = false;  ///< from the first call to the end of a wait, instead of between two events
    std::string piece;        ///< shows the time of each piece too: "launch", "round"
    long long pieces = 0;     ///< how many; 0: n
};

/// A line of a ladder. `run` gets the number of elements.
struct Version {
    std::string id;      ///< v1, cub: for --versions, and the name of the row
    std::string name;    ///< two or three words
    std::string change;  ///< one sentence: what is different from the version before
    std::function<void(long long)> run;
    std::function<bool(long long)> right = nullptr;  ///< is the output of the last run right?
    bool library = false;                            ///< the mark to beat: measured first
    double bytes = 0, flops = 0;                     ///< if not those of the ladder
    int repetitions = 0;                             ///< if not those of the ladder
    std::function<long long()> pieces = nullptr;     ///< if only known after a run
    /// More fields for the record, requested after the run. The executor requests them only if it writes a record.
    std::function<std::vector<Field>()> facts = nullptr;
};

/// "v1     divergent tree": how a version is named in a table with `all` of them; and the widest of these names.
std::string label_of(const Version& version, const std::vector<Version>& all);
int widest_label(const std::vector<Version>& all);

/// The heading of a table's labels, and how wide the widest label is; longer ones take two lines.
struct Label {
    std::string heading;
    int width;

    Label(const char* text, int widest = 34) : heading(text), width(widest) {}
};

/// A column of a table: the field's name, the decimals of numbers, and how wide the widest value is.
struct Column {
    std::string field;
    int decimals = 0;
    int width = 9;
};

class Demo {
  public:
    /// Reads the options, refuses wrong ones with the usage and exit status 2, prints the first line.
    Demo(About about, int argc, char** argv);
    ~Demo();
    Demo(const Demo&) = delete;

    long long n() const;
    const std::string& input() const;          ///< --input, or the first of About::inputs
    bool part(const std::string& name) const;  ///< is this table wanted? (--part)
    bool wants(const std::string& id) const;   ///< is this version wanted? (--versions)
    int repetitions(int usual) const;          ///< --repeat, or `usual`
    bool given_n() const;                      ///< was --n given?

    /// A line of text between the tables, as printf.
    void say(const char* format, ...) __attribute__((format(printf, 2, 3)));

    /// What each version changes, a line each.
    void say_changes(const std::vector<Version>& versions);

    /// Runs, checks and shows the versions one after the other. On the CPU executor: counts.
    void ladder(const std::string& table, const std::string& title, const Work& work,
                const std::vector<Version>& versions);

    /// Times of the versions over many sizes. `work` gives what is to be done for a size.
    void sweep(const std::string& table, const std::string& title, const std::vector<long long>& sizes,
               const std::function<Work(long long)>& work, const std::vector<Version>& versions);

    /// 2^10, 2^12, ... 2^30: as far as `bytes_per_element` fit into half of the memory that is free now.
    static std::vector<long long> sizes(double bytes_per_element);

    /// Any other table: columns, then row by row. `label` is shown, `id` names the row in the record.
    void table(const std::string& table, const std::string& title, const Label& label,
               std::vector<Column> columns);
    void row(const std::string& id, const std::string& label, const std::vector<Value>& values);

    /// Writes the record, if asked for. The exit status: 1 if an output was wrong, 2 if a version asked for does not exist.
    int finish();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The names of the ladder's columns on the CPU executor, and their values since the last reset.
std::vector<Field> counts_of(const std::function<void()>& run);

}  // namespace kit::demo
