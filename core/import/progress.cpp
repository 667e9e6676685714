#include "core/import/progress.h"

#include <algorithm>
#include <utility>

namespace warpline {

Progress::Progress(std::uint64_t rowsTotal, std::function<void(const LoadProgress&)> listener)
    : m_total(rowsTotal),
      m_listener(std::move(listener))
{
}

void Progress::setStage(Message stage)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_stage = std::move(stage);
    }
    report(true);
}

void Progress::add(std::uint64_t rows)
{
    m_read.fetch_add(rows, std::memory_order_relaxed);
    report(false);
}

void Progress::report(bool force)
{
    if (!m_listener)
        return;
    constexpr std::chrono::milliseconds interval{20};
    const std::unique_lock lock(m_mutex, std::try_to_lock);
    if (!lock.owns_lock())
        return;
    const auto now = std::chrono::steady_clock::now();
    if (!force && now - m_last < interval)
        return;
    m_last = now;
    // Some rows are read twice (NVTX rows that only name things): never report more than the total.
    m_listener({std::min(m_read.load(std::memory_order_relaxed), m_total), m_total, m_stage});
}

} // namespace warpline
