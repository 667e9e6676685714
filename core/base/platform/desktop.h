#pragma once

#include <string>

namespace warpline::platform {

/// The family of the font that the desktop shows messages in, on Windows. Empty elsewhere, where Qt knows it
/// without a display, too.
std::string desktopFont();

} // namespace warpline::platform
