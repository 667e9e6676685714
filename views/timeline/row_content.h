#pragma once

#include "core/query/lod.h"
#include "views/session/idle_books.h"
#include "views/session/session.h"

#include <span>
#include <unordered_map>
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
    int columnWidth = 1; ///< pixels that were looked at as one
    std::vector<std::vector<Piece>>
        lanes; ///< Slices and Marks: one per depth. Summary and headings: one, without overlaps
    std::vector<float> share; ///< Summary: the busy share of each pixel, 0..1; exchanges: that of transfer
    std::vector<float> wait; ///< exchanges: the share of each pixel that is waiting; else empty
    /// Rows that tell why a GPU idles: for each pixel what IdleTimes::partOf() takes; else empty.
    std::vector<std::uint16_t> idle;
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

    /// From now on lanes and curves are worked out for columns of so many pixels, and stretched: the work is
    /// as much less.
    void setColumnWidth(int pixels) { m_columnWidth = pixels; }
    /// Asks it why GPUs idle; it outlives this. nullptr: nobody.
    void setIdle(const IdleBooks* idle) { m_idle = idle; }
    /// Works out all of `wanted` for the session's drawn range that is not known yet, on all cores. Returns
    /// when it is done.
    void prepare(std::span<const Row* const> wanted, int pixels);
    /// The content of `wanted` for the session's drawn range; valid until the next call.
    const RowContent& of(const Row& wanted, int pixels);
    /// Forgets everything: another trace.
    void clear();

private:
    struct LaneContent {
        TimeRange shown;
        int pixels = 0;
        int columnWidth = 1;
        std::vector<LodSlice> slices;
    };
    struct LaneRef {
        EventKind kind = EventKind::Kernel;
        std::uint32_t index = 0; ///< in EventTable::lanes
    };
    /// A row that is being worked out.
    struct Part {
        const Row* row = nullptr;
        RowContent* content = nullptr;
        std::vector<LaneRef> lanes; ///< that it shows, in order
    };

    std::vector<LaneRef> lanesOf(const Row& row) const;
    const LaneContent& lane(ReportId report, LaneRef lane) const;
    void fillLanesOf(std::span<const Part> parts, int pixels);
    void fill(const Part& part) const;
    void fillLanes(const Part& part) const;
    std::vector<Piece> piecesOf(const Part& part) const;
    /// A lane of exchanges, or of a heading all lanes below it as their mean.
    void fillExchanges(RowContent& content, const Row& row) const;

    void fillShare(const Part& part, TimeRange window) const;
    void fillIdle(const Part& part, TimeRange window) const;

    const Session& m_session;
    const IdleBooks* m_idle = nullptr;
    int m_columnWidth = 1;
    std::unordered_map<std::uint32_t, RowContent> m_rows;
    std::unordered_map<quint64, LaneContent>
        m_lanes; ///< by report, kind and number; a lane is shown by its own row and by several summaries
};

/// Lays the pieces of concurrent lanes over one another so that none overlap: the shorter lies on the longer,
/// and what fills its pixel only in part gives way to what fills it whole. Of equals the later one is on top.
/// Sorted by place.
std::vector<Piece> flattened(const std::vector<Piece>& pieces, int pixels);

} // namespace warpline
