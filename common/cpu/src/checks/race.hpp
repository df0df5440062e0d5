// Decides whether an access races with an earlier access to the same bytes.
#pragma once

#include "happens_before.hpp"
#include "record.hpp"
#include "sites.hpp"

namespace kit::cpu {

/// Compares an access with the records of a cell and adds it to them. Returns the record with which it races, or an invalid one.
Record check_race(Cell& cell, const Record& now, const BlockClocks& clocks, const Sites& sites);

}  // namespace kit::cpu
