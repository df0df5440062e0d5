// Numbers in lectures and slides that come from a record: found, computed again, compared, written.
//
//     1.87<!--= ladder:v2:us / ladder:v3:us -->x     a number, and the expression it comes from
//     <!--? ladder:v2:us > ladder:v3:us -->          what a verdict rests on
//     60 s<!--given-->                               not measured here
//     <!-- output: results/h200.txt 3-20 -->         the code block below holds these lines of that file, or
//     <!-- output: results/h200.txt "equal calls" -->    the paragraph of it that contains these words
//
// lectures/results.md tells all of it to authors.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "checks.hpp"

namespace course {

// ---- expressions ----

struct ExpressionError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The value of "ladder:v1:us", "cpu.counts:v1:barriers" or "roofs:copy_gb_per_s". Throws ExpressionError.
using Lookup = std::function<double(const std::string& reference)>;

/// + - * / ( ) min(a, b, ...) max(a, b, ...). Throws ExpressionError.
double evaluate(const std::string& expression, const Lookup& lookup);

/// Comparisons of expressions with < <= > >= ==, joined by "and". Throws ExpressionError.
bool holds(const std::string& condition, const Lookup& lookup);

/// The records of one topic. They are read when the first reference asks for them.
class Records {
  public:
    explicit Records(std::filesystem::path results);
    double value(const std::string& reference);

  private:
    struct Loaded;
    const Loaded& load(const std::string& name);

    std::filesystem::path folder_;
    std::vector<std::shared_ptr<Loaded>> loaded_;
};

// ---- text ----

/// A number as it stands in a page.
struct Number {
    std::size_t begin = 0, end = 0;  ///< where its text is
    std::string text, unit;          ///< unit: empty if it has none
    std::string expression;          ///< empty without a reference
    bool given = false;
    bool exempt = false;  ///< stands in a heading, or in the columns "claim" and "source"
};

/// What stands between <!--? and -->.
struct Condition {
    std::size_t at = 0;
    std::string text;
};

/// A code block that holds lines of a file.
struct Output {
    std::size_t at = 0;
    std::string file;
    std::string words;        ///< the paragraph that contains them; empty: lines by number
    int first = 1, last = 0;  ///< last 0: to the end
    bool has_block = false;
    std::size_t begin = 0, end = 0;  ///< the lines of the block
};

/// What was found wrong while reading, and where.
struct Problem {
    std::size_t at = 0;
    std::string what;
};

struct Page {
    std::string text;
    std::vector<Number> numbers;  ///< with a unit, a reference, or both
    std::vector<Condition> conditions;
    std::vector<Output> outputs;
    std::vector<Problem> problems;

    int line(std::size_t at) const;
};

Page read_page(const std::string& text);

/// The value with as many decimals as the text has, and with commas if it has any.
std::string written_like(const std::string& text, double value);
/// Is the value what the text shows, within the decimals that it shows?
bool shows(const std::string& text, double value);

// ---- the rule, and its repair ----

/// How many numbers of a page have a unit or a reference.
struct PageCount {
    std::string page;
    int referenced = 0, given = 0, bare = 0, conditions = 0, outputs = 0;
};

struct NumbersReport {
    Complaints complaints;
    std::vector<PageCount> pages;
};

/// Checks lectures/*/README.md and slides/NN_*.md.
NumbersReport check_numbers(const std::filesystem::path& root);

/// Writes numbers and outputs anew where they differ. Gives one line for each page that was changed.
std::vector<std::string> write_numbers(const std::filesystem::path& root);

}  // namespace course
