#pragma once

#include "views/session/session.h"
#include "views/style/event_colors.h"
#include "views/timeline/row_content.h"
#include "views/timeline/row_layout.h"
#include "views/timeline/slice_names.h"

#include <QPainter>

#include <memory>
#include <vector>

namespace warpline {

struct PaintContext;

/// An event to be outlined.
struct Outlined {
    EventId event;
    bool hovered = false; ///< quietly: under the cursor; else the current event or one of its partners
};

/// Paints the content of rows: finds out what a row shows, hands it to the painter of its way of drawing, and
/// outlines events.
class RowPainter {
public:
    RowPainter(const Session& session, const Theme& theme);

    void setTheme(const Theme& theme);
    void setKernelsByName(bool byName);
    /// Forgets everything: another trace, or other rows.
    void reset();
    /// Paints `row` into `area`; x 0 of the painter is the start of the shown range.
    void paint(QPainter& painter, const PlacedRow& row, QRect area, const std::vector<Outlined>& outlined);

private:
    /// How the events of one report look; both remember what they worked out.
    struct Ink {
        std::unique_ptr<EventColors> colors;
        std::unique_ptr<SliceNames> names;
    };
    void mixColors();
    QColor exchangeColor(RowId row) const; ///< of a row of exchanges
    void paintLanes(const PaintContext& context, const Row& row, const RowContent& content, QRect area);
    static void paintOnTop(const PaintContext& context, EventRef event, QRectF box);
    void paintOutlines(
        const PaintContext& context, const Row& row, QRect area, const std::vector<Outlined>& outlined);

    const Session& m_session;
    const Theme* m_theme;
    bool m_kernelsByName = false;
    std::vector<Ink> m_inks; ///< of each report
    RowContents m_contents;
};

/// Where lane `depth` of `row` lies in `area`: shared by painting and by finding the event under the mouse.
QRect laneArea(const Row& row, QRect area, int depth);
/// How many lanes of `row` are drawn.
int lanesDrawn(const Row& row);

} // namespace warpline
