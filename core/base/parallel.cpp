#include "core/base/parallel.h"

#include "core/base/platform/platform.h"

namespace warpline {

namespace {

std::atomic<std::ptrdiff_t>& freeHelpers()
{
    static std::atomic<std::ptrdiff_t> helpers{static_cast<std::ptrdiff_t>(processors()) - 1};
    return helpers;
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
        ++freeHelpers();
}

bool SharedHelper::take()
{
    std::ptrdiff_t left = freeHelpers().load();
    while (left > 0 && !m_taken)
        m_taken = freeHelpers().compare_exchange_weak(left, left - 1);
    return m_taken;
}

} // namespace warpline
