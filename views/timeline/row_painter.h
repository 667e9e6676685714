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
    bool hovered = false; ///< quietly: under the cursor; else the current event or one of its partners
};

/// Paints the content of rows: finds out what a row shows, hands it to the painter of its way of drawing, and
/// outlines events.
class RowPainter {
public:
    RowPainter(const Session& session, const Theme& theme);

    /// Mixes the colours anew, as ColorChoice has them.
    void setTheme(const Theme& theme);
    /// Forgets everything: another trace, or other rows.
    void reset();
    /// Tells what counters do in the selected range; it outlives this. nullptr: nothing.
    void setSelection(const CounterSelection* selection) { m_selection = selection; }
    /// Tells why GPUs idle; it outlives this. nullptr: nothing.
    void setIdle(const IdleBooks* idle);
    void forgetScales(); ///< counters are scaled otherwise from now on
    /// What stands out from now on.
    void setLight(const EventLight& light);
    /// Works out what `rows` show on so many pixels of the device, in columns of `columnWidth` pixels, all
    /// side by side: paint() of them then has little left to do.
    void prepare(std::span<const PlacedRow* const> rows, int pixels, int columnWidth);
    /// What `row` shows on so many pixels of the device.
    const RowContent& contentOf(const Row& row, int pixels) { return m_contents.of(row, pixels); }
    /// Paints `row` into `area`, all of it; x 0 of the painter is the start of the shown range. `ground`: a
    /// line of what lies behind the row, as wide as the area, in device pixels.
    void paint(QPainter& painter, const PlacedRow& row, QRect area, const QImage& ground,
        const std::vector<Outlined>& outlined);
    /// Where the curve of `row`, painted into `area`, is at `time` of the workspace; nothing: there is none.
    std::optional<QPointF> curvePointAt(const Row& row, QRect area, double x, Ns time) const;

private:
    /// How the events of one report look; both remember what they worked out.
    struct Ink {
        std::unique_ptr<EventColors> colors;
        std::unique_ptr<SliceNames> names;
        std::optional<std::pair<EventKind, StringId>> litName; ///< EventLight::name as the report numbers it
        std::unique_ptr<CounterScales> scales;
    };
    void mixColors();
    void findLitName();
    QColor exchangeColor(RowId row) const; ///< of a row of exchanges
    /// What painters fill of `area` without a hole, from the top.
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
