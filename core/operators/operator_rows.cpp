#include "core/operators/operator_rows.h"

#include "core/base/both_ends.h"
#include "core/base/saturate.h"
#include "core/base/stop.h"
#include "core/derive/backward_passes.h"
#include "core/derive/collective_bandwidth.h"
#include "core/derive/communication.h"
#include "core/derive/nccl_calls.h"
#include "core/kernels/kernel_math.h"
#include "core/operators/operator_names.h"
#include "core/operators/operator_rooflines.h"
#include "core/operators/product_tiles.h"
#include "core/query/graph_captures.h"
#include "core/query/graph_origins.h"
#include "core/steps/steps.h"
#include "core/store/python_samples.h"
#include "core/store/trace.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

namespace warpline {

namespace {

/// Limits of a GPU and its shortest kernel.
struct Gpu {
    std::optional<GpuPeaks> peaks;
    Ns shortest = 0;
};

/// Sums of a row in the making.
struct Sums {
    OperatorRow row;
    Roofline roofline;
    double rooflineNs = 0;
    std::uint64_t rooflineKernels = 0;
    Ns shortest = 0;
    bool first = true;
    bool isUnbounded = false; ///< the kernel of a product does not bound its result
};

/// The bound that a kernel gives for its product's result.
struct KernelBound {
    bool isProduct = false;
    std::optional<std::int64_t> elements;
};

/// The operator's range, or the call that launched its kernels.
EventRef hostEventOf(const Trace& trace, const OperatorRun& run)
{
    return run.event.kind == EventKind::Kernel ? trace.apiCallOf(run.event) : run.event;
}

/// The modules around the call `host`, or around its forward pass; without any the program's ranges. Numbers
/// are removed, so that steps and layers count as one. `forwardOf(range)`: as forwardOperators()[range].
template <typename ForwardOf>
std::string moduleAround(const Trace& trace, EventRef host, const ForwardOf& forwardOf)
{
    if (!host.valid())
        return {};
    const NvtxTable& nvtx = trace.nvtx();
    std::vector<EventIndex> ranges
        = rangesOfThreadAt(trace, trace.track(trace.trackOf(host)).owner, trace.range(host).start);
    for (auto at = ranges.rbegin(); at != ranges.rend(); ++at) {
        const EventIndex first = forwardOf(*at);
        if (first == noIndex)
            continue;
        ranges = rangesOfThreadAt(trace, nvtx.trackOf(first).owner, nvtx.start[first]);
        break;
    }
    std::string modules;
    std::string own;
    bool hasRoom = true;
    bool ownHasRoom = true;
    for (auto at = ranges.rbegin(); at != ranges.rend() && hasRoom; ++at) {
        const EventIndex range = *at;
        const std::string_view name = trace.text(nvtx.name[range]);
        const bool ofProfiler = trace.text(nvtx.trackOf(range).family) == "PyTorch";
        if (name.starts_with(modulePrefix))
            hasRoom = putBefore(modules, classOfModule(name.substr(modulePrefix.size())), " / ");
        else if (ownHasRoom && !ofProfiler && !isFrameworkOperator(name)
            && name.find("::") == std::string_view::npos && name.find(", seq = ") == std::string_view::npos
            && name.find(", op_id = ") == std::string_view::npos
            && trace.text(nvtx.trackOf(range).source) != pythonFunctionSource)
            ownHasRoom = putBefore(own, withoutNumbers(name), " / ");
    }
    return modules.empty() ? own : modules;
}

class RowMaker {
public:
    RowMaker(const Trace& trace, const OperatorWorks& works, const OperatorQuery& query)
        : m_trace(trace),
          m_works(works),
          m_query(query),
          m_communicates(trace)
    {
    }

    std::vector<OperatorRow> rows()
    {
        if (!m_query.nvtxName.empty())
            readRanges();
        if (m_query.by == OperatorGrouping::Module)
            m_forward = forwardOperators(m_trace);
        for (std::uint32_t i = 0; i < m_works.runs.size(); ++i) {
            if (i % 4096 == 0)
                throwIfStopped(m_query.stop);
            if (isAskedFor(m_works.runs[i]))
                add(i);
        }
        std::vector<OperatorRow> rows;
        for (auto& [key, sums] : m_sums) {
            sums.row.rooflineNs = sums.rooflineNs;
            sums.row.bound
                = boundOf(sums.roofline, sums.row.rooflineGpu, sums.rooflineKernels, sums.shortest);
            if (sums.rooflineNs <= 0)
                sums.row.bound = RooflineBound::Unknown;
            if (sums.isUnbounded)
                sums.row.mostElements.reset();
            rows.push_back(std::move(sums.row));
        }
        std::ranges::stable_sort(rows, std::greater{}, &OperatorRow::gpu);
        return rows;
    }

private:
    void readRanges()
    {
        for (const StepSeries& series : findStepsOfThreads(
                 m_trace, {m_trace.session.start, m_trace.session.end + 1}, m_query.nvtxName, m_query.stop)) {
            auto& ranges = m_ranges[pidOf(series.thread)];
            ranges.insert(ranges.end(), series.ranges.begin(), series.ranges.end());
        }
        for (auto& [pid, ranges] : m_ranges)
            std::ranges::sort(ranges, {}, &TimeRange::start);
    }

    bool isAskedFor(const OperatorRun& run) const
    {
        if (!m_query.window.empty() && std::ranges::none_of(m_works.workOf(run), [&](EventRef work) {
                return m_query.window.touches(m_trace.range(work).start, m_trace.range(work).end);
            }))
            return false;
        return m_query.nvtxName.empty() || isInRanges(run);
    }

    bool isInRanges(const OperatorRun& run) const
    {
        const EventRef host = hostEventOf(m_trace, run);
        if (!host.valid())
            return false;
        const auto found = m_ranges.find(pidOf(m_trace.track(m_trace.trackOf(host)).owner));
        if (found == m_ranges.end())
            return false;
        const Ns at = m_trace.range(host).start;
        const auto after = std::ranges::upper_bound(found->second, at, {}, &TimeRange::start);
        return after != found->second.begin() && std::prev(after)->end > at;
    }

    const Gpu& gpuOf(EventRef work)
    {
        const Track& track = m_trace.track(m_trace.trackOf(work));
        const auto [place, added] = m_gpus.try_emplace({track.owner, track.device});
        if (added) {
            const Device* const device = m_trace.device(track.owner, track.device);
            if (device != nullptr)
                place->second.peaks = peaksOf(*device);
            place->second.shortest
                = shortestKernels(m_trace.kernels(), track.owner, track.device, m_query.stop);
        }
        return place->second;
    }

    std::string keyOfRun(const OperatorRun& run, const OperatorShape& shape, std::string& module)
    {
        switch (m_query.by) {
        case OperatorGrouping::Operator:
            return (shape.isKernel ? "k" : "o") + shape.operatorName;
        case OperatorGrouping::Class:
            return shape.kernelClass;
        case OperatorGrouping::Module:
            module = moduleAround(m_trace, hostEventOf(m_trace, run),
                [this](EventIndex range) { return m_forward.empty() ? noIndex : m_forward[range]; });
            return module;
        case OperatorGrouping::Shape:
            break;
        }
        std::string key = (shape.isKernel ? "k" : "o") + shape.operatorName + '\n' + shape.shapes;
        for (const std::string& type : shape.types)
            key += '\n' + type;
        return key + '\n' + std::string(labelOf(shape.arithmetic));
    }

    void add(std::uint32_t index)
    {
        const OperatorRun& run = m_works.runs[index];
        const OperatorShape& shape = m_works.shapeOf(run);
        std::string module;
        Sums& sums = m_sums[keyOfRun(run, shape, module)];
        OperatorRow& row = sums.row;
        if (sums.first) {
            row.operatorName = shape.operatorName;
            row.shapes = shape.shapes;
            row.types = shape.types;
            row.kernelClass = shape.kernelClass;
            row.module = std::move(module);
            row.isKernel = shape.isKernel;
            row.arithmetic = shape.arithmetic;
            sums.first = false;
        }
        const bool several = m_query.by != OperatorGrouping::Shape;
        if (several && row.shapes != shape.shapes)
            row.shapes.clear();
        if (several && row.types != shape.types)
            row.types.clear();
        if (row.operatorName != shape.operatorName || (several && m_query.by != OperatorGrouping::Operator))
            row.operatorName.clear();
        if (row.kernelClass != shape.kernelClass)
            row.kernelClass.clear();
        if (row.arithmetic != shape.arithmetic)
            row.arithmetic = MathType::Unknown;
        row.isKernel = row.isKernel && shape.isKernel;
        ++row.calls;
        row.kernels += run.workCount;
        row.gpu += run.gpu;
        row.isAssumed = row.isAssumed || shape.work.basis == WorkBasis::Assumed;
        row.typesFromKernels = row.typesFromKernels || shape.typesFromKernels;
        if (shape.work.flops) {
            row.flops = saturatingAdd(row.flops.value_or(0), *shape.work.flops);
            row.skipped = saturatingAdd(row.skipped, shape.work.skipped);
            row.flopsNs += run.gpu;
        } else {
            addBounds(sums, run);
        }
        if (shape.work.bytes) {
            row.bytes = saturatingAdd(row.bytes.value_or(0), *shape.work.bytes);
            row.bytesNs += run.gpu;
        }
        addCollectives(row, run);
        row.runs.push_back(index);
        addRoofline(sums, run, shape);
    }

    void addCollectives(OperatorRow& row, const OperatorRun& run)
    {
        for (const EventRef work : m_works.workOf(run)) {
            if (work.kind != EventKind::Kernel || !m_communicates[work.index])
                continue;
            if (!m_calls)
                m_calls.emplace(m_trace);
            const std::vector<EventIndex> ranges = m_calls->rangesOf(work.index);
            const Ns time = m_trace.kernels().duration[work.index];
            // A group of several has one kernel: its time is that of none of them.
            if (ranges.size() != 1 || time <= 0)
                continue;
            const NcclCalls::Operation operation = m_calls->operation(ranges.front());
            const std::int64_t ranks = m_calls->ranksOf(operation);
            const CollectiveBandwidth rates = collectiveBandwidth(
                m_calls->communicationOf(work.index).operation, operation.bytes, ranks, time);
            if (rates.algorithm <= 0)
                continue;
            const auto took = static_cast<double>(time);
            row.collectiveBytes
                = saturatingAdd(row.collectiveBytes.value_or(0), std::llround(rates.algorithm * took));
            if (ranks > 1)
                row.busBytes = row.busBytes.value_or(0) + rates.bus * took;
            row.collectiveNs += time;
        }
    }

    void addBounds(Sums& sums, const OperatorRun& run)
    {
        for (const EventRef work : m_works.workOf(run)) {
            if (work.kind != EventKind::Kernel)
                continue;
            const KernelBound& bound = boundOfKernel(work.index);
            if (!bound.isProduct)
                continue;
            sums.isUnbounded = sums.isUnbounded || !bound.elements;
            sums.row.mostElements
                = saturatingAdd(sums.row.mostElements.value_or(0), bound.elements.value_or(0));
        }
    }

    const KernelBound& boundOfKernel(EventIndex kernel)
    {
        const KernelTable& kernels = m_trace.kernels();
        const auto [place, added] = m_bounds.try_emplace({kernels.name[kernel], kernels.attribute[kernel]});
        if (added) {
            const std::string_view name = m_trace.text(kernels.name[kernel]);
            place->second
                = {mathOf(name).work != MathWork::Other, mostResultElements(name, kernels.launch(kernel))};
        }
        return place->second;
    }

    void addRoofline(Sums& sums, const OperatorRun& run, const OperatorShape& shape)
    {
        if (run.workCount == 0 || (!shape.work.flops && !shape.work.bytes))
            return;
        const Gpu& gpu = gpuOf(m_works.work[run.firstWork]);
        if (!gpu.peaks)
            return;
        const Roofline roofline = rooflineOf(amountOf(shape), *gpu.peaks);
        if (!roofline.isKnown())
            return;
        sums.roofline.computeNs += roofline.computeNs;
        sums.roofline.memoryNs += roofline.memoryNs;
        sums.rooflineNs += roofline.ns();
        sums.rooflineKernels += run.workCount;
        sums.shortest = gpu.shortest;
        sums.row.rooflineGpu += run.gpu;
    }

    const Trace& m_trace;
    const OperatorWorks& m_works;
    const OperatorQuery& m_query;
    std::map<std::string, Sums> m_sums;
    std::map<std::uint32_t, std::vector<TimeRange>> m_ranges; ///< by pid
    std::map<std::pair<GlobalId, std::int32_t>, Gpu> m_gpus;
    std::map<std::pair<StringId, std::uint32_t>, KernelBound> m_bounds; ///< by name and launch
    std::vector<EventIndex> m_forward;
    CommunicationKernels m_communicates;
    std::optional<NcclCalls> m_calls;
};

} // namespace

std::optional<double> perSecond(std::optional<std::int64_t> amount, Ns time)
{
    // 10^12 a second are 10^3 a nanosecond.
    return amount && time > 0 ? std::optional(static_cast<double>(*amount) / static_cast<double>(time) / 1e3)
                              : std::nullopt;
}

std::string_view keyOf(OperatorGrouping grouping)
{
    static constexpr std::array<std::string_view, 4> keys{"shape", "operator", "module", "class"};
    return keys[static_cast<std::size_t>(grouping)];
}

std::optional<double> OperatorRow::teraflops() const
{
    return perSecond(flops, flopsNs);
}

std::optional<double> OperatorRow::terabytes() const
{
    return perSecond(bytes, bytesNs);
}

std::optional<double> OperatorRow::algorithmBandwidth() const
{
    // A byte a nanosecond is 10^9 a second.
    return collectiveBytes && collectiveNs > 0
        ? std::optional(static_cast<double>(*collectiveBytes) / static_cast<double>(collectiveNs))
        : std::nullopt;
}

std::optional<double> OperatorRow::busBandwidth() const
{
    return busBytes && collectiveNs > 0 ? std::optional(*busBytes / static_cast<double>(collectiveNs))
                                        : std::nullopt;
}

std::optional<double> OperatorRow::rooflinePercent() const
{
    return rooflineNs > 0 && rooflineGpu > 0
        ? std::optional(100 * rooflineNs / static_cast<double>(rooflineGpu))
        : std::nullopt;
}

WorkAmount amountOf(const OperatorShape& shape)
{
    WorkAmount amount;
    if (shape.overHost)
        return amount;
    if (shape.work.flops)
        amount.flops = static_cast<double>(*shape.work.flops - shape.work.skipped);
    if (shape.work.bytes)
        amount.bytes = static_cast<double>(*shape.work.bytes);
    amount.type = shape.arithmetic;
    amount.unit = shape.unit;
    return amount;
}

std::vector<OperatorRow> operatorRows(
    const Trace& trace, const OperatorWorks& works, const OperatorQuery& query)
{
    return RowMaker(trace, works, query).rows();
}

std::string moduleOf(const Trace& trace, EventRef event, const std::stop_token& stop)
{
    EventRef host;
    if (event.kind == EventKind::Nvtx && isFrameworkOperator(trace.name(event))) {
        host = event;
    } else if (event.kind == EventKind::Kernel) {
        const auto rooflines = operatorRooflinesOf(trace, stop);
        const OperatorRun* const run = rooflines->works().runOf(event);
        if (run && !rooflines->works().shapeOf(*run).isKernel)
            host = hostEventOf(trace, *run);
    }
    // For the few ranges around one event: forwardOperators() sorts those of the whole trace.
    return moduleAround(trace, host, [&](EventIndex range) {
        throwIfStopped(stop);
        const EventIndex forward = backwardPassOf(trace, range).forward;
        return forward == range ? noIndex : forward;
    });
}

} // namespace warpline
