#include "views/style/counter_scale.h"

#include "core/store/trace.h"
#include "views/style/drawing_settings.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpline {

namespace {

struct Bounds {
    double low = std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::lowest();

    bool empty() const { return low > high; }
    void add(double least, double most)
    {
        low = std::min(low, least);
        high = std::max(high, most);
    }
};

/// Minimum and maximum of `series` in `window`, including the value at its begin.
void addBounds(Bounds& bounds, const CounterSeries& series, TimeRange window)
{
    if (!series.times || series.times->empty())
        return;
    const std::vector<Ns>& times = *series.times;
    auto first = static_cast<std::size_t>(std::ranges::upper_bound(times, window.start) - times.begin());
    first = first > 0 ? first - 1 : 0;
    const auto last = static_cast<std::size_t>(std::ranges::lower_bound(times, window.end) - times.begin());
    if (first >= last)
        return;
    const auto [low, high] = series.extremes(first, last);
    bounds.add(static_cast<double>(low), static_cast<double>(high));
}

Bounds boundsOf(const Trace& trace, const CounterSeries& series, TimeRange window)
{
    const CounterChoice& choice = CounterChoice::shared();
    Bounds bounds;
    const auto add = [&](const CounterSeries& each) {
        if (choice.isOfView())
            addBounds(bounds, each, window);
        else
            bounds.add(static_cast<double>(each.lowest), static_cast<double>(each.highest));
    };
    if (!choice.isShared()) {
        add(series);
        return bounds;
    }
    for (const CounterSeries& each : trace.counters) {
        if (each.kind == series.kind && each.unit == series.unit)
            add(each);
    }
    return bounds;
}

} // namespace

CounterChoice& CounterChoice::shared()
{
    static CounterChoice choice;
    return choice;
}

void CounterChoice::reload()
{
    const QString base = DrawingSettings::value("counters/base").toString();
    const CounterBase wanted = base == "lowest" ? CounterBase::Lowest
        : base == "log"                         ? CounterBase::Log
                                                : CounterBase::Zero;
    const bool ofView = DrawingSettings::value("counters/ofView").toBool();
    const bool isShared = DrawingSettings::value("counters/shared").toBool();
    if (wanted == m_base && ofView == m_ofView && isShared == m_shared)
        return;
    m_base = wanted;
    m_ofView = ofView;
    m_shared = isShared;
    emit changed();
}

void CounterChoice::setBase(CounterBase base)
{
    DrawingSettings::choose("counters/base",
        base == CounterBase::Lowest    ? "lowest"
            : base == CounterBase::Log ? "log"
                                       : "zero");
    reload();
}

void CounterChoice::setOfView(bool ofView)
{
    DrawingSettings::choose("counters/ofView", ofView);
    reload();
}

void CounterChoice::setShared(bool shared)
{
    DrawingSettings::choose("counters/shared", shared);
    reload();
}

double CounterScale::shareOf(double value) const
{
    if (base != CounterBase::Log)
        return std::clamp((value - low) / (high - low), 0.0, 1.0);
    if (value <= 0)
        return 0;
    const double from = std::log10(low);
    return std::clamp((std::log10(value) - from) / (std::log10(high) - from), 0.0, 1.0);
}

CounterScale scaleOf(const Trace& trace, const CounterSeries& series, TimeRange window)
{
    constexpr double minScaleTop = 1e-9;
    constexpr double decades = 6; ///< of a logarithmic scale whose counter reaches zero
    const CounterChoice& choice = CounterChoice::shared();
    Bounds bounds = boundsOf(trace, series, window);
    if (bounds.empty())
        bounds = {0, 1};
    CounterScale scale{choice.base(), 0, bounds.high};
    if (choice.base() == CounterBase::Lowest) {
        scale.low = bounds.low;
        if (scale.high <= scale.low) // a constant is drawn in the middle
            scale = {scale.base, scale.low - 1, scale.low + 1};
        return scale;
    }
    if (trace.text(series.unit) == "%" && !choice.isOfView())
        scale.high = 100;
    if (choice.base() == CounterBase::Log) {
        scale.high = scale.high > 0 ? scale.high : 1;
        const double least = scale.high / std::pow(10.0, decades);
        scale.low = bounds.low > 0 ? std::max(bounds.low * 0.5, least) : least;
        return scale;
    }
    scale.low = std::min(0.0, bounds.low); // negative values stay visible
    scale.high = std::max({minScaleTop, scale.high, scale.low + minScaleTop});
    return scale;
}

const CounterScale& CounterScales::of(const Trace& trace, std::uint32_t counter, TimeRange window)
{
    if (&trace != m_trace || window != m_window) {
        m_trace = &trace;
        m_window = window;
        m_known.clear();
    }
    const auto [known, isNew] = m_known.try_emplace(counter);
    if (isNew)
        known->second = scaleOf(trace, trace.counters[counter], window);
    return known->second;
}

} // namespace warpline
