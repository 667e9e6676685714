#pragma once

#include "views/session/session.h"
#include "views/style/event_colors.h"
#include "views/timeline/event_light.h"
#include "views/timeline/row_content.h"
#include "views/timeline/slice_names.h"

#include <QImage>
#include <QPainter>

#include <optional>
#include <span>
#include <utility>

namespace warpline {

inline constexpr double dimming = 0.62; ///< how far what is not marked steps back towards the background
inline constexpr int separatorFrom = 3; ///< pixels: narrower slices have no room for an edge

/// What every painter of a row needs. Lives for one row. Painters put the ground where nothing happens
/// instead of leaving it out: a picture without holes is copied, one with holes is mixed pixel by pixel.
struct PaintContext {
    QPainter& painter;
    const Session& session;
    const OpenReport& report; ///< whose events the row shows
    const Theme& theme;
    EventColors& colors;
    SliceNames& names;
    const QImage& ground; ///< a line of what lies behind the row: opaque, in device pixels, as wide as it
    double ratio = 1; ///< device pixels of a logical one; pieces are in device pixels
    /// The name that is pointed at, as the report numbers it; nothing: none, or not there.
    std::optional<std::pair<EventKind, StringId>> litName;
    const EventLight::Work* litWork = nullptr; ///< what it is about steps forward; nullptr: nothing

    /// True when `piece` steps back: others are marked, or belong to what was chosen.
    bool isDimmed(const Piece& piece) const;
    /// True when events are marked and everything else steps back.
    bool dims() const { return session.selection().highlightsAny(); }
    /// True when one of the events that `piece` stands for is marked.
    bool isHighlighted(const Piece& piece) const;
    /// The colour of `piece` as it is painted: dimmed when others are marked.
    QRgb colorOf(const Piece& piece) const;
    /// The colours of all `pieces`, in order. Less work than one after another.
    std::vector<QRgb> colorsOf(const std::vector<Piece>& pieces) const;
    /// The colours of the ground, one for each device pixel.
    std::span<const QRgb> groundColors() const;
};

/// Fills `area` with `line`, a row of device pixels as wide as it, `ratio` to a logical one: each line of it
/// alike. Several times as fast as a picture that is stretched.
void fillWithLine(QPainter& painter, QRect area, QImage line, double ratio);

/// `a` with `share` of `b`.
QRgb blend(QRgb a, QRgb b, double share);

} // namespace warpline
