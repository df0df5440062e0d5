// What to practise next: a student whose edits get verdicts of the same kind several times is told the page about
// this kind and two bug hunts with such a mistake.
#pragma once

#include "hunts.hpp"
#include "verdict.hpp"

namespace course {

/// Notes the verdict of a student's file, which has this text. Returns what to tell the student after every
/// third verdict of the same kind; otherwise nothing. A file that was graded before does not count again.
Lines practice_after(const Course& course, const Exercise& exercise, const Verdict& verdict,
                     const std::string& text);

}  // namespace course
