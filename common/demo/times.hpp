// How times are shown, in ladders and in sweeps. What is measured, and how, is measure.cu's.
#pragma once

#include <string>
#include <vector>

#include "output.hpp"

namespace kit::demo {

/// What one version of a ladder took. 0 in of_bound and speed_up: there is none.
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
        std::string piece;  ///< empty: no time of each piece
    };
    /// `label_width`: of the widest label.
    LadderOfTimes(Output& out, Shown shown, int label_width);
    /// `note`: empty, or a word that says what is wrong with it.
    void row(const std::string& label, const Times& times, const std::string& note);

  private:
    struct Cell {
        Heading heading;
        std::string text;
    };
    Output& out_;
    Shown shown_;
    Table table_;
    int bar_cells_ = 0;  ///< of a full bar; 0: there is no room for bars
    double mark_ = 0;    ///< the library's bar

    std::vector<Cell> cells(const Times& times) const;
};

/// What one version took at one size.
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
    /// The row of a size as far as it is measured, and what is being measured.
    void progress(long long n, const std::vector<TimesAtSize>& measured, const std::string& id);
    void row(long long n, const std::vector<TimesAtSize>& measured);

  private:
    Output& out_;
    Beside beside_;
    Table table_;
    bool in_two_rows_ = false;  ///< what stands beside the times has a row of its own

    std::vector<std::string> lines(long long n, const std::vector<TimesAtSize>& measured) const;
};

/// A bar of `fraction` (1: `cells` long), with a mark where the library is; at most 1.2 * cells + 3 columns.
std::string bar(double fraction, double mark, int cells);

}  // namespace kit::demo
