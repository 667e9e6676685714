#include "core/budget/host_pieces.h"

#include "core/analysis/time_by_name.h"
#include "core/derive/tracks_of.h"
#include "core/replay/data_loading.h"
#include "core/store/library_domains.h"

#include <algorithm>
#include <ranges>

namespace warpline {

RangeWords::RangeWords(const Trace& trace)
    : loadsData([&trace](StringId name) { return isDataLoading(trace.text(name)); }),
      isOperator([&trace](StringId name) { return isFrameworkOperator(trace.text(name)); })
{
}

HostPieces::HostPieces(const Trace& trace, const HostTimeline& host, RangeWords& words, GlobalId thread)
    : m_nvtx(trace.nvtx()),
      m_words(words)
{
    // A domain of the program's own lies inside its ranges of the default domain: the later source is the
    // inner one.
    for (const bool ownDomain : {false, true}) {
        for (const Track& track : TracksOf(trace, EventKind::Nvtx, thread)) {
            const std::string_view domain = trace.text(track.family);
            if (domain.empty() != ownDomain && !isLibraryDomain(domain))
                addLanes(track, false);
        }
    }
    for (const Track& track : TracksOf(trace, EventKind::Nvtx, thread)) {
        if (track.device < 0 && isOfFramework(trace.text(track.family)))
            addLanes(track, true);
    }
    const auto addPart = [&](const PackedIntervals& times, IdleCause doing) {
        m_sources.push_back({&times, doing, false, 0, times.size()});
    };
    using Mark = HostTimeline::Mark;
    addPart(host.of(Mark::Profiler), IdleCause::Profiler);
    addPart(host.of(Mark::RankStart), IdleCause::RankStart);
    addPart(host.of(Mark::LoadsSeen), IdleCause::CodeLoading); // would be without the recorder, too
    for (std::size_t i = indexOf(HostTimeline::first); i <= indexOf(HostTimeline::last); ++i)
        addPart(host.of(static_cast<IdleCause>(i)), static_cast<IdleCause>(i));
    std::erase_if(m_sources, [](const Source& source) { return source.first == source.last; });
    restart();
}

void HostPieces::restart()
{
    m_changes = {};
    m_active.fill(0);
    m_own.clear();
    m_loading.clear();
    m_operators.reset(m_sources.size());
    for (std::size_t s = 0; s < m_sources.size(); ++s) {
        m_sources[s].next = m_sources[s].first;
        m_sources[s].isOpen = false;
        m_changes.emplace(std::numeric_limits<Ns>::min(), s);
    }
}

void HostPieces::addLanes(const Track& track, bool ofFramework)
{
    for (const Lane& lane : m_nvtx.lanesOf(track))
        m_sources.push_back(
            {nullptr, IdleCause::OwnCode, ofFramework, lane.first, std::size_t{lane.first} + lane.count});
}

TimeRange HostPieces::rangeOf(const Source& source, std::size_t i) const
{
    return source.times != nullptr ? (*source.times)[i] : m_nvtx.range(i);
}

/// Goes to the first range of `source` that ends after `time`. Leaves out marks: they take no time.
void HostPieces::skipEnded(Source& source, Ns time) const
{
    const auto ended = [&](std::size_t i) { return rangeOf(source, i).end <= time; };
    std::size_t step = 1; // gallops: many ranges lie where none is asked for
    while (source.last - source.next >= step && ended(source.next + step - 1)) {
        source.next += step;
        step *= 2;
    }
    const auto near = std::views::iota(source.next, std::min(source.next + step, source.last));
    source.next += static_cast<std::size_t>(std::ranges::partition_point(near, ended) - near.begin());
    while (source.next < source.last && rangeOf(source, source.next).empty())
        ++source.next;
}

/// Opens the ranges that hold `time`, and closes those that ended until then.
void HostPieces::advance(Ns time)
{
    while (!m_changes.empty() && m_changes.top().first <= time) {
        const std::size_t s = m_changes.top().second;
        m_changes.pop();
        Source& source = m_sources[s];
        if (source.isOpen)
            setOpen(s, false);
        skipEnded(source, time);
        if (source.next == source.last)
            continue;
        const TimeRange range = rangeOf(source, source.next);
        if (range.start <= time)
            setOpen(s, true);
        m_changes.emplace(source.isOpen ? range.end : range.start, s);
    }
}

void HostPieces::setOpen(std::size_t s, bool open)
{
    Source& source = m_sources[s];
    source.isOpen = open;
    const StringId name = nameIn(source);
    const bool loads = source.times == nullptr && !source.ofFramework && m_words.loadsData(name);
    m_active[indexOf(loads ? IdleCause::DataLoading : source.doing)] += open ? 1 : -1;
    if (name == StringId{})
        return;
    const auto keep = [&](std::set<std::size_t>& sources) {
        if (open)
            sources.insert(sources.end(), s);
        else
            sources.erase(s);
    };
    if (source.ofFramework) {
        m_operators.set(s, open ? m_nvtx.start[source.next] : MaxTree::none);
        return;
    }
    keep(m_own);
    if (loads)
        keep(m_loading);
}

StringId HostPieces::nameIn(const Source& source) const
{
    return source.times == nullptr ? m_nvtx.name[source.next] : StringId{};
}

HostPiece HostPieces::now() const
{
    HostPiece piece;
    for (std::size_t i = 0; i < idleCauses; ++i) {
        if (m_active[i] > 0) {
            piece.doing = static_cast<IdleCause>(i);
            break;
        }
    }
    Ns since = std::numeric_limits<Ns>::min();
    if (!m_own.empty()) {
        const Source& inner = m_sources[*m_own.rbegin()];
        piece.name = nameIn(inner);
        since = m_nvtx.start[inner.next];
    }
    // The outermost range that loads data, as in the rule about data loading: those inside are a library's.
    if (piece.doing == IdleCause::DataLoading)
        piece.name = m_loading.empty() ? StringId{} : nameIn(m_sources[*m_loading.begin()]);
    if (piece.doing == IdleCause::OwnCode)
        piece.operation = operationIn(piece, since);
    return piece;
}

/// The innermost operator, of those that began inside the program's own range, which began at `since`.
StringId HostPieces::operationIn(const HostPiece& piece, Ns since) const
{
    const auto inner = m_operators.last(since);
    const StringId name = inner ? nameIn(m_sources[*inner]) : piece.name;
    return name != StringId{} && m_words.isOperator(name) ? name : StringId{};
}

void HostPieces::append(TimeRange range, std::vector<HostPiece>& pieces)
{
    for (Ns from = range.start; from < range.end; from = pieces.back().range.end) {
        advance(from);
        HostPiece piece = now();
        piece.range = {from, m_changes.empty() ? range.end : std::min(m_changes.top().first, range.end)};
        pieces.push_back(piece);
    }
}

} // namespace warpline
