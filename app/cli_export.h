#pragma once

#include "core/base/result.h"

#include <string>

namespace warpline::cli {

/// The export to read in place of the file at `path`: that file, unless it is a recording (.nsys-rep, .qdrep)
/// and nsys is on the PATH, which then exports it into the cache folder; an export made before of the same
/// file is used again, unless `anew`. Without nsys it is that file too, and loading it says which command to
/// run. Nothing is written beside the recording. Error: nsys failed.
Result<std::string> exportOf(const std::string& path, bool anew);

} // namespace warpline::cli
