// The tables other than kernels: host activity, copies, collectives, memory, and the steps.

#include "core/base/format.h"
#include "core/base/saturate.h"
#include "core/compare/compare_tables.h"
#include "core/compare/facts.h"
#include "core/compare/step_events.h"
#include "core/derive/nccl_calls.h"
#include "core/kernels/kernel_names.h"
#include "core/stats/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

namespace warpline {

namespace {

/// Compared steps times processes, over all recordings.
Both<double> hostDivisor(const TableSources& sources)
{
    Both<double> divisor;
    for (const Side side : {Side::A, Side::B}) {
        const ComparedSide& of = sources.measures[side]->side;
        for (const ComparedGpu* const host : hostsOf(*sources.measures[side]))
            divisor[side] += static_cast<double>(of.runs[host->run].judged);
        divisor[side] = std::max(1.0, divisor[side]);
    }
    return divisor;
}

/// "cudaGraphLaunch" of "cudaGraphLaunch_v10000", as PyTorch's profiler writes it.
std::string withoutAnyVersion(std::string_view name)
{
    const std::size_t behind = name.find_last_not_of("0123456789");
    const bool versioned = behind != std::string_view::npos && behind + 1 < name.size() && behind >= 1
        && name[behind] == 'v' && name[behind - 1] == '_';
    return std::string(versioned ? name.substr(0, behind - 1) : name);
}

CompareTable apiTable(const TableSources& sources)
{
    Both<Tallies> tallies = sources.noTallies();
    for (const Side side : {Side::A, Side::B}) {
        const SideMeasure& measure = *sources.measures[side];
        for (const ComparedGpu* const gpu : hostsOf(measure)) {
            const Trace& trace = *measure.reports[gpu->report].trace;
            const EventTable& calls = trace.apiCalls();
            std::unordered_map<StringId, Tally*> known;
            StringId name{};
            Tally* tally = nullptr; // of `name`: calls of one name are consecutive
            forEachOnHost(
                measure, *gpu, EventKind::ApiCall, sources.stop, [&](EventIndex i, std::uint32_t, Ns time) {
                    const bool isOther = std::exchange(name, calls.name[i]) != calls.name[i];
                    if (!tally || isOther)
                        tally = known[calls.name[i]];
                    if (!tally)
                        tally = known[calls.name[i]]
                            = &tallies[side].of(withoutVersion(trace.text(calls.name[i])));
                    tallies[side].add(
                        *tally, time, calls.duration[i], {gpu->report, {EventKind::ApiCall, i}});
                });
        }
    }
    return tableOf("api", "CUDA API", joinTallies(tallies, hostDivisor(sources), withoutAnyVersion));
}

std::string copyText(const Trace& trace, EventKind kind, EventIndex i)
{
    if (kind == EventKind::Memset)
        return fmt::format("Set: {}", labelOf(memoryKindOf(trace.table(kind).attribute[i])));
    const CopyAttributes& copy = trace.memcpys().copy(i);
    // Of pages of unified memory the kind says it all.
    if (copy.source == MemoryKind::Unknown && copy.destination == MemoryKind::Unknown)
        return std::string(labelOf(copy.kind));
    return fmt::format("{}: {} to {}", labelOf(copy.kind), labelOf(copy.source), labelOf(copy.destination));
}

/// "Host-to-Device" of "Host-to-Device: Pinned to Device".
std::string directionOf(std::string_view name)
{
    return std::string(name.substr(0, name.find(':')));
}

/// Time of copies and memsets, and the bytes they move.
std::vector<CompareTable> copyTables(const TableSources& sources)
{
    Both<Tallies> times = sources.noTallies();
    Both<Tallies> bytes = sources.noTallies();
    for (const Side side : {Side::A, Side::B}) {
        const SideMeasure& measure = *sources.measures[side];
        for (const ComparedGpu& gpu : measure.side.gpus) {
            const Trace& trace = *measure.reports[gpu.report].trace;
            for (const EventKind kind : {EventKind::Memcpy, EventKind::Memset}) {
                const EventTable& table = trace.table(kind);
                std::unordered_map<std::uint32_t, std::pair<Tally*, Tally*>> known; // by attributes
                forEachOnGpu(measure, gpu, kind, sources.stop, [&](EventIndex i, std::uint32_t, Ns inside) {
                    auto& [time, size] = known[table.attribute[i]];
                    if (!time) {
                        const std::string name = copyText(trace, kind, i);
                        time = &times[side].of(name);
                        size = &bytes[side].of(name);
                    }
                    times[side].add(*time, inside, table.duration[i], {gpu.report, {kind, i}});
                    const auto count = static_cast<Ns>(table.bytes[i]);
                    bytes[side].add(*size, count, count, {gpu.report, {kind, i}});
                });
            }
        }
    }
    std::vector<CompareTable> tables;
    tables.push_back(
        tableOf("copies", "Copies and memsets", joinTallies(times, sources.gpuDivisor(), directionOf)));
    tables.push_back(tableOf(
        "copied", "Bytes copied and set", joinTallies(bytes, sources.gpuDivisor(), directionOf), true));
    return tables;
}

/// "all-reduce, 16.8 MB": from NCCL's data, else from the name of its kernel.
std::string collectiveText(const NcclCalls& calls, std::string_view kernel, EventIndex i)
{
    const std::string_view operation = communicationOf(kernel).operation;
    const std::vector<NcclCalls::Operation> asked = calls.of(i);
    if (asked.empty() || asked.front().bytes < 0)
        return std::string(operation);
    std::uint64_t bytes = 0;
    for (const NcclCalls::Operation& each : asked)
        bytes += naturalOf(each.bytes);
    return fmt::format("{}: {}", operation, formatBytes(bytes));
}

CompareTable collectiveTable(const TableSources& sources)
{
    Both<Tallies> tallies = sources.noTallies();
    for (const Side side : {Side::A, Side::B}) {
        const SideMeasure& measure = *sources.measures[side];
        std::map<std::uint32_t, std::unique_ptr<NcclCalls>> calls; // by report, made when needed
        for (const KernelUse& use : sources.kernels[side]->uses) {
            const std::string_view name = sources.kernels[side]->groups[use.group].name;
            const std::size_t kernelClass = sources.kernels[side]->groups[use.group].kernelClass;
            if (sources.rules.classes()[kernelClass].id != "communication" || !isCommunication(name))
                continue;
            const std::uint32_t report = measure.side.gpus[use.gpu].report;
            std::unique_ptr<NcclCalls>& known = calls[report];
            if (!known)
                known = std::make_unique<NcclCalls>(*measure.reports[report].trace);
            tallies[side].add(tallies[side].of(collectiveText(*known, name, use.event.index)), use.duration,
                use.whole, {report, use.event});
        }
    }
    return tableOf("collectives", "Collectives", joinTallies(tallies, sources.gpuDivisor(), directionOf));
}

/// Device memory that is allocated and released while the steps are made.
CompareTable memoryTable(const TableSources& sources)
{
    Both<Tallies> tallies = sources.noTallies();
    for (const Side side : {Side::A, Side::B}) {
        const SideMeasure& measure = *sources.measures[side];
        for (const ComparedGpu* const gpu : hostsOf(measure)) {
            const GpuMemoryTable& table = measure.reports[gpu->report].trace->gpuMemory();
            forEachOnHost(
                measure, *gpu, EventKind::GpuMemory, sources.stop, [&](EventIndex i, std::uint32_t, Ns) {
                    const GpuMemoryOperation& operation = table.operation(i);
                    Tally& tally = tallies[side].of(fmt::format(
                        "{}: {}", operation.allocates ? "Allocated" : "Released", labelOf(operation.memory)));
                    const auto bytes = static_cast<Ns>(table.bytes[i]);
                    tallies[side].add(tally, bytes, bytes, {gpu->report, {EventKind::GpuMemory, i}});
                });
        }
    }
    return tableOf("memory", "Device memory", joinTallies(tallies, hostDivisor(sources)), true);
}

/// The compared steps of both sides, in order.
CompareTable stepTable(const TableSources& sources)
{
    std::vector<CompareRow> rows;
    const auto tallyOf = [&](Side side, std::size_t i) {
        const SideMeasure& measure = *sources.measures[side];
        const StepSample& sample = measure.samples[i];
        const ComparedGpu& gpu = *std::ranges::find(measure.side.gpus, sample.run, &ComparedGpu::run);
        const ComparedStep& step = gpu.steps[sample.step];
        Tally tally;
        tally.name = step.name;
        tally.add(sample.length, sample.length);
        if (sources.wantEvents && step.event.valid())
            tally.events.push_back({gpu.report, step.event});
        return tally;
    };
    const auto addRow = [&](std::optional<std::size_t> placeA, std::optional<std::size_t> placeB) {
        const Tally a = placeA ? tallyOf(Side::A, *placeA) : Tally{};
        const Tally b = placeB ? tallyOf(Side::B, *placeB) : Tally{};
        rows.push_back(rowOf(placeA ? &a : nullptr, placeB ? &b : nullptr, MatchedBy::Order, {1, 1}));
    };
    const std::size_t aheadA = sources.measures.a->side.ahead;
    const std::size_t aheadB = sources.measures.b->side.ahead;
    for (std::size_t i = 0; i < aheadA; ++i)
        addRow(i, std::nullopt);
    for (std::size_t i = 0; i < aheadB; ++i)
        addRow(std::nullopt, i);
    const std::size_t countA = sources.measures.a->samples.size() - aheadA;
    const std::size_t countB = sources.measures.b->samples.size() - aheadB;
    for (std::size_t i = 0; i < std::max(countA, countB); ++i)
        addRow(i < countA ? std::optional(aheadA + i) : std::nullopt,
            i < countB ? std::optional(aheadB + i) : std::nullopt);
    CompareTable table = tableOf("steps", "Steps", {});
    table.perStep = {sources.measures.a->side.mean, sources.measures.b->side.mean};
    table.rows = std::move(rows);
    return table;
}

} // namespace

CompareTable nvtxTable(const TableSources& sources)
{
    Both<Tallies> tallies = sources.noTallies();
    for (const Side side : {Side::A, Side::B}) {
        const SideMeasure& measure = *sources.measures[side];
        std::unordered_map<std::uint32_t, Tally*> known;
        for (const RangeUse& use : rangesInSteps(measure, sources.names, sources.stop)) {
            Tally*& tally = known[use.path];
            if (!tally)
                tally = &tallies[side].of(sources.names.textOf(sources.names.folded(use.path)));
            const NvtxTable& nvtx = measure.reports[use.report].trace->nvtx();
            tallies[side].add(
                *tally, use.time, nvtx.duration[use.range], {use.report, {EventKind::Nvtx, use.range}});
        }
    }
    return tableOf("nvtx", "NVTX paths on the host", joinTallies(tallies, hostDivisor(sources)));
}

std::vector<CompareTable> eventTables(const TableSources& sources)
{
    std::vector<CompareTable> tables{operatorTable(sources)};
    if (!isOfOneSide(sources.measures, EventKind::ApiCall))
        tables.push_back(apiTable(sources));
    for (CompareTable& table : copyTables(sources))
        tables.push_back(std::move(table));
    tables.push_back(collectiveTable(sources));
    tables.push_back(memoryTable(sources));
    if (sources.measures.a->unit == CompareUnit::Step)
        tables.push_back(stepTable(sources));
    return tables;
}

} // namespace warpline
