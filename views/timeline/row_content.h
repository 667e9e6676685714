#pragma once

#include "core/query/lod.h"
#include "views/session/idle_books.h"
#include "views/session/session.h"

#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace warpline {

/// One place of a lane, with the table of its events.
struct Piece {
    LodSlice slice;
    EventKind kind = EventKind::Kernel;
};

/// The content of one row for a range on a number of pixels. The drawing mode decides which parts are filled.
struct RowContent {
    TimeRange shown;
    int pixels = 0;
    int columnWidth = 1; ///< pixels that were computed as one
    std::vector<std::vector<Piece>>
        lanes; ///< Slices and Marks: one per depth. Summary and headings: one, without overlaps
    std::vector<float> share; ///< Summary: the busy share of each pixel, 0..1; exchanges: that of transfer
    std::vector<float> wait; ///< exchanges: the share of each pixel that is waiting; else empty
    /// For rows that explain a GPU's idle time: values for IdleTimes::partOf() by pixel; else empty.
    std::vector<std::uint16_t> idle;
    std::vector<CounterColumn> columns; ///< Curve and Steps
};

/// The columns [first, second) that `slice` fills of `pixels`: never none, so that nothing vanishes.
std::pair<int, int> pixelsOf(const LodSlice& slice, int pixels);

/// Computes the content of rows, each on the clock of its own report, once per (row, drawn range, width):
/// hovering, selecting and scrolling only replay it. O(pixels log n) per lane, for any number of events.
class RowContents {
public:
    explicit RowContents(const Session& session)
        : m_session(session)
    {
    }

    /// Computes lanes and curves for columns of this many pixels from now on, and stretches them, to save
    /// work.
    void setColumnWidth(int pixels) { m_columnWidth = pixels; }
    /// The source of idle causes; it must outlive this. nullptr: none.
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

/// Merges the pieces of concurrent lanes without overlap: shorter ones are on top of longer ones, and pieces
/// that fill their pixel only in part yield to full ones. Of equal ones the later is on top. Sorted by place.
std::vector<Piece> flattened(const std::vector<Piece>& pieces, int pixels);

} // namespace warpline
