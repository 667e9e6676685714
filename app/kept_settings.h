#pragma once

namespace warpline {

/// Keeps the settings from a disk that becomes full, where Qt 6.4 takes a part of the file for all of it: the
/// last whole file has a second name, FILE.last, which costs no space, and comes back. False: it came back.
bool keepSettings();

} // namespace warpline
