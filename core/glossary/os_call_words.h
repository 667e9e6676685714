#pragma once

#include "core/base/message.h"

#include <cstdint>
#include <string_view>

namespace warpline {

/// The purpose of a system call, by its name. A thread in a waiting call does nothing.
enum class OsCallKind : std::uint8_t {
    Reads, ///< read, fread ...: from a file, or what looks like one
    Writes,
    Files, ///< opens, closes, seeks ...
    WaitsForThread, ///< a lock, a condition, a semaphore, the end of a thread
    WaitsForProcess, ///< waitpid
    WaitsForInput, ///< poll, select, epoll_wait, accept ...
    Sleeps,
    Yields, ///< sched_yield: spins, and asks again and again
    Driver, ///< ioctl
    Other,
};
/// `call` as nsys names it, with or without 64 or a version of glibc's behind: "pread64",
/// "sem_wait@GLIBC_2.34", "futex".
OsCallKind osCallKind(std::string_view call);
/// What a thread does in `call`, for readers who do not know it: "waits for a lock, or to be woken by another
/// thread"; "a request to a driver, such as that of the GPU". Empty: the name explains itself, or nothing is
/// known.
Message wordsForOsCall(std::string_view call);

} // namespace warpline
