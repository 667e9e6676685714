#pragma once

#include "core/base/message.h"

#include <string_view>

namespace warpline {

/// Explains the counter named `name` in a sentence or two. Empty: unknown name. Based on the list of GPU
/// metrics in the user guide of Nsight Systems.
Message counterHelp(std::string_view name);

} // namespace warpline
