// What graded work is worth: points per exercise or task, days late, partial credit. A small file of JSON says it, and every
// member may be left out:
//
//     {
//       "default": 1,                         points of every exercise that nothing below names
//       "points": {
//         "07_reduction/*": 2,                * and ? as in a shell; the last pattern that fits counts
//         "07_reduction/tree": 3,             an exercise by name counts before every pattern
//         "08_scan/compact task 1": 1,        or each of its tasks, all of them
//         "08_scan/compact task 2": 2,
//         ...
//       },
//       "late": {"free_days": 2, "lost_per_day": 0.1, "most_lost": 0.5},
//       "partial": "tasks",                   or "cases", or "none", which is the default
//       "races": 0.5                          the share of right values that race
//     }
//
// Partial credit is for work that runs and is wrong or open; what does not compile has no points.
//   cases  the share of the cases that passed, of those that ran. Nothing while a gap is open, as not every case ran then.
//   tasks  the share of the tasks that are done: of wrong work those that no failure is about, and none where a failure names no
//          task. While a gap is open, those that are filled in, if at least one case has passed.
//   races  if nothing but races was found, in some cases but not in all. A case with a race ends there, so whether its values
//          are right is known from the other cases.
// Who has both keeps the larger share. A day late counts from its first minute on.
#pragma once

#include <map>
#include <set>

#include "classroom.hpp"

namespace classroom {

struct Score {
    double points = 0, most = 0;  ///< in hundredths, so that sums in a table add up
    std::string why;  ///< "2 of 3 tasks; one day late: 10% less"; empty where there is nothing to add
};

class Points {
  public:
    enum class Partial { none, tasks, cases };

    /// One point per exercise.
    Points() = default;
    /// Throws Error, one sentence, where a key, an exercise or a task is not known.
    static Points read(const fs::path& file, const Course& course);
    /// The same; `name` is the file's, for complaints.
    static Points parse(const std::string& text, const std::string& name, const Course& course);

    /// Of an exercise, and of all that are graded.
    double most(const Exercise& exercise) const;
    double most(const Class& graded) const;
    Score of(const Class& graded, const Student& student, const Exercise& exercise) const;
    /// All exercises together; `why` is about being late.
    Score of(const Class& graded, const Student& student) const;

  private:
    double share_late(double days) const;
    double share_of_tasks(const Course& course, const Exercise& exercise, const Entry& entry,
                          std::string& why) const;
    const std::set<int>& tasks_of(const Course& course, const Exercise& exercise) const;

    double default_ = 1, free_days_ = 0, lost_per_day_ = 0, most_lost_ = 1, races_ = 0;
    Partial partial_ = Partial::none;
    std::vector<std::pair<std::string, double>> patterns_;  ///< in the order of the file
    std::map<std::string, double> exercises_;               ///< by Exercise::id()
    std::map<std::string, std::map<int, double>> tasks_;    ///< likewise
    mutable std::map<std::string, std::set<int>>
        numbers_;  ///< of the tasks of an exercise, once they were asked for
};

}  // namespace classroom
