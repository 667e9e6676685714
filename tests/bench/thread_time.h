#pragma once

#include <ctime>

namespace warpline {

/// Processor time of the calling thread in ms: other programs, and our own workers, do not count.
inline double threadMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

} // namespace warpline
