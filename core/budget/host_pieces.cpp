#include "core/budget/host_pieces.h"

#include "core/coverage/migrations.h"
#include "core/findings/first_launches.h"
#include "core/findings/host_activity.h"
#include "core/findings/operators.h"
#include "core/replay/data_loading.h"
#include "core/store/library_domains.h"
#include "core/store/recorder.h"

#include <algorithm>
#include <array>
#include <limits>

namespace warpline {

namespace {

/// True for calls that start or end the work of ranks: they wait for nobody's results.
bool startsRanks(std::string_view name)
{
    constexpr std::string_view prefix = "MPI_";
    constexpr std::array<std::string_view, 9> names{"Init", "Init_thread", "Finalize", "Session_init",
        "Session_finalize", "nvshmem_init", "nvshmemx_init_attr", "nvshmem_finalize",
        "nvshmemx_hostlib_init_attr"};
    if (name.starts_with(prefix))
        name.remove_prefix(prefix.size());
    return std::ranges::find(names, name) != names.end();
}

} // namespace

HostWords::HostWords(const Trace& trace)
    : m_trace(&trace),
      m_calls(trace),
      m_firstLaunches(firstLaunches(trace, m_calls))
{
}

bool HostWords::loadsData(StringId rangeName)
{
    const auto [place, added] = m_loads.try_emplace(rangeName, false);
    if (added)
        place->second = isDataLoading(m_trace->text(rangeName));
    return place->second;
}

bool HostWords::startsCompiler(StringId name)
{
    const auto [place, added] = m_compilers.try_emplace(name, false);
    if (added)
        place->second = warpline::startsCompiler(m_trace->text(name));
    return place->second;
}

bool HostWords::isOperator(StringId name)
{
    const auto [place, added] = m_operators.try_emplace(name, false);
    if (added)
        place->second = isFrameworkOperator(m_trace->text(name));
    return place->second;
}

IdleCause HostWords::ofCall(EventIndex call) const
{
    switch (m_calls[call]) {
    case CallKind::Copy:
    case CallKind::Set:
        return IdleCause::CopyCall;
    case CallKind::DeviceSync:
    case CallKind::StreamSync:
    case CallKind::EventSync:
        return IdleCause::HostWait;
    case CallKind::Allocate:
    case CallKind::Release:
    case CallKind::PinHost:
        return IdleCause::Allocation;
    case CallKind::LoadModule:
    case CallKind::MakeContext:
        return IdleCause::CodeLoading;
    case CallKind::Launch:
        return std::ranges::binary_search(m_firstLaunches, call) ? IdleCause::CodeLoading : IdleCause::Launch;
    case CallKind::CreateStream:
    case CallKind::Other:
        break;
    }
    return IdleCause::OtherCall;
}

HostPieces::HostPieces(const Trace& trace, HostWords& words, GlobalId thread)
    : m_words(words)
{
    // A domain of the program's own lies inside its ranges of the default domain: the later source is the
    // inner one.
    for (const bool ownDomain : {false, true}) {
        const NvtxTable& nvtx = trace.nvtx();
        for (const Track& track : nvtx.tracks) {
            const std::string_view domain = trace.text(track.family);
            if (track.owner != thread || domain.empty() == ownDomain || isLibraryDomain(domain))
                continue;
            for (const Lane& lane : nvtx.lanesOf(track))
                m_sources.push_back({&nvtx, lane.first, lane.first + lane.count, true});
        }
    }
    for (const Track& track : trace.nvtx().tracks) {
        if (track.owner != thread || track.device >= 0 || !isOfFramework(trace.text(track.family)))
            continue;
        for (const Lane& lane : trace.nvtx().lanesOf(track)) {
            if (m_sources.size() < pages / 2)
                m_sources.push_back({&trace.nvtx(), lane.first, lane.first + lane.count, false, true});
        }
    }
    for (const EventKind kind : {EventKind::Nvtx, EventKind::Library, EventKind::Overhead, EventKind::ApiCall,
             EventKind::OsRuntime, EventKind::ThreadState})
        addTable(trace, kind, thread);
    const TimeRange session{trace.session.start, std::max(trace.session.end, trace.session.start) + 1};
    m_pageWaits = hostPageWaits(trace, processOf(thread), session, {});
    m_names.resize(m_sources.size());
}

void HostPieces::addTable(const Trace& trace, EventKind kind, GlobalId thread)
{
    const EventTable& table = trace.table(kind);
    for (const Track& track : table.tracks) {
        if (track.owner != thread || track.device >= 0)
            continue;
        const bool ofLibrary = kind == EventKind::Nvtx || kind == EventKind::Library;
        if (ofLibrary && !isCommunicationLibrary(trace.text(track.family)))
            continue;
        for (const Lane& lane : table.lanesOf(track)) {
            if (m_sources.size() < pages)
                m_sources.push_back({&table, lane.first, lane.first + lane.count, false});
        }
    }
}

IdleCause HostPieces::doingOf(const Source& source, EventIndex event)
{
    if (source.ofFramework)
        return IdleCause::OwnCode;
    if (source.named)
        return m_words.loadsData(source.table->name[event]) ? IdleCause::DataLoading : IdleCause::OwnCode;
    switch (source.table->kind) {
    case EventKind::Overhead: // what it saw being loaded would be without it, too
        return isProfilersOwn(m_words.text(source.table->name[event])) ? IdleCause::Profiler
                                                                       : IdleCause::CodeLoading;
    case EventKind::OsRuntime:
        return IdleCause::OsCall;
    case EventKind::ApiCall:
        return m_words.ofCall(event);
    case EventKind::ThreadState:
        return m_words.runs(source.table->name[event]) ? IdleCause::OwnCode : IdleCause::OffCpu;
    default:
        return startsRanks(m_words.text(source.table->name[event])) ? IdleCause::RankStart
                                                                    : IdleCause::OtherRanks;
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
        const EventTable& table = *source.table;
        while (source.next < source.last && table.end(source.next) <= range.start)
            ++source.next;
        for (EventIndex i = source.next; i < source.last && table.start[i] < range.end; ++i) {
            const IdleCause doing = doingOf(source, i);
            if (doing == IdleCause::OwnCode && !source.named && !source.ofFramework)
                continue; // on a CPU: says nothing more
            const bool ofModules = table.kind == EventKind::ApiCall && m_words.loadsModules(i);
            const bool startsCompiler = !source.named && m_words.startsCompiler(table.name[i]);
            addBoundaries(table.range(i).clippedTo(range),
                {0, true, static_cast<std::uint16_t>(s), doing, table.name[i], ofModules, startsCompiler,
                    table.start[i]});
        }
    }
    while (m_nextPageWait < m_pageWaits.size() && m_pageWaits[m_nextPageWait].end <= range.start)
        ++m_nextPageWait;
    for (std::size_t i = m_nextPageWait; i < m_pageWaits.size() && m_pageWaits[i].start < range.end; ++i)
        addBoundaries(m_pageWaits[i].clippedTo(range), {0, true, pages, IdleCause::HostPages, {}});
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
    piece.ofModules = piece.doing == IdleCause::CodeLoading && m_loadingModules > 0;
    piece.startsCompiler = m_startingCompilers > 0;
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
        // The outermost that loads, as the rule that is about it has it: those inside are a library's.
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
    const std::size_t before = pieces.size();
    collect(range);
    Ns from = range.start;
    std::size_t i = 0;
    while (from < range.end) {
        for (; i < m_boundaries.size() && m_boundaries[i].time <= from; ++i) {
            const Boundary& each = m_boundaries[i];
            m_active[static_cast<std::size_t>(each.doing)] += each.begins ? 1 : -1;
            if (each.ofModules)
                m_loadingModules += each.begins ? 1 : -1;
            if (each.startsCompiler)
                m_startingCompilers += each.begins ? 1 : -1;
            if (each.source != pages && (m_sources[each.source].named || m_sources[each.source].ofFramework))
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
    m_loadingModules = 0;
    m_startingCompilers = 0;
    std::ranges::fill(m_names, Open{});
    markCompiling(std::span(pieces).subspan(before));
}

void HostPieces::markCompiling(std::span<HostPiece> pieces)
{
    bool compiles = false; // for sure: then what comes before belongs to it, too
    for (std::size_t i = pieces.size(); i-- > 1;) {
        HostPiece& piece = pieces[i - 1];
        if (!pieces[i].ofModules || pieces[i].name != piece.name) {
            compiles = false;
            continue;
        }
        compiles = compiles || piece.startsCompiler;
        const bool ownCode = piece.doing == IdleCause::OwnCode || piece.doing == IdleCause::OsCall;
        if (!ownCode && !piece.startsCompiler && !(compiles && piece.doing == IdleCause::CodeLoading))
            continue;
        piece.doing = IdleCause::CodeLoading;
        piece.ofModules = true;
    }
}

} // namespace warpline
