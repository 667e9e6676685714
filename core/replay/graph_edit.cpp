#include "core/replay/graph_edit.h"

#include "core/base/glob.h"
#include "core/store/trace.h"

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

/// Selects `low`, `expected` or `high` of a range.
template <typename Range> auto chosenOf(const Range& range, Estimate estimate)
{
    if (estimate == Estimate::Expected)
        return range.expected;
    return estimate == Estimate::Optimistic ? range.low : range.high;
}

/// Whether `call` only asks for something, as a wrapper does before the call that it is about.
bool isQuery(const ReplayCall& call)
{
    constexpr Ns longest = 3'000;
    return startsNothing(call.kind) && !call.launches && call.made.duration() <= longest;
}

/// `call` is gone.
void drop(ReplayCall& call)
{
    call.removed = true;
    call.length = 0;
    stopWaiting(call);
}

} // namespace

void stopWaiting(ReplayCall& call)
{
    call.awaitedCount = 0;
    call.room = noNode;
}

GraphEdit::GraphEdit(const Trace& ofTrace, const CureEdit& wanted, Estimate taken, ReplayGraph& changed)
    : trace(ofTrace),
      cure(wanted),
      estimate(taken),
      graph(changed),
      m_next(changed.calls.size(), noNode)
{
    for (std::uint32_t i = 0; i < graph.calls.size(); ++i) {
        if (graph.calls[i].previous != noNode)
            m_next[graph.calls[i].previous] = i;
    }
}

Ns GraphEdit::pick(const ExpectedTime& range) const
{
    return chosenOf(range, estimate);
}

double GraphEdit::factor() const
{
    return chosenOf(cure.factor, estimate);
}

bool GraphEdit::namesFit(EventRef event)
{
    if (cure.name.empty())
        return true;
    const StringId name = trace.table(event.kind).name[event.index];
    const auto [place, added] = m_fits.try_emplace({event.kind, name}, false);
    if (added)
        place->second = matchesGlob(trace.name(event), cure.name)
            || matchesGlob(trace.displayName(event), cure.name)
            || (event.kind == EventKind::ApiCall && matchesGlob(bareCallName(trace.name(event)), cure.name));
    return place->second;
}

bool GraphEdit::fits(EventRef event)
{
    if (cure.work && event.kind != EventKind::ApiCall && event.kind != *cure.work)
        return false;
    if (!cure.events.empty() && !std::ranges::binary_search(cure.events, event))
        return false;
    if (!cure.times.empty()) {
        const Ns begin = trace.range(event).start;
        if (cure.times.timeIn({begin, begin + 1}) == 0)
            return false;
    }
    return namesFit(event);
}

bool GraphEdit::isHostCopy(const ReplayWork& work) const
{
    if (work.event.kind != EventKind::Memcpy || !isRunning(work))
        return false;
    const CopyKind kind = trace.memcpys().copy(work.event.index).kind;
    return kind == CopyKind::HtoD || kind == CopyKind::DtoH;
}

bool GraphEdit::isUpload(const ReplayWork& work) const
{
    return trace.memcpys().copy(work.event.index).kind == CopyKind::HtoD;
}

void GraphEdit::removeWaitBehind(std::uint32_t call)
{
    std::uint32_t next = call == noNode ? noNode : m_next[call];
    while (next != noNode && isQuery(graph.calls[next]) && !graph.calls[next].removed)
        next = m_next[next];
    // A wait for the whole device has other reasons.
    if (next != noNode && waits(graph.calls[next].kind) && graph.calls[next].kind != CallKind::DeviceSync)
        remove(next);
}

void GraphEdit::remove(std::uint32_t index)
{
    ReplayCall& call = graph.calls[index];
    if (call.removed)
        return;
    drop(call);
    if (m_next[index] == noNode || estimate == Estimate::Pessimistic)
        return;
    // Of consecutive removed calls one stretch of the host's own time remains.
    for (std::uint32_t i = call.previous; i != noNode && call.turn == noNode;) {
        ReplayCall& previous = graph.calls[i];
        const bool wasRemoved = previous.removed;
        if (previous.turn != noNode || (!wasRemoved && !isQuery(previous)))
            break;
        drop(previous);
        call.gap += std::exchange(previous.gap, 0);
        i = wasRemoved ? noNode : previous.previous; // a removed call has taken over the time of earlier ones
    }
    std::uint32_t next = m_next[index];
    for (int looked = 0; looked < 8 && graph.calls[next].removed && m_next[next] != noNode; ++looked)
        next = m_next[next];
    Ns& before = call.gap;
    Ns& after = graph.calls[next].gap;
    Ns& goes = (before < after) == (estimate == Estimate::Expected) ? before : after;
    goes -= std::min(goes, cost::maxWrapper);
}

void GraphEdit::removeWork(std::uint32_t index)
{
    ReplayWork& work = graph.works[index];
    work.removed = true;
    if (work.call == noNode)
        return;
    const std::vector<std::uint32_t>& works = worksOf(work.call);
    std::size_t& first = m_firstLeft[work.call];
    while (first < works.size() && graph.works[works[first]].removed)
        ++first;
    if (first == works.size())
        remove(work.call);
}

const std::vector<std::uint32_t>& GraphEdit::worksOf(std::uint32_t call)
{
    if (m_worksOf.empty()) {
        m_worksOf.resize(graph.calls.size());
        for (std::uint32_t i = 0; i < graph.works.size(); ++i) {
            if (graph.works[i].call != noNode)
                m_worksOf[graph.works[i].call].push_back(i);
        }
    }
    return m_worksOf[call];
}

Ns GraphEdit::scaled(Ns length, double factor)
{
    const Ns most = std::max(length, longestScaled);
    const double asked = static_cast<double>(length) * factor;
    if (asked <= static_cast<double>(most))
        return static_cast<Ns>(asked);
    graph.isCapped = true;
    return most;
}

void GraphEdit::unblock(std::uint32_t index)
{
    ReplayCall& call = graph.calls[index];
    const Ns usual = graph.copyCallLength > 0 ? graph.copyCallLength : pick(cost::copyCall);
    call.length = std::min(call.length, usual);
    stopWaiting(call);
}

void GraphEdit::move(std::uint32_t index, std::uint32_t stream, std::uint32_t& last)
{
    ReplayWork& work = graph.works[index];
    m_replaced[index] = work.previous;
    work.stream = stream;
    work.previous = last;
    work.gap = 0;
    work.moved = true;
    last = index;
}

void GraphEdit::closeRanks()
{
    for (auto& [work, before] : m_replaced) { // predecessors come first: chains have one link after this
        if (const auto found = m_replaced.find(before); found != m_replaced.end())
            before = found->second;
    }
    const auto resolve = [&](std::uint32_t work) {
        for (auto found = m_replaced.find(work); found != m_replaced.end(); found = m_replaced.find(work))
            work = found->second;
        return work;
    };
    for (std::uint32_t i = 0; i < graph.works.size(); ++i) {
        ReplayWork& work = graph.works[i];
        if (m_replaced.contains(i))
            continue;
        work.previous = work.previous == noNode ? noNode : resolve(work.previous);
        if (work.producer != noNode && m_replaced.contains(work.producer))
            work.producer = noNode;
    }
    for (ReplayCall& call : graph.calls) {
        std::uint32_t kept = 0;
        for (std::uint32_t a = 0; a < call.awaitedCount; ++a) {
            const std::uint32_t work = resolve(graph.awaited[call.firstAwaited + a]);
            if (work != noNode)
                graph.awaited[call.firstAwaited + kept++] = work;
        }
        call.awaitedCount = kept;
    }
}

std::uint32_t GraphEdit::newStream() const
{
    std::uint32_t most = 0;
    for (const ReplayWork& work : graph.works)
        most = std::max(most, work.stream + 1);
    return most;
}

} // namespace warpline
