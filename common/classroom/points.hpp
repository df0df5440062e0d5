// Computes points: per exercise or task, with days late and partial credit. A small JSON file states the rules; every member is
// optional:
//
//     {
//       "default": 1,                         points of an exercise that no line below names
//       "points": {
//         "07_reduction/*": 2,                * and ? as in a shell; the last pattern that fits counts
//         "07_reduction/tree": 3,             the name of an exercise overrides every pattern
//         "08_scan/compact task 1": 1,        or points for each of its tasks
//         "08_scan/compact task 2": 2,
//         ...
//       },
//       "late": {"free_days": 2, "lost_per_day": 0.1, "most_lost": 0.5},
//       "other_method": 0.5,                  share for right results, but not as the exercise asks; 0.5 is the default
//       "partial": "tasks",                   or "cases", or "none", which is the default
//       "races": 0.5                          share for right values with races
//     }
//
// Partial credit is for work that runs and is wrong or open. A file that does not compile gets no points.
//   cases  the cases that passed, as a share of those that ran. Nothing while a gap is open, because then not every case ran.
//   tasks  the tasks that are done, as a share of all. In wrong work, a task is done if no failure names it; if a failure names no
//          task, no task counts. While a gap is open, the filled tasks count if at least one case has passed.
//   races  if races are the only findings, in some cases but not in all. A case with a race ends there, so the other cases show
//          whether the values are right.
// If two rules apply, the larger share counts. A day late counts from its first minute.
#pragma once

#include <map>
#include <set>

#include "classroom.hpp"

namespace classroom {

struct Score {
    double points = 0, most = 0;  ///< in hundredths of a point, so that sums in a table are exact
    std::string why;  ///< for example "2 of 3 tasks; one day late: 10% less"; empty if there is nothing to
                      ///< explain
};

class Points {
  public:
    enum class Partial { none, tasks, cases };

    /// Gives one point for each exercise.
    Points() = default;
    /// Reads the rules from a file. Throws Error, with one sentence, if a key, an exercise or a task is
    /// unknown.
    static Points read(const fs::path& file, const Course& course);
    /// Reads the rules from a text. `name` is the name of its file, for error messages.
    static Points parse(const std::string& text, const std::string& name, const Course& course);

    /// Return the maximum number of points of an exercise, and of all graded exercises.
    double most(const Exercise& exercise) const;
    double most(const Class& graded) const;
    Score of(const Class& graded, const Student& student, const Exercise& exercise) const;
    /// Returns the points of all exercises together; `why` explains a loss for being late.
    Score of(const Class& graded, const Student& student) const;

  private:
    double share_late(double days) const;
    double share_of_tasks(const Course& course, const Exercise& exercise, const Entry& entry,
                          std::string& why) const;
    const std::set<int>& tasks_of(const Course& course, const Exercise& exercise) const;

    double default_ = 1, free_days_ = 0, lost_per_day_ = 0, most_lost_ = 1, other_method_ = 0.5, races_ = 0;
    Partial partial_ = Partial::none;
    std::vector<std::pair<std::string, double>> patterns_;  ///< patterns in the order of the file
    std::map<std::string, double> exercises_;               ///< points by Exercise::id()
    std::map<std::string, std::map<int, double>> tasks_;    ///< points of each task, by Exercise::id()
    mutable std::map<std::string, std::set<int>>
        numbers_;  ///< numbers of the tasks of an exercise, read when they are first needed
};

}  // namespace classroom
