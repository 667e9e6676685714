#pragma once

#include "core/base/message.h"

#include <string_view>

namespace warpline {

/// What the counter called `name` tells, in a sentence or two for somebody who sees it for the first time.
/// Empty: the name is not known. The words follow the list of GPU metrics in the user guide of Nsight
/// Systems.
Message counterHelp(std::string_view name);

} // namespace warpline
