#pragma once

#include "views/session/idle_books.h"
#include "views/session/name_books.h"

#include <QLabel>
#include <QRect>

#include <optional>
#include <string_view>

namespace warpline {

/// Several events in one place that is too narrow to tell them apart.
struct DensePlace {
    std::optional<EventKind> kind; ///< nothing: of several kinds
    std::uint64_t count = 0;
    double busy = 0; ///< share of the place's time that they cover, 0..1
    Ns longest = 0; ///< 0: not looked for, there are too many
    Message ranges; ///< rangesTextOf() the trace
};

/// "4,212 \u00d7, 38% of kernel time; this one takes 2.3 times the median"; empty while the names are
/// counted, and for an only one.
QString peersText(const Session& session, const NameBooks& books, EventId event);

/// Why the GPU that `row` shows is idle at `time` of the workspace, and for how long, as HTML; empty: nobody
/// knows.
QString idleTip(const Session& session, const IdleBooks& books, const Row& row, Ns time);

/// "213 kernels, 98% busy, longest 41.00 us".
QString denseText(const DensePlace& place);

inline constexpr std::size_t allLanes = static_cast<std::size_t>(-1);
/// What is at `place` of lane `depth` of the tracks of `row`, on their report's clock: how many events, how
/// busy they keep it, the longest. At most some ten thousand events are looked at.
DensePlace densePlace(const Trace& trace, const Row& row, std::size_t depth, TimeRange place);

/// A tip that stays clear of what it is about: below its row, or above where there is no room.
class HoverTip : public QLabel {
    Q_OBJECT
public:
    explicit HoverTip(QWidget* parent);

    /// Shows `html` near `point`, beside `subject`; both on the screen.
    void tell(const QString& html, QPoint point, const QRect& subject);
    /// Where a tip of `size` stands on a screen that is free in `available`.
    static QRect placeFor(QSize size, QPoint point, const QRect& subject, const QRect& available);
};

} // namespace warpline
