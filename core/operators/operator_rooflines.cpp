#include "core/operators/operator_rooflines.h"

#include "core/base/stop.h"
#include "core/derive/kept_answers.h"
#include "core/operators/operator_rows.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

namespace warpline {

namespace {

constexpr EventIndex kernelsPerSum = 64;

double clippedShare(const KernelTable& kernels, EventIndex kernel, TimeRange range)
{
    const Ns whole = kernels.duration[kernel];
    const Ns inside = kernels.range(kernel).clippedTo(range).duration();
    return whole > 0 ? static_cast<double>(inside) / static_cast<double>(whole) : 0;
}

WorkSums scaledSums(WorkSums sums, double factor)
{
    for (double* const value : {&sums.flops, &sums.bytes, &sums.computeNs, &sums.rooflineNs, &sums.knownNs})
        *value *= factor;
    return sums;
}

/// Whether operators with shapes can be in `trace`: else there is no need to look at each kernel. O(names).
bool mayHaveShapes(const Trace& trace)
{
    const NvtxTable& nvtx = trace.nvtx();
    if (std::ranges::any_of(
            nvtx.tracks, [&](const Track& track) { return trace.text(track.family) == "PyTorch"; }))
        return true;
    return anyName(nvtx, {},
        [&](StringId name) { return trace.text(name).find(", sizes = [") != std::string_view::npos; });
}

} // namespace

Ns shortestKernels(
    const KernelTable& kernels, GlobalId process, std::int32_t device, const std::stop_token& stop)
{
    std::vector<Ns> durations;
    for (const Track& track : kernels.tracks) {
        if (track.owner != process || track.device != device)
            continue;
        for (const EventIndex i : eventsOf(track, stop)) {
            if (kernels.duration[i] > 0)
                durations.push_back(kernels.duration[i]);
        }
    }
    if (durations.empty())
        return 0;
    const auto place = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 50);
    std::ranges::nth_element(durations, place);
    constexpr Ns maxEmptyKernelTime = 3'000; // a report without short kernels does not show the minimum
    return std::min(*place, maxEmptyKernelTime);
}

Ns ShapeUse::lost() const
{
    return roofline.isKnown() ? std::max<Ns>(0, gpu - static_cast<Ns>(roofline.ns())) : 0;
}

OperatorRooflines::OperatorRooflines(
    const Trace& trace, std::shared_ptr<const OperatorWorks> works, const std::stop_token& stop)
    : m_works(std::move(works))
{
    const KernelTable& kernels = trace.kernels();
    const bool isAnyKnown = std::ranges::any_of(m_works->shapes, [](const OperatorShape& shape) {
        return shape.work.flops.has_value() || shape.work.bytes.has_value();
    });
    if (!isAnyKnown)
        return;
    mergeShapes();
    std::map<std::pair<GlobalId, std::int32_t>, std::vector<std::uint32_t>> gpus;
    for (std::uint32_t track = 0; track < kernels.tracks.size(); ++track)
        gpus[{kernels.tracks[track].owner, kernels.tracks[track].device}].push_back(track);
    m_gpuOfTrack.assign(kernels.tracks.size(), noIndex);
    for (auto& [key, tracks] : gpus) {
        OperatorGpu gpu;
        gpu.process = key.first;
        gpu.device = key.second;
        if (const Device* const device = trace.device(key.first, key.second))
            gpu.peaks = peaksOf(*device);
        gpu.shortest = shortestKernels(kernels, key.first, key.second, stop);
        for (const std::uint32_t track : tracks)
            m_gpuOfTrack[track] = static_cast<std::uint32_t>(m_gpus.size());
        gpu.tracks = std::move(tracks);
        m_gpus.push_back(std::move(gpu));
    }
    WorkSums sum;
    m_before.reserve(kernels.size() / kernelsPerSum + 1);
    StopCheck check(stop);
    for (EventIndex i = 0; i < kernels.size(); ++i) {
        check.step();
        if (i % kernelsPerSum == 0)
            m_before.push_back(sum);
        sum += sumsOf(trace, i);
    }
}

/// Names of NVTX ranges contain call numbers, so each may have its own shape: merges equal ones.
void OperatorRooflines::mergeShapes()
{
    std::map<std::string, std::uint32_t> known;
    m_sameShape.reserve(m_works->shapes.size());
    for (std::uint32_t i = 0; i < m_works->shapes.size(); ++i) {
        const OperatorShape& shape = m_works->shapes[i];
        std::string key = fmt::format("{}\n{}\n{}\n{} {} {} {}", shape.operatorName, shape.shapes,
            shape.kernelClass, static_cast<int>(shape.arithmetic), static_cast<int>(shape.unit),
            shape.isKernel, shape.overHost);
        key += fmt::format(" {} {}", shape.work.flops.value_or(-1), shape.work.bytes.value_or(-1));
        for (const std::string& type : shape.types)
            key += " " + type;
        m_sameShape.push_back(known.try_emplace(std::move(key), i).first->second);
    }
}

const OperatorGpu* OperatorRooflines::gpuOf(GlobalId process, std::int32_t device) const
{
    const auto found = std::ranges::find_if(
        m_gpus, [&](const OperatorGpu& gpu) { return gpu.process == process && gpu.device == device; });
    return found != m_gpus.end() ? &*found : nullptr;
}

const OperatorGpu* OperatorRooflines::gpuOf(const Trace& trace, EventIndex kernel) const
{
    if (m_gpus.empty())
        return nullptr;
    const std::uint32_t gpu = m_gpuOfTrack[trace.kernels().trackIndexOf(kernel)];
    return gpu != noIndex ? &m_gpus[gpu] : nullptr;
}

/// Derives the remaining values from calls, time and kernels.
void OperatorRooflines::finish(ShapeUse& use, const OperatorGpu& gpu) const
{
    WorkAmount amount = amountOf(m_works->shapes[use.shape]);
    const auto calls = static_cast<double>(use.calls);
    use.flops = amount.flops < 0 ? -1 : amount.flops * calls;
    use.bytes = amount.bytes < 0 ? -1 : amount.bytes * calls;
    amount.flops = use.flops;
    amount.bytes = use.bytes;
    if (gpu.peaks)
        use.roofline = rooflineOf(amount, *gpu.peaks);
    use.bound = boundOf(use.roofline, use.gpu, use.kernels, gpu.shortest);
}

ShapeUse OperatorRooflines::useOf(const OperatorRun& run, const OperatorGpu& gpu) const
{
    ShapeUse use;
    use.shape = run.shape;
    use.calls = 1;
    use.gpu = run.gpu;
    use.kernels = run.workCount;
    finish(use, gpu);
    return use;
}

/// A kernel does a share of its operator call's work in proportion to its time.
WorkSums OperatorRooflines::sumsOf(const Trace& trace, EventIndex kernel) const
{
    WorkSums sums;
    const OperatorGpu* const gpu = gpuOf(trace, kernel);
    const OperatorRun* const run = m_works->runOf({EventKind::Kernel, kernel});
    if (!gpu || !run || run->gpu <= 0)
        return sums;
    const WorkAmount amount = amountOf(m_works->shapeOf(*run));
    if (amount.flops < 0 && amount.bytes < 0)
        return sums;
    const auto time = static_cast<double>(trace.kernels().duration[kernel]);
    const double part = time / static_cast<double>(run->gpu);
    sums.flops = part * std::max(0.0, amount.flops);
    sums.bytes = part * std::max(0.0, amount.bytes);
    sums.knownNs = time;
    if (gpu->peaks) {
        const Roofline roofline = rooflineOf(amount, *gpu->peaks);
        sums.computeNs = part * roofline.computeNs;
        sums.rooflineNs = part * roofline.ns();
    }
    return sums;
}

WorkSums OperatorRooflines::before(const Trace& trace, EventIndex kernel) const
{
    const EventIndex block = kernel / kernelsPerSum;
    WorkSums sums;
    EventIndex from = 0;
    if (!m_before.empty()) {
        const std::size_t place = std::min<std::size_t>(block, m_before.size() - 1);
        sums = m_before[place];
        from = static_cast<EventIndex>(place) * kernelsPerSum;
    }
    for (; from < kernel; ++from)
        sums += sumsOf(trace, from);
    return sums;
}

WorkSums OperatorRooflines::within(const Trace& trace, const OperatorGpu& gpu, TimeRange range) const
{
    WorkSums sums;
    const KernelTable& kernels = trace.kernels();
    for (const std::uint32_t track : gpu.tracks) {
        for (const Lane& lane : kernels.lanesOf(kernels.tracks[track])) {
            const auto [first, last] = kernels.touching(lane, range);
            if (first >= last)
                continue;
            sums += before(trace, last);
            sums += scaledSums(before(trace, first), -1);
            // Only the ends of a lane's events reach out of the range.
            sums += scaledSums(sumsOf(trace, first), clippedShare(kernels, first, range) - 1);
            if (last - first > 1)
                sums += scaledSums(sumsOf(trace, last - 1), clippedShare(kernels, last - 1, range) - 1);
        }
    }
    return sums;
}

std::vector<ShapeUse> OperatorRooflines::shapesOn(
    const Trace& trace, const OperatorGpu& gpu, TimeRange window, const std::stop_token& stop) const
{
    const KernelTable& kernels = trace.kernels();
    std::vector<std::uint32_t> places(m_works->shapes.size(), noIndex);
    std::vector<ShapeUse> uses;
    for (const OperatorRun& run : stoppableItems(m_works->runs, stop)) {
        if (run.workCount == 0)
            continue;
        const EventRef first = m_works->work[run.firstWork];
        const Track& track = trace.table(first.kind).trackOf(first.index);
        const Ns start = trace.range(first).start;
        if (track.owner != gpu.process || track.device != gpu.device || start < window.start
            || start >= window.end)
            continue;
        const std::uint32_t shape = m_sameShape[run.shape];
        std::uint32_t& place = places[shape];
        if (place == noIndex) {
            place = static_cast<std::uint32_t>(uses.size());
            uses.emplace_back().shape = shape;
        }
        ShapeUse& use = uses[place];
        ++use.calls;
        use.gpu += run.gpu;
        for (std::uint32_t i = run.firstWork; i < run.firstWork + run.workCount; ++i) {
            const EventRef work = m_works->work[i];
            if (work.kind != EventKind::Kernel)
                continue;
            ++use.kernels;
            if (!use.longest.valid() || kernels.duration[work.index] > kernels.duration[use.longest.index])
                use.longest = work;
        }
    }
    for (ShapeUse& use : uses)
        finish(use, gpu);
    std::ranges::stable_sort(uses, std::ranges::greater{}, &ShapeUse::gpu);
    return uses;
}

std::vector<EventRef> OperatorRooflines::kernelsOf(
    const Trace& trace, const OperatorGpu& gpu, std::uint32_t shape, TimeRange window) const
{
    std::vector<EventRef> found;
    const KernelTable& kernels = trace.kernels();
    for (const std::uint32_t track : gpu.tracks) {
        for (const EventIndex i : eventsIn(kernels, kernels.tracks[track], window)) {
            const OperatorRun* const run = m_works->runOf({EventKind::Kernel, i});
            if (run && m_sameShape[run->shape] == m_sameShape[shape])
                found.push_back({EventKind::Kernel, i});
        }
    }
    std::ranges::sort(found, {}, [&](EventRef kernel) { return kernels.start[kernel.index]; });
    return found;
}

std::shared_ptr<const OperatorRooflines> operatorRooflinesOf(const Trace& trace, const std::stop_token& stop)
{
    static KeptAnswers<Links, OperatorRooflines> kept;
    const auto find = [&] {
        return mayHaveShapes(trace) ? OperatorRooflines(trace, operatorWorksOf(trace, stop), stop)
                                    : OperatorRooflines(trace, std::make_shared<const OperatorWorks>(), stop);
    };
    return trace.links ? kept.of(trace.links, find) : std::make_shared<const OperatorRooflines>(find());
}

} // namespace warpline
