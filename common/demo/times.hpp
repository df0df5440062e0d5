// Shows times in ladders and sweeps. measure.cu measures them.
#pragma once

#include <string>
#include <vector>

#include "output.hpp"

namespace kit::demo {

/// The times of one version of a ladder. 0 in of_bound or speed_up means that there is no such value.
struct Times {
    double us = 0, spread = 0, host_us = 0, each_us = 0, gb_per_s = 0;
    double of_bound = 0, speed_up = 0, of_library = 0;
    bool is_library = false;
};

/// A ladder of times that is shown line by line.
class LadderOfTimes {
  public:
    struct Shown {
        bool host_us, gb_per_s, of_bound, of_library;
        std::string piece;  ///< name of the piece whose time is shown; empty: none
    };
    /// `label_width`: width of the widest label.
    LadderOfTimes(Output& out, Shown shown, int label_width);
    /// `note`: empty, or a word that says what is wrong with the row.
    void row(const std::string& label, const Times& times, const std::string& note);

  private:
    struct Cell {
        Heading heading;
        std::string text;
    };
    Output& out_;
    Shown shown_;
    Table table_;
    int bar_cells_ = 0;  ///< length of a full bar; 0: there is no room for bars
    double mark_ = 0;    ///< position of the library in a bar

    std::vector<Cell> cells(const Times& times) const;
};

/// The times of one version at one size.
struct TimesAtSize {
    double us = 0;
    double beside = 0;  ///< a fraction of the bound, or the host's microseconds
    bool right = true;
};

/// Times by sizes, shown line by line.
class SweepOfTimes {
  public:
    enum class Beside { nothing, of_bound, host_us };
    SweepOfTimes(Output& out, const std::vector<std::string>& ids, Beside beside);
    /// Shows the row of a size as far as it is measured, and the version that is being measured.
    void progress(long long n, const std::vector<TimesAtSize>& measured, const std::string& id);
    void row(long long n, const std::vector<TimesAtSize>& measured);

  private:
    Output& out_;
    Beside beside_;
    Table table_;
    bool in_two_rows_ = false;  ///< the values next to the times have their own row

    std::vector<std::string> lines(long long n, const std::vector<TimesAtSize>& measured) const;
};

/// Returns a bar for `fraction` (1: `cells` long) with a mark at the library's position; at most 1.2 * cells + 3 columns.
std::string bar(double fraction, double mark, int cells);

}  // namespace kit::demo
