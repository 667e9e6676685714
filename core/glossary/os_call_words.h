#pragma once

#include "core/base/message.h"

#include <cstdint>
#include <string_view>

namespace warpline {

/// What a call of the operating system is for, as far as its name says. A thread in one of those that wait
/// does nothing meanwhile.
enum class OsCallKind : std::uint8_t {
    Reads, ///< read, fread ...: of a file, or what a program takes for one
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
/// What a thread does in `call`, for somebody who has never heard of it: "waits for a lock, or to be woken by
/// another thread"; "a request to a driver, such as that of the GPU". Empty: its name says so, or nothing
/// more is known.
Message wordsForOsCall(std::string_view call);

} // namespace warpline
