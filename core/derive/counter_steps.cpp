#include "core/derive/counter_steps.h"

#include <algorithm>
#include <utility>

namespace warpline {

CounterSteps::CounterSteps(TimeRange session, std::size_t changes)
    : m_stretch(changes > maxChanges ? session.duration() / static_cast<Ns>(maxChanges) + 1 : 0),
      m_stretchEnd(session.start + m_stretch)
{
    const std::size_t samples = std::min(changes + 1, 2 * maxChanges);
    m_times.reserve(samples);
    m_values.reserve(samples);
    push(session.start, 0);
}

void CounterSteps::beginStretch(Ns time, float value)
{
    const Ns stretch = (time - m_times.front()) / m_stretch;
    endStretch(stretch);
    push(time, std::max(value, m_last));
    m_inStretch = stretch;
    m_stretchEnd = m_times.front() + (stretch + 1) * m_stretch;
}

void CounterSteps::endStretch(Ns next)
{
    // Where the value did not change in between, the last value holds, not the maximum.
    if (next > m_inStretch + 1 && m_values.back() != m_last)
        push(m_times.front() + (m_inStretch + 1) * m_stretch, m_last);
}

CounterSeries CounterSteps::series()
{
    if (m_stretch > 0)
        endStretch(m_inStretch + 2);
    m_times.shrink_to_fit();
    m_values.shrink_to_fit();
    CounterSeries made;
    made.values = std::move(m_values);
    made.summarize();
    made.times = std::make_shared<const std::vector<Ns>>(std::move(m_times));
    return made;
}

} // namespace warpline
