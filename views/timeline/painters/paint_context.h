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

inline constexpr double dimming = 0.62; ///< how much unmarked events blend into the background
inline constexpr int separatorFrom = 3; ///< pixels: narrower slices have no room for an edge

/// Common inputs of a row's painters. Lives for one row. Painters draw the background in gaps instead of
/// leaving holes, because an opaque picture is copied, while one with holes is blended pixel by pixel.
struct PaintContext {
    QPainter& painter;
    const Session& session;
    const OpenReport& report; ///< the report of the row's events
    const Theme& theme;
    EventColors& colors;
    SliceNames& names;
    const QImage& ground; ///< a line of the row's background: opaque, in device pixels, of its width
    double ratio = 1; ///< device pixels of a logical one; pieces are in device pixels
    /// The name that is pointed at, as the report numbers it; nothing: none, or not there.
    std::optional<std::pair<EventKind, StringId>> litName;
    const EventLight::Work* litWork = nullptr; ///< its events stand out; nullptr: none

    /// True when `piece` is dimmed: others are marked, or related to the selected one.
    bool isDimmed(const Piece& piece) const;
    /// True when events are marked and everything else steps back.
    bool dims() const { return session.selection().highlightsAny(); }
    /// True when one of the events of `piece` is marked.
    bool isHighlighted(const Piece& piece) const;
    /// The colour of `piece` as it is painted: dimmed when others are marked.
    QRgb colorOf(const Piece& piece) const;
    /// The colours of all `pieces`, in order. Less work than one after another.
    std::vector<QRgb> colorsOf(const std::vector<Piece>& pieces) const;
    /// The colours of the ground, one for each device pixel.
    std::span<const QRgb> groundColors() const;
};

/// A picture to write pixels to. Throws bad_alloc where QImage has none for want of memory.
QImage newImage(int width, int height, QImage::Format format);

/// Fills `area` with repetitions of `line`, a row of device pixels of its width, `ratio` per logical one.
/// Several times faster than scaling a picture.
void fillWithLine(QPainter& painter, QRect area, QImage line, double ratio);

/// `a` with `share` of `b`.
QRgb blend(QRgb a, QRgb b, double share);

/// Paints the background of a row: `line`, device pixels as wide as `area`, `ratio` per logical one. Skips
/// `covered`, ordered from the top, which will be painted over completely: on a large screen the background
/// is a third of a frame's writes.
void paintGround(
    QPainter& painter, QRect area, const QImage& line, double ratio, std::span<const QRect> covered = {});

} // namespace warpline
