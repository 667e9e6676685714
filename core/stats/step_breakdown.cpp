#include "core/stats/step_breakdown.h"

#include "core/base/glob.h"
#include "core/base/parallel.h"
#include "core/base/sorted_runs.h"
#include "core/stats/grouping.h"
#include "core/stats/key_numbers.h"
#include "core/stats/names.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/step_activity.h"
#include "core/steps/edge_steps.h"
#include "core/steps/gpu_steps.h"
#include "core/steps/outlying_steps.h"
#include "core/steps/steps.h"
#include "core/store/trace.h"
#include "core/store/track_cursor.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <span>
#include <tuple>

namespace warpline {

namespace {

constexpr std::size_t minSteps = 4; // to detect warm-up and outliers
/// Names of parts may hold ids of requests: then each step has its own.
constexpr std::size_t mostParts = 200;
constexpr std::size_t fewestParts = 20; ///< however many steps there are
constexpr std::size_t mostCells = 10'000'000; ///< steps times parts

/// A range's name with the domain's, or without it in the default domain.
std::string partName(const Trace& trace, EventIndex range)
{
    std::string name = withoutNumbers(nvtxName(trace, range), '*');
    if (name.starts_with(':'))
        name.erase(0, 1);
    return name;
}

/// Facts about NVTX names, computed once per name.
template <typename Fact> class ByName {
public:
    explicit ByName(const Trace& trace)
        : m_trace(trace),
          m_tracks(trace.nvtx())
    {
    }

    /// The result of `make` for the name of `range`, cached.
    template <typename Make> Fact of(EventIndex range, Make make)
    {
        const std::uint32_t number = m_names.numberOf(nvtxNameKey(m_trace, m_tracks.of(range), range));
        if (number == m_facts.size())
            m_facts.push_back(make());
        return m_facts[number];
    }

private:
    const Trace& m_trace;
    TrackCursor m_tracks;
    KeyNumbers<std::uint64_t> m_names; ///< numbers are places in m_facts
    std::vector<Fact> m_facts;
};

/// The time that ranges which come by step and start cover together.
class Covered {
public:
    /// How much of `range` in `step` no range before it covers.
    Ns add(std::uint32_t step, TimeRange range)
    {
        if (step != m_step)
            m_until = range.start;
        m_step = step;
        const Ns more = std::max<Ns>(0, range.end - std::max(range.start, m_until));
        m_until = std::max(m_until, range.end);
        return more;
    }

private:
    std::uint32_t m_step = noIndex;
    Ns m_until = 0;
};

bool matchesStep(const Trace& trace, EventIndex range, const std::string& glob)
{
    return matchesGlob(trace.text(trace.nvtx().name[range]), glob)
        || matchesGlob(nvtxName(trace, range), glob);
}

class BreakdownBuilder {
public:
    BreakdownBuilder(
        const Trace& trace, StepBreakdown& result, const SlowStepLimits& slow, const std::stop_token& stop)
        : m_trace(trace),
          m_stop(stop),
          m_result(result),
          m_slow(slow)
    {
    }

    void collectSteps(TimeRange window)
    {
        struct Found {
            GlobalId thread;
            Ns start;
            std::uint32_t row;
            EventIndex range;
            auto order() const { return std::tuple(thread, start, row); }
        };
        const NvtxTable& nvtx = m_trace.nvtx();
        ByName<std::uint8_t> matches(m_trace);
        TrackCursor tracks(nvtx);
        std::vector<Found> found;
        forEachEvent(nvtx, window, m_stop, [&](EventIndex i) {
            // PyTorch's copies of ranges on the GPU are not steps.
            if (isClosedRange(nvtx, i) && tracks.of(i).device < 0
                && matches.of(i, [&] { return matchesStep(m_trace, i, m_result.pattern); }) != 0)
                found.push_back({tracks.of(i).owner, nvtx.start[i], nvtx.sourceRow[i], i});
        });
        sortRuns(
            found, [](const Found& a, const Found& b) { return a.order() < b.order(); }, m_stop);
        m_result.steps.resize(found.size());
        m_stepOf.assign(nvtx.size(), noIndex);
        for (std::size_t i = 0; i < found.size(); ++i) {
            m_result.steps[i].range = found[i].range;
            m_stepOf[found[i].range] = static_cast<std::uint32_t>(i);
            if (m_threads.empty() || m_threads.back().thread != found[i].thread)
                m_threads.push_back({found[i].thread, i, i});
            m_threads.back().last = i + 1;
        }
    }

    void collectParts()
    {
        const NvtxTable& nvtx = m_trace.nvtx();
        const NvtxNesting nesting = nestNvtx(m_trace, m_stop);
        struct Child {
            std::uint32_t step;
            Ns start;
            std::uint32_t row;
            EventIndex range;
            std::uint32_t part;
            auto order() const { return std::tuple(step, start, row); }
        };
        std::vector<Child> children;
        for (const EventIndex i : everyEvent(nvtx, m_stop)) {
            const EventIndex parent = nesting.parent[i];
            if (parent != noIndex && m_stepOf[parent] != noIndex)
                children.push_back({m_stepOf[parent], nvtx.start[i], nvtx.sourceRow[i], i, 0});
        }
        sortRuns(
            children, [](const Child& a, const Child& b) { return a.order() < b.order(); }, m_stop);
        // The time of each part in all steps decides which are shown.
        ByName<std::uint32_t> partOfName(m_trace);
        std::map<std::string, std::uint32_t> numbers;
        std::vector<std::string> names;
        std::vector<Covered> covered;
        std::vector<Ns> totals;
        for (Child& child : stoppableItems(children, m_stop)) {
            child.part = partOfName.of(child.range, [&] {
                const auto [known, isNew] = numbers.try_emplace(
                    partName(m_trace, child.range), static_cast<std::uint32_t>(names.size()));
                if (isNew)
                    names.push_back(known->first);
                return known->second;
            });
            covered.resize(names.size());
            totals.resize(names.size());
            totals[child.part] += covered[child.part].add(child.step, nvtx.range(child.range));
        }
        const std::vector<std::uint32_t> places = placesOf(totals);
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (places[i] != noIndex)
                m_result.parts.push_back(std::move(names[i]));
        }
        for (Step& step : m_result.steps) {
            step.other = nvtx.duration[step.range];
            step.parts.resize(m_result.parts.size(), 0);
        }
        covered.assign(totals.size(), {});
        Covered shown;
        for (const Child& child : stoppableItems(children, m_stop)) {
            if (places[child.part] == noIndex)
                continue;
            Step& step = m_result.steps[child.step];
            const TimeRange range = nvtx.range(child.range);
            step.parts[places[child.part]] += covered[child.part].add(child.step, range);
            step.other -= shown.add(child.step, range);
        }
        for (Step& step : m_result.steps)
            step.other = std::max<Ns>(0, step.other);
    }

    void measureGpus()
    {
        const auto activity = stepActivities(m_trace, m_stop);
        for (const StepsOfThread& thread : m_threads) {
            const auto steps = std::span(m_result.steps).subspan(thread.first, thread.last - thread.first);
            std::vector<TimeRange> windows;
            windows.reserve(steps.size());
            for (const Step& step : steps)
                windows.push_back(m_trace.nvtx().range(step.range));
            const std::uint32_t pid = pidOf(thread.thread);
            Ns devices = 0;
            for (auto of = activity.lower_bound({pid, INT32_MIN});
                 of != activity.end() && of->first.first == pid; ++of) {
                ++devices;
                for (const auto& [time, covered] :
                    {std::pair(&Step::busy, &StepActivity::busy), std::pair(&Step::copy, &StepActivity::copy),
                        std::pair(&Step::communication, &StepActivity::communication),
                        std::pair(&Step::exposedCommunication, &StepActivity::exposed)}) {
                    throwIfStopped(m_stop);
                    const std::vector<Ns> times = timesIn(of->second.*covered, windows);
                    for (std::size_t i = 0; i < steps.size(); ++i)
                        steps[i].*time += times[i];
                }
            }
            for (Step& step : steps.first(devices > 1 ? steps.size() : 0)) {
                for (Ns* const time :
                    {&step.busy, &step.copy, &step.communication, &step.exposedCommunication})
                    *time /= devices;
            }
        }
    }

    void judge()
    {
        const TimeRange whole{m_trace.session.start, m_trace.session.end + 1};
        const std::vector<StepSeries> hosts = findStepsOfThreads(m_trace, whole, m_result.pattern, m_stop);
        for (const StepSeries& series : hosts) {
            GpuSteps onHost; // without steps on the GPU, from ranges only
            onHost.host = series;
            judgeWarmUp(series);
            judgeSlow(onHost);
        }
        findOnGpu(hosts);
        std::vector<Ns> steady;
        std::vector<Ns> steadyGpu;
        ByName<StepWork> works(m_trace);
        for (Step& step : m_result.steps) {
            step.work = works.of(step.range, [&] {
                return stepWorkOf(m_trace.name({EventKind::Nvtx, step.range}));
            });
            if (!step.warmUp)
                steady.push_back(m_trace.nvtx().duration[step.range]);
            if (!step.warmUp && step.gpuWhole)
                steadyGpu.push_back(step.gpu.duration());
        }
        m_result.steady = summarize(steady);
        m_result.steadyGpu = summarize(steadyGpu);
    }

private:
    /// The steps [first, last) of the result are those of one thread.
    struct StepsOfThread {
        GlobalId thread = 0;
        std::size_t first = 0;
        std::size_t last = 0;
    };

    /// The places of the parts with these times in the result; noIndex for those with the least, when there
    /// are too many.
    std::vector<std::uint32_t> placesOf(const std::vector<Ns>& totals) const
    {
        const std::size_t most
            = std::clamp(mostCells / std::max<std::size_t>(1, m_result.steps.size()), fewestParts, mostParts);
        std::vector<std::uint32_t> parts(totals.size());
        std::iota(parts.begin(), parts.end(), 0);
        std::ranges::stable_sort(
            parts, std::ranges::greater(), [&](std::uint32_t part) { return totals[part]; });
        parts.resize(std::min(parts.size(), most));
        std::ranges::sort(parts);
        std::vector<std::uint32_t> places(totals.size(), noIndex);
        for (std::uint32_t i = 0; i < parts.size(); ++i)
            places[parts[i]] = i;
        return places;
    }

    /// The step of the result that is the NVTX range `range`; nullptr: the question is not about it.
    Step* stepOf(EventIndex range)
    {
        const std::uint32_t place = m_stepOf[range];
        return place != noIndex ? &m_result.steps[place] : nullptr;
    }

    /// Sets where a step is on the first GPU of its thread, and clears the classification of its range: the
    /// time on the GPU decides, which is unknown for the last step.
    void putOnGpu(EventIndex range, TimeRange gpu, bool isWhole)
    {
        Step* const step = stepOf(range);
        if (!step)
            return;
        step->gpu = gpu;
        step->gpuWhole = isWhole;
        step->warmUp = false;
        step->outlier = false;
    }

    /// Finds the steps of `hosts` on the first GPU of each thread, and classifies the whole ones again.
    void findOnGpu(const std::vector<StepSeries>& hosts)
    {
        std::vector<StepHost> from;
        for (const StepSeries& series : hosts)
            from.push_back({series, StepSource::Nvtx});
        std::vector<bool> seen(m_trace.nvtx().size());
        for (const GpuSteps& steps : gpuStepsOf(m_trace, from, m_stop)) {
            const EventIndex last = steps.host.events[steps.lastIndex].index;
            if (seen[last])
                continue; // a second GPU
            for (std::size_t i = 0; i < steps.gpu.size(); ++i) {
                seen[steps.gpu.events[i].index] = true;
                putOnGpu(steps.gpu.events[i].index, steps.gpu.ranges[i], true);
            }
            seen[last] = true;
            putOnGpu(last, steps.last, false); // its length there is unknown; its range may be slow
            judgeWarmUp(steps.gpu);
            judgeSlow(steps);
            judgeEdges(steps);
        }
    }

    void judgeWarmUp(const StepSeries& series)
    {
        for (std::size_t i = 0; series.size() >= minSteps && i < series.firstSteady; ++i) {
            if (Step* const step = stepOf(series.events[i].index)) {
                step->warmUp = true;
                step->outlier = false;
            }
        }
    }

    void judgeSlow(const GpuSteps& steps)
    {
        if (steps.host.size() < minSteps)
            return;
        for (const OutlyingStep& slow : outlyingSteps(steps, m_slow)) {
            if (Step* const step = stepOf(steps.host.events[slow.index].index)) {
                step->warmUp = false;
                step->outlier = true;
            }
        }
    }

    void judgeEdges(const GpuSteps& steps)
    {
        for (const EdgeStep& edge : edgeSteps(m_trace, steps)) {
            Step* const step = stepOf(steps.host.events[edge.index].index);
            if (step && !step->outlier)
                step->ofUsual = edge.ofUsual;
        }
    }

    const Trace& m_trace;
    const std::stop_token& m_stop;
    StepBreakdown& m_result;
    SlowStepLimits m_slow;
    std::vector<std::uint32_t> m_stepOf; ///< by NVTX range: its place in the result; noIndex: it is no step
    std::vector<StepsOfThread> m_threads;
};

/// The steps with what `questions` fill in, each its own members.
StepBreakdown answered(const Trace& trace, const std::string& glob, TimeRange window,
    const SlowStepLimits& slow, const std::stop_token& stop,
    std::span<void (BreakdownBuilder::*const)()> questions)
{
    StepBreakdown result;
    const TimeRange whole{trace.session.start, trace.session.end + 1};
    result.pattern = glob.empty() ? mainStepGlob(findSteps(trace, whole, {}, stop)) : glob;
    if (result.pattern.empty())
        return result;
    BreakdownBuilder builder(trace, result, slow, stop);
    builder.collectSteps(window);
    handOut(std::min(questions.size(), threadsFor(trace.kernels().size() + trace.nvtx().size())),
        questions.size(), [&](std::size_t i) { (builder.*questions[i])(); });
    return result;
}

} // namespace

StepBreakdown breakDownSteps(const Trace& trace, const std::string& glob, TimeRange window,
    const SlowStepLimits& slow, const std::stop_token& stop)
{
    static constexpr std::array questions{
        &BreakdownBuilder::measureGpus, &BreakdownBuilder::judge, &BreakdownBuilder::collectParts};
    return answered(trace, glob, window, slow, stop, questions);
}

StepBreakdown classifySteps(const Trace& trace, const std::string& glob, TimeRange window,
    const SlowStepLimits& slow, const std::stop_token& stop)
{
    static constexpr std::array questions{&BreakdownBuilder::judge};
    return answered(trace, glob, window, slow, stop, questions);
}

} // namespace warpline
