#pragma once

#include <cstddef>
#include <cstdlib> // defines __GLIBC__
#ifdef __GLIBC__
#include <pthread.h>
#endif

namespace warpline::test {

/// While it lives, the system has no more threads: each asks for a stack larger than any memory. Only with
/// glibc.
class NoThreads {
public:
    NoThreads(const NoThreads&) = delete;
    NoThreads& operator=(const NoThreads&) = delete;
#ifdef __GLIBC__
    static constexpr bool works = true;
    NoThreads()
    {
        ::pthread_getattr_default_np(&m_usual);
        pthread_attr_t huge{};
        ::pthread_attr_init(&huge);
        ::pthread_attr_setstacksize(&huge, std::size_t{1} << 62);
        ::pthread_setattr_default_np(&huge);
        ::pthread_attr_destroy(&huge);
    }
    ~NoThreads()
    {
        ::pthread_setattr_default_np(&m_usual);
        ::pthread_attr_destroy(&m_usual);
    }

private:
    pthread_attr_t m_usual{};
#else
    static constexpr bool works = false;
    NoThreads() { }
    ~NoThreads() { }
#endif
};

} // namespace warpline::test
