#pragma once

#include "core/store/counter_table.h"

#include <cstddef>
#include <vector>

namespace warpline {

/// A value that holds from its time to the next one's. It is 0 from the session's start.
class CounterSteps {
public:
    /// Above this number of changes, only the maximum of each interval is kept.
    static constexpr std::size_t maxChanges = 500'000;

    /// For a value that changes `changes` times; of more than maxChanges it does not matter how many.
    CounterSteps(TimeRange session, std::size_t changes);

    /// Times ascend. Of several values at one time the last counts.
    void add(Ns time, double value)
    {
        const auto now = static_cast<float>(value);
        if (m_stretch == 0) {
            if (m_times.back() == time)
                m_values.back() = now;
            else
                push(time, now);
            return;
        }
        if (time < m_stretchEnd)
            m_values.back() = m_values.back() < now ? now : m_values.back();
        else
            beginStretch(time, now);
        m_last = now;
    }

    /// Returns the summarized samples and empties this; the caller names the series.
    CounterSeries series();

private:
    void push(Ns time, float value)
    {
        m_times.push_back(time);
        m_values.push_back(value);
    }
    void beginStretch(Ns time, float value);
    void endStretch(Ns next);

    Ns m_stretch; ///< its length; 0: every change is a sample
    Ns m_inStretch = 0;
    Ns m_stretchEnd; ///< the end of the stretch with the last value
    float m_last = 0;
    std::vector<Ns> m_times;
    std::vector<float> m_values;
};

} // namespace warpline
