// Windows of low utilization. When requested by name the rule lists the same as nsys' gpu_time_util: the time
// between a context's first and last work is cut into 30 equal chunks (rounded up to whole ns, the last one
// shorter); chunks in use for less than half of their time are listed, with neighbours joined. "In use" sums
// the lengths of all work, so concurrent work counts twice and may hide idle time; graphs traced as a whole
// do not count. Both are nsys' choices, kept so that the numbers agree.
//
// Otherwise the rule must not contradict the checklist: it uses the union of all work of a GPU, with all
// contexts and graphs, over the measured time, and reports nothing for a GPU that is busy enough there.

#include "core/analysis/gpu_activity.h"
#include "core/analysis/scope.h"
#include "core/analysis/trace_analysis.h"
#include "core/coverage/interval_times.h"
#include "core/findings/evidence.h"
#include "core/store/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpline::low_gpu_utilization {

namespace {

constexpr std::string_view id = "gpu_time_util";
constexpr Threshold chunksLimit{"chunks", "Number of chunks", "", 30};
constexpr Threshold maxPercentSetting{"max_percent", "Report windows with a utilization below", "%", 50};
constexpr std::array thresholds{chunksLimit, maxPercentSetting};

constexpr std::size_t minPatternKernels = 8; ///< fewer make no pattern

struct LowWindow {
    TimeRange range;
    Ns used = 0;
    double percent() const
    {
        return 100.0 * static_cast<double>(used) / static_cast<double>(range.duration());
    }
};

/// Time in use in each chunk of `span`, by the ranges in `all`.
template <typename Ranges>
std::vector<Ns> usePerChunk(const Ranges& all, TimeRange span, Ns chunk, std::size_t chunks)
{
    std::vector<Ns> used(chunks, 0);
    const Ns start = span.start;
    for (const TimeRange whole : all) {
        const TimeRange work = whole.clippedTo(span);
        for (Ns at = work.start; at < work.end;) {
            const auto place = std::min(static_cast<std::size_t>((at - start) / chunk), chunks - 1);
            const Ns edge = place + 1 == chunks
                ? work.end
                : std::min(work.end, start + static_cast<Ns>(place + 1) * chunk);
            used[place] += edge - at;
            at = edge;
        }
    }
    return used;
}

template <typename Ranges>
std::vector<LowWindow> lowWindows(const Ranges& work, TimeRange span, std::size_t chunks, double maxPercent)
{
    std::vector<LowWindow> low;
    const Ns chunk = (span.duration() + static_cast<Ns>(chunks) - 1) / static_cast<Ns>(chunks);
    if (chunk <= 0)
        return low;
    const std::vector<Ns> used = usePerChunk(work, span, chunk, chunks);
    for (std::size_t i = 0; i < chunks; ++i) {
        const Ns start = span.start + static_cast<Ns>(i) * chunk;
        const LowWindow window{{start, std::min(span.end, start + chunk)}, used[i]};
        if (window.range.empty() || window.percent() >= maxPercent)
            continue;
        if (!low.empty() && low.back().range.end == window.range.start) {
            low.back().range.end = window.range.end;
            low.back().used += window.used;
        } else {
            low.push_back(window);
        }
    }
    // The emptiest first; of equals the longer.
    std::ranges::stable_sort(low, [](const LowWindow& a, const LowWindow& b) {
        return a.percent() != b.percent() ? a.percent() < b.percent()
                                          : a.range.duration() > b.range.duration();
    });
    return low;
}

/// Title, message, evidence and saving of the windows `low` of `span`, which `basis` names.
Finding findingOf(const RuleContext& context, const std::string& name, const PackedIntervals& busy,
    TimeRange span, const Message& basis, const std::vector<LowWindow>& low)
{
    const double maxPercent = context.threshold(id, maxPercentSetting);
    Finding finding;
    Ns length = 0;
    std::vector<TimeRange> windows;
    for (const LowWindow& window : low) {
        length += window.range.duration();
        finding.saving += std::max<Ns>(0, window.range.duration() - window.used);
        windows.push_back(window.range);
        finding.evidence.push_back({window.range, {},
            Message("gpu_time_util.used", "{percent}% in use", {{"percent", Number{window.percent(), 1}}})});
    }
    finding.severity = severityOf(context, finding.saving);
    finding.title = Message("gpu_time_util.title", "{gpu} utilization below {percent}% for {time}",
        {{"gpu", Name{name}}, {"percent", Number{maxPercent, 0}}, {"time", Duration{length}}});
    finding.message = Message("gpu_time_util.windows",
        "Of {span} {basis}, {windows, plural, one {# window falls} other {# windows fall}} below {percent}%; the emptiest "
        "is {least}% in use.",
        {{"span", Duration{span.duration()}}, {"basis", basis}, {"windows", Count{low.size()}},
            {"percent", Number{maxPercent, 0}}, {"least", Number{low.front().percent(), 1}}});
    finding.where = low.front().range;
    finding.claims = packedDifference(unionOf(std::move(windows), span), busy); // as many as pieces of work
    finding.evidenceTotal = low.size();
    return finding;
}

std::size_t chunksOf(const RuleContext& context)
{
    return static_cast<std::size_t>(std::clamp(context.threshold(id, chunksLimit), 1.0, 100'000.0));
}

std::vector<Finding> findAsNsys(const RuleContext& context)
{
    std::vector<Finding> findings;
    for (const auto& [key, gpu] : gpuActivity(context.trace, context.window, false, context.stop)) {
        const auto low
            = lowWindows(gpu.work, gpu.span(), chunksOf(context), context.threshold(id, maxPercentSetting));
        if (low.empty())
            continue;
        Finding finding = findingOf(context, nameOf(context.trace, key), gpu.busy, gpu.span(),
            {"gpu_time_util.as_nsys",
                "between the first and the last work of this context (as nsys counts: concurrent work twice, "
                "graphs traced as a whole not at all)"},
            low);
        finding.process = key.process;
        finding.device = key.device;
        findings.push_back(std::move(finding));
    }
    return findings;
}

std::vector<Finding> findLowUtilization(const RuleContext& context)
{
    if (context.asNsys)
        return findAsNsys(context);
    std::vector<Finding> findings;
    TraceAnalysis& facts = context.facts;
    // A few kernels do not repeat: time between them is start-up, or has its own finding.
    if (context.trace.kernels().size() + context.trace.table(EventKind::GraphTrace).size()
        < minPatternKernels)
        return findings;
    const Scope scope = scopeOf(context.trace, context.window, facts);
    // Uses the whole window and examines it inside the scope, because a part would be a copy.
    for (const auto& [key, device] : busyByDevice(context.trace, facts, context.window)) {
        // A GPU that is busy enough on the whole is not blamed for parts: its gaps have findings of their
        // own.
        if (static_cast<double>(totalTime(device.busy, scope.range))
            > busyEnough * static_cast<double>(scope.range.duration()))
            continue;
        const auto low = lowWindows(
            device.busy, scope.range, chunksOf(context), context.threshold(id, maxPercentSetting));
        if (low.empty())
            continue;
        Finding finding = findingOf(
            context, fmt::format("GPU {}", key.first), device.busy, scope.range, scope.basis, low);
        finding.process = device.process;
        finding.device = device.ordinal;
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern constinit const Rule lowGpuUtilization{
    .id = id,
    .title = "Low GPU utilization",
    .why
    = "The GPU spends most of these windows without work: it waits for the host, for data or for other GPUs.",
    .remedy
    = "Find out what limits the GPU here: many short kernels with gaps (fuse them, use CUDA Graphs, give each more work), copies without overlap, synchronization, or a host that prepares input.",
    .caveat = "The program may mainly work on another GPU or on the CPU in that time.",
    .thresholds = thresholds,
    .applies = [](const Trace& trace,
                   const std::stop_token&) { return trace.kernels().size() + trace.memcpys().size() > 1; },
    .check = findLowUtilization,
};

} // namespace warpline::low_gpu_utilization
