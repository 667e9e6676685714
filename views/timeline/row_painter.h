#pragma once

#include "views/session/session.h"
#include "views/style/counter_scale.h"
#include "views/style/event_colors.h"
#include "views/timeline/counter_selection.h"
#include "views/timeline/event_light.h"
#include "views/timeline/row_content.h"
#include "views/timeline/row_layout.h"
#include "views/timeline/slice_names.h"

#include <QPainter>

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace warpline {

struct PaintContext;

/// An event to be outlined.
struct Outlined {
    EventId event;
    bool hovered = false; ///< subtle, for the hovered event; false: the current event or a related one
};

/// Paints rows: computes their content, calls the painter of the drawing mode, and outlines events.
class RowPainter {
public:
    RowPainter(const Session& session, const Theme& theme);

    /// Computes the colours again, from ColorChoice.
    void setTheme(const Theme& theme);
    /// Forgets everything: another trace, or other rows.
    void reset();
    /// The source of counters' statistics in the selected range; it must outlive this. nullptr: none.
    void setSelection(const CounterSelection* selection) { m_selection = selection; }
    /// The source of idle causes; it must outlive this. nullptr: none.
    void setIdle(const IdleBooks* idle);
    void forgetScales(); ///< counters are scaled otherwise from now on
    /// The events that stand out from now on.
    void setLight(const EventLight& light);
    /// Computes the content of `rows` for this many device pixels, in columns of `columnWidth` pixels, in
    /// parallel: paint() then has little left to do.
    void prepare(std::span<const PlacedRow* const> rows, int pixels, int columnWidth);
    /// The content of `row` on this many device pixels.
    const RowContent& contentOf(const Row& row, int pixels) { return m_contents.of(row, pixels); }
    /// Paints all of `row` into `area`; x 0 of the painter is the start of the shown range. `ground`: a line
    /// of the row's background, as wide as the area, in device pixels.
    void paint(QPainter& painter, const PlacedRow& row, QRect area, const QImage& ground,
        const std::vector<Outlined>& outlined);
    /// Where the curve of `row`, painted into `area`, is at `time` of the workspace; nothing: there is none.
    std::optional<QPointF> curvePointAt(const Row& row, QRect area, double x, Ns time) const;

private:
    /// Colours and names of one report's events; both are caches.
    struct Ink {
        std::unique_ptr<EventColors> colors;
        std::unique_ptr<SliceNames> names;
        std::optional<std::pair<EventKind, StringId>> litName; ///< EventLight::name as the report numbers it
        std::unique_ptr<CounterScales> scales;
    };
    void mixColors();
    void findLitName();
    QColor exchangeColor(RowId row) const; ///< of a row of exchanges
    /// The parts of `area` that painters fill completely, from the top.
    std::vector<QRect> covered(const Row& row, const RowContent& content, QRect area) const;
    void paintLanes(const PaintContext& context, const Row& row, const RowContent& content, QRect area);
    static void paintOnTop(const PaintContext& context, EventRef event, QRectF box, QRect lane);
    void paintOutlines(
        const PaintContext& context, const Row& row, QRect area, const std::vector<Outlined>& outlined);

    const Session& m_session;
    const Theme* m_theme;
    std::vector<Ink> m_inks; ///< of each report
    EventLight m_light;
    const CounterSelection* m_selection = nullptr;
    const IdleBooks* m_idle = nullptr;
    RowContents m_contents;
};

} // namespace warpline
