// Draws the state of `watch` as a screen of a given size: a title, a body, and a list of keys.
#pragma once

#include "watch/session.hpp"
#include "watch/terminal.hpp"

namespace course {

/// Returns the lines of the whole screen, one for each row, in colours if the terminal supports them.
Lines screen_of(const Session& session, Size size, const Look& look);

/// Returns terminal codes that draw these lines over the current screen without flicker.
std::string drawn(const Lines& lines);

}  // namespace course
