#include "core/workspace/exchange_lane.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace warpline {

ExchangeLane::ExchangeLane(std::vector<ExchangeSlice> slices)
{
    std::ranges::sort(slices, {}, [](const ExchangeSlice& slice) {
        return std::tuple(slice.range.start, slice.range.end, slice.event, -slice.wait);
    });
    Ns reached = std::numeric_limits<Ns>::min();
    for (const ExchangeSlice& slice : slices) {
        if (!m_slices.empty() && m_slices.back().event == slice.event)
            continue; // its longest wait came first
        const Ns end = std::max(slice.range.start, slice.range.end);
        const Ns start = std::max(slice.range.start, reached);
        if (start > end)
            continue; // inside of another
        const Ns waits = std::clamp<Ns>(slice.range.start + slice.wait, start, end);
        m_slices.push_back({{slice.range.start, end}, slice.wait, slice.event});
        m_waitUpTo.push_back((m_waitUpTo.empty() ? 0 : m_waitUpTo.back()) + waits - start);
        m_transferUpTo.push_back((m_transferUpTo.empty() ? 0 : m_transferUpTo.back()) + end - waits);
        reached = end;
    }
}

std::size_t ExchangeLane::firstEndingAfter(Ns time) const
{
    const auto found = std::ranges::upper_bound(
        m_slices, time, {}, [](const ExchangeSlice& slice) { return slice.range.end; });
    return static_cast<std::size_t>(found - m_slices.begin());
}

std::pair<Ns, Ns> ExchangeLane::before(Ns time) const
{
    const std::size_t at = firstEndingAfter(time);
    Ns waited = at > 0 ? m_waitUpTo[at - 1] : 0;
    Ns transferred = at > 0 ? m_transferUpTo[at - 1] : 0;
    if (at < m_slices.size() && m_slices[at].range.start < time) {
        // The slice that contains `time`, without the part that an earlier one covers.
        const Ns start = at > 0 ? std::max(m_slices[at].range.start, m_slices[at - 1].range.end)
                                : m_slices[at].range.start;
        const Ns waits = m_waitUpTo[at] - waited;
        const Ns within = std::max<Ns>(0, time - start);
        waited += std::min(waits, within);
        transferred += std::max<Ns>(0, within - waits);
    }
    return {waited, transferred};
}

void ExchangeLane::addShares(
    TimeRange window, std::vector<float>& wait, std::vector<float>& transfer, float weight) const
{
    const auto columns = static_cast<Ns>(wait.size());
    if (columns == 0 || window.duration() <= 0)
        return;
    const double width = static_cast<double>(window.duration()) / static_cast<double>(columns);
    std::pair<Ns, Ns> from = before(window.start);
    for (Ns x = 0; x < columns; ++x) {
        const Ns edge = x + 1 == columns ? window.end
                                         : window.start + static_cast<Ns>(static_cast<double>(x + 1) * width);
        const std::pair<Ns, Ns> to = before(edge);
        const auto column = static_cast<std::size_t>(x);
        wait[column] += weight * static_cast<float>(static_cast<double>(to.first - from.first) / width);
        transfer[column] += weight * static_cast<float>(static_cast<double>(to.second - from.second) / width);
        from = to;
    }
}

void ExchangeLane::findLong(TimeRange window, Ns least, std::vector<std::size_t>& found) const
{
    // A slice this long would contain one of the sampled instants.
    found.clear();
    least = std::max<Ns>(1, least);
    for (Ns time = window.start; time < window.end + least;) {
        const std::size_t at = firstEndingAfter(time);
        if (at >= m_slices.size() || m_slices[at].range.start >= window.end)
            return;
        const TimeRange range = m_slices[at].range;
        if (range.start > time) {
            time += (range.start - time + least - 1) / least * least; // nothing before it
            if (range.end <= time)
                continue;
        }
        if (range.duration() >= least)
            found.push_back(at);
        time += (std::max<Ns>(0, range.end - 1 - time) / least + 1) * least;
    }
}

std::size_t ExchangeLane::nearest(Ns time, Ns reach) const
{
    const std::size_t at = firstEndingAfter(time);
    std::size_t best = m_slices.size();
    Ns distance = reach + 1;
    for (const std::size_t i : {at, at - 1}) {
        if (i >= m_slices.size())
            continue;
        const TimeRange range = m_slices[i].range;
        const Ns own = time < range.start ? range.start - time : time >= range.end ? time - range.end : 0;
        if (own < distance) {
            distance = own;
            best = i;
        }
    }
    return best;
}

bool ExchangeLane::holds(EventRef event, Ns start) const
{
    const auto [first, last] = std::ranges::equal_range(
        m_slices, start, {}, [](const ExchangeSlice& slice) { return slice.range.start; });
    return std::any_of(first, last, [&](const ExchangeSlice& slice) { return slice.event == event; });
}

} // namespace warpline
