#include "core/stats/step_breakdown.h"

#include "core/base/glob.h"
#include "core/coverage/coverage.h"
#include "core/derive/communication.h"
#include "core/stats/grouping.h"
#include "core/stats/names.h"
#include "core/stats/nvtx_nesting.h"
#include "core/steps/gpu_steps.h"
#include "core/steps/outlying_steps.h"
#include "core/steps/steps.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <tuple>

namespace warpline {

namespace {

constexpr std::size_t fewestSteps = 4; // to tell warm-up and outliers

/// What the GPUs of one process do.
struct GpuActivity {
    Coverage busy;
    Coverage copy;
    Coverage communication;
    Coverage exposed;
};

using DeviceKey = std::pair<std::uint32_t, std::int32_t>; ///< pid, CUDA ordinal

void addRanges(const Trace& trace, EventKind kind, const std::stop_token& stop,
    std::map<DeviceKey, std::vector<TimeRange>>& ranges)
{
    const EventTable& table = trace.table(kind);
    for (const Track& track : table.tracks) {
        auto& ofDevice = ranges[{pidOf(track.owner), track.device}];
        for (const EventIndex i : eventsOf(track, stop))
            ofDevice.push_back(table.range(i));
    }
}

std::map<DeviceKey, GpuActivity> activityByDevice(const Trace& trace, const std::stop_token& stop)
{
    std::map<DeviceKey, std::vector<TimeRange>> copies;
    std::map<DeviceKey, std::vector<TimeRange>> graphs;
    addRanges(trace, EventKind::Memcpy, stop, copies);
    addRanges(trace, EventKind::Memset, stop, copies);
    addRanges(trace, EventKind::GraphTrace, stop, graphs);
    std::map<DeviceKey, std::vector<TimeRange>> communication;
    std::map<DeviceKey, std::vector<TimeRange>> compute = std::move(graphs);
    const KernelTable& kernels = trace.kernels();
    const CommunicationKernels communicates(trace);
    for (const Track& track : kernels.tracks) {
        const DeviceKey key{pidOf(track.owner), track.device};
        for (const EventIndex i : eventsOf(track, stop))
            (communicates[i] ? communication : compute)[key].push_back(kernels.range(i));
    }
    std::map<DeviceKey, GpuActivity> activity;
    for (const auto* const part : {&copies, &compute, &communication}) {
        for (const auto& [key, ranges] : *part)
            activity.try_emplace(key);
    }
    for (auto& [key, of] : activity) {
        const Intervals computing = unionOf(compute[key], trace.session);
        const Intervals communicating = unionOf(communication[key], trace.session);
        const Intervals copying = unionOf(copies[key], trace.session);
        Intervals all = computing;
        all.insert(all.end(), communicating.begin(), communicating.end());
        all.insert(all.end(), copying.begin(), copying.end());
        of.busy = Coverage(unionOf(std::move(all), trace.session));
        of.copy = Coverage(copying);
        of.communication = Coverage(communicating);
        of.exposed = Coverage(difference(communicating, computing));
    }
    return activity;
}

/// A range's name with the domain's, or without it in the default domain.
std::string partName(const Trace& trace, EventIndex range)
{
    std::string name = digitsAsStars(nvtxName(trace, range));
    if (name.starts_with(':'))
        name.erase(0, 1);
    return name;
}

bool matchesStep(const Trace& trace, EventIndex range, const std::string& glob)
{
    return matchesGlob(trace.text(trace.nvtx().name[range]), glob)
        || matchesGlob(nvtxName(trace, range), glob);
}

class Builder {
public:
    Builder(
        const Trace& trace, StepBreakdown& result, const SlowStepLimits& slow, const std::stop_token& stop)
        : m_trace(trace),
          m_stop(stop),
          m_result(result),
          m_slow(slow)
    {
    }

    void collectSteps(TimeRange window)
    {
        const NvtxTable& nvtx = m_trace.nvtx();
        forEachEvent(nvtx, window, m_stop, [&](EventIndex i) {
            if (isClosedRange(nvtx, i) && matchesStep(m_trace, i, m_result.pattern))
                m_result.steps.emplace_back().range = i;
        });
        std::ranges::sort(m_result.steps, {}, [&](const Step& step) {
            return std::make_tuple(threadOf(step), nvtx.start[step.range], nvtx.sourceRow[step.range]);
        });
    }

    void collectParts()
    {
        const NvtxTable& nvtx = m_trace.nvtx();
        const NvtxNesting nesting = nestNvtx(m_trace, m_stop);
        std::map<EventIndex, std::vector<EventIndex>> inside;
        for (const Step& step : m_result.steps)
            inside[step.range];
        for (const EventIndex i : everyEvent(nvtx, m_stop)) {
            if (const auto step = inside.find(nesting.parent[i]); step != inside.end())
                step->second.push_back(i);
        }
        for (Step& step : m_result.steps) {
            std::vector<EventIndex>& children = inside[step.range];
            std::ranges::sort(
                children, {}, [&](EventIndex i) { return std::pair(nvtx.start[i], nvtx.sourceRow[i]); });
            Ns covered = 0;
            for (const EventIndex child : children) {
                const std::size_t part = partOf(child);
                step.parts.resize(std::max(step.parts.size(), part + 1), 0);
                step.parts[part] += nvtx.duration[child];
                covered += nvtx.duration[child];
            }
            step.other = std::max<Ns>(0, nvtx.duration[step.range] - covered);
        }
        for (Step& step : m_result.steps)
            step.parts.resize(m_result.parts.size(), 0);
    }

    void measureGpus()
    {
        const auto activity = activityByDevice(m_trace, m_stop);
        for (Step& step : m_result.steps) {
            const TimeRange window = m_trace.nvtx().range(step.range);
            const std::uint32_t pid = pidOf(threadOf(step));
            Ns devices = 0;
            for (auto of = activity.lower_bound({pid, INT32_MIN});
                 of != activity.end() && of->first.first == pid; ++of) {
                ++devices;
                step.busy += of->second.busy.busy(window);
                step.copy += of->second.copy.busy(window);
                step.communication += of->second.communication.busy(window);
                step.exposedCommunication += of->second.exposed.busy(window);
            }
            if (devices > 1) {
                for (Ns* const time :
                    {&step.busy, &step.copy, &step.communication, &step.exposedCommunication})
                    *time /= devices;
            }
        }
    }

    void judge()
    {
        const TimeRange whole{m_trace.session.start, m_trace.session.end + 1};
        std::map<EventIndex, Verdict> verdicts;
        const std::vector<StepSeries> hosts = findStepsOfThreads(m_trace, whole, m_result.pattern, m_stop);
        for (const StepSeries& series : hosts) {
            GpuSteps onHost; // without GPU steps: the ranges tell alone
            onHost.host = series;
            judgeWarmUp(series, verdicts);
            judgeSlow(onHost, verdicts);
        }
        const std::map<EventIndex, OnGpu> onGpu = stepsOnGpu(hosts, verdicts);
        std::vector<Ns> steady;
        std::vector<Ns> steadyGpu;
        for (Step& step : m_result.steps) {
            step.work = stepWorkOf(m_trace.name({EventKind::Nvtx, step.range}));
            if (const auto found = onGpu.find(step.range); found != onGpu.end()) {
                step.gpu = found->second.range;
                step.gpuWhole = found->second.whole;
            }
            if (const auto verdict = verdicts.find(step.range); verdict != verdicts.end()) {
                step.warmUp = verdict->second == Verdict::WarmUp;
                step.outlier = verdict->second == Verdict::Outlier;
            }
            if (!step.warmUp)
                steady.push_back(m_trace.nvtx().duration[step.range]);
            if (!step.warmUp && step.gpuWhole)
                steadyGpu.push_back(step.gpu.duration());
        }
        m_result.steady = summarize(steady);
        m_result.steadyGpu = summarize(steadyGpu);
    }

private:
    GlobalId threadOf(const Step& step) const { return m_trace.nvtx().trackOf(step.range).owner; }

    std::size_t partOf(EventIndex range)
    {
        const std::string name = partName(m_trace, range);
        const auto found = std::ranges::find(m_result.parts, name);
        if (found == m_result.parts.end()) {
            m_result.parts.push_back(name);
            return m_result.parts.size() - 1;
        }
        return static_cast<std::size_t>(found - m_result.parts.begin());
    }

    enum class Verdict : std::uint8_t { None, WarmUp, Outlier };
    struct OnGpu {
        TimeRange range;
        bool whole = false;
    };

    /// The steps of `hosts` on the first GPU of each thread. Those that are whole there are judged anew.
    std::map<EventIndex, OnGpu> stepsOnGpu(
        const std::vector<StepSeries>& hosts, std::map<EventIndex, Verdict>& verdicts) const
    {
        std::map<EventIndex, OnGpu> ranges;
        std::vector<StepHost> from;
        for (const StepSeries& series : hosts)
            from.push_back({series, StepSource::Nvtx});
        for (const GpuSteps& steps : gpuStepsOf(m_trace, from, m_stop)) {
            if (ranges.contains(steps.host.events[steps.lastIndex].index))
                continue; // a second GPU
            for (std::size_t i = 0; i < steps.gpu.size(); ++i) {
                ranges[steps.gpu.events[i].index] = {steps.gpu.ranges[i], true};
                verdicts[steps.gpu.events[i].index] = Verdict::None;
            }
            ranges[steps.host.events[steps.lastIndex].index] = {steps.last, false};
            // Nothing tells its length on the GPU; its range on the host may be slow.
            verdicts[steps.host.events[steps.lastIndex].index] = Verdict::None;
            judgeWarmUp(steps.gpu, verdicts);
            judgeSlow(steps, verdicts);
        }
        return ranges;
    }

    static void judgeWarmUp(const StepSeries& series, std::map<EventIndex, Verdict>& verdicts)
    {
        for (std::size_t i = 0; series.size() >= fewestSteps && i < series.firstSteady; ++i)
            verdicts[series.events[i].index] = Verdict::WarmUp;
    }

    void judgeSlow(const GpuSteps& steps, std::map<EventIndex, Verdict>& verdicts) const
    {
        if (steps.host.size() < fewestSteps)
            return;
        for (const OutlyingStep& step : outlyingSteps(steps, m_slow))
            verdicts[steps.host.events[step.index].index] = Verdict::Outlier;
    }

    const Trace& m_trace;
    const std::stop_token& m_stop;
    StepBreakdown& m_result;
    SlowStepLimits m_slow;
};

} // namespace

std::string digitsAsStars(std::string_view name)
{
    std::string pattern;
    for (const char c : name) {
        const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
        if (!digit)
            pattern += c;
        else if (!pattern.ends_with('*'))
            pattern += '*';
    }
    return pattern;
}

StepBreakdown breakDownSteps(const Trace& trace, const std::string& glob, TimeRange window,
    const SlowStepLimits& slow, const std::stop_token& stop)
{
    StepBreakdown result;
    const TimeRange whole{trace.session.start, trace.session.end + 1};
    result.pattern = glob.empty() ? mainStepGlob(findSteps(trace, whole, {}, stop)) : glob;
    if (result.pattern.empty())
        return result;
    Builder builder(trace, result, slow, stop);
    builder.collectSteps(window);
    builder.collectParts();
    builder.measureGpus();
    builder.judge();
    return result;
}

} // namespace warpline
