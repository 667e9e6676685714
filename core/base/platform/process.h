#pragma once

#include <cstdint>

namespace warpline::platform {

/// Whether a process with this number runs on this machine; true where the system does not say.
bool isRunning(std::uint32_t process);

} // namespace warpline::platform
