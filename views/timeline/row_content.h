#pragma once

#include "core/query/lod.h"
#include "views/session/session.h"

#include <QHash>

#include <utility>
#include <vector>

namespace warpline {

/// What a lane shows at one place, with the table that its events belong to.
struct Piece {
    LodSlice slice;
    EventKind kind = EventKind::Kernel;
};

/// What one row shows of a range on so many pixels. Which parts are filled depends on how the row is drawn.
struct RowContent {
    TimeRange shown;
    int pixels = 0;
    bool collapsed = false; ///< a heading that stands for the rows below it
    std::vector<std::vector<Piece>>
        lanes; ///< Slices and Marks: one per depth. Summary and collapsed headings: one, without overlaps
    std::vector<float> share; ///< Summary: the busy share of each pixel, 0..1; exchanges: that of transfer
    std::vector<float> wait; ///< exchanges: the share of each pixel that is waiting; else empty
    std::vector<CounterColumn> columns; ///< Curve and Steps
};

/// The columns [first, second) that `slice` fills of `pixels`: never none, so that nothing vanishes.
std::pair<int, int> pixelsOf(const LodSlice& slice, int pixels);

/// Works out what rows show, each on the clock of its own report, once per (row, drawn range, width):
/// hovering, selecting and scrolling only replay it. O(pixels log n) a lane, however many events there are.
class RowContents {
public:
    explicit RowContents(const Session& session)
        : m_session(session)
    {
    }

    /// The content of `row` for the session's drawn range; valid until the next call. `collapsed`: the row is
    /// a heading whose rows are not on the screen.
    const RowContent& of(const Row& row, int pixels, bool collapsed);
    /// Forgets everything: another trace.
    void clear();

private:
    struct LaneContent {
        TimeRange shown;
        int pixels = 0;
        std::vector<LodSlice> slices;
    };

    const std::vector<LodSlice>& lane(
        const OpenReport& report, EventKind kind, std::uint32_t index, int pixels);
    void fillLanes(RowContent& content, const Row& row);
    void fillSummary(RowContent& content, const Row& row);
    void fillCollapsed(RowContent& content, const Row& row);
    /// A lane of exchanges, or of a heading all lanes below it as their mean.
    void fillExchanges(RowContent& content, const Row& row);

    const Session& m_session;
    QHash<std::uint32_t, RowContent> m_rows;
    QHash<quint64, LaneContent>
        m_lanes; ///< by report, kind and number; a lane is shown by its own row and by several summaries
};

/// Lays the pieces of concurrent lanes over one another so that none overlap: the shorter lies on the longer,
/// and what fills its pixel only in part gives way to what fills it whole. Of equals the later one is on top.
/// Sorted by place.
std::vector<Piece> flattened(const std::vector<Piece>& pieces, int pixels);

} // namespace warpline
