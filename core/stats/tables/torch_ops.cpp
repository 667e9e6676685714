// PyTorch's operators, calls and GPU work by name: torch.profiler's key_averages() for its trace. Counts and
// times are equal, except for GPU time that PyTorch counts twice; see torchTree(). With "shapes" operators of
// one name have a row per input shapes, and with "modules" a row per classes of modules. Work of CUDA graph
// replays belongs to the operators around its capture (see graphOriginsOf()), which are called once per
// replay and take no CPU time.

#include "core/base/saturate.h"
#include "core/operators/operator_rooflines.h"
#include "core/operators/operator_rows.h"
#include "core/query/graph_captures.h"
#include "core/query/graph_origins.h"
#include "core/stats/grouping.h"
#include "core/stats/stats_table.h"
#include "core/stats/torch_tree.h"
#include "core/stats/trace_rows.h"
#include "core/store/payload_fields.h"
#include "core/store/trace.h"

#include <algorithm>
#include <map>

namespace warpline::torch_ops {

namespace {

constexpr std::array<TableArgument, 2> arguments{{{"shapes", {}}, {"modules", {}}}};

/// Identifies a row.
struct Key {
    std::string name;
    bool onGpu = false;
    bool annotation = false; ///< of the program's code: apart from an operator of the same name
    std::string module;
    std::string shapes;
    auto operator<=>(const Key&) const = default;
};

struct Row {
    std::int64_t count = 0;
    Ns selfCpu = 0;
    Ns cpu = 0;
    Ns selfGpu = 0;
    Ns gpu = 0;
    std::vector<EventRef> events;
    std::optional<std::int64_t> flops; ///< of calls with recorded shapes
    std::optional<std::int64_t> bytes;
    Ns flopsNs = 0; ///< their time on the GPU
    Ns bytesNs = 0;
    double rooflineNs = 0; ///< of calls with a known roofline
    Ns rooflineGpu = 0; ///< GPU time of these
    std::map<RooflineBound, Ns> boundNs; ///< the same by bound
};

class Rows {
public:
    Rows(const Trace& trace, const StatsQuery& query)
        : m_trace(trace),
          m_query(query),
          m_shapes(hasArgument(query.variant, "shapes")),
          m_modules(hasArgument(query.variant, "modules"))
    {
    }

    void addHost()
    {
        for (const TorchNode& node : torchTree(m_trace, m_query.window, m_query.stop)) {
            Row& row = rowOf(hostKey(m_trace, node.event), node.event);
            row.selfCpu += node.selfCpu;
            row.cpu += m_trace.range(node.event).duration();
            row.selfGpu += node.selfGpu;
            row.gpu = saturatingAdd(row.gpu, node.gpu); // a name inside itself counts again
        }
        for (const ReplayedNode& node : replayedOperators(m_trace, m_query.window, m_query.stop)) {
            Row& row = m_rows[hostKey(*node.trace, node.event)];
            row.count += node.replays;
            row.selfGpu += node.selfGpu;
            row.gpu = saturatingAdd(row.gpu, node.gpu);
            if (m_query.wantEvents)
                row.events.insert(row.events.end(), node.works.begin(), node.works.end());
        }
    }

    void addGpu()
    {
        for (const EventKind kind : {EventKind::Kernel, EventKind::Memcpy, EventKind::Memset}) {
            forEachEvent(m_trace.table(kind), m_query, [&](EventIndex i) {
                addWork({kind, i}, {nameOf({kind, i}), true, false, {}, {}});
            });
        }
        const NvtxTable& nvtx = m_trace.nvtx();
        for (const Track& track : nvtx.tracks) {
            if (track.device < 0)
                continue;
            for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
                if (isAsked(nvtx, i, m_query.window))
                    addWork(
                        {EventKind::Nvtx, i}, {std::string(m_trace.text(nvtx.name[i])), true, true, {}, {}});
            }
        }
    }

    /// Adds FLOPs and bytes to the operators that they count for.
    void addWorks()
    {
        const auto works = operatorWorksOf(m_trace, m_query.stop);
        const auto rooflines = operatorRooflinesOf(m_trace, m_query.stop);
        for (const OperatorRun& run : works->runs) {
            const Work& work = works->shapeOf(run).work;
            if (run.event.kind != EventKind::Nvtx || (!work.flops && !work.bytes)
                || !isAsked(m_trace.nvtx(), run.event.index, m_query.window))
                continue;
            const auto row = m_rows.find(hostKey(m_trace, run.event));
            if (row == m_rows.end())
                continue;
            if (work.flops) {
                row->second.flops = saturatingAdd(row->second.flops.value_or(0), *work.flops);
                row->second.flopsNs += run.gpu;
            }
            if (work.bytes) {
                row->second.bytes = saturatingAdd(row->second.bytes.value_or(0), *work.bytes);
                row->second.bytesNs += run.gpu;
            }
            addRoofline(row->second, *rooflines, run);
        }
    }

    void addRoofline(Row& row, const OperatorRooflines& rooflines, const OperatorRun& run) const
    {
        const auto works = rooflines.works().workOf(run);
        const auto kernel = std::ranges::find(works, EventKind::Kernel, &EventRef::kind);
        const OperatorGpu* const gpu
            = kernel != works.end() ? rooflines.gpuOf(m_trace, kernel->index) : nullptr;
        if (gpu == nullptr)
            return;
        const ShapeUse use = rooflines.useOf(run, *gpu);
        if (!use.roofline.isKnown())
            return;
        row.rooflineNs += use.roofline.ns();
        row.rooflineGpu += run.gpu;
        row.boundNs[use.bound] += run.gpu;
    }

    Cells cells() const
    {
        Cells cells;
        cells.columns = {{"On", Unit::Text}, {"Calls", Unit::Count}, {"Self CPU (ns)", Unit::Nanoseconds},
            {"CPU Total (ns)", Unit::Nanoseconds}, {"CPU Avg (ns)", Unit::NanosecondsReal},
            {"Self GPU (ns)", Unit::Nanoseconds}, {"GPU Total (ns)", Unit::Nanoseconds},
            {"GPU Avg (ns)", Unit::NanosecondsReal}, {"Name", Unit::Text}};
        if (m_modules)
            cells.columns.push_back({"Module", Unit::Text});
        if (m_shapes)
            cells.columns.push_back({"Input Shapes", Unit::Text});
        cells.columns.insert(cells.columns.end(),
            {{"FLOPs", Unit::Count}, {"TFLOP/s", Unit::Rate}, {"TB/s", Unit::Rate},
                {"Roofline (%)", Unit::Percent}, {"Bound", Unit::Text}});
        for (const auto* const each : largestFirst(
                 m_rows, [](const auto& row) { return std::pair(row.second.selfGpu, row.second.selfCpu); }))
            cells.addRow(cellsOf(each->first, each->second), each->second.events);
        return cells;
    }

private:
    Row& rowOf(const Key& key, EventRef event)
    {
        Row& row = m_rows[key];
        ++row.count;
        if (m_query.wantEvents)
            row.events.push_back(event);
        return row;
    }

    void addWork(EventRef event, const Key& key)
    {
        Row& row = rowOf(key, event);
        row.selfGpu += m_trace.range(event).duration();
        row.gpu += m_trace.range(event).duration();
    }

    /// `trace`: the one that `event` is of, which is another one where a graph was captured.
    Key hostKey(const Trace& trace, EventRef event) const
    {
        Key key{std::string(trace.name(event)), false, false, {}, {}};
        if (event.kind != EventKind::Nvtx)
            return key;
        key.annotation = isAnnotationTrack(trace, trace.track(trace.trackOf(event)));
        if (m_modules)
            key.module = moduleAround(trace, event.index);
        if (!m_shapes)
            return key;
        const std::string_view payload = trace.text(trace.nvtx().attributesOf(event.index).payload);
        if (const auto dims = findPayloadField(payload, "Input Dims"))
            key.shapes = dims->value;
        return key;
    }

    /// The class of the innermost module that holds `range`: "RMSNorm" for "nn.Module: RMSNorm_7".
    static std::string moduleAround(const Trace& trace, EventIndex range)
    {
        const NvtxTable& nvtx = trace.nvtx();
        const auto around = rangesOfThreadAt(trace, nvtx.trackOf(range).owner, nvtx.start[range]);
        for (auto i = around.rbegin(); i != around.rend(); ++i) {
            const std::string_view name = trace.text(nvtx.name[*i]);
            if (name.starts_with(modulePrefix) && nvtx.end(*i) >= nvtx.end(range))
                return classOfModule(name.substr(modulePrefix.size()));
        }
        return {};
    }

    /// PyTorch's name: copies by direction and memory.
    std::string nameOf(EventRef event) const
    {
        if (event.kind == EventKind::Memset)
            return "Memset (" + memoryName(memoryKindOf(m_trace.table(event.kind).attribute[event.index]))
                + ")";
        if (event.kind != EventKind::Memcpy)
            return std::string(m_trace.name(event));
        const CopyAttributes& copy = m_trace.memcpys().copy(event.index);
        static constexpr std::array<std::string_view, 14> directions{"Unknown", "HtoD", "DtoH", "HtoA",
            "AtoH", "AtoA", "AtoD", "DtoA", "DtoD", "HtoH", "PtoP", "HtoD", "DtoH", "DtoD"};
        return "Memcpy " + std::string(directions[static_cast<std::size_t>(copy.kind)]) + " ("
            + memoryName(copy.source) + " -> " + memoryName(copy.destination) + ")";
    }

    static std::string memoryName(MemoryKind kind)
    {
        return kind == MemoryKind::DeviceStatic ? "Device Static"
            : kind == MemoryKind::ManagedStatic ? "Managed Static"
                                                : std::string(labelOf(kind));
    }

    std::vector<Cell> cellsOf(const Key& key, const Row& row) const
    {
        const auto mean
            = [&](Ns total) { return static_cast<double>(total) / static_cast<double>(row.count); };
        std::vector<Cell> cells{std::string(key.onGpu ? "GPU" : "CPU"), row.count, row.selfCpu, row.cpu,
            mean(row.cpu), row.selfGpu, row.gpu, mean(row.gpu), key.name};
        if (m_modules)
            cells.emplace_back(key.module);
        if (m_shapes)
            cells.emplace_back(key.shapes);
        cells.emplace_back(row.flops ? Cell(*row.flops) : Cell());
        for (const auto rate : {perSecond(row.flops, row.flopsNs), perSecond(row.bytes, row.bytesNs)})
            cells.emplace_back(rate ? Cell(*rate) : Cell());
        cells.emplace_back(
            row.rooflineGpu > 0 ? Cell(100 * row.rooflineNs / static_cast<double>(row.rooflineGpu)) : Cell());
        const auto longest
            = std::ranges::max_element(row.boundNs, {}, [](const auto& each) { return each.second; });
        cells.emplace_back(longest != row.boundNs.end() ? Cell(std::string(keyOf(longest->first))) : Cell());
        return cells;
    }

    const Trace& m_trace;
    const StatsQuery& m_query;
    bool m_shapes;
    bool m_modules;
    std::map<Key, Row> m_rows;
};

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Rows rows(trace, query);
    rows.addHost();
    rows.addWorks();
    rows.addGpu();
    return rows.cells();
}

} // namespace

extern constinit const StatsTable torchOps{.id = "torch_ops",
    .title = "PyTorch Operator Summary",
    .description
    = "Which operators take time on the CPU and the GPU? The values of key_averages() of torch.profiler.",
    .arguments = arguments,
    .applies = hasTorchOperators,
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Other,
    .shape = TableShape::Breakdown,
    .followsTracks = false};

} // namespace warpline::torch_ops
