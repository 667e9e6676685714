// NVTX ranges by name, of both styles or of one.

#include "core/stats/applies.h"
#include "core/stats/names.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/summary_rows.h"
#include "core/store/nvtx_types.h"
#include "core/store/track_cursor.h"

namespace warpline::nvtx_sums {

namespace {

constexpr std::uint64_t startEndBit = std::uint64_t{1} << 63U; // string ids are far from needing it

/// NVTX ranges of `eventType` (0: of either type) by name: "domain:name"; with a column "Style" when
/// `withStyle`. Marks are not ranges. A range without an end has no duration and is left out.
Cells nvtxSummary(const Trace& trace, const StatsQuery& query, std::uint8_t eventType, bool withStyle)
{
    const NvtxTable& nvtx = trace.nvtx();
    Groups groups(query);
    TrackCursor tracks(nvtx);
    forEachEvent(nvtx, query, [&](EventIndex i) {
        if (!isClosedRange(nvtx, i))
            return;
        const std::uint8_t type = nvtx.attributesOf(i).eventType;
        if (type == graphicsFrame || (eventType != 0 && type != eventType))
            return;
        const Track& track = tracks.of(i);
        if (isRecordedOnGpu(EventKind::Nvtx, track)) // see nvtx_gpu_proj_sum
            return;
        const std::uint64_t style = type == nvtxStartEnd ? startEndBit : 0;
        groups.add(style | nvtxNameKey(trace, track, i), nvtx.duration[i], {EventKind::Nvtx, i});
    });
    groups.finish();
    SummaryLayout layout{"Instances", {"Range"}, {}};
    if (withStyle)
        layout.labelTitles = {"Style", "Range"};
    return summaryTable(groups, layout, [&](std::uint64_t key) {
        Labels labels{nvtxNameOfKey(trace, key & ~startEndBit)};
        if (withStyle)
            labels.insert(labels.begin(),
                std::string(nvtxStyle((key & startEndBit) != 0 ? nvtxStartEnd : nvtxPushPop)));
        return labels;
    });
}

} // namespace

extern constinit const StatsTable nvtxSum{.id = "nvtx_sum",
    .title = "NVTX Range Summary",
    .description = "Which of the program's own ranges take longest? NVTX ranges of both styles by name.",
    .applies = [](const Trace& trace) { return hasNvtxRanges(trace); },
    .fill = [](const Trace& trace, const StatsQuery& query) { return nvtxSummary(trace, query, 0, true); },
    .group = TableGroup::Nvtx};

extern constinit const StatsTable nvtxPushpopSum{.id = "nvtx_pushpop_sum",
    .title = "NVTX Push/Pop Range Summary",
    .description = "Which of the program's own ranges take longest? NVTX push/pop ranges by name.",
    .applies = [](const Trace& trace) { return hasNvtxRanges(trace, nvtxPushPop); },
    .fill = [](const Trace& trace,
                const StatsQuery& query) { return nvtxSummary(trace, query, nvtxPushPop, false); },
    .group = TableGroup::Nvtx};

extern constinit const StatsTable nvtxStartendSum{.id = "nvtx_startend_sum",
    .title = "NVTX Start/End Range Summary",
    .description = "Which ranges that may end on another thread take longest? NVTX start/end ranges by name.",
    .applies = [](const Trace& trace) { return hasNvtxRanges(trace, nvtxStartEnd); },
    .fill = [](const Trace& trace,
                const StatsQuery& query) { return nvtxSummary(trace, query, nvtxStartEnd, false); },
    .group = TableGroup::Nvtx};

} // namespace warpline::nvtx_sums
