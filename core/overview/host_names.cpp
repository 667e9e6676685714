// What the host does at a time, under the names that a report has for it.

#include "core/overview/host_names.h"

#include "core/base/share.h"
#include "core/base/utf8.h"
#include "core/findings/first_launches.h"
#include "core/findings/host_activity.h"
#include "core/findings/library_loads.h"
#include "core/glossary/os_call_words.h"
#include "core/steps/step_names.h"
#include "core/steps/steps.h"
#include "core/store/event_loops.h"
#include "core/store/library_domains.h"
#include "core/store/place_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace warpline {

namespace {

constexpr double nearlyAll = 0.8; ///< a range that covers so much is no phase: those inside are

std::string_view phaseOf(OsCallKind kind)
{
    switch (kind) {
    case OsCallKind::Reads:
        return "reads files";
    case OsCallKind::Writes:
        return "writes files";
    case OsCallKind::Files:
        return "opens and closes files";
    case OsCallKind::WaitsForThread:
        return "waits for other threads";
    case OsCallKind::WaitsForProcess:
        return "waits for another process";
    case OsCallKind::WaitsForInput:
        return "waits for input";
    case OsCallKind::Sleeps:
        return "sleeps";
    case OsCallKind::Yields:
        return "spins (sched_yield)";
    case OsCallKind::Driver:
        return "in the driver (ioctl)";
    case OsCallKind::Other:
        break;
    }
    return "other system calls";
}

constexpr std::string_view inCalls = "in calls of ";
constexpr std::string_view algorithms = "parallel algorithms: ";

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
    /// The events of `lane` where time is left, as claims of what `wordsFor(name)` says; an empty name: none.
    template <typename WordsFor>
    NamedTime::Claims claimsOf(const EventTable& table, const Lane& lane, WordsFor wordsFor)
    {
        NamedTime::Claims claims;
        if (m_time.left().empty())
            return claims;
        std::unordered_map<std::uint32_t, std::optional<std::size_t>> numbers; // each name asked about once
        const auto [first, last]
            = table.touching(lane, {m_time.left().front().start, m_time.left().back().end});
        for (const EventIndex i : stoppable(first, last, m_stop)) {
            const auto [place, added] = numbers.try_emplace(raw(table.name[i]));
            if (added) {
                if (const std::string words = wordsFor(m_trace.text(table.name[i])); !words.empty())
                    place->second = m_time.number(words);
            }
            if (place->second)
                claims.push_back({table.range(i), *place->second});
        }
        return claims;
    }

    /// Hands out the outermost events of the thread in `kind`, by what `wordsFor(track, name)` calls them.
    template <typename WordsFor> void outermost(EventKind kind, WordsFor wordsFor)
    {
        const EventTable& table = m_trace.table(kind);
        for (const Track& track : table.tracks) {
            if (track.owner == m_thread && track.laneCount > 0 && track.device < 0)
                m_time.give(claimsOf(table, table.lanes[track.firstLane],
                    [&](std::string_view name) { return wordsFor(track, name); }));
        }
    }

    void byCommunication()
    {
        for (const EventKind kind : {EventKind::Library, EventKind::Nvtx})
            outermost(kind, [&](const Track& track, std::string_view) {
                const std::string_view family = m_trace.text(track.family);
                return isCommunicationLibrary(family) ? fmt::format("{}{}", inCalls, toUtf8(family))
                                                      : std::string();
            });
    }

    /// The program's own ranges: of no domain first, others lie inside them.
    void byOwnRanges()
    {
        for (const bool named : {false, true}) {
            for (const Track& track : m_trace.nvtx().tracks) {
                const std::string_view domain = m_trace.text(track.family);
                if (track.owner == m_thread && track.device < 0 && domain.empty() != named
                    && !isLibraryDomain(domain))
                    byRangesOf(track);
            }
        }
    }

    void byRangesOf(const Track& track)
    {
        const NvtxTable& nvtx = m_trace.nvtx();
        for (const Lane& lane : nvtx.lanesOf(track)) {
            const NamedTime::Claims claims
                = claimsOf(nvtx, lane, [](std::string_view name) { return withoutNumbers(toUtf8(name)); });
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
            return m_trace.text(track.family) == "STDPAR" ? fmt::format("{}{}", algorithms, toUtf8(name))
                                                          : std::string();
        });
        outermost(EventKind::Library, [&](const Track& track, std::string_view name) {
            return m_trace.text(track.family) == "OpenMP" && name == "Parallel Region"
                ? std::string("OpenMP: parallel regions")
                : std::string();
        });
    }

    /// Loading a library is made of calls of the operating system: it is told as what it is.
    void byLibraryLoads()
    {
        const EventTable& table = m_trace.table(EventKind::Overhead);
        NamedTime::Claims claims;
        for (const EventIndex load : libraryLoads(m_trace, m_stop)) {
            if (table.trackOf(load).owner == m_thread)
                claims.push_back({table.range(load), m_time.number("loads libraries (dlopen)")});
        }
        std::ranges::sort(claims, {}, [](const NamedTime::Claim& claim) { return claim.range.start; });
        m_time.give(claims);
    }

    void bySystemCalls()
    {
        outermost(EventKind::OsRuntime,
            [](const Track&, std::string_view name) { return std::string(phaseOf(osCallKind(name))); });
    }

    void byStates()
    {
        outermost(EventKind::ThreadState, [](const Track&, std::string_view name) {
            return name == "Running" ? std::string() : std::string("waits, on no CPU");
        });
    }

    const Trace& m_trace;
    GlobalId m_thread;
    NamedTime& m_time;
    std::stop_token m_stop;
    std::vector<NamedTime::Claims> m_wide; ///< the outermost first
};

/// Why a call before the first GPU work takes long; empty: it is but a call.
std::string_view reasonOf(CallKind kind)
{
    switch (kind) {
    case CallKind::LoadModule:
        return " (loads code)";
    case CallKind::PinHost:
        return " (pins memory)";
    case CallKind::MakeContext:
        return " (creates the context)";
    default:
        return "";
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
        for (const Track& track : calls.tracks) {
            if (track.owner != thread || track.laneCount == 0 || time.left().empty())
                continue;
            NamedTime::Claims claims;
            bool hasContext = false;
            const auto [first, last] = calls.touching(
                calls.lanes[track.firstLane], {time.left().front().start, time.left().back().end});
            for (const EventIndex i : stoppable(first, last, stop)) {
                const std::string_view name = trace.text(calls.name[i]);
                const bool makes = !hasContext && calls.duration[i] >= longStart && mayMakeContext(name);
                hasContext = hasContext || calls.duration[i] >= longStart;
                claims.push_back({calls.range(i),
                    time.number(fmt::format("{}{}", toUtf8(bareCallName(name)),
                        reasonOf(makes                              ? CallKind::MakeContext
                                : kinds[i] == CallKind::MakeContext ? CallKind::Other
                                                                    : kinds[i])))});
            }
            time.give(claims);
        }
    }
}

std::string labelOf(const std::string& name)
{
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 11> shorter{
        {{"opens and closes files", "files"}, {"waits for other threads", "waits: threads"},
            {"waits for another process", "waits: process"}, {"waits for input", "waits: input"},
            {"in the driver (ioctl)", "driver"}, {"other system calls", "OS calls"},
            {"waits, on no CPU", "on no CPU"}, {"OpenMP: parallel regions", "OpenMP"},
            {"spins (sched_yield)", "spins"}, {"between calls: probably creates the context", "context?"},
            {"loads libraries (dlopen)", "libraries"}}};
    for (const auto& [whole, label] : shorter) {
        if (name == whole)
            return std::string(label);
    }
    for (const CallKind kind : {CallKind::LoadModule, CallKind::PinHost, CallKind::MakeContext}) {
        if (name.ends_with(reasonOf(kind)))
            return name.substr(0, name.size() - reasonOf(kind).size());
    }
    for (const std::string_view begin : {inCalls, algorithms, std::string_view("runs ")}) {
        if (name.starts_with(begin))
            return name.substr(begin.size());
    }
    return name;
}

} // namespace warpline
