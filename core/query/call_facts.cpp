#include "core/query/event_text.h"

#include "core/base/format.h"
#include "core/base/share.h"
#include "core/glossary/os_call_words.h"
#include "core/store/trace.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace warpline {

namespace {

constexpr Ns longEnough = 100'000; ///< shorter calls end before anybody sleeps
constexpr double minKnownShare = 0.5; ///< of the call, in thread states: with less there is no sentence
constexpr double nearlyAll = 0.8;

/// How much of `range` thread `thread` is on a CPU, 0..1; nothing where its states are not known there.
std::optional<double> onCpu(const Trace& trace, GlobalId thread, TimeRange range)
{
    const EventTable& states = trace.table(EventKind::ThreadState);
    Ns running = 0;
    Ns all = 0;
    for (const Track& track : states.tracks) {
        if (track.owner != thread || track.laneCount == 0 || track.device >= 0)
            continue;
        const auto [first, last] = states.touching(states.lanes[track.firstLane], range);
        for (EventIndex i = first; i < last; ++i) {
            const Ns time = states.range(i).clippedTo(range).duration();
            all += time;
            running += trace.text(states.name[i]) == "Running" ? time : 0;
        }
    }
    return shareOf(all, range.duration()) < minKnownShare ? std::nullopt
                                                          : std::optional(shareOf(running, range.duration()));
}

bool isSynchronizing(std::string_view call)
{
    return call.find("Synchronize") != std::string_view::npos;
}

} // namespace

Message meaningOfCall(const Trace& trace, EventRef call)
{
    const std::string_view name = trace.name(call);
    const bool isOsCall = call.kind == EventKind::OsRuntime;
    const bool waits = call.kind == EventKind::ApiCall && isSynchronizing(name);
    Message text = isOsCall ? wordsForOsCall(name)
        : waits             ? Message("call.waits_for_gpu", "waits for the GPU")
                            : Message();
    const TimeRange range = trace.range(call);
    if ((!isOsCall && !waits) || range.duration() < longEnough)
        return text;
    const std::optional<double> share = onCpu(trace, trace.track(trace.trackOf(call)).owner, range);
    if (!share)
        return text;
    const char* const how = !waits || (*share<nearlyAll&& * share> 1 - nearlyAll) ? "other"
        : *share >= nearlyAll                                                     ? "spins"
                                                                                  : "sleeps";
    Message onCpu("call.on_cpu",
        "on a CPU for {share} of it{how, select, spins { (spins)} sleeps { (sleeps)} other {}}",
        {{"share", Name{formatShare(*share)}}, {"how", Name{how}}});
    return text.empty() ? onCpu
                        : Message("call.meaning", "{meaning}; {on_cpu}",
                            {{"meaning", std::move(text)}, {"on_cpu", std::move(onCpu)}});
}

} // namespace warpline
