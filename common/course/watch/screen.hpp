// What `watch` decided to show, as a screen of a given size: a title, the body, the keys.
#pragma once

#include "watch/session.hpp"
#include "watch/terminal.hpp"

namespace course {

/// The lines of the whole screen, as many as it has; in colours where the look has them.
Lines screen_of(const Session& session, Size size, const Look& look);

/// The codes that draw these lines over the current ones, so that nothing flickers.
std::string drawn(const Lines& lines);

}  // namespace course
