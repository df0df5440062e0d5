// Packs the cells of a word's four bytes into the space of one cell, by writing equal parts once.
//
// The bytes of a word are mostly accessed by neighbours that do the same: threads of one block, at one instruction. So a packed word has a
// list of the different records *without their ranks*, each as the changes from the previous one. For each record of each byte, it then has
// the number in this list, and the difference of its rank from the smallest rank there.
//
//   bits  12           4         4 to 88 each              4               (number + rank - least) each
//         [which are   [how many [the different records,   [bits of        [byte 0: write, read, far read; byte 1: ...]
//          valid]       differ]   their least ranks]        rank - least]
#pragma once

#include "record.hpp"

namespace kit::cpu {

/// Writes the cells in the place of the word's own records. `write_work` and the state of the word stay. Returns false, and changes
/// nothing, if they do not fit.
bool pack(const Cell (&bytes)[4], Cell& word);

/// Unpacks the cells. An invalid record becomes an empty one.
void unpack(const Cell& word, Cell (&bytes)[4]);

}  // namespace kit::cpu
