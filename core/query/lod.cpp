// What a lane shows on so many pixels.
//
// Walking pixel by pixel: an event that is at least a pixel wide is shown alone, over all the pixels that it
// covers whole; a pixel in which anything else happens becomes one column with the exact covered share, from
// prefix sums. Each step is a binary search, so a lane of a million events costs no more than its pixels.

#include "core/query/lod.h"

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

class Axis {
public:
    Axis(TimeRange window, int pixels)
        : m_window(window),
          m_pixels(pixels)
    {
    }
    /// First nanosecond of pixel `x`. Split so that no product overflows, however long the window.
    Ns edge(int x) const
    {
        const Ns length = m_window.end - m_window.start;
        return m_window.start + length / m_pixels * x + length % m_pixels * x / m_pixels;
    }
    int pixelOf(Ns t) const
    {
        int pixel = static_cast<int>(std::clamp(x(t), 0.0, m_pixels - 1.0));
        // Integer edges round down: step to the pixel whose edges hold t.
        while (pixel > 0 && edge(pixel) > t)
            --pixel;
        while (pixel + 1 < m_pixels && edge(pixel + 1) <= t)
            ++pixel;
        return pixel;
    }
    double x(Ns t) const
    {
        return static_cast<double>(t - m_window.start) / static_cast<double>(m_window.end - m_window.start)
            * m_pixels;
    }

private:
    TimeRange m_window;
    int m_pixels;
};

/// The longest of a few events of [first, last): the middle and both ends, which is enough for a colour.
EventIndex prominent(const EventTable& table, EventIndex first, EventIndex last)
{
    EventIndex best = first;
    for (const EventIndex i : {first + (last - first) / 2, last - 1}) {
        if (table.duration[i] > table.duration[best])
            best = i;
    }
    return best;
}

} // namespace

void levelOfDetail(
    const EventTable& table, const Lane& lane, TimeRange window, int pixels, std::vector<LodSlice>& out)
{
    out.clear();
    if (pixels <= 0 || window.empty() || lane.count == 0)
        return;
    const Axis axis(window, pixels);
    const double nsPerPixel = static_cast<double>(window.duration()) / pixels;
    const auto isWide = [&](EventIndex i) { return static_cast<double>(table.duration[i]) >= nsPerPixel; };
    const auto [begin, end] = table.touching(lane, window);
    Ns spilled = 0; // covered by the last thin event in the pixel after the one where it began
    int spillPixel = -1;
    const auto emitColumn = [&](int pixel, EventIndex first, std::uint32_t count, Ns covered) {
        const Ns length = std::max<Ns>(1, axis.edge(pixel + 1) - axis.edge(pixel));
        const double share = static_cast<double>(covered) / static_cast<double>(length);
        out.push_back({static_cast<float>(pixel), static_cast<float>(pixel + 1), first, count,
            static_cast<float>(std::min(1.0, share)), prominent(table, first, first + count)});
    };
    EventIndex i = begin;
    while (i < end) {
        const int pixel = axis.pixelOf(std::max(table.start[i], window.start));
        const bool wide = isWide(i);
        if (spilled > 0 && (wide || pixel != spillPixel)) {
            emitColumn(spillPixel, i - 1, 1, spilled);
            spilled = 0;
        }
        if (wide) {
            out.push_back({static_cast<float>(std::max(axis.x(table.start[i]), -1.0)),
                static_cast<float>(std::min(axis.x(table.end(i)), pixels + 1.0)), i, 1, 1, i});
            ++i;
            continue;
        }
        // All thin events that begin in this pixel. Only the last event that does can be wide: it ends the
        // column.
        const TimeRange column{axis.edge(pixel), axis.edge(pixel + 1)};
        EventIndex last = std::max(i + 1, std::min(end, table.firstStartingAt(lane, column.end)));
        if (last - 1 > i && isWide(last - 1))
            --last;
        const Ns beyond = std::max<Ns>(0, table.end(last - 1) - std::max(column.end, table.start[last - 1]));
        const Ns before = std::max<Ns>(0, window.start - table.start[i]);
        emitColumn(pixel, i, last - i, spilled + table.durationSum(i, last) - beyond - before);
        spilled = pixel + 1 < pixels ? beyond : 0;
        spillPixel = pixel + 1;
        i = last;
    }
    if (spilled > 0)
        emitColumn(spillPixel, end - 1, 1, spilled);
}

void busyShare(const Coverage& coverage, TimeRange window, int pixels, std::vector<float>& out)
{
    out.assign(static_cast<std::size_t>(std::max(0, pixels)), 0.0F);
    if (coverage.empty() || window.empty())
        return;
    const Axis axis(window, pixels);
    for (int x = 0; x < pixels; ++x) {
        const TimeRange column{axis.edge(x), std::max(axis.edge(x + 1), axis.edge(x) + 1)};
        out[static_cast<std::size_t>(x)] = static_cast<float>(
            static_cast<double>(coverage.busy(column)) / static_cast<double>(column.duration()));
    }
}

void counterColumns(
    const CounterSeries& series, TimeRange window, int pixels, std::vector<CounterColumn>& out)
{
    out.assign(static_cast<std::size_t>(std::max(0, pixels)), {});
    if (series.size() == 0 || window.empty())
        return;
    const std::vector<Ns>& times = *series.times;
    const Axis axis(window, pixels);
    auto at = static_cast<std::size_t>(std::ranges::upper_bound(times, window.start) - times.begin());
    for (int x = 0; x < pixels; ++x) {
        CounterColumn& column = out[static_cast<std::size_t>(x)];
        // A value that ends where the pixel begins is not part of it.
        const bool changesAtEdge = at < times.size() && times[at] == axis.edge(x);
        if (at > 0 && !changesAtEdge) {
            const float held = series.values[at - 1];
            column = {held, held, held, true};
        }
        const Ns right = axis.edge(x + 1);
        const auto next = static_cast<std::size_t>(
            std::lower_bound(times.begin() + static_cast<std::ptrdiff_t>(at), times.end(), right)
            - times.begin());
        if (next == at)
            continue;
        const auto [low, high] = series.extremes(at, next);
        column.low = column.valid ? std::min(column.low, low) : low;
        column.high = column.valid ? std::max(column.high, high) : high;
        column.last = series.values[next - 1];
        column.valid = true;
        at = next;
    }
}

bool valueAt(const CounterSeries& series, Ns t, float& value)
{
    const std::vector<Ns>& times = *series.times;
    const auto after = std::ranges::upper_bound(times, t);
    if (after == times.begin())
        return false;
    value = series.values[static_cast<std::size_t>(after - times.begin()) - 1];
    return true;
}

} // namespace warpline
