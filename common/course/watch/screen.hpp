// Draws the decisions of `watch` as a screen of a given size: a title, the body, the keys.
#pragma once

#include "watch/session.hpp"
#include "watch/terminal.hpp"

namespace course {

/// Returns the lines of the whole screen, one for each row, in colours if the look has them.
Lines screen_of(const Session& session, Size size, const Look& look);

/// Returns the codes that draw these lines over the current ones, without flicker.
std::string drawn(const Lines& lines);

}  // namespace course
