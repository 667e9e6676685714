// Level of detail of a lane for a number of pixels.
//
// Walks pixel by pixel: an event at least a pixel wide is a slice over all pixels that it covers fully; any
// other busy pixel becomes one column with the exact covered share, from prefix sums. Each step is a search,
// so a lane of a million events costs no more than its pixels. Where there are more events than pixels, all
// searches are made together before the walk, because a processor would otherwise mostly wait for memory.

#include "core/query/lod.h"

#include "core/base/sorted_search.h"

#include <algorithm>

namespace warpline {

namespace {

class Axis {
public:
    Axis(TimeRange window, int pixels)
        : m_window(window),
          m_pixels(pixels),
          m_whole(window.duration() / pixels),
          m_rest(window.duration() % pixels)
    {
    }
    /// First nanosecond of pixel `x`. Split so that no product overflows, however long the window.
    Ns edge(int x) const { return m_window.start + m_whole * x + m_rest * x / m_pixels; }
    /// The edges of all pixels, [0] to [pixels].
    std::vector<Ns> edges() const
    {
        std::vector<Ns> all(static_cast<std::size_t>(m_pixels) + 1);
        for (int x = 0; x <= m_pixels; ++x)
            all[static_cast<std::size_t>(x)] = edge(x);
        return all;
    }
    int pixelOf(Ns t) const
    {
        int pixel = static_cast<int>(std::clamp(x(t), 0.0, m_pixels - 1.0));
        // Integer edges round down: step to the pixel whose edges contain t.
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
    Ns m_whole; ///< full ns of each pixel
    Ns m_rest; ///< ns that are left, spread over all pixels
};

/// Where the events of one pixel end in a lane, asked from left to right.
class PixelEnds {
public:
    PixelEnds(const EventTable& table, const Axis& axis, int pixels, EventIndex begin, EventIndex end)
        : m_table(table),
          m_axis(axis),
          m_end(end)
    {
        // One after another is less work where most pixels are never asked for.
        if (end - begin < static_cast<EventIndex>(pixels) * 2)
            return;
        const std::vector<Ns> edges = axis.edges();
        m_ends.resize(static_cast<std::size_t>(pixels));
        table.firstStartingAt(begin, end, std::span(edges).subspan(1), m_ends);
    }

    /// The pixel in which event i starts, or 0 for one that starts before the window.
    int pixelOf(EventIndex i, Ns windowStart)
    {
        if (m_ends.empty())
            return m_axis.pixelOf(std::max(m_table.start[i], windowStart));
        while (m_ends[m_pixel] <= i)
            ++m_pixel;
        return static_cast<int>(m_pixel);
    }
    /// The first event after i that starts at or after `pixel` ends.
    EventIndex after(EventIndex i, int pixel) const
    {
        if (m_ends.empty())
            return static_cast<EventIndex>(
                firstNotBefore(m_table.start, i + 1, m_end, m_axis.edge(pixel + 1)));
        constexpr std::size_t ahead = 12; // pixels: about as long as memory takes to answer
        const auto at = static_cast<std::size_t>(pixel);
        if (at + ahead < m_ends.size())
            prefetch(m_ends[at + ahead - 1], m_ends[at + ahead]);
        return m_ends[at];
    }

private:
    /// Prefetches the memory for a column of events [first, last).
    void prefetch(EventIndex first, EventIndex last) const
    {
        m_table.prefetchDurations(last);
        m_table.duration.prefetch(last - (last > first ? 1 : 0));
        m_table.duration.prefetch(first + (last - first) / 2);
    }

    const EventTable& m_table;
    const Axis& m_axis;
    EventIndex m_end;
    std::vector<EventIndex> m_ends; ///< of each pixel; empty: not worked out
    std::size_t m_pixel = 0;
};

/// The sum of the durations of runs of events that mostly follow one another.
class RunSums {
public:
    explicit RunSums(const EventTable& table)
        : m_table(table)
    {
    }
    Ns operator()(EventIndex first, EventIndex last)
    {
        constexpr EventIndex few = 16;
        if (last - first <= few)
            return m_table.duration.sum(first, last);
        const Ns before = first == m_last ? m_before : m_table.durationBefore(first);
        m_last = last;
        m_before = m_table.durationBefore(last);
        return m_before - before;
    }

private:
    const EventTable& m_table;
    EventIndex m_last = noIndex;
    Ns m_before = 0; ///< durations of all events before m_last
};

/// Fills `out` from the covered time before each edge (`coveredBefore(edges, covered)`), or from each
/// column's covered time (`busy(column)`) where columns are wider than pixels.
template <typename CoveredBefore, typename Busy>
void shareOfColumns(
    TimeRange window, int pixels, std::vector<float>& out, CoveredBefore&& coveredBefore, Busy&& busy)
{
    const Axis axis(window, pixels);
    const auto share = [](Ns covered, Ns length) {
        return static_cast<float>(static_cast<double>(covered) / static_cast<double>(length));
    };
    if (window.duration() < pixels) {
        for (int x = 0; x < pixels; ++x) {
            const TimeRange column{axis.edge(x), std::max(axis.edge(x + 1), axis.edge(x) + 1)};
            out[static_cast<std::size_t>(x)] = share(busy(column), column.duration());
        }
        return;
    }
    const std::vector<Ns> edges = axis.edges();
    std::vector<Ns> covered;
    coveredBefore(edges, covered);
    for (std::size_t x = 0; x < out.size(); ++x)
        out[x] = share(covered[x + 1] - covered[x], edges[x + 1] - edges[x]);
}

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
    PixelEnds ends(table, axis, pixels, begin, end);
    RunSums durationSum(table);
    const auto emitColumn = [&](int pixel, EventIndex first, std::uint32_t count, Ns covered) {
        const Ns length = std::max<Ns>(1, axis.edge(pixel + 1) - axis.edge(pixel));
        const double share = static_cast<double>(covered) / static_cast<double>(length);
        out.push_back({static_cast<float>(pixel), static_cast<float>(pixel + 1), first, count,
            static_cast<float>(std::min(1.0, share)), prominent(table, first, first + count)});
    };
    EventIndex i = begin;
    while (i < end) {
        const int pixel = ends.pixelOf(i, window.start);
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
        EventIndex last = std::max(i + 1, ends.after(i, pixel));
        if (last - 1 > i && isWide(last - 1))
            --last;
        const Ns beyond = std::max<Ns>(0, table.end(last - 1) - std::max(column.end, table.start[last - 1]));
        const Ns before = std::max<Ns>(0, window.start - table.start[i]);
        emitColumn(pixel, i, last - i, spilled + durationSum(i, last) - beyond - before);
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
    if (coverage.empty() || window.empty() || pixels <= 0)
        return;
    shareOfColumns(
        window, pixels, out,
        [&](std::span<const Ns> edges, std::vector<Ns>& covered) { coverage.busyBefore(edges, covered); },
        [&](TimeRange column) { return coverage.busy(column); });
}

void busyShare(
    const EventTable& table, const Lane& lane, TimeRange window, int pixels, std::vector<float>& out)
{
    out.assign(static_cast<std::size_t>(std::max(0, pixels)), 0.0F);
    if (lane.count == 0 || window.empty() || pixels <= 0)
        return;
    shareOfColumns(
        window, pixels, out,
        [&](std::span<const Ns> edges, std::vector<Ns>& covered) {
            table.coveredBefore(lane, edges, covered);
        },
        [&](TimeRange column) { return table.busy(lane, column); });
}

void busyShare(std::span<const LodSlice> slices, int pixels, std::vector<float>& out)
{
    out.assign(static_cast<std::size_t>(std::max(0, pixels)), 0.0F);
    const auto last = static_cast<float>(pixels);
    for (const LodSlice& slice : slices) {
        const float left = std::clamp(slice.x0, 0.0F, last);
        const float right = std::clamp(slice.x1, 0.0F, last);
        for (auto x = static_cast<std::size_t>(left); static_cast<float>(x) < right; ++x) {
            const auto edge = static_cast<float>(x);
            out[x] += slice.share * (std::min(right, edge + 1) - std::max(left, edge));
        }
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
        // A value that ends where the pixel begins does not belong to it.
        const bool changesAtEdge = at < times.size() && times[at] == axis.edge(x);
        if (at > 0 && !changesAtEdge) {
            const float held = series.values[at - 1];
            column = {held, held, held, true};
        }
        const Ns right = axis.edge(x + 1);
        const std::size_t next = firstNotBefore(times, at, times.size(), right);
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

std::optional<float> valueAt(const CounterSeries& series, Ns t)
{
    const std::vector<Ns>& times = *series.times;
    const auto after = std::ranges::upper_bound(times, t);
    if (after == times.begin())
        return std::nullopt;
    return series.values[static_cast<std::size_t>(after - times.begin()) - 1];
}

} // namespace warpline
