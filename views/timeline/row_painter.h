#pragma once

#include "core/query/lod.h"
#include "views/session.h"
#include "views/style/event_colors.h"
#include "views/timeline/row_layout.h"

#include <QCache>
#include <QHash>
#include <QPainter>

#include <memory>
#include <vector>

namespace warpline {

/// Paints the content of rows. What a lane shows is worked out once per (row, shown range, width) and replayed while
/// the user hovers, selects and scrolls. A lane is one image a pixel high, stretched: solid fills of thousands of slices
/// cost more than the image.
class RowPainter {
public:
    RowPainter(const Session& session, const Theme& theme);

    void setTheme(const Theme& theme);
    /// Forgets everything: another trace, or other rows.
    void reset();
    /// Paints `row` into `area`; x 0 of the painter is the start of the shown range. `emphasis` are events to be
    /// outlined: the current one and its partners.
    void paint(QPainter& painter, const PlacedRow& row, QRect area, const std::vector<EventRef>& emphasis);

private:
    struct Cached {
        TimeRange shown;
        int pixels = 0;
        std::vector<std::vector<LodSlice>> lanes; ///< Slices, Marks, and Summary with few events
        std::vector<float> share; ///< Summary with many
        std::vector<CounterColumn> columns;
    };
    /// A lane of the row, with the table it belongs to.
    struct LaneRef {
        EventKind kind;
        const Lane* lane;
    };

    const Cached& contentOf(const Row& row, int pixels);
    std::vector<LaneRef> lanesOf(const Row& row) const;
    void paintLane(QPainter& painter, const std::vector<LodSlice>& slices, EventKind kind, QRect area, bool marks);
    void paintNames(QPainter& painter, const std::vector<LodSlice>& slices, EventKind kind, QRect area);
    void paintHighlights(QPainter& painter, const std::vector<LodSlice>& slices, EventKind kind, QRect area);
    /// Marks highlighted events where a row shows only its busy share: at most one tick a place.
    void paintHighlightTicks(QPainter& painter, const LaneRef& lane, QRect area);
    void paintShare(QPainter& painter, const std::vector<float>& share, QColor color, QRect area);
    void paintCounter(QPainter& painter, const Row& row, const std::vector<CounterColumn>& columns, QRect area);
    void paintEmphasis(QPainter& painter, const Row& row, QRect area, const std::vector<EventRef>& emphasis);
    bool anyHighlighted(EventKind kind, const LodSlice& slice) const;
    QString nameFor(EventRef event, int width);

    const Session& m_session;
    const Theme* m_theme;
    std::unique_ptr<EventColors> m_colors;
    QHash<std::uint32_t, Cached> m_cache;
    QCache<quint64, QString> m_names{20'000}; ///< elided, by kind, name and width
    QFontMetrics m_metrics;
};

} // namespace warpline
