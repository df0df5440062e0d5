// The cells of the four bytes of a word, packed into the room of one: what is equal is written once.
//
// The bytes of a word are mostly touched by neighbours that do the same: threads of one block, at one instruction. So a
// packed word holds a list of the different records *without their ranks*, each as what changed from the one before it,
// and then, for each record of each byte, its number in this list and by how much its rank exceeds the least one there.
//
//   bits  12           4         4 to 88 each              4               (number + rank - least) each
//         [which are   [how many [the different records,   [bits of        [byte 0: write, read, far read; byte 1: ...]
//          valid]       differ]   their least ranks]        rank - least]
#pragma once

#include "record.hpp"

namespace kit::cpu {

/// Writes the cells in the place of the word's own records. `write_work` and the state of the word remain. False when
/// they do not fit; nothing is changed then.
bool pack(const Cell (&bytes)[4], Cell& word);

/// The opposite. A record that is not valid comes back empty.
void unpack(const Cell& word, Cell (&bytes)[4]);

}  // namespace kit::cpu
