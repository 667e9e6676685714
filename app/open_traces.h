#pragma once

#include "core/base/result.h"

#include <functional>
#include <memory>
#include <string>

namespace warpline {
class Trace;
}

namespace warpline::cli {

/// The trace of the report at `path` in its current state: one that this process still holds, else the result
/// of `read`. Two commands, or two sides of a comparison, with one report share its trace.
Result<std::shared_ptr<const Trace>> openTrace(
    const std::string& path, const std::function<Result<std::shared_ptr<const Trace>>()>& read);

} // namespace warpline::cli
