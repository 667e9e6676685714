#pragma once

#include "core/base/result.h"

#include <string>

namespace warpline::cli {

/// The export to read for the file at `path`: the file itself, unless it is a recording (.nsys-rep, .qdrep)
/// and nsys is on PATH. Then nsys exports it into the cache folder; a previous export of the same file is
/// reused, unless `anew`. Without nsys the file itself, whose loading error names the command to run. Writes
/// nothing next to the recording. Error: nsys failed.
Result<std::string> exportOf(const std::string& path, bool anew);

} // namespace warpline::cli
