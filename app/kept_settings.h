#pragma once

namespace warpline {

/// Protects the settings against a full disk, because Qt 6.4 accepts a truncated file. The last complete file
/// has a hard link, FILE.last, and is restored. False: it was restored.
bool keepSettings();

} // namespace warpline
