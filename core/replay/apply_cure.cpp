#include "core/replay/apply_cure.h"

#include "core/base/glob.h"
#include "core/coverage/intervals.h"
#include "core/kernels/kernel_classes.h"
#include "core/replay/cure_costs.h"
#include "core/store/unified_memory.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace warpline {

std::string_view keyOf(CureKind kind)
{
    switch (kind) {
    case CureKind::RemoveSync:
        break;
    case CureKind::PoolAllocations:
        return "pool_allocations";
    case CureKind::RemoveCalls:
        return "remove_calls";
    case CureKind::RemoveWork:
        return "remove_work";
    case CureKind::OverlapCopies:
        return "overlap_copies";
    case CureKind::OverlapCommunication:
        return "overlap_communication";
    case CureKind::AsyncCopies:
        return "async_copies";
    case CureKind::MergeCopies:
        return "merge_copies";
    case CureKind::ScaleWork:
        return "scale_work";
    case CureKind::FuseKernels:
        return "fuse_kernels";
    case CureKind::LaunchGraph:
        return "launch_graph";
    case CureKind::ReadyInput:
        return "ready_input";
    case CureKind::PrefetchPages:
        return "prefetch_pages";
    case CureKind::EvenSteps:
        return "even_steps";
    }
    return "remove_sync";
}

namespace {

/// A gap of the host that is longer than this is work of its own, not the way to the next launch.
constexpr Ns longestWay = 1'000'000;
/// Copies of at least this many bytes show the rate of the link.
constexpr std::uint64_t showsRate = 1'000'000;
constexpr std::uint64_t showsRateOfPages = 65'536; ///< the same of pages of unified memory
/// Kernels that take this much longer than the quickest like them are slowed down by faults.
constexpr double slowedByFaults = 1.5;

Ns pick(const cost::Range& range, Estimate estimate)
{
    if (estimate == Estimate::Expected)
        return range.expected;
    return estimate == Estimate::Optimistic ? range.low : range.high;
}

double pick(const FactorRange& range, Estimate estimate)
{
    if (estimate == Estimate::Expected)
        return range.expected;
    return estimate == Estimate::Optimistic ? range.low : range.high;
}

Ns scaled(Ns length, double factor)
{
    return static_cast<Ns>(static_cast<double>(length) * factor);
}

/// Makes one edit of a graph.
class Editor {
public:
    Editor(const Trace& trace, const CureEdit& edit, Estimate estimate, ReplayGraph& graph)
        : m_trace(trace),
          m_edit(edit),
          m_estimate(estimate),
          m_graph(graph),
          m_next(graph.calls.size(), noNode)
    {
        for (std::uint32_t i = 0; i < graph.calls.size(); ++i) {
            if (graph.calls[i].previous != noNode)
                m_next[graph.calls[i].previous] = i;
        }
    }

    std::size_t apply()
    {
        switch (m_edit.kind) {
        case CureKind::RemoveSync:
            return removeSyncs();
        case CureKind::PoolAllocations:
            return pool();
        case CureKind::RemoveCalls:
            return removeCalls();
        case CureKind::RemoveWork:
            return removeWorks();
        case CureKind::OverlapCopies:
            return overlapCopies();
        case CureKind::OverlapCommunication:
            return overlapCommunication();
        case CureKind::AsyncCopies:
            return asyncCopies();
        case CureKind::MergeCopies:
            return mergeCopies();
        case CureKind::ScaleWork:
            return scaleWorks();
        case CureKind::FuseKernels:
            return fuse();
        case CureKind::LaunchGraph:
            return launchGraphs();
        case CureKind::ReadyInput:
            return readyInput();
        case CureKind::PrefetchPages:
            return prefetch();
        case CureKind::EvenSteps:
            break;
        }
        return 0;
    }

private:
    bool namesFit(EventRef event)
    {
        if (m_edit.name.empty())
            return true;
        const StringId name = m_trace.table(event.kind).name[event.index];
        const auto [place, added] = m_fits.try_emplace({event.kind, name}, false);
        if (added)
            place->second = matchesGlob(m_trace.name(event), m_edit.name)
                || matchesGlob(m_trace.displayName(event), m_edit.name)
                || (event.kind == EventKind::ApiCall
                    && matchesGlob(bareCallName(m_trace.name(event)), m_edit.name));
        return place->second;
    }

    bool fits(EventRef event)
    {
        if (m_edit.work && event.kind != EventKind::ApiCall && event.kind != *m_edit.work)
            return false;
        if (!m_edit.events.empty() && !std::ranges::binary_search(m_edit.events, event))
            return false;
        if (!m_edit.times.empty()) {
            const Ns begin = m_trace.range(event).start;
            if (m_edit.times.timeIn({begin, begin + 1}) == 0)
                return false;
        }
        return namesFit(event);
    }
    bool fits(const ReplayCall& call) { return fits({EventKind::ApiCall, call.call}); }

    bool isRunning(const ReplayWork& work) const { return !work.removed && work.call != noNode; }

    void stopWaiting(ReplayCall& call)
    {
        call.awaitedCount = 0;
        call.room = noNode;
    }

    /// Takes `call` out. Of the two stretches of the host's own time beside it one remains, the longer: the
    /// other one is the way to the call and back.
    void remove(std::uint32_t index)
    {
        ReplayCall& call = m_graph.calls[index];
        if (call.removed)
            return;
        call.removed = true;
        call.length = 0;
        stopWaiting(call);
        if (m_next[index] == noNode || m_estimate == Estimate::Pessimistic)
            return;
        Ns& before = call.gap;
        Ns& after = m_graph.calls[m_next[index]].gap;
        Ns& goes = (before < after) == (m_estimate == Estimate::Expected) ? before : after;
        goes -= std::min(goes, cost::mostWrapper);
    }

    /// Takes `work` out of its stream, and its call where it launches nothing else.
    void removeWork(std::uint32_t index)
    {
        ReplayWork& work = m_graph.works[index];
        work.removed = true;
        if (work.call != noNode && callHas(work.call) == 0)
            remove(work.call);
    }

    std::size_t callHas(std::uint32_t call)
    {
        if (m_worksOf.empty()) {
            m_worksOf.resize(m_graph.calls.size());
            for (std::uint32_t i = 0; i < m_graph.works.size(); ++i) {
                if (m_graph.works[i].call != noNode)
                    m_worksOf[m_graph.works[i].call].push_back(i);
            }
        }
        return static_cast<std::size_t>(std::ranges::count_if(
            m_worksOf[call], [&](std::uint32_t i) { return !m_graph.works[i].removed; }));
    }

    std::size_t removeSyncs()
    {
        std::vector<std::uint32_t> found;
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::size_t, std::uint32_t>> lasts;
        for (std::uint32_t i = 0; i < m_graph.calls.size(); ++i) {
            const ReplayCall& call = m_graph.calls[i];
            if (!waits(call.kind) || call.removed || !fits(call))
                continue;
            found.push_back(i);
            auto& [count, last] = lasts[{call.thread, call.step}];
            ++count;
            last = i;
        }
        std::set<std::uint32_t> kept;
        for (const auto& [place, last] : lasts) {
            if (last.first > 1 && m_edit.events.empty() && !m_graph.isWhole)
                kept.insert(last.second);
        }
        for (const std::uint32_t i : found) {
            if (!kept.contains(i))
                remove(i);
        }
        return found.size() - kept.size();
    }

    std::size_t pool()
    {
        std::size_t changed = 0;
        for (ReplayCall& call : m_graph.calls) {
            if (!allocates(call.kind) || call.removed || !fits(call))
                continue;
            call.length = std::min(call.length, pick(cost::pooledCall, m_estimate));
            stopWaiting(call);
            ++changed;
        }
        return changed;
    }

    std::size_t removeCalls()
    {
        std::size_t changed = 0;
        for (std::uint32_t i = 0; i < m_graph.calls.size(); ++i) {
            if (m_graph.calls[i].removed || !fits(m_graph.calls[i]))
                continue;
            callHas(i);
            for (const std::uint32_t work : m_worksOf[i])
                m_graph.works[work].removed = true;
            remove(i);
            ++changed;
        }
        return changed;
    }

    std::size_t removeWorks()
    {
        std::size_t changed = 0;
        for (std::uint32_t i = 0; i < m_graph.works.size(); ++i) {
            if (!isRunning(m_graph.works[i]) || !fits(m_graph.works[i].event))
                continue;
            removeWork(i);
            ++changed;
        }
        return changed;
    }

    std::size_t scaleWorks()
    {
        const double factor = pick(m_edit.factor, m_estimate);
        std::size_t changed = 0;
        for (ReplayWork& work : m_graph.works) {
            if (!isRunning(work) || !fits(work.event))
                continue;
            work.length = scaled(work.length, factor);
            ++changed;
        }
        return changed;
    }

    bool isHostCopy(const ReplayWork& work) const
    {
        if (work.event.kind != EventKind::Memcpy || !isRunning(work))
            return false;
        const CopyKind kind = m_trace.memcpys().copy(work.event.index).kind;
        return kind == CopyKind::HtoD || kind == CopyKind::DtoH;
    }
    bool isUpload(const ReplayWork& work) const
    {
        return m_trace.memcpys().copy(work.event.index).kind == CopyKind::HtoD;
    }

    /// The call of a copy that no longer waits for it.
    void unblock(std::uint32_t index)
    {
        ReplayCall& call = m_graph.calls[index];
        const Ns usual
            = m_graph.copyCallLength > 0 ? m_graph.copyCallLength : pick(cost::copyCall, m_estimate);
        call.length = std::min(call.length, usual);
        stopWaiting(call);
    }

    std::size_t asyncCopies()
    {
        const double factor = pick(m_edit.factor, m_estimate);
        std::size_t changed = 0;
        for (ReplayWork& work : m_graph.works) {
            if (!isHostCopy(work) || !fits(work.event))
                continue;
            unblock(work.call);
            work.length = scaled(work.length, factor);
            ++changed;
        }
        return changed;
    }

    /// Moves `index` to `stream`, where `last` ran before it, which it becomes. What waited for it on its old
    /// stream waits for what was before it there.
    void move(std::uint32_t index, std::uint32_t stream, std::uint32_t& last)
    {
        ReplayWork& work = m_graph.works[index];
        const std::uint32_t old = work.previous;
        m_replaced[index] = old;
        work.stream = stream;
        work.previous = last;
        work.gap = 0;
        work.moved = true;
        last = index;
    }

    /// Lets all that depended on moved work depend on what was before it.
    void closeRanks(bool dropConsumers)
    {
        const auto resolve = [&](std::uint32_t work) {
            for (auto found = m_replaced.find(work); found != m_replaced.end(); found = m_replaced.find(work))
                work = found->second;
            return work;
        };
        for (std::uint32_t i = 0; i < m_graph.works.size(); ++i) {
            ReplayWork& work = m_graph.works[i];
            if (!m_replaced.contains(i))
                work.previous = work.previous == noNode ? noNode : resolve(work.previous);
            if (dropConsumers && work.producer != noNode && m_replaced.contains(work.producer)
                && !m_replaced.contains(i))
                work.producer = noNode;
        }
        for (ReplayCall& call : m_graph.calls) {
            std::uint32_t kept = 0;
            for (std::uint32_t a = 0; a < call.awaitedCount; ++a) {
                const std::uint32_t work = resolve(m_graph.awaited[call.firstAwaited + a]);
                if (work != noNode)
                    m_graph.awaited[call.firstAwaited + kept++] = work;
            }
            call.awaitedCount = kept;
        }
    }

    std::uint32_t streams() const
    {
        std::uint32_t most = 0;
        for (const ReplayWork& work : m_graph.works)
            most = std::max(most, work.stream + 1);
        return most;
    }

    std::size_t overlapCopies()
    {
        const double factor = pick(m_edit.factor, m_estimate);
        const std::uint32_t first = streams();
        std::uint32_t lasts[2]{noNode, noNode};
        std::size_t changed = 0;
        for (std::uint32_t i = 0; i < m_graph.works.size(); ++i) {
            ReplayWork& work = m_graph.works[i];
            if (!isHostCopy(work) || !fits(work.event))
                continue;
            unblock(work.call);
            work.length = scaled(work.length, factor);
            const std::uint32_t up = isUpload(work) ? 1 : 0;
            // What comes back was made by the work before it; what goes up is sent before it is needed.
            const std::uint32_t made = work.previous;
            move(i, first + up, lasts[up]);
            if (up == 0 && made != noNode) {
                work.producer = made;
                work.producerGap = m_graph.streamGap;
            }
            ++changed;
        }
        closeRanks(true);
        return changed;
    }

    bool isCommunication(const ReplayWork& work)
    {
        if (work.event.kind != EventKind::Kernel || !isRunning(work))
            return false;
        const StringId name = m_trace.kernels().name[work.event.index];
        const auto [place, added] = m_communicates.try_emplace(name, false);
        if (added) {
            const KernelClassRules& rules = kernelClassRules();
            place->second = rules.classOf(m_trace.text(name)) == rules.indexOf("communication");
        }
        return place->second;
    }

    std::size_t overlapCommunication()
    {
        // Nothing is left to hide the last collective of a step.
        std::map<std::uint32_t, std::uint32_t> lastOfStep;
        for (std::uint32_t i = 0; i < m_graph.works.size(); ++i) {
            if (isCommunication(m_graph.works[i]))
                lastOfStep[m_graph.works[i].step] = i;
        }
        const std::uint32_t stream = streams();
        std::uint32_t last = noNode;
        std::size_t changed = 0;
        for (std::uint32_t i = 0; i < m_graph.works.size(); ++i) {
            ReplayWork& work = m_graph.works[i];
            if (!isCommunication(work) || !fits(work.event))
                continue;
            if (lastOfStep[work.step] == i && m_estimate != Estimate::Optimistic)
                continue;
            const std::uint32_t made = work.previous;
            if (work.producer == noNode && made != noNode && !isCommunication(m_graph.works[made])) {
                work.producer = made;
                work.producerGap = m_graph.streamGap;
            }
            move(i, stream, last);
            ++changed;
        }
        closeRanks(true);
        return changed;
    }

    /// Bytes a second of the link in one direction, as the quickest large copy shows it.
    double linkRate(bool up) const
    {
        double rate = 0;
        for (const ReplayWork& work : m_graph.works) {
            if (!isHostCopy(work) || isUpload(work) != up)
                continue;
            const std::uint64_t bytes = m_trace.memcpys().bytes[work.event.index];
            if (bytes >= showsRate && work.ran.duration() > 0)
                rate = std::max(
                    rate, static_cast<double>(bytes) * 1e9 / static_cast<double>(work.ran.duration()));
        }
        return rate > 0 ? rate : cost::linkRate;
    }

    std::size_t mergeCopies()
    {
        struct Sum {
            std::uint32_t first = noNode;
            double bytes = 0;
            Ns length = 0;
            Ns longest = 0;
        };
        std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, Sum> sums; // step, stream, direction
        std::size_t changed = 0;
        for (std::uint32_t i = 0; i < m_graph.works.size(); ++i) {
            const ReplayWork& work = m_graph.works[i];
            if (!isHostCopy(work) || !fits(work.event))
                continue;
            Sum& sum = sums[{work.step, work.stream, isUpload(work)}];
            sum.bytes += static_cast<double>(m_trace.memcpys().bytes[work.event.index]);
            sum.length += work.length;
            sum.longest = std::max(sum.longest, work.length);
            ++changed;
            if (sum.first == noNode)
                sum.first = i;
            else
                removeWork(i);
        }
        for (const auto& [place, sum] : sums) {
            const auto ideal = static_cast<Ns>(sum.bytes * 1e9 / linkRate(std::get<2>(place)));
            m_graph.works[sum.first].length = std::min(sum.length, std::max(sum.longest, ideal));
        }
        return changed;
    }

    std::size_t fuse()
    {
        const double factor = pick(m_edit.factor, m_estimate);
        std::map<std::uint32_t, std::uint32_t> heads; // by stream: the kernel that others join
        std::map<std::uint32_t, Ns> sums; // by head
        std::size_t changed = 0;
        for (std::uint32_t i = 0; i < m_graph.works.size(); ++i) {
            const ReplayWork& work = m_graph.works[i];
            if (work.removed)
                continue;
            const bool joins = work.event.kind == EventKind::Kernel && isRunning(work) && fits(work.event);
            const auto head = heads.find(work.stream);
            if (!joins) {
                if (head != heads.end())
                    heads.erase(head);
                continue;
            }
            ++changed;
            if (head == heads.end() || m_graph.works[head->second].step != work.step) {
                heads[work.stream] = i;
                sums[i] = work.length;
                continue;
            }
            sums[head->second] += work.length;
            const std::uint32_t call = work.call;
            removeWork(i);
            // The host does not come by the operators that are gone.
            if (m_graph.calls[call].removed && m_graph.calls[call].gap < longestWay)
                m_graph.calls[call].gap = 0;
        }
        for (const auto& [head, sum] : sums)
            m_graph.works[head].length = scaled(sum, factor);
        return changed;
    }

    /// Calls that a graph cannot hold end a run of launches.
    bool endsGraph(const ReplayCall& call) const
    {
        return call.waited || waits(call.kind) || allocates(call.kind) || call.kind == CallKind::LoadModule
            || call.gap >= longestWay || call.turn != noNode;
    }

    std::size_t launchGraphs()
    {
        std::size_t changed = 0;
        for (std::uint32_t thread = 0; thread < m_graph.threads.size(); ++thread) {
            std::vector<std::uint32_t> run; // calls, from a launch to a launch
            std::size_t launches = 0;
            std::size_t upToLast = 0;
            const auto close = [&] {
                run.resize(upToLast);
                if (launches > 1)
                    changed += makeGraph(run);
                run.clear();
                launches = 0;
                upToLast = 0;
            };
            for (std::uint32_t i = 0; i < m_graph.calls.size(); ++i) {
                const ReplayCall& call = m_graph.calls[i];
                if (call.thread != thread || call.removed)
                    continue;
                if (!run.empty() && (endsGraph(call) || call.step != m_graph.calls[run.front()].step))
                    close();
                const bool isNode = call.launches && !call.waited && fits(call);
                if (!isNode && run.empty())
                    continue;
                run.push_back(i);
                if (isNode) {
                    ++launches;
                    upToLast = run.size();
                }
            }
            close();
        }
        return changed;
    }

    std::size_t makeGraph(const std::vector<std::uint32_t>& run)
    {
        std::size_t nodes = 0;
        for (const std::uint32_t i : run)
            nodes += callHas(i);
        ReplayCall& head = m_graph.calls[run.front()];
        head.length = scaled(
            pick(cost::graphCall, m_estimate) + static_cast<Ns>(nodes) * pick(cost::graphNode, m_estimate),
            pick(m_edit.factor, m_estimate));
        head.room = noNode;
        const Ns latency = head.length + m_graph.launchLatency;
        const Ns gap = std::min(pick(cost::nodeGap, m_estimate), m_graph.streamGap);
        for (const std::uint32_t i : run) {
            for (const std::uint32_t w : m_worksOf[i]) {
                ReplayWork& work = m_graph.works[w];
                work.call = run.front();
                work.latency = latency;
                work.gap = std::min(work.gap, gap);
            }
            if (i == run.front())
                continue;
            ReplayCall& call = m_graph.calls[i];
            call.removed = true;
            call.length = 0;
            call.gap = 0;
            stopWaiting(call);
        }
        return nodes;
    }

    /// The time of the edit on the threads of the replay: its ranges of NVTX, or its own.
    std::vector<PackedIntervals> readyTimes() const
    {
        if (m_edit.name.empty())
            return std::vector(m_graph.threads.size(), m_edit.times);
        std::vector<PackedIntervals> times(m_graph.threads.size());
        const NvtxTable& table = m_trace.nvtx();
        for (std::size_t thread = 0; thread < times.size(); ++thread) {
            std::vector<TimeRange> ranges;
            for (const Track& track : table.tracks) {
                if (track.device >= 0 || track.owner != m_graph.threads[thread])
                    continue;
                const TimeRange all{m_graph.begin, std::numeric_limits<Ns>::max()};
                for (const Lane& lane : table.lanesOf(track)) {
                    const auto [first, last] = table.touching(lane, all);
                    for (EventIndex i = first; i < last; ++i) {
                        if (table.duration[i] > 0 && matchesGlob(m_trace.text(table.name[i]), m_edit.name))
                            ranges.push_back(table.range(i));
                    }
                }
            }
            times[thread] = unionOf(std::move(ranges), {m_graph.begin, std::numeric_limits<Ns>::max()});
        }
        return times;
    }

    std::size_t readyInput()
    {
        const std::vector<PackedIntervals> times = readyTimes();
        const auto within = [&](std::uint32_t thread, TimeRange range) {
            return range.empty() || times[thread].empty() ? Ns{0} : times[thread].timeIn(range);
        };
        std::size_t changed = 0;
        for (ReplayCall& call : m_graph.calls) {
            const Ns before = call.previous != noNode ? m_graph.calls[call.previous].made.end : m_graph.begin;
            const Ns own = within(call.thread, {before, call.made.start});
            call.gap -= std::min(call.gap, own);
            if (call.turn != noNode) {
                const Ns since = m_graph.calls[call.turn].made.end;
                call.turnGap -= std::min(call.turnGap, within(call.thread, {since, call.made.start}));
            }
            const Ns inside = call.launches ? 0 : within(call.thread, call.made);
            call.length -= std::min(call.length, inside);
            changed += own > 0 || inside > 0 ? 1 : 0;
        }
        return changed;
    }

    std::size_t prefetch()
    {
        const MemcpyTable& copies = m_trace.memcpys();
        TimeRange all{m_graph.begin, m_graph.begin};
        for (const ReplayCall& call : m_graph.calls)
            all.end = std::max(all.end, call.made.end);
        double bytes = 0;
        double rate = 0;
        std::vector<Ns> fetches; // of the host
        for (const Track& track : copies.tracks) {
            for (const Lane& lane : copies.lanesOf(track)) {
                const auto [first, last] = copies.touching(lane, all);
                for (EventIndex i = first; i < last; ++i) {
                    if (!isFaultMigration(copies.copy(i)))
                        continue;
                    bytes += static_cast<double>(copies.bytes[i]);
                    if (copies.bytes[i] >= showsRateOfPages && copies.duration[i] > 0)
                        rate = std::max(rate,
                            static_cast<double>(copies.bytes[i]) / static_cast<double>(copies.duration[i]));
                    if (copies.copy(i).kind == CopyKind::UnifiedDtoH)
                        fetches.push_back(copies.start[i]);
                }
            }
        }
        if (bytes <= 0)
            return 0;
        std::ranges::sort(fetches);
        std::size_t changed
            = scaleToFaultFree(static_cast<Ns>(bytes / (rate > 0 ? rate : cost::linkRate / 1e9)));
        for (ReplayCall& call : m_graph.calls) {
            const Ns before = call.previous != noNode ? m_graph.calls[call.previous].made.end : m_graph.begin;
            const auto first = std::ranges::lower_bound(fetches, before);
            const auto last = std::ranges::lower_bound(fetches, call.made.start);
            const Ns waiting = (last - first)
                * (cost::hostPageFault.low + cost::hostPageFault.high
                    - pick(cost::hostPageFault, m_estimate));
            if (waiting == 0)
                continue;
            // The host does more than wait for pages.
            const Ns goes = std::min(waiting, call.gap * 4 / 5);
            call.gap -= goes;
            ++changed;
        }
        return changed;
    }

    /// Kernels that faults slow down take the time of the quickest like them; pages that take `moving` in all
    /// go with them.
    std::size_t scaleToFaultFree(Ns moving)
    {
        std::map<std::pair<StringId, std::uint32_t>, Ns> quickest; // by name and launch
        const auto alike = [&](const ReplayWork& work) {
            const KernelTable& kernels = m_trace.kernels();
            return std::pair(kernels.name[work.event.index], kernels.attribute[work.event.index]);
        };
        for (const ReplayWork& work : m_graph.works) {
            if (work.event.kind != EventKind::Kernel || !isRunning(work))
                continue;
            const auto [place, added] = quickest.try_emplace(alike(work), work.length);
            place->second = std::min(place->second, work.length);
        }
        std::vector<std::uint32_t> slowed;
        for (std::uint32_t i = 0; i < m_graph.works.size(); ++i) {
            ReplayWork& work = m_graph.works[i];
            if (work.event.kind != EventKind::Kernel || !isRunning(work) || !fits(work.event))
                continue;
            const Ns least = quickest.at(alike(work));
            if (static_cast<double>(work.length) > slowedByFaults * static_cast<double>(least)) {
                work.length = least;
                slowed.push_back(i);
            }
        }
        for (const std::uint32_t i : slowed)
            m_graph.works[i].length += moving / static_cast<Ns>(slowed.size());
        return slowed.size();
    }

    const Trace& m_trace;
    const CureEdit& m_edit;
    Estimate m_estimate;
    ReplayGraph& m_graph;
    std::vector<std::uint32_t> m_next; ///< of each call, on its thread
    std::vector<std::vector<std::uint32_t>> m_worksOf; ///< of each call; see callHas()
    std::map<std::uint32_t, std::uint32_t> m_replaced; ///< moved work, and what was before it
    std::map<std::pair<EventKind, StringId>, bool> m_fits;
    std::map<StringId, bool> m_communicates;
};

} // namespace

std::size_t applyEdit(const Trace& trace, const CureEdit& edit, Estimate estimate, ReplayGraph& graph)
{
    return Editor(trace, edit, estimate, graph).apply();
}

} // namespace warpline
