#pragma once

#include <string>

namespace warpline::platform {

/// The family of the font that the desktop shows messages in, on Windows. Empty elsewhere, where Qt knows it
/// without a display, too.
std::string desktopFont();

/// The locale of the account, such as "zh-CN", on Windows. Empty elsewhere, where the environment names it.
std::string accountLocale();

} // namespace warpline::platform
