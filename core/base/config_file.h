#pragma once

#include "core/base/result.h"

#include <functional>
#include <string>
#include <string_view>

namespace warpline {

// Files of the user's own: lines of words, # begins a comment line.

/// Where the user's own file `name` is looked for: Warpline's configuration folder (XDG_CONFIG_HOME, or
/// ~/.config). Empty: there is no such folder.
std::string configPath(std::string_view name);

/// The text of the file at `path`. The error names the file and says what it should hold: "rules for kernel
/// classes".
Result<std::string> readConfigFile(const std::string& path, Message content);

/// Gives each line that is neither empty nor a comment to `readLine`, without blanks around it, with its
/// number. Stops at the first error, which then names `file` and line.
Result<void> readConfigLines(std::string_view text, std::string_view file,
    const std::function<Result<void>(std::string_view line, std::size_t number)>& readLine);

/// Cuts the first word off `text`, and the blanks around both.
std::string_view takeWord(std::string_view& text);

} // namespace warpline
