#include "core/budget/host_pieces.h"

#include "core/analysis/operators.h"
#include "core/replay/data_loading.h"
#include "core/store/library_domains.h"

#include <algorithm>
#include <limits>

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
    using Mark = HostTimeline::Mark;
    m_parts
        = {{&host.of(Mark::Profiler), IdleCause::Profiler}, {&host.of(Mark::RankStart), IdleCause::RankStart},
            {&host.of(Mark::LoadsSeen), IdleCause::CodeLoading}}; // would be without the recorder, too
    for (std::size_t i = indexOf(HostTimeline::first); i <= indexOf(HostTimeline::last); ++i)
        m_parts.push_back({&host.of(static_cast<IdleCause>(i)), static_cast<IdleCause>(i)});
    std::erase_if(m_parts, [](const Part& part) { return part.times->empty(); });
    // A domain of the program's own lies inside its ranges of the default domain: the later source is the
    // inner one.
    for (const bool ownDomain : {false, true}) {
        for (const Track& track : m_nvtx.tracks) {
            const std::string_view domain = trace.text(track.family);
            if (track.owner == thread && domain.empty() != ownDomain && !isLibraryDomain(domain))
                addLanes(track, false);
        }
    }
    for (const Track& track : m_nvtx.tracks) {
        if (track.owner == thread && track.device < 0 && isOfFramework(trace.text(track.family)))
            addLanes(track, true);
    }
    m_names.resize(m_sources.size());
}

void HostPieces::addLanes(const Track& track, bool ofFramework)
{
    for (const Lane& lane : m_nvtx.lanesOf(track)) {
        if (m_sources.size() < noSource)
            m_sources.push_back({lane.first, lane.first + lane.count, ofFramework});
    }
}

void HostPieces::addBoundaries(TimeRange piece, const Boundary& what)
{
    if (piece.empty())
        return;
    Boundary each = what;
    each.time = piece.start;
    each.begins = true;
    m_boundaries.push_back(each);
    each.time = piece.end;
    each.begins = false;
    m_boundaries.push_back(each);
}

void HostPieces::collect(TimeRange range)
{
    m_boundaries.clear();
    for (std::size_t s = 0; s < m_sources.size(); ++s) {
        Source& source = m_sources[s];
        while (source.next < source.last && m_nvtx.end(source.next) <= range.start)
            ++source.next;
        for (EventIndex i = source.next; i < source.last && m_nvtx.start[i] < range.end; ++i) {
            const bool loads = !source.ofFramework && m_words.loadsData(m_nvtx.name[i]);
            addBoundaries(m_nvtx.range(i).clippedTo(range),
                {0, true, static_cast<std::uint16_t>(s), loads ? IdleCause::DataLoading : IdleCause::OwnCode,
                    m_nvtx.name[i], m_nvtx.start[i]});
        }
    }
    for (Part& part : m_parts) {
        const PackedIntervals& times = *part.times;
        while (part.next < times.size() && times[part.next].end <= range.start)
            ++part.next;
        for (std::size_t i = part.next; i < times.size() && times[i].start < range.end; ++i)
            addBoundaries(times[i].clippedTo(range), {0, true, noSource, part.doing, {}});
    }
    std::ranges::sort(
        m_boundaries, {}, [](const Boundary& each) { return std::pair(each.time, each.begins); });
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
    for (std::size_t s = m_sources.size(); s-- > 0;) {
        const Open& open = m_names[s];
        if (!m_sources[s].ofFramework && open.name != StringId{}
            && (open.loads || piece.doing != IdleCause::DataLoading)) {
            piece.name = open.name;
            since = open.since;
            break;
        }
    }
    if (piece.doing == IdleCause::DataLoading) {
        // The outermost range that loads data, as in the rule about data loading: those inside are a
        // library's.
        const auto loads = std::ranges::find_if(
            m_names, [](const Open& open) { return open.name != StringId{} && open.loads; });
        piece.name = loads != m_names.end() ? loads->name : piece.name;
    }
    if (piece.doing == IdleCause::OwnCode)
        piece.operation = operationIn(piece, since);
    return piece;
}

/// The innermost operator, of those that began inside the program's own range, which began at `since`.
StringId HostPieces::operationIn(const HostPiece& piece, Ns since) const
{
    for (std::size_t s = m_sources.size(); s-- > 0;) {
        const Open& open = m_names[s];
        if (m_sources[s].ofFramework && open.name != StringId{} && open.since >= since)
            return m_words.isOperator(open.name) ? open.name : StringId{};
    }
    return piece.name != StringId{} && m_words.isOperator(piece.name) ? piece.name : StringId{};
}

void HostPieces::append(TimeRange range, std::vector<HostPiece>& pieces)
{
    collect(range);
    Ns from = range.start;
    std::size_t i = 0;
    while (from < range.end) {
        for (; i < m_boundaries.size() && m_boundaries[i].time <= from; ++i) {
            const Boundary& each = m_boundaries[i];
            m_active[static_cast<std::size_t>(each.doing)] += each.begins ? 1 : -1;
            if (each.source != noSource)
                m_names[each.source] = {
                    each.begins ? each.name : StringId{}, each.doing == IdleCause::DataLoading, each.since};
        }
        const Ns until = i < m_boundaries.size() ? std::min(m_boundaries[i].time, range.end) : range.end;
        HostPiece piece = now();
        piece.range = {from, until};
        pieces.push_back(piece);
        from = until;
    }
    m_active.fill(0);
    std::ranges::fill(m_names, Open{});
}

} // namespace warpline
