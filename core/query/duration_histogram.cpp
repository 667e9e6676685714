#include "core/query/duration_histogram.h"

#include "core/query/duration_classes.h"
#include "core/query/event_passes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpline {

std::pair<Ns, Ns> DurationHistogram::durations(std::size_t first, std::size_t last) const
{
    return {first == 0 ? 0 : edges[first],
        last + 1 >= bins() ? std::numeric_limits<Ns>::max() : edges[last + 1] - 1};
}

std::size_t DurationHistogram::binOf(Ns duration) const
{
    const auto above = std::ranges::upper_bound(edges, duration);
    const auto bin = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, above - edges.begin() - 1));
    return std::min(bin, bins() - 1);
}

std::vector<Ns> histogramEdges(const DurationFigures& figures, std::size_t bins, bool logarithmic)
{
    const auto low = static_cast<double>(figures.least);
    auto high = static_cast<double>(figures.most);
    if (!logarithmic) // a hundredth of the events may not press the rest into a few bins
        high = std::min(high, std::max(low + 1, figures.p99 + 2 * (figures.p99 - figures.median)));
    std::vector<Ns> edges{figures.least};
    const double first = std::log(std::max(1.0, low));
    const double last = std::log(std::max(1.0, high));
    for (std::size_t i = 1; i < bins; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(bins);
        const double edge
            = logarithmic ? std::exp(first + (last - first) * share) : low + (high - low) * share;
        if (const auto rounded = static_cast<Ns>(std::llround(std::min(edge, 9e18))); rounded > edges.back())
            edges.push_back(rounded);
    }
    edges.push_back(std::max(edges.back() + 1, static_cast<Ns>(std::min(high, 9e18)) + 1));
    return edges;
}

static DurationHistogram emptyHistogram(std::vector<Ns> edges, bool logarithmic)
{
    const std::size_t bins = edges.size() - 1;
    return {std::move(edges), std::vector<std::uint64_t>(bins), std::vector<Ns>(bins), logarithmic};
}

DurationHistogram durationHistogram(const DurationCounts& counts, std::vector<Ns> edges, bool logarithmic)
{
    DurationHistogram histogram = emptyHistogram(std::move(edges), logarithmic);
    std::size_t bin = 0;
    for (std::size_t length = 0; length < counts.counts.size(); ++length) {
        const auto duration = static_cast<Ns>(length);
        while (bin + 1 < histogram.bins() && duration >= histogram.edges[bin + 1])
            ++bin;
        histogram.counts[bin] += counts.counts[length];
        histogram.totals[bin] += duration * static_cast<Ns>(counts.counts[length]);
    }
    for (const Ns duration : counts.longer) {
        const std::size_t at = histogram.binOf(duration);
        ++histogram.counts[at];
        histogram.totals[at] += duration;
    }
    return histogram;
}

DurationHistogram durationHistogram(const EventTable& table, std::span<const EventIndex> events,
    std::vector<Ns> edges, bool logarithmic, const std::stop_token& stop)
{
    DurationHistogram histogram = emptyHistogram(std::move(edges), logarithmic);
    // The first bin that a class can be in: from there it is a step or none to the right one.
    std::vector<std::uint32_t> firstBin(durationClasses);
    std::size_t bin = 0;
    for (std::size_t c = 0; c < durationClasses; ++c) {
        const Ns low = extentOf(c).first;
        while (low >= 0 && bin + 1 < histogram.bins() && low >= histogram.edges[bin + 1])
            ++bin;
        firstBin[c] = static_cast<std::uint32_t>(bin);
    }
    struct Bars {
        std::vector<std::uint64_t> counts;
        std::vector<Ns> totals;
        void join(const Bars& later)
        {
            for (std::size_t i = 0; i < counts.size(); ++i) {
                counts[i] += later.counts[i];
                totals[i] += later.totals[i];
            }
        }
    };
    const std::size_t last = histogram.bins() - 1;
    Bars bars = overDurations(table, events, Bars{histogram.counts, histogram.totals}, stop,
        [&](Bars& to, std::span<const EventIndex>, std::span<const Ns> durations) {
            for (const Ns duration : durations) {
                std::size_t at = firstBin[classOf(duration)];
                while (at < last && duration >= histogram.edges[at + 1])
                    ++at;
                ++to.counts[at];
                to.totals[at] += duration;
            }
        });
    histogram.counts = std::move(bars.counts);
    histogram.totals = std::move(bars.totals);
    return histogram;
}

} // namespace warpline
