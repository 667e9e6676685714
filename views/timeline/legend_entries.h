#pragma once

#include "core/budget/idle_times.h"
#include "core/query/event_text.h"
#include "core/rows/row_tree.h"
#include "views/session/session.h"
#include "views/style/color_choice.h"
#include "views/style/theme.h"

#include <QColor>
#include <QFontMetrics>
#include <QString>

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace warpline {

/// The share of one name in the visible rows and range.
struct SeenName {
    EventRef sample; ///< an example
    EventTint tint = EventTint::Kernel;
    double time = 0; ///< how much of the range it covers in all lanes, in nanoseconds
};

/// The names that `tracks` show in `window`, the largest first. Events shorter than a thousandth count for
/// the largest name there: O(lanes * 1000 * log n) for any number of events. Stops early on request.
std::vector<SeenName> namesSeen(
    const Trace& trace, std::span<const TrackRef> tracks, TimeRange window, const std::stop_token& stop);

/// Why the GPUs that `gpus` of `rows` show idle in `window`, as IdleTimes::partOf() has them: up to three
/// reasons, that with most time first. O(1000 * log n).
std::vector<std::uint16_t> idleSeen(const Trace& trace, const RowTree& rows, const IdleTimes& times,
    std::span<const RowId> gpus, TimeRange window);

/// A colour of the timeline with its meaning.
struct LegendEntry {
    QColor color;
    QString text;
    QString tip; ///< details; may be empty
    EventKind kind = EventKind::Kernel;
    std::string name; ///< the name of the events with the colour; empty: several names
    bool hatched = false; ///< not a colour, but hatching over one
    /// Ranges that differ in numbers alone ("step_#") have one colour, and are one entry; empty: one name.
    std::string family{};
    Qt::BrushStyle pattern = Qt::SolidPattern; ///< in which the colour is drawn
};

/// The meaning of the colours of `seen` in the panels' report, see namesSeen(): the first kernels and ranges,
/// then kinds, then other names. Similar texts include their difference.
std::vector<LegendEntry> legendEntries(
    const Session& session, std::span<const SeenName> seen, const Theme& theme);

/// The meaning of the hatching of idle GPUs, `seen` as from IdleTimes::partOf(), longest first.
std::vector<LegendEntry> idleEntries(
    const IdleTimes& times, std::span<const std::uint16_t> seen, const Theme& theme);

/// The texts of `entries` elided to `width` each: in the middle, or up to their first difference where two
/// would look alike.
std::vector<QString> fittingTexts(
    std::span<const LegendEntry> entries, const QFontMetrics& metrics, int width);

} // namespace warpline
