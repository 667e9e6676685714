#pragma once

#include "core/budget/budget_parts.h"
#include "core/coverage/intervals.h"
#include "core/derive/call_kinds.h"
#include "core/store/trace.h"

#include <array>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpline {

/// A stretch of a thread's time in which it did one thing.
struct HostPiece {
    TimeRange range;
    IdleCause doing = IdleCause::OwnCode;
    StringId name{}; ///< the innermost NVTX range of the program's own; of data loading the outermost that
                     ///< does. Empty: none
    StringId operation{}; ///< of own code: the innermost operator of a framework that is open. Empty: none
    bool ofModules = false; ///< of CodeLoading: in a call that loads them, which are compiled just before
    bool startsCompiler = false; ///< in what a compiler of GPU code begins with, see startsCompiler()
};

/// What the NVTX ranges and calls of a trace mean, each name looked at once. Shared by the threads' pieces.
class HostWords {
public:
    explicit HostWords(const Trace& trace);
    bool loadsData(StringId rangeName);
    IdleCause ofCall(EventIndex call) const;
    bool runs(StringId threadState) const { return m_trace->text(threadState) == "Running"; }
    std::string_view text(StringId name) const { return m_trace->text(name); }
    bool loadsModules(EventIndex call) const { return m_calls[call] == CallKind::LoadModule; }
    bool startsCompiler(StringId name); ///< see there
    bool isOperator(StringId name); ///< see isFrameworkOperator()

private:
    const Trace* m_trace;
    CallKinds m_calls;
    std::vector<EventIndex> m_firstLaunches; ///< that load code, by index
    std::unordered_map<StringId, bool> m_loads;
    std::unordered_map<StringId, bool> m_compilers;
    std::unordered_map<StringId, bool> m_operators;
};

/// Tells what one thread did, for ranges that are asked in order of time: then all of them together cost one
/// pass over its events.
class HostPieces {
public:
    HostPieces(const Trace& trace, HostWords& words, GlobalId thread);

    /// Appends what the thread did in `range` to `pieces`: they follow one another without gaps. `range`
    /// starts no earlier than any asked before. Code is compiled on the host before it is loaded: own code
    /// just before a call that loads modules, in the same NVTX range, counts as loading; where a compiler
    /// begins in it, what comes before that as well, with the libraries that are loaded there.
    void append(TimeRange range, std::vector<HostPiece>& pieces);

private:
    /// The events of one lane, from the first that can still matter.
    struct Source {
        const EventTable* table;
        EventIndex next;
        EventIndex last;
        bool named; ///< ranges of the program's own
        bool ofFramework = false; ///< operators, and what else a framework says of itself
    };
    struct Boundary {
        Ns time;
        bool begins;
        std::uint16_t source;
        IdleCause doing;
        StringId name;
        bool ofModules = false;
        bool startsCompiler = false;
        Ns since = 0; ///< when the event began, which may be before the range that is asked about
    };
    static constexpr std::uint16_t pages = 0xFFFF; ///< the source of boundaries of m_pageWaits

    void addTable(const Trace& trace, EventKind kind, GlobalId thread);
    IdleCause doingOf(const Source& source, EventIndex event);
    void addBoundaries(TimeRange piece, const Boundary& what);
    void collect(TimeRange range);
    HostPiece now() const;
    static void markCompiling(std::span<HostPiece> pieces);

    HostWords& m_words;
    std::vector<Source> m_sources; ///< of named ones the innermost last
    std::vector<Boundary> m_boundaries;
    Intervals m_pageWaits; ///< of the process, from the first that can still matter
    std::size_t m_nextPageWait = 0;
    std::array<std::uint32_t, idleCauses> m_active{};
    std::uint32_t m_loadingModules = 0; ///< how many of these calls are open
    std::uint32_t m_startingCompilers = 0;
    /// The range of a source that is open.
    struct Open {
        StringId name{};
        bool loads = false;
        Ns since = 0;
    };
    StringId operationIn(const HostPiece& piece, Ns since) const;

    std::vector<Open> m_names; ///< by source
};

} // namespace warpline
