#include "core/base/parallel.h"

#include "core/base/platform/platform.h"
#include "core/base/working_thread.h"

namespace warpline {

namespace {

std::atomic<std::ptrdiff_t> takenHelpers{0};
std::atomic<std::ptrdiff_t> workingThreads{0};

/// The caller occupies a processor even when it is not counted; the main thread of a program is not.
bool processorIsLeft(std::ptrdiff_t taken)
{
    const std::ptrdiff_t working = std::max<std::ptrdiff_t>(1, workingThreads.load());
    return taken + working < static_cast<std::ptrdiff_t>(processors());
}

} // namespace

std::size_t processors()
{
    static const std::size_t count = platform::usableProcessors();
    return count;
}

SharedHelper::~SharedHelper()
{
    if (m_taken)
        --takenHelpers;
}

bool SharedHelper::take()
{
    std::ptrdiff_t taken = takenHelpers.load();
    while (!m_taken && processorIsLeft(taken))
        m_taken = takenHelpers.compare_exchange_weak(taken, taken + 1);
    return m_taken;
}

WorkingThread::WorkingThread()
{
    ++workingThreads;
}

WorkingThread::~WorkingThread()
{
    --workingThreads;
}

} // namespace warpline
