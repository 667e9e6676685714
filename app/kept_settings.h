#pragma once

namespace warpline {

/// Closes the folder of the settings to other users, and protects the settings against a full disk, because
/// Qt 6.4 accepts a truncated file. The last complete file has a hard link, FILE.last, and is restored.
/// False: it was restored.
bool keepSettings();

} // namespace warpline
