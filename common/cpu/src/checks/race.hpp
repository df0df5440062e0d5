// Where a race is decided: may this access and an earlier one touch the same bytes unordered?
#pragma once

#include "happens_before.hpp"
#include "record.hpp"
#include "sites.hpp"

namespace kit::cpu {

/// Compares with the records of a cell and adds this access to them. Returns the record with which it races, or one
/// that is not valid.
Record check_race(Cell& cell, const Record& now, const BlockClocks& clocks, const Sites& sites);

}  // namespace kit::cpu
