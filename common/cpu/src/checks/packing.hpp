// Packs the cells of the four bytes of a word into the space of one cell, by writing equal parts only once.
//
// The threads that access the bytes of a word are usually neighbours that execute the same instruction.
// Therefore, a packed word has a list of the different records *without their ranks*, each as the difference
// from the previous one. Each record of each byte then has its number in this list, and the difference
// between its rank and the smallest rank of that list entry. The layout is:
//
//   bits  12           4         4 to 88 each              4               (number + rank - least) each
//         [which are   [how many [the different records,   [bits of        [byte 0: write, read, far read;
//         valid]       differ]   their least ranks]        rank - least]   byte 1: ...]
#pragma once

#include "record.hpp"

namespace kit::cpu {

/// Packs the cells into the space of the word's own records. `write_work` and the state of the word stay the
/// same. Returns false, and changes nothing, if the records do not fit.
bool pack(const Cell (&bytes)[4], Cell& word);

/// Unpacks the cells of a word. Invalid records become empty ones.
void unpack(const Cell& word, Cell (&bytes)[4]);

}  // namespace kit::cpu
