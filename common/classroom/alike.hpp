// Pairs of submissions to one exercise that are more alike than what all were given explains. It finds what to look at; whether
// somebody has copied, and who from whom, a person decides who has talked to both.
//
// Programs are compared as words without names, comments and layout (tokens.hpp). First, whatever a run of `explained_run` words has
// in common with the starter, the course's solution, its other right solutions (tests/TOPIC/NAME.right), or with more than a tenth
// of the class (and more than five texts) is explained: everybody could have come to that. The rest is somebody's own. Then
// candidates are found by fingerprints: S. Schleimer, D. Wilkerson, A. Aiken, "Winnowing: Local Algorithms for Document
// Fingerprinting", SIGMOD 2003, with k = 12 words and windows of 4, so that nothing that 15 words long is shared escapes. Of each
// candidate the shared runs of at least k words are taken, the longest first (greedy string tiling: M. Wise, 1993).
//
// A pair is told if `least` words of both are own and shared, and these are a share of at least `least_share` of what is own in
// the shorter one. A task of three lines has fewer words than that: two who solve it alike are no pair.
#pragma once

#include "classroom.hpp"

namespace classroom {

constexpr std::size_t explained_run = 8, least = 60;
constexpr double least_share = 0.6;

/// Lines that are alike, from 1: [first, last] of each of the two.
struct Passage {
    int first_a = 0, last_a = 0, first_b = 0, last_b = 0;
};

/// Two texts, and who has handed them in: several, where it is the same byte for byte.
struct Alike {
    const Exercise* exercise = nullptr;
    std::vector<const Student*> a, b;  ///< where all have the same text, all are in a
    double share = 0;                  ///< of what is own in the shorter one
    std::size_t words = 0;             ///< own and shared
    std::vector<Passage> passages;

    bool is_identical() const { return b.empty(); }
};

/// Of each exercise those that share most first.
std::vector<Alike> alike_pairs(const Class& graded);

/// A page with the lines of each pair side by side; beyond `most` pairs only their number.
std::string alike_html(const Class& graded, const std::vector<Alike>& pairs, std::size_t most = 100);

}  // namespace classroom
