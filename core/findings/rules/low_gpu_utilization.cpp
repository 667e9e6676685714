// Windows of low utilization, as nsys' gpu_time_util lists them: the time between a context's first and last
// work is cut into 30 equal chunks (rounded up to whole ns, the last one shorter); chunks in use for under
// half of their time are listed, neighbours as one. "In use" adds up the lengths of all work, so concurrent
// work counts twice and may hide idle time; graphs traced as a whole do not count. Both are nsys' choices,
// kept so that the figures agree.

#include "core/base/format.h"
#include "core/findings/evidence.h"
#include "core/findings/gpu_activity.h"
#include "core/findings/run_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpline {

namespace {

constexpr std::string_view id = "gpu_time_util";
constexpr std::array<Threshold, 2> thresholds{
    {{"chunks", "Number of chunks", "", 30}, {"max_percent", "Listed below this use", "%", 50}}};

struct LowWindow {
    TimeRange range;
    Ns used = 0;
    double percent() const
    {
        return 100.0 * static_cast<double>(used) / static_cast<double>(range.duration());
    }
};

/// Time used in each of the chunks.
std::vector<Ns> usePerChunk(const GpuActivity& gpu, Ns chunk, std::size_t chunks)
{
    std::vector<Ns> used(chunks, 0);
    const Ns start = gpu.span().start;
    for (const TimeRange& work : gpu.work) {
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

std::vector<LowWindow> lowWindows(const GpuActivity& gpu, std::size_t chunks, double maxPercent)
{
    std::vector<LowWindow> low;
    const TimeRange span = gpu.span();
    const Ns chunk = (span.duration() + static_cast<Ns>(chunks) - 1) / static_cast<Ns>(chunks);
    if (chunk <= 0)
        return low;
    const std::vector<Ns> used = usePerChunk(gpu, chunk, chunks);
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
    return low;
}

std::vector<Finding> findLowUtilization(const RuleContext& context)
{
    const auto chunks
        = static_cast<std::size_t>(std::clamp(context.threshold(id, thresholds[0]), 1.0, 100'000.0));
    const double maxPercent = context.threshold(id, thresholds[1]);
    std::vector<Finding> findings;
    for (const auto& [key, gpu] : gpuActivity(context.trace, context.window, false, context.stop)) {
        std::vector<LowWindow> low = lowWindows(gpu, chunks, maxPercent);
        if (low.empty())
            continue;
        Finding finding;
        for (const LowWindow& window : low)
            finding.saving += std::max<Ns>(0, window.range.duration() - window.used);
        // The emptiest first; of equals the longer.
        std::ranges::stable_sort(low, [](const LowWindow& a, const LowWindow& b) {
            return a.percent() != b.percent() ? a.percent() < b.percent()
                                              : a.range.duration() > b.range.duration();
        });
        finding.process = key.process;
        finding.device = key.device;
        finding.severity = severityOf(context, finding.saving);
        finding.title = fmt::format(
            "{} is under {:.0f}% in use for {}", nameOf(context.trace, key), maxPercent, formatDuration([&] {
                Ns length = 0;
                for (const LowWindow& window : low)
                    length += window.range.duration();
                return length;
            }()));
        finding.message
            = fmt::format("Of the {} between its first and last work, {} window{} fall below {:.0f}%; the "
                          "emptiest is {:.1f}% in use.",
                formatDuration(gpu.span().duration()), low.size(), low.size() == 1 ? "" : "s", maxPercent,
                low.front().percent());
        finding.where = low.front().range;
        std::vector<TimeRange> windows;
        for (const LowWindow& window : low)
            windows.push_back(window.range);
        finding.claims = difference(unionOf(std::move(windows), gpu.span()), gpu.busy);
        finding.evidenceTotal = low.size();
        for (const LowWindow& window : low)
            finding.evidence.push_back({window.range, {}, fmt::format("{:.1f}% in use", window.percent())});
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
    .remedy = "Find out what paces the GPU here: many short kernels with gaps between them (fuse, CUDA "
              "Graphs, larger "
              "batches), copies without overlap, synchronization, or a host that prepares input.",
    .thresholds = thresholds,
    .applies = [](const Trace& trace) { return trace.kernels().size() + trace.memcpys().size() > 1; },
    .check = findLowUtilization,
};

} // namespace warpline
