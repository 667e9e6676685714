#pragma once

#include "views/session/idle_books.h"
#include "views/session/name_books.h"

#include <QLabel>
#include <QRect>

#include <optional>

namespace warpline {

/// Several events at a place too narrow to show them separately.
struct DensePlace {
    std::optional<EventKind> kind; ///< nothing: of several kinds
    std::uint64_t count = 0;
    double busy = 0; ///< share of the place's time that they cover, 0..1
    Ns longest = 0; ///< 0: not counted, there are too many
    Message ranges; ///< rangesTextOf() the trace
};

/// "4,212 \u00d7, 38% of kernel time; this one takes 2.3 times the median"; empty while the names are
/// counted, and for an only one.
QString peersText(const Session& session, const NameBooks& books, EventId event);

/// Why the GPU of `row` is idle at `time` of the workspace, and for how long, as HTML; empty: unknown.
QString idleTip(const Session& session, const IdleBooks& books, const Row& row, Ns time);

/// "213 kernels, 98% busy, longest 41.00 us".
QString denseText(const DensePlace& place);

inline constexpr std::size_t allLanes = static_cast<std::size_t>(-1);
/// The events at `place` of lane `depth` of the tracks of `row`, on their report's clock: number, busy share,
/// the longest. Examines at most about ten thousand events.
DensePlace densePlace(const Trace& trace, const Row& row, std::size_t depth, TimeRange place);

/// A tooltip that does not cover its subject: below its row, or above where there is no room.
class HoverTip : public QLabel {
    Q_OBJECT
public:
    explicit HoverTip(QWidget* parent);

    /// Shows `html` near `point`, outside of `subject`; both in screen coordinates.
    void tell(const QString& html, QPoint point, const QRect& subject);
    /// Where a tip of `size` stands on a screen that is free in `available`.
    static QRect placeFor(QSize size, QPoint point, const QRect& subject, const QRect& available);
};

} // namespace warpline
