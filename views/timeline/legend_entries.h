#pragma once

#include "core/budget/idle_times.h"
#include "views/session/session.h"
#include "views/style/color_choice.h"
#include "views/style/theme.h"
#include "views/timeline/legend_seen.h"

#include <QColor>
#include <QFontMetrics>
#include <QString>

#include <span>
#include <string>
#include <vector>

namespace warpline {

/// A colour of the timeline and what it says.
struct LegendEntry {
    QColor color;
    QString text;
    QString tip; ///< more of it; may be empty
    EventKind kind = EventKind::Kernel;
    std::string name; ///< of the events that have the colour; empty: it is of no single name
    bool hatched = false; ///< it is no colour but what is drawn over one
    /// Ranges that differ in numbers alone ("step_#") have one colour, and are one entry; empty: one name.
    std::string family{};
    Qt::BrushStyle pattern = Qt::SolidPattern; ///< in which the colour is drawn
};

/// What the colours mean of what is `seen` of the report that panels are about, see namesSeen(): the first
/// kernels and ranges, then kinds, then the rest of the names. Names that would read alike say how they
/// differ.
std::vector<LegendEntry> legendEntries(
    const Session& session, std::span<const SeenName> seen, const Theme& theme);

/// What the hatching of idle GPUs means, `seen` as IdleTimes::partOf() has them, most time first.
std::vector<LegendEntry> idleEntries(
    const IdleTimes& times, std::span<const std::uint16_t> seen, const Theme& theme);

/// What of the texts of `entries` fits into `width` each: the middle is left out, or where two would read
/// alike then, all up to where they differ.
std::vector<QString> fittingTexts(
    std::span<const LegendEntry> entries, const QFontMetrics& metrics, int width);

} // namespace warpline
