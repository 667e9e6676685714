#pragma once

#include "core/base/result.h"

#include <functional>
#include <string>
#include <string_view>

namespace warpline {

// Configuration files of the user: one entry per line, # begins a comment line.

/// The path of the user's file `name` in Warpline's configuration folder (XDG_CONFIG_HOME, or ~/.config).
/// Empty: there is no such folder.
std::string configPath(std::string_view name);

/// The text of the file at `path`. An error names the file and the expected `content`: "rules for kernel
/// classes".
Result<std::string> readConfigFile(const std::string& path, Message content);

/// `text` without the byte order mark of UTF-8 that editors on Windows write.
std::string_view withoutMark(std::string_view text);

/// Calls `readLine` with each line that is neither empty nor a comment: trimmed, with its line number. Stops
/// at the first error, which then names `file` and line.
Result<void> readConfigLines(std::string_view text, std::string_view file,
    const std::function<Result<void>(std::string_view line, std::size_t number)>& readLine);

} // namespace warpline
