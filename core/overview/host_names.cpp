// Names what the host does at a time, with the names that the report records.

#include "core/overview/host_names.h"

#include "core/analysis/first_launches.h"
#include "core/analysis/time_by_name.h"
#include "core/base/share.h"
#include "core/base/stop.h"
#include "core/base/utf8.h"
#include "core/derive/tracks_of.h"
#include "core/findings/library_loads.h"
#include "core/glossary/os_call_words.h"
#include "core/steps/step_names.h"
#include "core/steps/steps.h"
#include "core/store/event_loops.h"
#include "core/store/library_domains.h"
#include "core/store/place_names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace warpline {

namespace {

constexpr double nearlyAll = 0.8; ///< a range that covers more is not a phase; its inner ranges are

/// In the order of OsCallKind.
constexpr std::array namesOfOsCalls{HostNameKind::Reads, HostNameKind::Writes, HostNameKind::Files,
    HostNameKind::WaitsForThread, HostNameKind::WaitsForProcess, HostNameKind::WaitsForInput,
    HostNameKind::Sleeps, HostNameKind::Yields, HostNameKind::Driver, HostNameKind::OtherSystemCall};
static_assert(namesOfOsCalls.size() == static_cast<std::size_t>(OsCallKind::Other) + 1);

/// In the order of HostNameKind.
constexpr std::array<std::string_view, 26> nameKindKeys{"range", "communication", "algorithm", "openmp",
    "loads_libraries", "reads", "writes", "files", "waits_for_thread", "waits_for_process", "waits_for_input",
    "sleeps", "yields", "driver", "other_system_call", "off_cpu", "call", "call_loads_code",
    "call_pins_memory", "call_makes_context", "makes_context", "function", "code", "os_kernel", "module",
    "imports"};

std::vector<Argument> valuesOf(const HostName& name)
{
    return {{"kind", Name{std::string(nameKindKeys[static_cast<std::size_t>(name.kind)])}},
        name.name.empty() ? Argument{"name", Message("host.unnamed", "what has no name")}
                          : Argument{"name", Name{name.name}}};
}

class HostNames {
public:
    HostNames(const Trace& trace, GlobalId thread, NamedTime& time, const std::stop_token& stop)
        : m_trace(trace),
          m_thread(thread),
          m_time(time),
          m_stop(stop)
    {
    }

    void nameAll()
    {
        byCommunication();
        byOwnRanges();
        byAlgorithms();
        byLibraryLoads();
        bySystemCalls();
        byStates();
        nameBySamples(m_trace, m_thread, m_time, m_stop);
        byWideRanges();
    }

    void nameByRanges()
    {
        byOwnRanges();
        byWideRanges();
    }

private:
    /// Claims for the events of `lane` that overlap unnamed time, like `claimFor(name)` but of their range;
    /// an event without one claims nothing.
    template <typename ClaimFor>
    NamedTime::Claims claimsOf(const EventTable& table, const Lane& lane, ClaimFor claimFor)
    {
        NamedTime::Claims claims;
        if (m_time.left().empty())
            return claims;
        std::unordered_map<std::uint32_t, std::optional<NamedTime::Claim>> byName; // each asked about once
        const auto [first, last]
            = table.touching(lane, {m_time.left().front().start, m_time.left().back().end});
        for (const EventIndex i : stoppable(first, last, m_stop)) {
            const auto [place, added] = byName.try_emplace(raw(table.name[i]));
            if (added)
                place->second = claimFor(table.name[i]);
            if (!place->second)
                continue;
            claims.push_back(*place->second);
            claims.back().range = table.range(i);
        }
        return claims;
    }

    /// Claims time for the thread's outermost events of `kind`, named by `nameFor(track, name)`.
    template <typename NameFor> void outermost(EventKind kind, NameFor nameFor)
    {
        const EventTable& table = m_trace.table(kind);
        for (const Track& track : TracksOf(m_trace, kind, m_thread)) {
            if (track.laneCount > 0 && track.device < 0)
                m_time.give(claimsOf(table, table.lanes[track.firstLane], [&](StringId event) {
                    const std::optional<HostName> name = nameFor(track, m_trace.text(event));
                    return name ? std::optional(NamedTime::Claim{{}, m_time.number(*name)}) : std::nullopt;
                }));
        }
    }

    void byCommunication()
    {
        for (const EventKind kind : {EventKind::Library, EventKind::Nvtx})
            outermost(kind, [&](const Track& track, std::string_view) {
                const std::string_view family = m_trace.text(track.family);
                return isCommunicationLibrary(family)
                    ? std::optional(HostName{HostNameKind::Communication, toUtf8(family)})
                    : std::nullopt;
            });
    }

    /// The program's own ranges: those of no domain first, because ranges of domains nest in them.
    void byOwnRanges()
    {
        for (const bool named : {false, true}) {
            for (const Track& track : TracksOf(m_trace, EventKind::Nvtx, m_thread)) {
                const std::string_view domain = m_trace.text(track.family);
                if (track.device < 0 && domain.empty() != named && !isLibraryDomain(domain))
                    byRangesOf(track);
            }
        }
    }

    void byRangesOf(const Track& track)
    {
        const NvtxTable& nvtx = m_trace.nvtx();
        for (const Lane& lane : nvtx.lanesOf(track)) {
            const NamedTime::Claims claims = claimsOf(nvtx, lane, [&](StringId name) {
                const HostName pattern{HostNameKind::Range, withoutNumbers(toUtf8(m_trace.text(name)))};
                return name == StringId{} ? std::nullopt
                                          : std::optional(NamedTime::Claim{{}, m_time.number(pattern), name});
            });
            const std::vector<Ns> times = m_time.wouldGet(claims);
            NamedTime::Claims narrow;
            NamedTime::Claims wide;
            for (const NamedTime::Claim& claim : claims)
                (shareOf(times[claim.name], m_time.all()) < nearlyAll ? narrow : wide).push_back(claim);
            m_time.give(narrow);
            if (wide.empty())
                return;
            m_wide.push_back(std::move(wide));
        }
    }

    void byWideRanges()
    {
        for (auto wide = m_wide.rbegin(); wide != m_wide.rend(); ++wide) // the innermost first
            m_time.give(*wide);
    }

    void byAlgorithms()
    {
        outermost(EventKind::Nvtx, [&](const Track& track, std::string_view name) {
            return m_trace.text(track.family) == "STDPAR"
                ? std::optional(HostName{HostNameKind::Algorithm, toUtf8(name)})
                : std::nullopt;
        });
        outermost(EventKind::Library, [&](const Track& track, std::string_view name) {
            return m_trace.text(track.family) == "OpenMP" && name == "Parallel Region"
                ? std::optional(HostName{HostNameKind::OpenMp})
                : std::nullopt;
        });
    }

    /// Loading a library consists of system calls: name it as loading.
    void byLibraryLoads()
    {
        const EventTable& table = m_trace.table(EventKind::Overhead);
        NamedTime::Claims claims;
        for (const EventIndex load : libraryLoads(m_trace, m_stop)) {
            if (table.trackOf(load).owner == m_thread)
                claims.push_back({table.range(load), m_time.number({HostNameKind::LoadsLibraries})});
        }
        std::ranges::sort(claims, {}, [](const NamedTime::Claim& claim) { return claim.range.start; });
        m_time.give(claims);
    }

    void bySystemCalls()
    {
        outermost(EventKind::OsRuntime, [](const Track&, std::string_view name) {
            return std::optional(HostName{namesOfOsCalls[static_cast<std::size_t>(osCallKind(name))]});
        });
    }

    void byStates()
    {
        outermost(EventKind::ThreadState, [](const Track&, std::string_view name) {
            return name == "Running" ? std::nullopt : std::optional(HostName{HostNameKind::OffCpu});
        });
    }

    const Trace& m_trace;
    GlobalId m_thread;
    NamedTime& m_time;
    std::stop_token m_stop;
    std::vector<NamedTime::Claims> m_wide; ///< the outermost first
};

/// A call before the first GPU work, by why it may take long.
HostNameKind nameKindOf(CallKind kind)
{
    switch (kind) {
    case CallKind::LoadModule:
        return HostNameKind::CallLoadsCode;
    case CallKind::PinHost:
        return HostNameKind::CallPinsMemory;
    case CallKind::MakeContext:
        return HostNameKind::CallMakesContext;
    default:
        return HostNameKind::Call;
    }
}

/// Where most of `time` lies: one early file access does not extend the phase.
TimeRange mostOf(const Intervals& time)
{
    const Ns spare = totalTime(time) / 20;
    std::size_t first = 0;
    for (Ns left = spare - time.front().duration(); left >= 0 && first + 1 < time.size();)
        left -= time[++first].duration();
    std::size_t last = time.size() - 1;
    for (Ns left = spare - time.back().duration(); left >= 0 && last > first;)
        left -= time[--last].duration();
    return {time[first].start, time[last].end};
}

/// Calls got(piece, claim) for each overlap of `left` and `claims`, in order.
template <typename Got>
void forEachPiece(
    const Intervals& left, std::span<const NamedTime::Claim> claims, const std::stop_token& stop, Got got)
{
    StopCheck check(stop);
    std::size_t claim = 0;
    for (std::size_t i = 0; i < left.size() && claim < claims.size();) {
        check.step();
        const TimeRange piece = left[i].clippedTo(claims[claim].range);
        if (!piece.empty())
            got(piece, claims[claim]);
        if (claims[claim].range.end < left[i].end)
            ++claim;
        else
            ++i;
    }
}

} // namespace

void nameByHost(const Trace& trace, GlobalId thread, NamedTime& time, const std::stop_token& stop)
{
    HostNames(trace, thread, time, stop).nameAll();
}

void nameByRanges(const Trace& trace, GlobalId thread, NamedTime& time, const std::stop_token& stop)
{
    HostNames(trace, thread, time, stop).nameByRanges();
}

void nameByCalls(const Trace& trace, const CallKinds& kinds, std::span<const GlobalId> threads,
    NamedTime& time, const std::stop_token& stop)
{
    constexpr Ns longStart = 1'000'000; // a call that makes a context takes longer
    const EventTable& calls = trace.apiCalls();
    for (const GlobalId thread : threads) {
        for (const Track& track : TracksOf(trace, EventKind::ApiCall, thread)) {
            if (track.laneCount == 0 || time.left().empty())
                continue;
            NamedTime::Claims claims;
            bool hasContext = false;
            const auto [first, last] = calls.touching(
                calls.lanes[track.firstLane], {time.left().front().start, time.left().back().end});
            for (const EventIndex i : stoppable(first, last, stop)) {
                const std::string_view name = trace.text(calls.name[i]);
                const bool makes = !hasContext && calls.duration[i] >= longStart && mayMakeContext(name);
                hasContext = hasContext || calls.duration[i] >= longStart;
                const CallKind kind = makes             ? CallKind::MakeContext
                    : kinds[i] == CallKind::MakeContext ? CallKind::Other
                                                        : kinds[i];
                claims.push_back(
                    {calls.range(i), time.number({nameKindOf(kind), toUtf8(bareCallName(name))})});
            }
            time.give(claims);
        }
    }
}

Message textOf(const HostName& name)
{
    return {"host.doing",
        "{kind, select, communication {in calls of {name}} algorithm {parallel algorithms: {name}} "
        "openmp {OpenMP: parallel regions} loads_libraries {loads libraries (dlopen)} reads {reads files} "
        "writes {writes files} files {opens and closes files} waits_for_thread {waits for other threads} "
        "waits_for_process {waits for another process} waits_for_input {waits for input} sleeps {sleeps} "
        "yields {spins (sched_yield)} driver {in the driver (ioctl)} other_system_call {other system calls} "
        "off_cpu {waits, on no CPU} call_loads_code {{name} (loads code)} call_pins_memory {{name} (pins memory)} "
        "call_makes_context {{name} (creates the context)} "
        "makes_context {between calls: probably creates the context} function {runs {name}} "
        "code {runs code of {name}} os_kernel {in the OS kernel} module {in {name}} "
        "imports {imports Python modules} other {{name}}}",
        valuesOf(name)};
}

Message labelOf(const HostName& name)
{
    return {"host.doing_label",
        "{kind, select, openmp {OpenMP} loads_libraries {libraries} reads {reads files} writes {writes files} "
        "files {files} waits_for_thread {waits: threads} waits_for_process {waits: process} "
        "waits_for_input {waits: input} sleeps {sleeps} yields {spins} driver {driver} "
        "other_system_call {OS calls} off_cpu {on no CPU} makes_context {context?} code {code of {name}} "
        "os_kernel {in the OS kernel} module {in {name}} imports {imports Python modules} other {{name}}}",
        valuesOf(name)};
}

NamedTime::NamedTime(const Intervals& parts, std::stop_token stop)
    : m_stop(std::move(stop)),
      m_all(totalTime(parts)),
      m_left(parts)
{
}

std::uint32_t NamedTime::number(const HostName& name)
{
    const auto [place, added] = m_numbers.try_emplace(name, static_cast<std::uint32_t>(m_given.size()));
    if (added)
        m_given.emplace_back();
    return place->second;
}

std::vector<Ns> NamedTime::wouldGet(std::span<const Claim> claims) const
{
    std::vector<Ns> times(m_given.size(), 0);
    forEachPiece(m_left, claims, m_stop,
        [&](TimeRange piece, const Claim& claim) { times[claim.name] += piece.duration(); });
    return times;
}

void NamedTime::give(std::span<const Claim> claims)
{
    Intervals taken;
    forEachPiece(m_left, claims, m_stop, [&](TimeRange piece, const Claim& claim) {
        Given& given = m_given[claim.name];
        if (given.time.empty())
            given.text = claim.text;
        else if (given.text != claim.text)
            given.text = {};
        given.time.push_back(piece);
        if (!taken.empty() && taken.back().end == piece.start)
            taken.back().end = piece.end;
        else
            taken.push_back(piece);
    });
    if (!taken.empty())
        m_left = difference(m_left, taken);
}

std::vector<NamedTime::Named> NamedTime::named(const Trace& trace) const
{
    std::vector<Named> all;
    for (const auto& [name, number] : m_numbers) {
        const Given& given = m_given[number];
        if (given.time.empty())
            continue;
        const auto [first, last] = std::ranges::minmax(given.time, {}, &TimeRange::start);
        const Intervals time = unionOf(given.time, {first.start, last.end}, m_stop);
        all.push_back({name, given.text == StringId{} ? name.name : toUtf8(trace.text(given.text)),
            totalTime(time), time.size(), mostOf(time)});
    }
    return all;
}

} // namespace warpline
