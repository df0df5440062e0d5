// Shows times of ladders and sweeps, which measure.cu has measured.
#pragma once

#include <string>
#include <vector>

#include "output.hpp"

namespace kit::demo {

/// The times of one version in a ladder. of_bound and speed_up are 0 if there is no such value.
struct Times {
    double us = 0, spread = 0, host_us = 0, each_us = 0, gb_per_s = 0;
    double of_bound = 0, speed_up = 0, of_library = 0;
    bool is_library = false;
};

/// A ladder of times, which is printed row by row.
class LadderOfTimes {
  public:
    struct Shown {
        bool host_us, gb_per_s, of_bound, of_library;
        std::string piece;  ///< name of the part whose time is also shown; empty if there is none
    };
    /// `label_width`: width of the widest label in columns.
    LadderOfTimes(Output& out, Shown shown, int label_width);
    /// `note`: a word that says what is wrong with the row; empty if nothing is.
    void row(const std::string& label, const Times& times, const std::string& note);

  private:
    struct Cell {
        Heading heading;
        std::string text;
    };
    Output& out_;
    Shown shown_;
    Table table_;
    int bar_cells_ = 0;  ///< length of a full bar in columns; 0 if there is no space for bars
    double mark_ = 0;    ///< position of the library's time in a bar

    std::vector<Cell> cells(const Times& times) const;
};

/// The times of one version at one size.
struct TimesAtSize {
    double us = 0;
    double beside = 0;  ///< a second value: a fraction of the bound, or the host's time in microseconds
    bool right = true;
};

/// A table of times with a row for each size, which is printed row by row.
class SweepOfTimes {
  public:
    enum class Beside { nothing, of_bound, host_us };
    SweepOfTimes(Output& out, const std::vector<std::string>& ids, Beside beside);
    /// Shows the values of a row that have been measured so far, and the version that is being measured.
    void progress(long long n, const std::vector<TimesAtSize>& measured, const std::string& id);
    void row(long long n, const std::vector<TimesAtSize>& measured);

  private:
    Output& out_;
    Beside beside_;
    Table table_;
    bool in_two_rows_ = false;  ///< whether the second values have a separate row

    std::vector<std::string> lines(long long n, const std::vector<TimesAtSize>& measured) const;
};

/// Returns a bar with the length `fraction` * `cells`, and a mark at the library's position; at most 1.2 *
/// cells + 3 columns.
std::string bar(double fraction, double mark, int cells);

}  // namespace kit::demo
