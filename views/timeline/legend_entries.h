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
