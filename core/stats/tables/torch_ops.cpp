// Operators of PyTorch, calls and GPU work by name: what torch.profiler's key_averages() prints, from a trace
// that it wrote. The same counts and times, but for GPU time that PyTorch counts twice; see torchTree(). With
// "shapes" operators of one name with inputs of other shapes are rows of their own.

#include "core/stats/grouping.h"
#include "core/stats/stats_table.h"
#include "core/stats/torch_tree.h"
#include "core/stats/trace_rows.h"
#include "core/store/payload_fields.h"

#include <algorithm>
#include <map>

namespace warpline {

namespace {

constexpr std::array<TableArgument, 1> arguments{{{"shapes", {}}}};

/// What a row is about.
struct Key {
    std::string name;
    bool onGpu = false;
    bool annotation = false; ///< of the program's code: apart from an operator of the same name
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
};

class Rows {
public:
    Rows(const Trace& trace, const StatsQuery& query)
        : m_trace(trace),
          m_query(query)
    {
    }

    void addHost()
    {
        for (const TorchNode& node : stoppableNodes()) {
            Row& row = rowOf(hostKey(node.event), node.event);
            row.selfCpu += node.selfCpu;
            row.cpu += m_trace.range(node.event).duration();
            row.selfGpu += node.selfGpu;
            row.gpu += node.gpu;
        }
    }

    void addGpu()
    {
        for (const EventKind kind : {EventKind::Kernel, EventKind::Memcpy, EventKind::Memset}) {
            forEachEvent(m_trace.table(kind), m_query, [&](EventIndex i) {
                addWork({kind, i}, {nameOf({kind, i}), true, false, {}});
            });
        }
        const NvtxTable& nvtx = m_trace.nvtx();
        for (const Track& track : nvtx.tracks) {
            if (track.device < 0)
                continue;
            for (EventIndex i = track.firstEvent; i < track.firstEvent + track.eventCount; ++i) {
                if (isAsked(nvtx, i, m_query.window))
                    addWork({EventKind::Nvtx, i}, {std::string(m_trace.text(nvtx.name[i])), true, true, {}});
            }
        }
    }

    Cells cells() const
    {
        std::vector<const std::pair<const Key, Row>*> order;
        for (const auto& row : m_rows)
            order.push_back(&row);
        std::ranges::stable_sort(order, std::greater{},
            [](const auto* row) { return std::pair(row->second.selfGpu, row->second.selfCpu); });
        Cells cells;
        cells.columns = {{"On", Unit::Text}, {"Calls", Unit::Count}, {"Self CPU (ns)", Unit::Nanoseconds},
            {"CPU Total (ns)", Unit::Nanoseconds}, {"CPU Avg (ns)", Unit::NanosecondsReal},
            {"Self GPU (ns)", Unit::Nanoseconds}, {"GPU Total (ns)", Unit::Nanoseconds},
            {"GPU Avg (ns)", Unit::NanosecondsReal}, {"Name", Unit::Text}};
        if (wantsShapes())
            cells.columns.push_back({"Input Shapes", Unit::Text});
        for (const auto* const each : order)
            cells.addRow(cellsOf(each->first, each->second), each->second.events);
        return cells;
    }

private:
    bool wantsShapes() const { return !m_query.variant.empty(); }

    std::vector<TorchNode> stoppableNodes() const { return torchTree(m_trace, m_query.window, m_query.stop); }

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

    Key hostKey(EventRef event) const
    {
        Key key{std::string(m_trace.name(event)), false, false, {}};
        if (event.kind != EventKind::Nvtx)
            return key;
        key.annotation = isAnnotationTrack(m_trace, m_trace.track(m_trace.trackOf(event)));
        if (!wantsShapes())
            return key;
        const std::string_view payload = m_trace.text(m_trace.nvtx().attributesOf(event.index).payload);
        if (const auto dims = findPayloadField(payload, "Input Dims"))
            key.shapes = dims->value;
        return key;
    }

    /// As PyTorch names it: copies by direction and memory.
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
        if (wantsShapes())
            cells.emplace_back(key.shapes);
        return cells;
    }

    const Trace& m_trace;
    const StatsQuery& m_query;
    std::map<Key, Row> m_rows;
};

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Rows rows(trace, query);
    rows.addHost();
    rows.addGpu();
    return rows.cells();
}

} // namespace

extern constinit const StatsTable torchOps{.id = "torch_ops",
    .title = "PyTorch Operator Summary",
    .description
    = "Which operators take the time, on the CPU and on the GPU? As key_averages() of torch.profiler has it.",
    .arguments = arguments,
    .applies = hasTorchOperators,
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Other,
    .shape = TableShape::Breakdown};

} // namespace warpline
