// The work of CUDA graph replays by the NVTX ranges around its capture, next to those around the launch: a
// replay is one call, so that the launch's ranges do not show the layers inside. Numbers in names of launch
// ranges are joined: token_0, token_1 ... are one. nsys has no such table.

#include "core/query/graph_captures.h"
#include "core/query/graph_origins.h"
#include "core/stats/grouping.h"
#include "core/stats/key_numbers.h"
#include "core/stats/summary_rows.h"
#include "core/steps/steps.h"
#include "core/store/trace.h"

#include <algorithm>
#include <map>

namespace warpline::cuda_graph_nvtx_sum {

namespace {

constexpr std::string_view nowhere = "(none)";

/// The ranges around launches and captures, as numbers; each node and each call is looked at once.
class Paths {
public:
    explicit Paths(const Trace& trace)
        : m_trace(trace),
          m_captures(graphCapturesOf(trace))
    {
    }

    std::uint64_t captured(GlobalId process, std::uint64_t node)
    {
        const auto [place, added] = m_byNode.try_emplace({process, node}, 0);
        if (added)
            place->second = numberOf(m_captures->pathOf(m_trace, process, node));
        return place->second;
    }

    std::uint64_t captured(const CapturedAt& at)
    {
        const auto [place, added] = m_byOrigin.try_emplace({at.trace, at.node}, 0);
        if (added)
            place->second = numberOf(capturedPlace(at));
        return place->second;
    }

    std::uint64_t launched(EventRef work)
    {
        const EventRef call = m_trace.apiCallOf(work);
        if (call == m_lastCall)
            return m_lastLaunch;
        m_lastCall = call;
        std::string path;
        if (call.valid()) {
            const EventTable& calls = m_trace.apiCalls();
            const GlobalId thread = calls.trackOf(call.index).owner;
            path = withoutNumbers(rangePath(m_trace, rangesAt(m_trace, thread, calls.start[call.index])));
        }
        m_lastLaunch = numberOf(path);
        return m_lastLaunch;
    }

    const std::string& text(std::uint64_t number) const { return m_texts.keys()[number]; }

private:
    std::uint32_t numberOf(const std::string& text)
    {
        return m_texts.numberOf(text.empty() ? std::string(nowhere) : text);
    }

    const Trace& m_trace;
    std::shared_ptr<const GraphCaptures> m_captures;
    KeyNumbers<std::string> m_texts;
    std::map<std::pair<GlobalId, std::uint64_t>, std::uint32_t> m_byNode;
    std::map<std::pair<const Trace*, EventIndex>, std::uint32_t> m_byOrigin;
    EventRef m_lastCall{EventKind::Kernel, 0}; // no call
    std::uint32_t m_lastLaunch = 0;
};

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Paths paths(trace);
    Groups groups(query);
    const auto origins = graphOriginsOf(trace);
    for (const EventKind kind : {EventKind::Kernel, EventKind::Memcpy}) {
        const EventTable& table = trace.table(kind);
        forEachEvent(table, query, [&](EventIndex i) {
            const EventRef work{kind, i};
            const CapturedAt origin = origins->of(trace, work);
            const std::uint64_t node = graphNodeOf(trace, work);
            if (node == 0 && !origin.known())
                return;
            const std::uint64_t captured = origin.known()
                ? paths.captured(origin)
                : paths.captured(processOf(table.trackOf(i).owner), node);
            groups.add(captured << 32U | paths.launched(work), table.duration[i], work);
        });
    }
    groups.finish();
    const SummaryLayout layout{"Instances", {"Captured In", "Launched In"}, {}};
    return summaryTable(groups, layout, [&](std::uint64_t key) {
        return Labels{paths.text(key >> 32U), paths.text(key & 0xFFFF'FFFFU)};
    });
}

} // namespace

extern constinit const StatsTable cudaGraphNvtxSum{.id = "cuda_graph_nvtx_sum",
    .title = "CUDA Graph NVTX Summary",
    .description
    = "What do replays of CUDA graphs run, by part of the program? By the NVTX ranges around the capture.",
    .applies =
        [](const Trace& trace) {
            const bool numbered = !trace.graphEvents().empty()
                && std::ranges::any_of(trace.kernels().launches,
                    [](const KernelLaunch& launch) { return launch.graphNodeId != 0; });
            return numbered || !graphOriginsOf(trace)->empty();
        },
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Nvtx,
    .shape = TableShape::Summary};

} // namespace warpline::cuda_graph_nvtx_sum
