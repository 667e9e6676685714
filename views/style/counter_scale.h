#pragma once

#include "core/store/counter_table.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <map>

namespace warpline {

class Trace;

/// Where the scale of counters begins.
enum class CounterBase : std::uint8_t {
    Zero,
    Lowest, ///< at the lowest value: small changes of a large value are seen
    Log, ///< powers of ten
};

/// How counters are drawn: one choice for all windows, see DrawingSettings.
class CounterChoice : public QObject {
    Q_OBJECT
public:
    static CounterChoice& shared();

    CounterBase base() const { return m_base; }
    void setBase(CounterBase base);
    /// Whether the scale is that of the visible range; false: of the whole report.
    bool isOfView() const { return m_ofView; }
    void setOfView(bool ofView);
    /// Whether counters of one kind and unit share a scale.
    bool isShared() const { return m_shared; }
    void setShared(bool shared);
    /// Reloads the settings.
    void reload();

signals:
    void changed();

private:
    CounterChoice() { reload(); }

    CounterBase m_base = CounterBase::Zero;
    bool m_ofView = false;
    bool m_shared = false;
};

/// The scale of one counter.
struct CounterScale {
    CounterBase base = CounterBase::Zero;
    double low = 0; ///< value at the bottom
    double high = 1; ///< value at the top; above `low`

    /// Where `value` stands, 0 at the bottom and 1 at the top; clamped.
    double shareOf(double value) const;
};

/// The scale of `series` by CounterChoice. Percentages reach to 100 unless the scale is that of the view or
/// begins at the minimum. `window`: the visible range, on the report's clock.
CounterScale scaleOf(const Trace& trace, const CounterSeries& series, TimeRange window);

/// Caches the scales of one report for one view: a shared scale needs all counters of its kind.
class CounterScales {
public:
    const CounterScale& of(const Trace& trace, std::uint32_t counter, TimeRange window);
    void clear() { m_known.clear(); }

private:
    const Trace* m_trace = nullptr;
    TimeRange m_window;
    std::map<std::uint32_t, CounterScale> m_known;
};

} // namespace warpline
