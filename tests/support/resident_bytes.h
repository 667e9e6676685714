#pragma once

#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

namespace warpline {

/// Resident memory of this process in bytes; 0 where the system does not provide it (Linux does).
inline std::uint64_t residentBytes()
{
    std::ifstream facts("/proc/self/status");
    for (std::string key; facts >> key;) {
        std::uint64_t kibi = 0;
        if (key == "VmRSS:" && facts >> kibi)
            return kibi * 1024;
        facts.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return 0;
}

} // namespace warpline
