#include "core/budget/gpu_budget.h"

#include "core/analysis/collectives.h"
#include "core/analysis/idle_gaps.h"
#include "core/analysis/time_by_name.h"
#include "core/analysis/trace_analysis.h"
#include "core/base/stop.h"
#include "core/budget/gpu_sweep.h"
#include "core/budget/host_pieces.h"
#include "core/derive/helper_threads.h"
#include "core/store/part_of_recording.h"

#include <algorithm>
#include <map>
#include <set>

namespace warpline {

namespace {

/// How many pieces of work each GPU ran, by process and device; of those that ran anything.
std::map<GpuOfProcess, std::size_t> workOfGpus(const Trace& trace)
{
    std::map<GpuOfProcess, std::size_t> gpus;
    for (const EventKind kind : gpuWorkKinds) {
        for (const Track& track : trace.table(kind).tracks) {
            if (track.eventCount > 0)
                gpus[{track.owner, track.device}] += track.eventCount;
        }
    }
    return gpus;
}

/// Waiting time of each GPU's communication; GPUs without that information go to `unsplit`.
std::map<GpuOfProcess, Waits> waitsOf(
    TraceAnalysis& facts, TimeRange session, std::set<GpuOfProcess>& unsplit)
{
    const Trace& trace = facts.trace();
    const CommunicationWork& work = facts.communication(facts.window());
    std::map<GpuOfProcess, Waits> waits;
    for (const auto* const gpus : {&work.collectives, &work.pointToPoint}) {
        if (isWaitingUnknown(trace, *gpus))
            unsplit.emplace(gpus->front().process, gpus->front().device);
        for (const CollectiveWork& gpu : *gpus) {
            for (const Collective& each : gpu.collectives) {
                const Ns start = trace.kernels().start[each.kernel];
                if (each.waiting > 0)
                    waits[{gpu.process, gpu.device}].push_back({start, start + each.waiting});
            }
        }
    }
    for (auto& [gpu, ranges] : waits)
        ranges = unionOf(std::move(ranges), session);
    return waits;
}

/// Splits idle time by the activity of the threads that launched the work after it.
class IdleSplitter {
public:
    /// `ofSteps` has the steps, maybe in another window.
    IdleSplitter(TraceAnalysis& facts, TraceAnalysis& ofSteps, BudgetParts& parts)
        : m_trace(facts.trace()),
          m_facts(facts),
          m_ofSteps(ofSteps),
          m_parts(parts),
          m_words(m_trace),
          m_helpers(m_trace),
          m_recorded(warpline::partOf(m_trace.info))
    {
    }

    /// Gaps of another GPU follow.
    void beginGpu() { ++m_gpu; }

    /// Calls append(start, part) for the pieces of `gap`, in order. Gaps of a GPU come in order of time.
    /// `lastLaunched`: see GpuSweep.
    template <typename Append>
    void split(TimeRange gap, EventIndex call, bool isLast, Ns lastLaunched, Append&& append)
    {
        if (call == noIndex) {
            // In a cut report, the call that launched the first work returned before the part began. Pages
            // that migrate on a fault have no call.
            const bool isEarlier = m_recorded && m_recorded->beginsLater() && gap.end <= lastLaunched;
            append(gap.start,
                m_parts.idle(isLast ? IdleCause::NoWork
                        : isEarlier ? IdleCause::Queued
                                    : IdleCause::Unknown));
            return;
        }
        // Pages that move on a fault end a gap, too: then the launch comes later.
        const bool launches = m_trace.apiCalls().start[call] <= gap.end;
        splitUntil(gap, m_trace.apiCalls().trackOf(call).owner,
            std::clamp(m_trace.apiCalls().end(call), gap.start, gap.end), launches, append);
    }

    /// The same for a gap behind the last work of the GPU, which `lastCall` launched. Pages that migrate on a
    /// fault may end it.
    template <typename Append> void splitBehind(TimeRange gap, EventIndex lastCall, Append&& append)
    {
        const GlobalId thread = m_trace.apiCalls().trackOf(lastCall).owner;
        const TimeRange inSteps
            = behindLastWork(m_ofSteps, processOf(thread), gap.start).clippedTo({gap.start, gap.end});
        if (!inSteps.empty())
            splitUntil(inSteps, thread, inSteps.end, false, append);
        if (inSteps.end < gap.end)
            append(inSteps.end, m_parts.idle(IdleCause::NoWork));
    }

    /// Whether work follows on `gap`, the last of a part of a recording, that is not in the file.
    bool isCutOff(TimeRange gap) const { return m_recorded && m_recorded->gpuWork.end > gap.end; }

    /// The same for a gap whose next launch is cut off. The thread is known when a call in the gap launched
    /// that work. Otherwise the thread of `lastCall`, the last known launch, is assumed, or the thread that
    /// it worked for.
    template <typename Append> void splitCutOff(TimeRange gap, EventIndex lastCall, Append&& append)
    {
        const EventTable& calls = m_trace.apiCalls();
        const EventIndex call = launchBehind(lastCall);
        if (call != noIndex) {
            splitUntil(gap, calls.trackOf(call).owner, std::clamp(calls.end(call), gap.start, gap.end), true,
                append);
            return;
        }
        const GlobalId last = calls.trackOf(lastCall).owner;
        const bool rests = gap.duration() >= launchPace; // otherwise the helper thread goes on
        splitUntil(gap, rests ? m_helpers.worksFor(last).value_or(last) : last, gap.end, true, append);
    }

private:
    /// `returned`: when the launch of the work behind `gap`, by `thread`, came back.
    template <typename Append>
    void splitUntil(TimeRange gap, GlobalId thread, Ns returned, bool launches, Append& append)
    {
        m_pieces.clear();
        if (returned > gap.start)
            piecesOf(thread).append({gap.start, returned}, m_pieces);
        const bool pace = launches && isPaceOfLaunching(gap.duration(), gap.end - returned);
        for (const HostPiece& piece : m_pieces)
            append(piece.range.start, partOf(piece, pace));
        if (returned < gap.end)
            append(returned, m_parts.idle(pace ? IdleCause::Launch : IdleCause::Queued));
    }

    /// The first call of the process after `last` whose work is not in the report; noIndex: there is none.
    EventIndex launchBehind(EventIndex last) const
    {
        const EventTable& calls = m_trace.apiCalls();
        EventIndex found = noIndex;
        for (const Track& track : calls.tracks) {
            if (processOf(track.owner) != processOf(calls.trackOf(last).owner))
                continue;
            for (const Lane& lane : calls.lanesOf(track)) {
                const EventIndex end = lane.first + lane.count;
                EventIndex i = calls.firstStartingAt(lane, calls.start[last] + 1);
                while (i < end && !launchesWhatIsCutOff(i))
                    ++i;
                if (i < end && (found == noIndex || calls.start[i] < calls.start[found]))
                    found = i;
            }
        }
        return found;
    }

    bool launchesWhatIsCutOff(EventIndex call) const
    {
        const CallKind kind = m_facts.callKinds()[call];
        bool hasWork = false;
        m_trace.visitWork(call, [&](EventRef work) { hasWork = hasWork || isGpuWork(work.kind); });
        return !hasWork && (kind == CallKind::Launch || kind == CallKind::Copy || kind == CallKind::Set);
    }

    /// Whether a gap is launch pace: short, and mostly launches, own code, or the way from the launch to the
    /// GPU (`onItsWay`). Work that was launched before the gap does not count.
    bool isPaceOfLaunching(Ns gap, Ns onItsWay) const
    {
        if (m_pieces.empty())
            return false;
        CauseTimes by{};
        for (const HostPiece& piece : m_pieces)
            by[indexOf(piece.doing)] += piece.range.duration();
        by[indexOf(IdleCause::Queued)] += onItsWay;
        return isLaunchPace(static_cast<IdleCause>(std::ranges::max_element(by) - by.begin()), gap);
    }

    std::size_t partOf(const HostPiece& piece, bool pace)
    {
        if (pace && isLaunchPace(piece.doing, piece.range.duration()))
            return m_parts.idle(
                piece.doing == IdleCause::Launch ? IdleCause::Launch : IdleCause::BetweenLaunches);
        const bool inOperator = piece.operation != StringId{};
        const IdleCause cause = inOperator ? IdleCause::Operator : piece.doing;
        const StringId name = inOperator ? piece.operation : piece.name;
        // Operators are many: those that take no time to speak of are one part.
        constexpr Ns minNamedTime = 200'000;
        if (!isByRange(cause) || name == StringId{} || (inOperator && piece.range.duration() < minNamedTime))
            return m_parts.idle(cause);
        const auto [place, added] = m_named.try_emplace({cause, name}, 0);
        if (added)
            place->second = m_parts.idleIn(
                cause, inOperator ? withoutOperatorNumbers(m_trace.text(name)) : m_trace.text(name));
        return place->second;
    }

    HostPieces& piecesOf(GlobalId thread)
    {
        auto known = m_threads.find(thread);
        if (known == m_threads.end())
            known
                = m_threads
                      .try_emplace(thread, HostPieces(m_trace, m_facts.host(thread), m_words, thread), m_gpu)
                      .first;
        auto& [pieces, gpu] = known->second;
        if (gpu != m_gpu)
            pieces.restart();
        gpu = m_gpu;
        return pieces;
    }

    const Trace& m_trace;
    TraceAnalysis& m_facts;
    TraceAnalysis& m_ofSteps;
    BudgetParts& m_parts;
    RangeWords m_words;
    HelperThreads m_helpers;
    std::optional<RecordingPart> m_recorded;
    std::size_t m_gpu = 0; ///< the number of the one at hand
    std::map<GlobalId, std::pair<HostPieces, std::size_t>> m_threads; ///< with the GPU that asked last
    std::map<std::pair<IdleCause, StringId>, std::size_t> m_named;
    std::vector<HostPiece> m_pieces;
};

} // namespace

void GpuBudget::append(Ns start, std::size_t part)
{
    if (!m_part.empty() && m_part.back() == part)
        return;
    m_start.push_back(start);
    m_part.push_back(static_cast<std::uint16_t>(part));
}

void GpuBudget::finish(Ns end, const BudgetParts& parts)
{
    m_end = std::max(end, m_start.back());
    m_parts = parts.size();
    m_outside = parts.idle(IdleCause::NoWork);
    Budget sums(m_parts, 0);
    m_before.reserve((m_start.size() / blockSize + 1) * m_parts);
    for (std::size_t i = 0; i < m_start.size(); ++i) {
        if (i % blockSize == 0)
            m_before.insert(m_before.end(), sums.begin(), sums.end());
        sums[m_part[i]] += endOf(i) - m_start[i];
    }
}

std::size_t GpuBudget::stretchAt(Ns time) const
{
    return m_start.until(time) - 1;
}

void GpuBudget::addBefore(Ns time, std::size_t at, Ns sign, Budget& sums) const
{
    const std::size_t block = at / blockSize;
    for (std::size_t part = 0; part < m_parts; ++part)
        sums[part] += sign * m_before[block * m_parts + part];
    for (std::size_t i = block * blockSize; i < at; ++i)
        sums[m_part[i]] += sign * (endOf(i) - m_start[i]);
    sums[m_part[at]] += sign * (time - m_start[at]);
}

void GpuBudget::addInside(TimeRange range, Budget& sums) const
{
    const std::size_t first = stretchAt(range.start);
    const std::size_t last = stretchAt(range.end);
    if (last - first > blockSize) {
        addBefore(range.end, last, 1, sums);
        addBefore(range.start, first, -1, sums);
        return;
    }
    // A step has few stretches: fewer than there are from the sums of a block to its ends.
    for (std::size_t i = first; i < last; ++i)
        sums[m_part[i]] += endOf(i) - m_start[i];
    sums[m_part[last]] += range.end - m_start[last];
    sums[m_part[first]] -= range.start - m_start[first];
}

Budget GpuBudget::within(TimeRange range) const
{
    Budget sums(m_parts, 0);
    if (range.empty())
        return sums;
    const TimeRange inside = range.clippedTo({m_start.front(), m_end});
    if (!inside.empty())
        addInside(inside, sums);
    sums[m_outside] += range.duration() - inside.duration();
    return sums;
}

Budget GpuBudget::within(std::span<const TimeRange> ranges, const std::stop_token& stop) const
{
    Budget sums(m_parts, 0);
    StopCheck check(stop);
    std::size_t at = 0;
    for (const TimeRange& range : ranges) {
        check.step();
        const TimeRange inside = range.clippedTo({m_start.front(), m_end});
        sums[m_outside] += range.duration() - inside.duration();
        if (inside.empty())
            continue;
        if (at == 0)
            at = stretchAt(inside.start);
        while (endOf(at) <= inside.start) {
            check.step();
            ++at;
        }
        for (; m_start[at] < inside.end; ++at) {
            check.step();
            sums[m_part[at]] += TimeRange{m_start[at], endOf(at)}.clippedTo(inside).duration();
            if (endOf(at) >= inside.end)
                break; // the next range may begin in it
        }
    }
    return sums;
}

GpuBudgets::GpuBudgets(const Trace& trace, const KernelClassRules& rules, const std::stop_token& stop,
    const KnownWaits& knownWaits, const std::string& stepGlob)
    : m_parts(rules, gpuApiOf(trace))
{
    TraceAnalysis facts(trace, trace.session, stop);
    // The window in which callers look for steps: they are kept.
    TraceAnalysis ofSteps(trace, {trace.session.start, trace.session.end + 1}, stop, stepGlob);
    make(facts, ofSteps, rules, knownWaits);
}

GpuBudgets::GpuBudgets(TraceAnalysis& facts)
    : m_parts(kernelClassRules(), gpuApiOf(facts.trace()))
{
    const Trace& trace = facts.trace();
    if (facts.window() == trace.session) {
        make(facts, facts, kernelClassRules(), {});
        return;
    }
    TraceAnalysis whole(trace, trace.session, facts.stop());
    make(whole, facts, kernelClassRules(), {});
}

void GpuBudgets::make(
    TraceAnalysis& facts, TraceAnalysis& ofSteps, const KernelClassRules& rules, const KnownWaits& knownWaits)
{
    const Trace& trace = facts.trace();
    const std::stop_token& stop = facts.stop();
    const TimeRange session{trace.session.start, std::max(trace.session.end, trace.session.start) + 1};
    const TraceClasses classes(trace, rules);
    std::map<GpuOfProcess, Waits> waits;
    std::set<GpuOfProcess> unsplit;
    if (classes.anyCommunication)
        waits = waitsOf(facts, session, unsplit);
    for (const auto& [gpu, known] : knownWaits) {
        waits[gpu] = unionOf(known, session);
        unsplit.erase(gpu);
    }
    IdleSplitter splitter(facts, ofSteps, m_parts);
    for (const auto& [gpu, work] : workOfGpus(trace)) {
        GpuBudget& budget = m_gpus.emplace_back();
        budget.process = gpu.first;
        budget.device = gpu.second;
        // Usually enough: unused room costs address space only.
        budget.m_start.reserve(work * 4);
        budget.m_part.reserve(work * 4);
        splitter.beginGpu();
        const bool isUnsplit = unsplit.contains(gpu);
        const auto take = [&](const GpuSweep& sweep) {
            std::size_t gap = 0;
            for (std::size_t i = 0; i < sweep.start.size(); ++i) {
                if (sweep.part[i] != GpuSweep::idle) {
                    const bool communicates
                        = sweep.part[i] == m_parts.transfer() || sweep.part[i] == m_parts.wait();
                    budget.append(
                        sweep.start[i], communicates && isUnsplit ? m_parts.unsplit() : sweep.part[i]);
                    continue;
                }
                const bool ends = i + 1 == sweep.start.size();
                const bool isLast = ends && sweep.isLast;
                const TimeRange range{sweep.start[i], ends ? sweep.end : sweep.start[i + 1]};
                const auto append = [&](Ns start, std::size_t part) { budget.append(start, part); };
                const EventIndex call = sweep.nextCall[gap++];
                const bool isBehind
                    = call == noIndex && sweep.lastCall != noIndex && range.start >= sweep.lastLaunched;
                const bool isCutOff = splitter.isCutOff(range);
                if (isBehind && isLast && isCutOff)
                    splitter.splitCutOff(range, sweep.lastCall, append);
                else if (isBehind && !isCutOff)
                    splitter.splitBehind(range, sweep.lastCall, append);
                else
                    splitter.split(range, call, isLast, sweep.lastLaunched, append);
            }
        };
        sweepGpu(trace, gpu, session, m_parts, classes, waits[gpu], facts.pageWaits(gpu).times, take, stop);
    }
    // The parts are all known only now.
    for (GpuBudget& budget : m_gpus)
        budget.finish(session.end, m_parts);
}

const GpuBudget* GpuBudgets::find(GlobalId process, std::int32_t device) const
{
    const auto found = std::ranges::find_if(
        m_gpus, [&](const GpuBudget& gpu) { return gpu.process == process && gpu.device == device; });
    return found != m_gpus.end() ? &*found : nullptr;
}

Budget meanOf(const Budget& sums, std::size_t count)
{
    Budget mean(sums.size(), 0);
    if (count == 0)
        return mean;
    const auto steps = static_cast<Ns>(count);
    Ns whole = 0;
    Ns given = 0;
    std::vector<std::pair<Ns, std::size_t>> remainders;
    for (std::size_t part = 0; part < sums.size(); ++part) {
        whole += sums[part];
        mean[part] = sums[part] / steps;
        given += mean[part];
        remainders.emplace_back(-(sums[part] % steps), part);
    }
    std::ranges::sort(remainders);
    for (Ns left = whole / steps - given, i = 0; i < left; ++i)
        ++mean[remainders[static_cast<std::size_t>(i)].second];
    return mean;
}

Ns totalOf(const BudgetParts& parts, const Budget& budget, BudgetGroup group)
{
    Ns total = 0;
    for (std::size_t part = 0; part < budget.size(); ++part)
        total += parts[part].group == group ? budget[part] : 0;
    return total;
}

} // namespace warpline
