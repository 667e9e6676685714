#include "core/glossary/os_call_words.h"

#include <algorithm>
#include <array>

namespace warpline {

namespace {

using enum OsCallKind;

struct Words {
    Literal key;
    Literal text;
};
constexpr Words wakes{"os_call.futex", "waits for a lock, or to be woken by another thread"};
constexpr Words locks{"os_call.lock", "waits for a lock that another thread holds"};
constexpr Words condition{"os_call.condition", "waits to be woken by another thread"};
constexpr Words barrier{"os_call.barrier", "waits at a barrier for other threads"};
constexpr Words join{"os_call.join", "waits for a thread to end"};
constexpr Words semaphore{"os_call.semaphore", "waits for another thread or process to raise a semaphore"};

struct Named {
    std::string_view call;
    OsCallKind kind;
    const Words* words = nullptr; ///< nullptr: the texts of its kind
};

constexpr std::array named{Named{"read", Reads}, Named{"pread", Reads}, Named{"readv", Reads},
    Named{"preadv", Reads}, Named{"fread", Reads}, Named{"fgets", Reads}, Named{"fscanf", Reads},
    Named{"getline", Reads}, Named{"write", Writes}, Named{"pwrite", Writes}, Named{"writev", Writes},
    Named{"pwritev", Writes}, Named{"fwrite", Writes}, Named{"fputs", Writes}, Named{"fprintf", Writes},
    Named{"fflush", Writes}, Named{"fsync", Writes}, Named{"fdatasync", Writes}, Named{"ftruncate", Writes},
    Named{"sendfile", Writes}, Named{"open", Files}, Named{"openat", Files}, Named{"close", Files},
    Named{"fopen", Files}, Named{"fclose", Files}, Named{"lseek", Files},
    Named{"futex", WaitsForThread, &wakes}, Named{"pthread_mutex_lock", WaitsForThread, &locks},
    Named{"pthread_mutex_timedlock", WaitsForThread, &locks},
    Named{"pthread_rwlock_rdlock", WaitsForThread, &locks},
    Named{"pthread_rwlock_wrlock", WaitsForThread, &locks},
    Named{"pthread_cond_wait", WaitsForThread, &condition},
    Named{"pthread_cond_timedwait", WaitsForThread, &condition},
    Named{"pthread_cond_clockwait", WaitsForThread, &condition},
    Named{"pthread_barrier_wait", WaitsForThread, &barrier}, Named{"pthread_join", WaitsForThread, &join},
    Named{"sem_wait", WaitsForThread, &semaphore}, Named{"sem_timedwait", WaitsForThread, &semaphore},
    Named{"sem_clockwait", WaitsForThread, &semaphore}, Named{"waitpid", WaitsForProcess},
    Named{"waitid", WaitsForProcess}, Named{"wait", WaitsForProcess}, Named{"wait3", WaitsForProcess},
    Named{"wait4", WaitsForProcess}, Named{"poll", WaitsForInput}, Named{"ppoll", WaitsForInput},
    Named{"select", WaitsForInput}, Named{"pselect", WaitsForInput}, Named{"epoll_wait", WaitsForInput},
    Named{"epoll_pwait", WaitsForInput}, Named{"accept", WaitsForInput}, Named{"accept4", WaitsForInput},
    Named{"recv", WaitsForInput}, Named{"recvmsg", WaitsForInput}, Named{"recvfrom", WaitsForInput},
    Named{"sleep", Sleeps}, Named{"usleep", Sleeps}, Named{"nanosleep", Sleeps},
    Named{"clock_nanosleep", Sleeps}, Named{"sched_yield", Yields}, Named{"ioctl", Driver}};

/// Without "64" or a version of glibc's behind: "pread64", "sem_wait@GLIBC_2.34".
std::string_view bare(std::string_view call)
{
    call = call.substr(0, call.find('@'));
    if (call.ends_with("64"))
        call.remove_suffix(2);
    return call;
}

const Named* find(std::string_view call)
{
    const auto found = std::ranges::find(named, bare(call), &Named::call);
    return found != named.end() ? &*found : nullptr;
}

} // namespace

OsCallKind osCallKind(std::string_view call)
{
    const Named* const found = find(call);
    return found ? found->kind : Other;
}

Message wordsForOsCall(std::string_view call)
{
    const Named* const found = find(call);
    if (!found)
        return {};
    if (found->words)
        return {found->words->key, found->words->text};
    switch (found->kind) {
    case WaitsForProcess:
        return {"os_call.process", "waits for another process to end"};
    case WaitsForInput:
        return {"os_call.input", "waits for input: a socket, a pipe or a device"};
    case Yields:
        return {"os_call.yields", "yields its CPU and polls again (spins)"};
    case Driver:
        return {"os_call.driver", "a request to a driver, such as that of the GPU"};
    case Reads:
    case Writes:
    case Files:
    case WaitsForThread:
    case Sleeps:
    case Other:
        break;
    }
    return {};
}

} // namespace warpline
