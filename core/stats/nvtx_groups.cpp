#include "core/stats/nvtx_groups.h"

#include "core/stats/names.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/summary_rows.h"
#include "core/store/nvtx_types.h"
#include "core/store/trace.h"

namespace warpline {

namespace {

constexpr std::uint64_t startEndBit = std::uint64_t{1} << 63U; // string ids are far from needing it

} // namespace

Cells nvtxSummary(const Trace& trace, const StatsQuery& query, std::uint8_t eventType, bool withStyle)
{
    const NvtxTable& nvtx = trace.nvtx();
    Groups groups(query);
    std::size_t track = 0;
    forEachEvent(nvtx, query, [&](EventIndex i) {
        if (!isClosedRange(nvtx, i))
            return;
        const std::uint8_t type = nvtx.attributesOf(i).eventType;
        if (type == graphicsFrame || (eventType != 0 && type != eventType))
            return;
        while (i >= nvtx.tracks[track].firstEvent + nvtx.tracks[track].eventCount)
            ++track;
        if (nvtx.tracks[track].device >= 0) // once more what a range of a thread says: see nvtx_gpu_proj_sum
            return;
        const std::uint64_t style = type == nvtxStartEnd ? startEndBit : 0;
        groups.add(style | nvtxNameKey(trace, nvtx.tracks[track], i), nvtx.duration[i], {EventKind::Nvtx, i});
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

} // namespace warpline
