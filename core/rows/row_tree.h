#pragma once

#include "core/base/ids.h"
#include "core/base/message.h"
#include "core/base/report_id.h"
#include "core/base/time.h"
#include "core/coverage/coverage.h"
#include "core/coverage/gpu_times.h"
#include "core/store/event_kind.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace warpline {

/// How a row is drawn. Each value has one painter in views/timeline/painters.
enum class Drawing : std::uint8_t {
    Header, ///< a label only
    Slices, ///< the lanes of one track, nested downwards
    Summary, ///< several tracks in one line: the busy share of each pixel, slices when there is room
    Marks, ///< events without length: CPU samples, allocations
    Curve, ///< a counter; GPU metrics
    Steps, ///< a counter that holds its value; memory usage
};

/// The meaning of a row, for which views/style/theme chooses a colour.
enum class Tint : std::uint8_t {
    Neutral,
    Kernel,
    Memory,
    Api,
    Nvtx,
    OsRuntime,
    Library,
    ThreadState,
    Sample,
    Overhead,
    Graph,
    Counter,
};

/// One line of the timeline.
struct Row {
    RowId id{};
    RowId parent{};
    ReportId report{}; ///< the report of its tracks and its counter
    std::vector<RowId> children;
    /// Identifies the row across sessions ("process:3406/thread:3406/cuda-api"): key for stored expanded,
    /// hidden and pinned states. Unique within a tree.
    std::string key;
    Message label; ///< "Kernels", "Stream 13", "[523] streams"
    Message figure; ///< "1,204" events, shown after the label; may be empty
    bool showsBusy = false; ///< after the label stands which share of the view its events cover: busyOf()
    Message hint; ///< the tooltip of the label; may be empty
    Drawing drawing = Drawing::Header;
    Tint tint = Tint::Neutral;
    std::vector<TrackRef> tracks; ///< the shown tracks; one for Slices
    std::uint32_t counter = noIndex; ///< Curve and Steps: index into Trace::counters
    std::uint32_t lanes = 1; ///< depth when drawn in full
    std::uint64_t events = 0; ///< events on the row and everything below it
    std::shared_ptr<const Coverage> coverage; ///< Summary: the time covered by all its tracks
    Ns busy = 0; ///< time of the session that the row's events cover; concurrent work counts once
    bool tellsIdle = false; ///< all work of one GPU: its idle time gets an explanation, see IdleTimes
    bool expanded = false; ///< as the tree is first shown
};

/// The rows of a trace, as a tree. Row ids stay valid for the life of the tree; the root is row 0 and
/// is not shown.
class RowTree {
public:
    static constexpr RowId root{0};

    RowTree();
    /// Appends `row` under `parent` (its id, parent and children are set here) and returns its id.
    RowId add(RowId parent, Row row);

    const Row& row(RowId id) const { return m_rows[raw(id)]; }
    Row& row(RowId id) { return m_rows[raw(id)]; }
    std::span<const RowId> children(RowId id) const { return m_rows[raw(id)].children; }
    std::size_t size() const { return m_rows.size(); }
    /// The row with `key`; root when there is none. O(rows).
    RowId find(const std::string& key) const;
    /// The row that draws `track` in full (Slices or Marks); root when there is none.
    RowId rowOf(TrackRef track) const;
    /// `id` and every row below it, in display order.
    std::vector<RowId> subtree(RowId id) const;
    /// All tracks shown by `id` or `rows` and the rows below, each once and in order.
    std::vector<TrackRef> tracksBelow(RowId id) const;
    std::vector<TrackRef> tracksBelow(const std::vector<RowId>& rows) const;

    /// Keeps the time that `tracks` cover together for those who ask, where no row shows just them.
    void keep(std::vector<TrackRef> tracks, std::shared_ptr<const Coverage> coverage);
    /// The coverage stored by keep() for `tracks`, which are sorted; nullptr: none.
    const Coverage* kept(std::span<const TrackRef> tracks) const;

    /// In which time the GPUs were busy and did not compute; of most there is none.
    void setNotComputing(std::map<GpuOfProcess, NotComputing> times) { m_notComputing = std::move(times); }
    /// The entry of one GPU; nullptr: its kernels only computed.
    const NotComputing* notComputing(const GpuOfProcess& gpu) const;

private:
    std::vector<Row> m_rows;
    std::map<std::vector<TrackRef>, std::shared_ptr<const Coverage>> m_kept;
    std::map<GpuOfProcess, NotComputing> m_notComputing;
};

} // namespace warpline
